"""Files: what is written is read again equal, and whatever is wrong is named with its file and line."""

from __future__ import annotations

import enum
import gzip
import json
import os
import stat
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import ragmetrics as rm

READ = {"run": rm.read_run, "qrels": rm.read_qrels, "cases": rm.read_test_cases}
ROWS = ["x.trec", "x.csv", "x.trec.gz", "x.csv.gz"]
JSON = ["x.json", "x.jsonl", "x.json.gz", "x.jsonl.gz"]


def write(path: Path, content: str | bytes) -> Path:
    data = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" and not data.startswith(b"\x1f\x8b") else data)
    return path


def there_and_back(write_file, read_file, name, content):
    with tempfile.TemporaryDirectory() as folder:
        write_file(f"{folder}/{name}", content)
        assert os.listdir(folder) == [name]
        return read_file(f"{folder}/{name}")


# --- reading what others write --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("run.trec", "q1 Q0 d2 7 0.5 t\nq1 Q0 d1 1 9 t\nq2 Q0 d1 1 -1e3 t\n"),
        ("run.txt", "q1 Q0 d2 7 0.5 t\r\nq1 Q0 d1 1 9 t\r\n\r\nq2 Q0 d1 1 -1e3 t"),
        ("RUN", "\ufeffq1\tQ0  d2 7 .5 t\n \t \nq1 Q0 d1 1 +9. t\nq2 zero d1 rank -1000 t \n"),
        ("run.trec.gz", "q1 Q0 d2 7 0.5 t\nq1 Q0 d1 1 9 t\nq2 Q0 d1 1 -1e3 t\n"),
        ("run.csv", "query,doc,score\nq1,d2,0.5\nq1,d1,9\nq2,d1,-1e3\n"),
        ("run.CSV.gz",
         '\ufeff"score", "doc",rank,query\r\n 0.5,d2,7,q1\r\n,,,\r\n9,"d1",1, q1\r\n\r\n-1000,d1,1,q2'),
        ("run.json", '{"q1": {"d2": 0.5, "d1": 9}, "q2": {"d1": -1000}}'),
        ("run.json", '\ufeff[{"query": "q1", "retrieved": {"d2": 0.5, "d1": 9}}, '
                     '{"retrieved": {"d1": -1e3}, "query": "q2"}]'),
        ("run.jsonl", '{"query": "q1", "retrieved": {"d2": 0.5, "d1": 9}}\r\n\n'
                      '{"query": "q2", "retrieved": {"d1": -1e3}}'),
    ],
)  # fmt: skip
def test_a_run_is_read_from_every_format(name, content, tmp_path) -> None:
    run = rm.read_run(write(tmp_path / name, content))
    assert run == {"q1": {"d2": 0.5, "d1": 9.0}, "q2": {"d1": -1000.0}}
    assert rm.evaluate(run, {"q1": ["d1"], "q2": ["d1"]}, k=1).means["mrr"] == 1.0  # scores rule


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("qrels.trec", "q1 0 d1 2\nq1 0 d2 0\nq2 0 d1 -2\nq2 Q0 d3 0.5\n"),
        ("qrels.csv.gz", "query,doc,gain\nq1,d1,2\nq1,d2,0\nq2,d1,-2\nq2,d3,0.5\n"),
        ("qrels.json", '{"q1": {"d1": 2, "d2": 0}, "q2": {"d1": -2, "d3": 0.5}}'),
        ("qrels.jsonl", '{"query": "q1", "relevant": {"d1": 2, "d2": 0}}\n'
                        '{"query": "q2", "relevant": {"d1": -2, "d3": 0.5}}'),
    ],
)  # fmt: skip
def test_judgments_keep_what_is_not_relevant_and_whole_gains_stay_int(name, content, tmp_path) -> None:
    qrels = rm.read_qrels(write(tmp_path / name, content))
    assert qrels == {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": -2, "d3": 0.5}}
    assert [type(gain) for gains in qrels.values() for gain in gains.values()] == [int, int, int, float]


def test_test_cases_serve_as_cases_as_run_and_as_judgments(tmp_path) -> None:
    path = write(
        tmp_path / "casos.json", '[{"query": "¿RAG?", "retrieved": [1, 3], "relevant": [3], "nota": null}]'
    )
    cases = rm.read_test_cases(path)
    assert cases == [{"query": "¿RAG?", "retrieved": [1, 3], "relevant": [3], "nota": None}]
    alone, apart = rm.evaluate(cases, k=2), rm.evaluate(rm.read_run(path), rm.read_qrels(path), k=2)
    assert alone.means == apart.means
    unnamed = rm.read_test_cases(write(tmp_path / "casos.jsonl", '{"retrieved": ["a"], "relevant": {"a": 2}}\n'))
    assert rm.evaluate(unnamed, k=1).means["recall@1"] == 1.0


def test_a_pipe_can_be_read(tmp_path) -> None:
    code = "import ragmetrics as rm; print(rm.read_run('/dev/stdin'))"
    said = subprocess.run([sys.executable, "-c", code], input="q Q0 d 1 2 t\n", capture_output=True, text=True)
    assert said.stdout == "{'q': {'d': 2.0}}\n"


# --- what is wrong --------------------------------------------------------------------------------

PACKED = gzip.compress(b"q1 Q0 d1 1 2 t\n", mtime=0)
LONG = gzip.compress("".join(f"q1 Q0 d{i * i} 1 {i / 7} t\n" for i in range(5000)).encode(), mtime=0)


@pytest.mark.parametrize(
    ("what", "name", "content", "words"),
    [
        # TREC
        ("run", "r.trec", "q1 Q0 d1 1 0.5 t\nq1 Q0 d2 0.4 t\n",
         "línea 2: llegaron 5 campos ('q1 Q0 d2 0.4 t') y se esperaban 6, separados por espacios: "
         "query Q0 doc rank score tag."),
        ("run", "r.trec", "q1 Q0 d 1 1 0.5 t\n", "línea 1: llegaron 7 campos"),
        ("run", "r.trec", "q1 0 d1 2\n", "Parecen juicios (qrels): ¿están los archivos en su orden?"),
        ("qrels", "r.trec", "q1 Q0 d1 1 0.5 t\n",
         "query 0 doc gain. Parece un run: ¿están los archivos en su orden?"),
        ("qrels", "r.trec", "q1 0 d1\n", "línea 1: llegaron 3 campos"),
        ("run", "r.txt", "query,doc,score\n", "llegó 1 campo ('query,doc,score') y se esperaban 6"),
        ("run", "r.txt", " [\n", "query Q0 doc rank score tag. Si es CSV o JSON, su nombre debe acabar en .csv"),
        ("run", "r.trec", "\n\nq1 Q0 d1 1 alto t\n",
         "línea 3: score debe ser un número con punto decimal, como 0.85, y llegó 'alto' "
         "(query 'q1', documento 'd1')."),
        ("run", "r.trec", "q1 Q0 d1 1 0,85 t\n", "llegó '0,85'"),
        ("run", "r.trec", "q1 Q0 d1 1 nan t\n", "llegó 'nan'"),
        ("run", "r.trec", "q1 Q0 d1 1 1_000 t\n", "llegó '1_000'"),
        ("run", "r.trec", "q1 Q0 d1 1 ٣ t\n", "llegó '٣'"),
        ("qrels", "r.trec", "q1 0 d1 inf\n",
         "línea 1: gain debe ser un número finito, como 0, 1 o 2, y llegó 'inf'"),
        ("qrels", "r.trec", "q1 0 d1 nan\n", "llegó 'nan'"),
        ("qrels", "r.trec", "q1 0 d1 sí\n", "llegó 'sí'"),
        ("qrels", "r.trec", f"q1 0 d1 {'9' * 400}\n", "llegó '999"),
        ("qrels", "r.trec", f"q1 0 d1 {'9' * 5000}\n", "llegó '999"),
        ("run", "r.trec", "q1 Q0 d1 1 2 t\nq2 Q0 d1 1 2 t\n\nq1 Q0 d2 1 2 t\nq1 Q0 d1 2 1 t\n",
         "línea 5: el documento 'd1' de la query 'q1' ya estaba en la línea 1."),
        ("qrels", "r.trec", "q1 0 d1 1\nq1 0 d1 1\n",
         "línea 2: el documento 'd1' de la query 'q1' ya estaba en la línea 1."),
        ("run", "r.trec", "", "está vacío: no hay ninguna línea «query Q0 doc rank score tag»."),
        ("run", "r.trec.gz", b"", "está vacío"),
        ("qrels", "r.trec", " \n\n", "está vacío: no hay ninguna línea «query 0 doc gain»."),
        # bytes
        ("run", "r.trec", "q1 Q0 d1 1 2 t\nq1 Q0 año 1 2 t\n".encode("latin-1"),
         "línea 2: no es texto en UTF-8. Guárdalo"),
        ("run", "r.trec", "q1 Q0 d1 1 2 t\n".encode("utf-16"), "línea 1: no es texto en UTF-8. Parece UTF-16"),
        ("run", "r.trec", PACKED,
         "Está comprimido con gzip: su nombre debe acabar en .gz."),
        ("run", "r.trec.gz", LONG[: len(LONG) // 2], ": no es un gzip entero: está cortado o dañado."),
        ("run", "r.trec.gz", PACKED[:-4],
         "después de la línea 1: no es un gzip entero"),
        ("run", "r.trec.gz", PACKED[:-8] + b"\0" * 8, "no es un gzip entero"),
        ("run", "r.trec.gz", PACKED[:12] + b"\xff" * 30, "no es un gzip entero"),
        # CSV
        ("run", "r.csv", "", "está vacío: no hay ninguna línea «query,doc,score»."),
        ("run", "r.csv", "query,doc,score\n", "está vacío"),
        ("run", "r.csv", "q1,d1,0.5\n",
         "línea 1: la cabecera debe traer las columnas query,doc,score, separadas por comas, "
         "y llegó 'q1,d1,0.5'."),
        ("run", "r.csv", "query;doc;score\nq1;d1;0,5\n", "separadas por comas, y llegó 'query;doc;score'"),
        ("qrels", "r.csv", "query,doc,score\nq1,d1,2\n", "query,doc,gain"),
        ("run", "r.csv", "query,doc,score\nq1,d1,0,5\n",
         "línea 2: llegaron 4 campos ('q1,d1,0,5') y se esperaban los 3 de la cabecera: query,doc,score."),
        ("run", "r.csv", 'query,doc,score\n"q\n1",d1,1\nq1,,1\n',
         "línea 4: query y doc no pueden ir vacíos, y llegó 'q1,,1'."),
        ("run", "r.csv", 'query,doc,score\nq1,d1,1\nq1,"d2,1\nq1,d3,1\n',
         "línea 3: no se entiende como CSV: revisa las comillas."),
        ("run", "r.csv", "query,doc,score\nq1,d1,x\n", "línea 2: score debe ser un número"),
        ("qrels", "r.csv", "query,doc,gain\nq1,d1,1\nq1,d1,2\n",
         "línea 3: el documento 'd1' de la query 'q1' ya estaba en la línea 2."),
        ("run", "r.csv", "query,doc,score\nq1,ñ,1\n".encode("latin-1"), "línea 2: no es texto en UTF-8"),
        # JSON
        ("run", "r.json", "  \n", "está vacío: no hay ninguna query."),
        ("run", "r.json", "{}", "está vacío"),
        ("cases", "r.json", "[]", "está vacío"),
        ("cases", "r.jsonl", "\n", "está vacío"),
        ("run", "r.json", '{"q1":\n ["d1",]}', "línea 2, columna 8: no es JSON válido: no se entiende ']}'."),
        ("run", "r.json", '{"q1": ["d1"', "no es JSON válido: se acaba antes de tiempo."),
        ("run", "r.jsonl", '{"query": "q1", "retrieved": []}\n{"query"}', "línea 2, columna 9: no es JSON válido"),
        ("run", "r.json", "3", "se esperaba un objeto o una lista de JSON y llegó 3."),
        ("run", "r.json", "[" * 100_000, "demasiadas listas anidadas"),
        ("run", "r.json", '{"q1": {"d1": ' + "9" * 5000 + "}}", "miles de cifras"),
        ("run", "r.json", '{"q1": {"d1": 1, "d2": 2, "d1": 3}}',
         "la clave 'd1' está dos veces en el mismo objeto."),
        ("run", "r.jsonl", '\n{"query": "q1", "query": "q2", "retrieved": []}',
         "línea 2: la clave 'query' está dos veces"),
        ("run", "r.json", '{"q1": {"d1": "0.5"}}',
         "query 'q1': score debe ser un número con punto decimal, como 0.85, y llegó '0.5' (documento 'd1')."),
        ("run", "r.json", '{"q1": {"d1": NaN}}', "llegó nan"),
        ("qrels", "r.json", '{"q1": {"d1": Infinity}}', "query 'q1': gain debe ser un número finito"),
        ("qrels", "r.json", '{"q1": {"d1": ' + "9" * 400 + "}}", "gain debe ser un número finito"),
        ("qrels", "r.json", '{"q1": {"d1": null}}', "llegó None"),
        ("run", "r.json", '{"q1": "d1"}',
         "query 'q1': se esperaba una lista de ids o un objeto id → score, y llegó 'd1'."),
        ("run", "r.json", '{"q1": ["d1", {"id": "d2"}]}',
         "cada id de retrieved debe ser un texto o un número, y llegó {'id': 'd2'}."),
        ("run", "r.json", '{"q1": ["d1", null]}', "llegó None"),
        ("run", "r.json", '{"q1": [true]}', "llegó True"),
        ("run", "r.json", '{"q1": [NaN]}', "llegó nan"),
        ("run", "r.json", '[{"query": "q1", "retrieved": []}, {"query": "q1", "retrieved": []}]',
         "caso 2: la query 'q1' ya estaba en caso 1."),
        ("run", "r.jsonl", '{"query": "q1", "retrieved": []}\n\n{"query": "q1", "retrieved": []}',
         "línea 3: la query 'q1' ya estaba en línea 1."),
        ("run", "r.jsonl", '{"retrieved": []}',
         "línea 1: falta la clave 'query' (claves que sí están: 'retrieved')."),
        ("run", "r.jsonl", '{"query": ["q"], "retrieved": []}',
         "línea 1: 'query' debe ser un texto o un número, y llegó ['q']."),
        ("qrels", "r.jsonl", "[1, 2]", "línea 1: se esperaba un objeto con 'query', 'relevant', y llegó [1, 2]."),
        ("cases", "r.json", '{"q1": ["d1"]}',
         "se esperaba una lista de casos con 'query', 'retrieved' y 'relevant', y llegó un objeto."),
        ("cases", "r.json", '[{"query": "q", "retrieved": [], "relevant": []}, {"retrieved": []}]',
         "caso 2: falta la clave 'relevant'"),
        ("cases", "r.json", "[{}]", "(claves que sí están: ninguna)"),
        ("cases", "r.json", "[7]", "caso 1: se esperaba un objeto con 'retrieved', 'relevant', y llegó 7."),
        ("cases", "r.json", '[{"retrieved": [], "relevant": "d1"}]',
         "caso 1: se esperaba una lista de ids o un objeto id → gain, y llegó 'd1'."),
        ("cases", "r.json", '[{"query": null, "retrieved": [], "relevant": []}]',
         "caso 1: 'query' debe ser un texto o un número, y llegó None."),
        ("cases", "r.csv", "query,doc,score\n", "los casos de prueba van en un archivo .json o .jsonl"),
        ("cases", "r.json", '[{"query": "año"}]'.encode("latin-1"), "línea 1: no es texto en UTF-8"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_file_and_line(what, name, content, words, tmp_path) -> None:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError) as error:  # noqa: PT011 (words are compared below, as text)
        READ[what](path)
    assert str(error.value).startswith(str(path))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("what", list(READ))
@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
def test_files_that_are_not_there_keep_their_type(what, suffix, tmp_path) -> None:
    path = tmp_path / f"nada{suffix}"
    with pytest.raises(FileNotFoundError, match="no existe") as error:
        READ[what](path)
    assert error.value.filename == str(path)
    path.mkdir()
    with pytest.raises(IsADirectoryError, match="es una carpeta"):
        READ[what](path)
    with pytest.raises(NotADirectoryError, match="como si fuera una carpeta"):
        READ[what](write(tmp_path / "r", "") / "x.json")


def test_a_path_must_be_a_path() -> None:
    with pytest.raises(TypeError, match=r"la ruta va delante: write_run\(path, run\)"):
        rm.write_run({"q": ["d"]}, "x.trec")
    with pytest.raises(TypeError, match="path debe ser la ruta de un archivo"):
        rm.read_run(None)


# --- round trips ----------------------------------------------------------------------------------

# Without what Unicode counts as white space, and the halves of characters that UTF-8 cannot hold.
words = st.text(min_size=1, max_size=8).filter(lambda t: t.split() == [t] and t[0] != "\ufeff")
phrases = st.text(min_size=1, max_size=12).filter(lambda t: t == t.strip() != "")
scores = st.floats(allow_nan=False)
gains = st.one_of(st.integers(-(2**70), 2**70), st.floats(allow_nan=False, allow_infinity=False))
rankings = st.lists(st.one_of(st.integers(), st.text(max_size=5)), max_size=6)


def by_query(ids, numbers, queries=None, min_size=1):
    documents = st.dictionaries(ids, numbers, min_size=min_size, max_size=5)
    return st.dictionaries(ids if queries is None else queries, documents, min_size=1, max_size=4)


def same(back, content):
    """Equal, and of the same types: 1 is not 1.0."""
    assert back == content
    assert list(back) == list(content)
    for query, documents in content.items():
        if isinstance(documents, dict):
            types = {doc_id: type(number) for doc_id, number in documents.items()}
            assert types == {doc_id: type(number) for doc_id, number in back[query].items()}


@pytest.mark.parametrize("name", ["x.trec", "x.trec.gz", "x.csv", "x.csv.gz"])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_rows_lose_nothing(name, data) -> None:
    ids = words if "trec" in name else phrases
    run, qrels = data.draw(by_query(ids, scores)), data.draw(by_query(ids, gains))
    same(there_and_back(rm.write_run, rm.read_run, name, run), run)
    same(there_and_back(rm.write_qrels, rm.read_qrels, name, qrels), qrels)


@pytest.mark.parametrize("name", JSON)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_json_loses_nothing(name, data) -> None:
    queries = st.text(max_size=8) if "jsonl" not in name else st.one_of(st.text(max_size=8), st.integers())
    finite = st.floats(allow_nan=False, allow_infinity=False)
    for write_file, read_file, numbers in (
        (rm.write_run, rm.read_run, finite),
        (rm.write_qrels, rm.read_qrels, gains),
    ):
        scored = by_query(st.text(max_size=8), numbers, queries, min_size=0)
        listed = st.dictionaries(queries, rankings, min_size=1, max_size=4)
        content = data.draw(st.one_of(scored, listed))
        same(there_and_back(write_file, read_file, name, content), content)


case = st.fixed_dictionaries(
    {
        "retrieved": st.one_of(rankings, st.dictionaries(st.text(max_size=4), st.floats(-9, 9), max_size=4)),
        "relevant": st.one_of(rankings, st.dictionaries(st.text(max_size=4), gains, max_size=4)),
    },
    optional={
        "query": st.one_of(st.text(max_size=9), st.integers()),
        "nota": st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4)),
            lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(max_size=3), inner)),
            max_leaves=4,
        ),
    },
)


