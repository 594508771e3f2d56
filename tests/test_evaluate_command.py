"""`ragmetrics evaluate` and `ragmetrics compare`: what they print, and one clear line for what is wrong."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import subprocess
import sys

import pytest

import ragmetrics as rm
from ragmetrics.cli import main
from ragmetrics.commands import system_names

# q1 finds one of two, q2 has no answer, q3 no relevant documents; nobody judged q9.
RUN = "q1 Q0 d3 1 2.5 bm25\nq1 Q0 d1 2 1.5 bm25\nq3 Q0 d1 1 0.5 bm25\nq9 Q0 d1 1 1 bm25\n"
DENSE = "q1 Q0 d1 1 0.9 denso\nq1 Q0 d3 2 0.8 denso\nq2 Q0 d4 1 0.7 denso\nq3 Q0 d2 1 0.6 denso\n"
QRELS = "q1 0 d1 2\nq1 0 d2 1\nq2 0 d4 1\nq3 0 d5 0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with the files, and the command in it."""
    monkeypatch.chdir(tmp_path)
    for name, content in (("bm25.trec", RUN), ("denso.trec", DENSE), ("qrels.trec", QRELS)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


@pytest.fixture
def say(capsys):
    """Run the command, which must do well, and return what it prints."""

    def run(*argv: str) -> str:
        status = main(list(argv))
        captured = capsys.readouterr()
        assert (status, captured.err) == (0, "")
        return captured.out

    return run


@pytest.fixture
def complain(capsys):
    """Run the command, which must refuse, and return the line it says."""

    def run(*argv: str) -> str:
        try:
            status = main(list(argv))
        except SystemExit as stop:
            status = stop.code
        captured = capsys.readouterr()
        assert (status, captured.out) == (2, "")
        assert captured.err.endswith("\n")
        return captured.err.splitlines()[-1]

    return run


EVALUATE = ("evaluate", "bm25.trec", "qrels.trec")
COMPARE = ("compare", "qrels.trec", "bm25.trec", "denso.trec")

# --- what they print ------------------------------------------------------------------------------


def test_table(say) -> None:
    """Golden: with one query of three above 0, the interval of 95 % goes from 0 to its value."""
    assert say(*EVALUATE, "-k", "2", "1", "--metrics", "recall@k", "precision@k", "mrr") == (
        "Métrica      Media  Intervalo del 95 %\n"
        "-----------  -----  ------------------\n"
        "Recall@2     0,167       0,000 a 0,500\n"
        "Precision@2  0,167       0,000 a 0,500\n"
        "Recall@1     0,000       0,000 a 0,000\n"
        "Precision@1  0,000       0,000 a 0,000\n"
        "MRR          0,167       0,000 a 0,500\n"
        "Queries: 3.\n"
        "Sin documentos relevantes: 1 (cuentan 0).\n"
        "Juzgadas y sin respuesta: 1 (cuentan 0).\n"
        "Respondidas y sin juzgar: 1 (no cuentan).\n"
    )


def test_table_per_query(say) -> None:
    text = say(*EVALUATE, "-k", "2", "--metrics", "recall@k", "mrr", "--no-relevant", "skip", "--per-query")
    assert text.startswith(
        "Query  Recall@2    MRR\n"
        "-----  --------  -----\n"
        "q1        0,500  0,500\n"
        "q2        0,000  0,000\n"
        "\n"
        "Métrica   Media  "
    )  # fmt: skip
    assert "Queries: 2.\nSin documentos relevantes: 1 (quedan fuera).\n" in text


def test_csv(say) -> None:
    assert say(*EVALUATE, "-k", "2", "--metrics", "recall@k", "mrr", "--format", "csv") == (
        "metric,mean,low,high\nrecall@2,0.16666666666666666,0.0,0.5\nmrr,0.16666666666666666,0.0,0.5\n"
    )
    assert say(*EVALUATE, "-k", "2", "--metrics", "recall@k", "mrr", "--format", "csv", "--per-query") == (
        "query,recall@2,mrr\nq1,0.5,0.5\nq2,0.0,0.0\nq3,0.0,0.0\n"
    )


def test_json_is_what_evaluate_returns(say) -> None:
    text = say(*EVALUATE, "-k", "1", "2", "--gain", "exponential", "--seed", "7", "--format", "json")
    run, qrels = rm.read_run("bm25.trec"), rm.read_qrels("qrels.trec")
    assert json.loads(text) == rm.evaluate(run, qrels, k=(1, 2), gain="exponential", seed=7).to_dict()
    assert text.splitlines()[1] == '"k": [1, 2],'  # a line for each part


def test_k_is_5_unless_said(say) -> None:
    assert json.loads(say(*EVALUATE, "--format", "json"))["k"] == [5]


def test_one_query_has_no_interval(say, folder) -> None:
    (folder / "una.trec").write_text("q1 0 d1 1\n")
    run = ("evaluate", "bm25.trec", "una.trec", "--metrics", "mrr", "--format")
    assert json.loads(say(*run, "json"))["intervals"] == {"mrr": None}  # JSON has no nan
    assert say(*run, "csv") == "metric,mean,low,high\nmrr,0.5,,\n"
    assert "MRR      0,500                   —\n" in say(*run, "table")


@pytest.mark.parametrize("name", ["casos.json", "casos.jsonl", "casos.json.gz"])
def test_test_cases_go_alone(name, say) -> None:
    cases = [
        {"query": "¿Cómo   instalo\nPython?" + " y" * 40, "retrieved": [1, 3], "relevant": [3]},
        {"retrieved": [2], "relevant": [9]},
    ]
    rm.write_test_cases(name, cases)
    text = say("evaluate", name, "-k", "2", "--metrics", "mrr", "--per-query")
    assert text.startswith(
        f"{'Query':40}    MRR\n{'-' * 40}  -----\n"
        f"¿Cómo instalo Python? y y y y y y y y y…  0,500\n{'1':40}  0,000\n"
    )  # fmt: skip
    content = json.loads(say("evaluate", name, "-k", "2", "--format", "json"))
    assert content == rm.evaluate(cases, k=2).to_dict()
    assert content["queries"] == [cases[0]["query"], 1]


@pytest.mark.parametrize("suffix", [".trec", ".csv", ".json", ".jsonl", ".csv.gz"])
def test_every_format_gives_the_same(suffix, say) -> None:
    expected = say(*EVALUATE, "-k", "2", "--format", "json")
    rm.write_run(f"run{suffix}", rm.read_run("bm25.trec"))
    rm.write_qrels(f"juicios{suffix}", rm.read_qrels("qrels.trec"))
    assert say("evaluate", f"run{suffix}", f"juicios{suffix}", "-k", "2", "--format", "json") == expected


def test_equals_pytrec_eval_on_the_same_files(say) -> None:
    import pytrec_eval

    rng = random.Random(11)
    with open("r.trec", "w") as run, open("q.trec", "w") as qrels:
        for q in range(60):
            pool = [f"d{i}" for i in range(30)]
            for rank, doc in enumerate(rng.sample(pool, rng.randint(1, 20)), start=1):
                run.write(f"q{q} Q0 {doc} {rank} {rng.randrange(5) / 4} t\n")  # ties, and ranks that say otherwise
            for doc in rng.sample(pool, 8):
                qrels.write(f"q{q} 0 {doc} {rng.choice([-1, 0, 0, 1, 2])}\n")
    with open("r.trec") as run, open("q.trec") as qrels:
        judged = pytrec_eval.parse_qrel(qrels)
        peer = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut_5", "map", "P_5", "recip_rank"})
        theirs = peer.evaluate(pytrec_eval.parse_run(run))
    content = json.loads(say("evaluate", "r.trec", "q.trec", "--format", "json"))
    for ours, name in (("ndcg@5", "ndcg_cut_5"), ("map", "map"), ("precision@5", "P_5"), ("mrr", "recip_rank")):
        expected = [theirs[query][name] for query in content["queries"]]
        assert content["values"][ours] == pytest.approx(expected, abs=1e-9)


def test_compare_says_what_compare_says(say) -> None:
    systems = {"bm25": rm.read_run("bm25.trec"), "denso": rm.read_run("denso.trec")}
    expected = rm.compare(systems, rm.read_qrels("qrels.trec"), k=[1, 2], no_relevant="skip", seed=3)
    asked = (*COMPARE, "-k", "1", "2", "--no-relevant", "skip", "--seed", "3")
    assert say(*asked) == f"{expected!r}\n"
    assert say(*asked, "--format", "csv") == expected.to_csv()
    assert json.loads(say(*asked, "--format", "json")) == expected.to_dict()


def test_compare_per_query(say) -> None:
    asked = (*COMPARE, "-k", "1", "--metrics", "precision@k", "mrr", "--per-query")
    assert say(*asked, "--format", "csv") == (
        "query,system,precision@1,mrr\n"
        "q1,bm25,0.0,0.5\nq1,denso,1.0,1.0\n"
        "q2,bm25,0.0,0.0\nq2,denso,1.0,1.0\n"
        "q3,bm25,0.0,0.0\nq3,denso,0.0,0.0\n"
    )
    text = say(*asked)
    assert text.startswith(
        "Query  Sistema  Precision@1    MRR\n"
        "-----  -------  -----------  -----\n"
        "q1        bm25        0,000  0,500\n"
        "q1       denso        1,000  1,000\n"
    )  # fmt: skip
    assert text.endswith(f"{say(*asked[:-1])}")
    content = json.loads(say(*asked, "--format", "json"))
    assert content["per_query"][1] == {"query": "q1", "system": "denso", "precision@1": 1.0, "mrr": 1.0}
    assert len(content["per_query"]) == 6


@pytest.mark.parametrize("command", [EVALUATE, COMPARE])
@pytest.mark.parametrize("per_query", [[], ["--per-query"]])
def test_csv_and_json_can_be_read_back_whatever_the_queries_are(command, per_query, say) -> None:
    queries = ['con, coma y "comillas"', "en dos\nlíneas", "ñ", "normal"]
    for name in ("bm25.json", "denso.json"):
        rm.write_run(name, {query: ["a", "b"] for query in queries})
    rm.write_qrels("qrels.json", {query: ["b"] for query in queries})
    argv = [word.replace(".trec", ".json") for word in command] + per_query
    header, *rows = csv.reader(io.StringIO(say(*argv, "--format", "csv"), newline=""))
    assert {len(row) for row in rows} == {len(header)}
    assert not per_query or list(dict.fromkeys(row[0] for row in rows)) == queries
    assert "NaN" not in json.dumps(json.loads(say(*argv, "--format", "json")))


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["bm25.trec", "runs/denso.v2.json.gz", "x/BM25.CSV.GZ"], ["bm25", "denso.v2", "BM25"]),
        (["bm25.trec", "bm25.json"], ["bm25.trec", "bm25.json"]),
        (["k=1.2", "k=1.5"], ["k=1.2", "k=1.5"]),
        (["a/run.trec", "b/run.trec"], ["a/run.trec", "b/run.trec"]),
        (["sin_sufijo", "x/.gz"], ["sin_sufijo", ".gz"]),
    ],
)
def test_systems_are_called_as_their_files(paths, names) -> None:
    assert system_names(paths) == names


