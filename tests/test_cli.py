"""The command speaks Spanish, and wrong use is one clear line and status 2."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from ragmetrics.cli import build_parser, main

ENGLISH = re.compile(
    r"\b(usage|options|show|help message|positional|arguments are|error|invalid|choose|required)\b"
)


def said(capsys, *argv: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(list(argv))
    captured = capsys.readouterr()
    assert stop.value.code == (0 if "--help" in argv else 2)
    return captured.out + captured.err


@pytest.mark.parametrize("argv", [[], ["lab"], ["check"], ["grade"], ["evaluate"], ["compare"]])
def test_help_is_in_spanish(argv, capsys) -> None:
    text = said(capsys, *argv, "--help")
    assert text.startswith("uso: ragmetrics")
    assert ENGLISH.search(re.sub(r"--\S+|\{\S+\}", "", text)) is None


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "faltan argumentos: ORDEN"),
        (["grade"], "faltan argumentos: TAREA"),
        (["check"], "faltan argumentos: NOTEBOOK"),
        (["nada"], "no existe 'nada' (elige entre"),
        (["lab", "--port", "x"], "--port: se esperaba un número entero y llegó 'x'"),
        (["lab", "--port"], "--port: falta su valor"),
        (["lab", "--no-browser=1"], "no admite valor"),
        (["check", "a.ipynb", "b.ipynb"], "no conozco estos argumentos: b.ipynb"),
        (["evaluate"], "faltan argumentos: RUN"),
        (["compare"], "faltan argumentos: QRELS, RUN"),
        (["grade", "tarea1", "--forzar"], "no conozco estos argumentos: --forzar"),
    ],
)
def test_wrong_use_is_one_spanish_line(argv, message, capsys) -> None:
    text = said(capsys, *argv)
    assert message in text
    assert ENGLISH.search(text.splitlines()[-1]) is None


def test_options_of_the_apps_underneath_pass_through() -> None:
    _, others = build_parser().parse_known_args(["check", "a.ipynb", "--Execute.timeout=5"])
    assert others == ["--Execute.timeout=5"]


def test_a_notebook_that_is_not_there_is_one_line_and_status_2(tmp_path, capsys) -> None:
    assert main(["check", str(tmp_path / "nada.ipynb")]) == 2
    assert capsys.readouterr().err.startswith("ragmetrics: No encuentro el notebook")


@pytest.mark.parametrize(
    "argv", [["--help"], ["evaluate", "--help"], ["compare", "--help"], ["evaluate", "nada.trec", "q"]]
)
@pytest.mark.parametrize(
    "shell", ["PYTHONIOENCODING=ascii {}", "PYTHONIOENCODING=latin-1 {}", "{} >&-", "{} 2>&-"]
)
def test_no_terminal_gets_a_traceback(argv, shell) -> None:
    command = f"{shlex.quote(sys.executable)} -m ragmetrics.cli {shlex.join(argv)}"
    done = subprocess.run(["sh", "-c", shell.format(command)], capture_output=True, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == (0 if "--help" in argv else 2)