@pytest.mark.parametrize("name", JSON)
@settings(max_examples=60, deadline=None)
@given(cases=st.lists(case, min_size=1, max_size=4))
def test_test_cases_lose_nothing(name, cases) -> None:
    assert there_and_back(rm.write_test_cases, rm.read_test_cases, name, cases) == cases


@pytest.mark.parametrize("name", ROWS)
@settings(max_examples=60, deadline=None)
@given(ranking=st.lists(words, min_size=1, max_size=15, unique=True))
def test_a_list_comes_back_in_its_order(name, ranking) -> None:
    back = there_and_back(rm.write_run, rm.read_run, name, {"q": ranking})
    assert rm.ranking_from_scores(back["q"]) == ranking
    judged = there_and_back(rm.write_qrels, rm.read_qrels, name, {"q": ranking})
    assert judged == {"q": dict.fromkeys(ranking, 1)}


def test_a_huge_list_comes_back_in_its_order(tmp_path) -> None:
    ranking = [f"d{(i * 7919) % 200_000}" for i in range(200_000)]
    rm.write_run(tmp_path / "x.trec", {"q": ranking})
    back = rm.read_run(tmp_path / "x.trec")["q"]
    assert rm.ranking_from_scores(back) == ranking
    assert len({np.float32(score) for score in back.values()}) == len(
        ranking
    )  # also for those who read floats of 4 bytes


