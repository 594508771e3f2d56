"""The project's own promises: the two lists of dependencies agree, commands are where the README says."""

from __future__ import annotations

import doctest
import inspect
import re
import tomllib

import pytest
from course import ROOT

import ragmetrics
from ragmetrics import plots

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def normal(requirement: str) -> str:
    return requirement.replace(" ", "").lower()


def test_environment_yml_lists_what_pyproject_does() -> None:
    lines = (ROOT / "environment.yml").read_text(encoding="utf-8").splitlines()
    listed = {normal(m[1]) for line in lines if (m := re.match(r" +- ([^:-][^:]*)$", line))}
    channels_and_tools = {"conda-forge", "nodefaults", "pip"}
    wanted = {normal(r) for r in PYPROJECT["dependencies"] + PYPROJECT["optional-dependencies"]["course"]}
    wanted.add(f"python{PYPROJECT['requires-python']}")
    assert listed - channels_and_tools == wanted


def test_readme_holds_the_two_commands_once_each() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"<!-- (\w+) -->\n```bash\n(.+)\n```", readme))
    assert blocks["curso"].endswith("ragmetrics lab")
    assert blocks["pruebas"].endswith("pytest")
    assert set(blocks) == {"curso", "pruebas"}


def test_readme_links_and_pictures_exist() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#]+)\)", readme)
    local = [target for target in targets if "://" not in target]
    assert local
    assert [target for target in local if not (ROOT / target).exists()] == []


def test_readmes_python_runs_and_gives_what_it_says(capsys) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    [code] = re.findall(r"```python\n(.+?)```", readme, flags=re.S)
    namespace: dict[str, object] = {}
    exec(code, namespace)
    assert "nDCG@3 entre BM25 y denso" in capsys.readouterr().out
    metrics = namespace["ragmetrics"].RetrievalEvaluator(k=5).evaluate_all([1, 3, 5, 7, 9, 11, 13], [3, 7, 12])
    printed = re.search(r"# (\{.+\})", code)[1]
    assert {name: round(value, 3) for name, value in metrics.items()} == eval(printed)


PUBLIC = [
    (module, name)
    for module in (ragmetrics, plots)
    for name, thing in vars(module).items()
    if not name.startswith("_") and (inspect.isfunction(thing) or inspect.isclass(thing))
    if module is not ragmetrics or name in ragmetrics.__all__
    if module is not plots or (inspect.isfunction(thing) and thing.__module__ == plots.__name__)
]


@pytest.mark.parametrize(("module", "name"), PUBLIC, ids=lambda value: getattr(value, "__name__", value))
def test_everything_public_has_a_docstring_with_a_doctest(module, name) -> None:
    examples = doctest.DocTestFinder(recurse=False).find(getattr(module, name), name)
    assert sum(len(example.examples) for example in examples) > 0


def test_all_names_are_public() -> None:
    assert len(PUBLIC) > 30