# --- what is wrong --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["evaluate", "nada.trec", "qrels.trec"], "ragmetrics: nada.trec: no existe"),
        (["evaluate", "bm25.trec", "."], "ragmetrics: .: es una carpeta"),
        (["evaluate", "bm25.trec"], "ragmetrics: faltan los juicios: ragmetrics evaluate bm25.trec QRELS."),
        (["evaluate", "run.json"], "ragmetrics: run.json: se esperaba una lista de casos"),
        (["evaluate", "qrels.trec", "bm25.trec"], "ragmetrics: qrels.trec, línea 1: llegaron 4 campos"),
        (["evaluate", "mal.jsonl"], "ragmetrics: mal.jsonl, línea 1, columna 2: no es JSON válido"),
        ([*EVALUATE, "-k", "0"], "ragmetrics: k debe ser al menos 1 y llegó k=0."),
        ([*EVALUATE, "-k", "cinco"], "ragmetrics evaluate: -k: se esperaba un número entero y llegó 'cinco'"),
        (["evaluate", "-k", "5", "bm25.trec"], "-k: se esperaba un número entero y llegó 'bm25.trec'"),
        ([*EVALUATE, "-k"], "ragmetrics evaluate: -k: falta su valor"),
        ([*EVALUATE, "--metrics", "ndcg"], "ragmetrics: metrics debe nombrar métricas de esta lista"),
        ([*EVALUATE, "--gain", "raro"], "--gain: no existe 'raro' (elige entre 'linear', 'exponential')"),
        ([*EVALUATE, "--format", "xml"], "--format: no existe 'xml'"),
        ([*EVALUATE, "--seed", "-1"], "--seed: se esperaba un número entero y llegó '-1'"),
        ([*EVALUATE, "--no-relevant", "error"], "ragmetrics: Hay 1 queries sin documentos relevantes: ['q3']."),
        ([*EVALUATE, "--Execute.timeout=5"], "ragmetrics: no conozco estos argumentos: --Execute.timeout=5"),
        (["evaluate", "bm25.trec", "--seed", "1", "qrels.trec"],
         "qrels.trec (los archivos van delante de las opciones)"),
        (["evaluate", "enteros.jsonl", "qrels.trec"], "nunca pueden coincidir porque son de tipos distintos"),
        (["compare", "qrels.trec", "bm25.trec"], "ragmetrics: Para comparar hacen falta al menos dos sistemas"),
        (["compare", "qrels.trec"], "ragmetrics compare: faltan argumentos: RUN"),
        (["compare", "qrels.trec", "bm25.trec", "./bm25.trec"],
         "ragmetrics: bm25.trec: el mismo archivo está dos veces"),
        (["compare", "qrels.trec", "x/a/r.trec", "y/a/r.trec"],
         "ragmetrics: no sé cómo llamar a los sistemas: x/a/r.trec"),
        (["compare", "qrels.trec", "bm25.trec", "qrels.trec"],
         "Parecen juicios (qrels): ¿están los archivos en su orden?"),
    ],
)  # fmt: skip
def test_wrong_use_is_one_line_and_status_2(argv, line, complain, folder) -> None:
    (folder / "run.json").write_text('{"q1": ["d1"]}')
    (folder / "mal.jsonl").write_text("{mal}\n")
    (folder / "enteros.jsonl").write_text('{"query": 1, "retrieved": ["d1"]}\n')
    assert line in complain(*argv)