def test_the_order_of_the_lines_does_not_matter(tmp_path) -> None:
    rm.write_run(tmp_path / "a.trec", {"q1": {"d1": 0.1, "d2": 0.7, "d3": 0.7}, "q2": {"d1": 3}})
    text = (tmp_path / "a.trec").read_text()
    assert text == (
        "q1 Q0 d3 1 0.7 ragmetrics\nq1 Q0 d2 2 0.7 ragmetrics\nq1 Q0 d1 3 0.1 ragmetrics\n"
        "q2 Q0 d1 1 3.0 ragmetrics\n"
    )
    shuffled = write(tmp_path / "b.trec", "".join(sorted(text.splitlines(keepends=True), reverse=True)))
    assert rm.read_run(tmp_path / "a.trec") == rm.read_run(shuffled)


def test_what_files_look_like(tmp_path) -> None:
    """Golden: a line for each query or case, so that differences between versions can be read."""
    run, qrels = {"q,1": ["d 1", 'd"2']}, {"q1": {"d1": 2, "d2": 0.5}, "q2": {"é"}}
    rm.write_run(tmp_path / "r.csv", run)
    assert (tmp_path / "r.csv").read_text() == 'query,doc,score\n"q,1",d 1,2.0\n"q,1","d""2",1.0\n'
    rm.write_qrels(tmp_path / "q.json", qrels)
    assert (tmp_path / "q.json").read_text() == '{\n"q1": {"d1": 2, "d2": 0.5},\n"q2": ["é"]\n}\n'
    rm.write_qrels(tmp_path / "q.jsonl", qrels)
    assert (tmp_path / "q.jsonl").read_text() == (
        '{"query": "q1", "relevant": {"d1": 2, "d2": 0.5}}\n{"query": "q2", "relevant": ["é"]}\n'
    )
    cases = [{"query": "a", "retrieved": [1], "relevant": [2]}, {"retrieved": ["x"], "relevant": []}]
    rm.write_test_cases(tmp_path / "c.json", cases)
    assert (tmp_path / "c.json").read_text() == (
        '[\n{"query": "a", "retrieved": [1], "relevant": [2]},\n{"retrieved": ["x"], "relevant": []}\n]\n'
    )
    for folder in ("a", "b"):  # the same content is the same bytes, whatever the file is called
        (tmp_path / folder).mkdir()
        rm.write_qrels(tmp_path / folder / f"{folder}.trec.gz", {"q": set("abcdefg")})
    assert (tmp_path / "a/a.trec.gz").read_bytes() == (tmp_path / "b/b.trec.gz").read_bytes()


class Shelf(str, enum.Enum):  # noqa: UP042 (its format() is not its text)
    UP = "arriba"


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ({"q": ("a", "b")}, ["a", "b"]),
        ({"q": np.array(["a", "b"])}, ["a", "b"]),
        ({"q": pd.Series(["a", "b"], index=[7, 3])}, ["a", "b"]),
        ({"q": (letter for letter in "ab")}, ["a", "b"]),
        ({np.str_("q"): [np.str_("a"), np.str_("b")]}, ["a", "b"]),
        ({"q": [Shelf.UP, "b"]}, ["arriba", "b"]),
        ({"q": {"b": np.float32(0.1), "a": np.int64(2)}}, ["a", "b"]),
    ],
)
def test_other_types_of_the_same_are_written_as_the_same(run, expected, tmp_path) -> None:
    kept = {query: list(ids) if not isinstance(ids, dict) else ids for query, ids in run.items()}
    for name in [*ROWS, *JSON]:
        rm.write_run(tmp_path / name, kept)
        back = rm.read_run(tmp_path / name)["q"]
        assert (rm.ranking_from_scores(back) if isinstance(back, dict) else back) == expected
    rm.write_run(tmp_path / "once.jsonl", run)
    assert list(rm.read_run(tmp_path / "once.jsonl")) == ["q"]