def ragmetrics(*argv: str, **kwargs) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "ragmetrics.cli", *argv], stderr=subprocess.PIPE, **kwargs)


def test_as_a_process() -> None:
    good = ragmetrics(
        *EVALUATE, "--format", "json", stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert (good.returncode, good.stderr) == (0, b"")
    assert json.loads(good.stdout)["unanswered"] == ["q2"]
    table = ragmetrics(*EVALUATE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert table.stdout.decode("utf-8").startswith("Métrica")
    bad = ragmetrics("evaluate", "nada", "qrels.trec", stdout=subprocess.PIPE)
    assert (bad.returncode, bad.stdout) == (2, b"")
    assert bad.stderr.decode() == "ragmetrics: nada: no existe\n"


def test_whoever_reads_may_stop_before_the_end() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as closed:
        run = ragmetrics(*COMPARE, "--per-query", stdout=closed)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a disk that is always full")
def test_a_full_disk_is_one_line_and_status_2() -> None:
    with open("/dev/full", "wb") as full:
        run = ragmetrics(*EVALUATE, stdout=full)
    assert (run.returncode, run.stderr.decode()) == (2, "ragmetrics: la salida: no queda sitio en el disco\n")


def test_only_numpy_is_loaded() -> None:
    code = (
        "import sys; from ragmetrics.cli import main\n"
        f"status = main({[*EVALUATE]!r}) or main({[*COMPARE]!r})\n"
        "print(status, *{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    status, *loaded = run.stderr.split()
    assert status == "0"
    heavy = {"nbgrader", "matplotlib", "rich", "pandas", "IPython", "jupyterlab", "nbformat", "traitlets"}
    assert heavy & set(loaded) == set()