def test_numpy_numbers_are_written_as_numbers(tmp_path) -> None:
    rm.write_run(tmp_path / "r.jsonl", {np.int64(4): np.array([3, 1])})
    assert rm.read_run(tmp_path / "r.jsonl") == {4: [3, 1]}
    qrels = {"q": {"a": np.int64(2), "b": np.float32(0.5), "c": True}}
    for name in [*ROWS, *JSON]:
        rm.write_qrels(tmp_path / name, qrels)
        back = rm.read_qrels(tmp_path / name)["q"]
        assert back == {"a": 2, "b": 0.5, "c": 1}
        assert [type(gain) for gain in back.values()] == [int, float, int]


# --- what cannot be written -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "content", "error", "words"),
    [
        (ROWS, {"q": [1, 2]}, TypeError,
         "Query 'q': el documento 1 es de tipo int, y TREC y CSV solo guardan texto"),
        (ROWS, {7: ["a"]}, TypeError, r"Query 7: la query 7 es de tipo int.*str\(\.\.\.\).*\.jsonl"),
        (ROWS, {"q": {1: 0.5}}, TypeError, "el documento 1 es de tipo int"),
        (["x.trec"], {"q": ["a b"]}, ValueError,
         "el documento 'a b' no cabe en TREC, que separa los campos por espacios"),
        (["x.trec"], {"¿qué es RAG?": ["a"]}, ValueError,
         r"la query '¿qué es RAG\?' no cabe en TREC.*usa \.csv o \.json"),
        (["x.trec"], {"q": ["a\u00a0b"]}, ValueError, "no cabe en TREC"),
        (["x.trec"], {"q": ["\ufeffa"]}, ValueError, "no cabe en TREC"),
        (ROWS, {"q": [""]}, ValueError, "no puede ir vacío"),
        (ROWS, {"": ["a"]}, ValueError, "no puede ir vacío"),
        (["x.csv"], {"q": [" a"]}, ValueError, "ni empezar o acabar con espacios"),
        (ROWS, {"q": ["a", "b", "a"]}, ValueError,
         r"Query 'q': el documento 'a' está dos veces \(posiciones 1 y 3\).*unique"),
        (ROWS, {"q": []}, ValueError, r"Query 'q': no tiene ningún documento.*usa \.json"),
        (ROWS, {"q": {}}, ValueError, "no tiene ningún documento"),
        (ROWS, {"q": [["a"]]}, TypeError, "Query 'q': .*que no sirve como id"),
        (ROWS + JSON, {"q": {"a": float("nan")}}, ValueError, "Query 'q': El score del documento 'a' es nan"),
        (ROWS + JSON, {"q": {"a": "0.5"}}, TypeError, "debe ser un número"),
        (ROWS + JSON, {"q": {"a": 2**53 + 1}}, ValueError, "no cabe en un float"),
        (ROWS + JSON, {"q": {"a": 10**400}}, ValueError, "no cabe en un float"),
        (ROWS + JSON, {"q": {"a": Fraction(1, 3)}}, ValueError, r"no cabe en un float.*float\(\.\.\.\)"),
        (ROWS + JSON, {"q": {"a", "b"}}, TypeError, "Query 'q': retrieved debe ir ordenado"),
        (ROWS + JSON, {"q": "abc"}, TypeError, "letra a letra"),
        (ROWS + JSON, {}, ValueError, "run está vacío: no hay ninguna query que escribir"),
        (ROWS + JSON, [["a"]], TypeError, "run debe ser un dict query → {id: score} o ids en orden, y llegó"),
        (ROWS + JSON, {"q": ["\ud800x"]}, ValueError, "medio carácter, que no se puede escribir en UTF-8"),
        (JSON, {"q": {1: 0.5}}, TypeError,
         r"Query 'q': las claves de un objeto JSON son siempre texto, y llegó 1.*str\(\.\.\.\)"),
        (["x.json"], {7: ["a"]}, TypeError, r"Query 7: las claves de un objeto JSON son siempre texto.*\.jsonl"),
        (JSON, {"q": {"a": float("inf")}}, ValueError, "JSON no tiene inf. Usa TREC o CSV"),
        (JSON, {"q": [("a", 1)]}, TypeError, r"JSON no guarda como id \('a', 1\), de tipo tuple"),
        (JSON, {"q": [True]}, TypeError, "JSON no guarda como id True"),
        (JSON, {"q": [float("nan")]}, TypeError, "JSON no guarda como id nan"),
        (["x.jsonl"], {("a", 1): ["a"]}, TypeError, r"JSON no guarda como id \('a', 1\)"),
    ],
)  # fmt: skip
def test_what_a_format_cannot_hold_is_refused_and_nothing_is_left(names, content, error, words, tmp_path) -> None:
    for name in names:
        with pytest.raises(error, match=words):
            rm.write_run(tmp_path / name, content)
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("gain", "error", "words"),
    [
        (float("nan"), ValueError, "Query 'q': La ganancia del documento 'a' debe ser un número finito"),
        (float("inf"), ValueError, "debe ser un número finito"),
        ("2", TypeError, "debe ser un número"),
        (Fraction(1, 3), ValueError, "no cabe en un float"),
    ],
)
def test_gains_that_are_not_finite_are_not_written(gain, error, words, tmp_path) -> None:
    for name in [*ROWS, *JSON]:
        with pytest.raises(error, match=words):
            rm.write_qrels(tmp_path / name, {"q": {"a": gain}})
    with pytest.raises(ValueError, match="Query 'q2': no tiene ningún documento"):
        rm.write_qrels(tmp_path / "x.trec", {"q": ["a"], "q2": []})
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("tag", ["", "dos palabras", "\n", 3])
def test_a_tag_is_a_word(tag, tmp_path) -> None:
    with pytest.raises(ValueError, match="tag debe ser una palabra"):
        rm.write_run(tmp_path / "x.trec", {"q": ["a"]}, tag=tag)


@pytest.mark.parametrize(
    ("cases", "error", "words"),
    [
        ([], ValueError, "No hay ningún caso que escribir"),
        ({"retrieved": [], "relevant": []}, TypeError, "test_cases debe ser una lista de dicts"),
        ([{"retrieved": ["a"]}], ValueError, r"Caso 1 .*falta la clave 'relevant'"),
        ([{"retrieved": ["a"], "relevant": {3: 2}}], TypeError,
         "Caso 1: 'relevant': las claves de un objeto JSON son"),
        ([{"retrieved": {"a": float("nan")}, "relevant": []}], ValueError, "Caso 1: 'retrieved': .* es nan"),
        ([{"retrieved": {"a"}, "relevant": []}], TypeError, "retrieved debe ir ordenado"),
        ([{"query": None, "retrieved": ["a"], "relevant": []}], TypeError, "Caso 1: JSON no guarda como id None"),
        ([{"retrieved": ["a"], "relevant": [], "nota": {1: 2}}], TypeError,
         "Caso 1: JSON no guarda tal cual 'nota'"),
        ([{"retrieved": ["a"], "relevant": [], "nota": (1, 2)}], TypeError, "no guarda tal cual"),
        ([{"retrieved": ["a"], "relevant": [], "nota": {1}}], TypeError, "no guarda tal cual"),
        ([{"retrieved": ["a"], "relevant": [], "nota": float("nan")}], TypeError, "no guarda tal cual"),
        ([{"retrieved": ["a"], "relevant": [], 5: 1}], TypeError,
         "las claves de un objeto JSON son siempre texto"),
    ],
)  # fmt: skip
def test_cases_that_json_would_change_are_refused(cases, error, words, tmp_path) -> None:
    with pytest.raises(error, match=words):
        rm.write_test_cases(tmp_path / "x.json", cases)
    assert os.listdir(tmp_path) == []


def test_cases_may_come_from_a_generator_and_hold_sets(tmp_path) -> None:
    cases = [{"retrieved": np.array([3, 1]), "relevant": {3, 1}}, {"retrieved": iter("ab"), "relevant": iter("b")}]
    rm.write_test_cases(tmp_path / "x.json", (case for case in cases))
    expected = [{"retrieved": [3, 1], "relevant": [1, 3]}, {"retrieved": ["a", "b"], "relevant": ["b"]}]
    assert rm.read_test_cases(tmp_path / "x.json") == expected
    with pytest.raises(ValueError, match=r"los casos de prueba van en un archivo \.json o \.jsonl"):
        rm.write_test_cases(tmp_path / "x.csv", expected)


# --- the file is written whole or not at all ------------------------------------------------------

OLD = {"q": {"viejo": 1.0}}


@pytest.fixture
def old(tmp_path) -> Path:
    rm.write_run(tmp_path / "x.trec", OLD)
    return tmp_path / "x.trec"


def test_an_error_halfway_leaves_the_old_file(old) -> None:
    with pytest.raises(ValueError, match="Query 'q2'"):
        rm.write_run(old, {"q1": ["a"], "q2": ["b c"]})
    assert rm.read_run(old) == OLD
    assert os.listdir(old.parent) == [old.name]


def test_a_full_disk_leaves_the_old_file(old, monkeypatch) -> None:
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no queda sitio en el disco") as error:
        rm.write_run(old, {"q1": ["a"]})
    assert error.value.filename == str(old)
    assert rm.read_run(old) == OLD
    assert os.listdir(old.parent) == [old.name]


def test_a_crash_halfway_leaves_the_old_file(old) -> None:
    code = (
        "import os, sys, ragmetrics as rm\n"
        "def dies():\n    yield 'b'\n    os._exit(3)\n"
        "rm.write_run(sys.argv[1], {'q1': ['a'] , 'q2': dies()})"
    )
    assert subprocess.run([sys.executable, "-c", code, str(old)]).returncode == 3
    assert rm.read_run(old) == OLD


def test_a_folder_that_is_not_there_is_named_as_it_was_given(tmp_path) -> None:
    with pytest.raises(FileNotFoundError, match="no existe") as error:
        rm.write_run(tmp_path / "nada" / "x.trec", OLD)
    assert error.value.filename == str(tmp_path / "nada" / "x.trec")
    with pytest.raises(IsADirectoryError, match="es una carpeta"):
        rm.write_run(tmp_path, OLD)


def test_permissions_links_and_devices_stay(old, tmp_path) -> None:
    old.chmod(0o640)
    (tmp_path / "link.trec").symlink_to(old.name)
    rm.write_run(tmp_path / "link.trec", {"q": ["nuevo"]})
    assert (tmp_path / "link.trec").is_symlink()
    assert stat.S_IMODE(old.stat().st_mode) == 0o640
    assert rm.read_run(old) == {"q": {"nuevo": 1.0}}
    rm.write_run(tmp_path / "fresh.trec", OLD)
    (tmp_path / "plain").touch()
    assert (tmp_path / "fresh.trec").stat().st_mode == (tmp_path / "plain").stat().st_mode
    rm.write_run(os.devnull, OLD)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


# --- the peer reads the same ----------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(run=by_query(words, scores), qrels=by_query(words, st.integers(-2, 4)))
def test_pytrec_eval_reads_the_same_from_our_files(run, qrels) -> None:
    with tempfile.TemporaryDirectory() as folder:
        rm.write_run(f"{folder}/r", run)
        rm.write_qrels(f"{folder}/q", qrels)
        for path, parse, ours in (
            ("r", pytrec_eval.parse_run, rm.read_run(f"{folder}/r")),
            ("q", pytrec_eval.parse_qrel, rm.read_qrels(f"{folder}/q")),
        ):
            with open(f"{folder}/{path}", encoding="utf-8", newline="\n") as file:
                assert parse(file) == ours
        assert json.loads(json.dumps(run)) == rm.read_run(f"{folder}/r")
