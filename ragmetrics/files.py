"""Leer y escribir archivos: lo que recuperó un sistema (run), los juicios (qrels) y los casos de la lección.

El formato lo dice el nombre: `.json`, `.jsonl` o `.csv`; con cualquier otro final es TREC. Si además acaba en
`.gz`, va comprimido. Siempre en UTF-8.

| | run | juicios |
| --- | --- | --- |
| TREC | `query Q0 doc rank score tag` | `query 0 doc gain` |
| .csv | columnas `query,doc,score` | columnas `query,doc,gain` |
| .json | `{query: {id: score}}` o `{query: [ids en orden]}` | `{query: {id: ganancia}}` o `{query: [ids]}` |
| .jsonl | líneas `{"query": …, "retrieved": …}` | líneas `{"query": …, "relevant": …}` |

Los casos de la lección, dicts con 'query', 'retrieved' y 'relevant', son una lista en .json o van uno por línea en
.jsonl; también valen como run y como juicios.
"""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from ragmetrics import _json, _rows
from ragmetrics._documents import QRELS, RUN, Kind, in_front
from ragmetrics._inputs import shorten
from ragmetrics._storage import fail, name_and_suffix, write_text
from ragmetrics.evaluation import Qrels, Run, TestCases
from ragmetrics.evaluator import read_cases

JSON = (".json", ".jsonl")


def read_run(path: str | os.PathLike[str]) -> dict[Any, Any]:
    """Lee lo que recuperó un sistema.

    Args:
        path: el archivo; su nombre dice el formato (ver `ragmetrics.files`).

    Returns:
        dict query → {id: score}, listo para `evaluate`. De JSON puede venir también query → ids en orden.

    Raises:
        OSError: si el archivo no existe o no se puede abrir (FileNotFoundError, PermissionError…).
        ValueError: si algo del contenido no vale; dice el archivo, la línea, lo que llegó y lo que se esperaba.
            También si una query repite un documento, como en trec_eval.

    Convención: el orden sale de los scores, como en trec_eval: ni el orden de las líneas ni la columna rank
    cuentan.

    Fuente: el formato es el de trec_eval, https://github.com/usnistgov/trec_eval.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_run(f"{folder}/bm25.trec", {"q1": {"d3": 7.5, "d1": 2.0}})
    ...     read_run(f"{folder}/bm25.trec")
    {'q1': {'d3': 7.5, 'd1': 2.0}}
    """
    return _read(path, RUN)


def read_qrels(path: str | os.PathLike[str]) -> dict[Any, Any]:
    """Lee los juicios: qué documentos son relevantes para cada query.

    Args:
        path: el archivo; su nombre dice el formato (ver `ragmetrics.files`).

    Returns:
        dict query → {id: ganancia}, listo para `evaluate`. De JSON puede venir también query → ids relevantes.

    Raises:
        OSError, ValueError: como en `read_run`.

    Convención: las ganancias de 0 o menos se conservan; son documentos juzgados que no son relevantes.

    Fuente: el formato es el de trec_eval, https://github.com/usnistgov/trec_eval.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_qrels(f"{folder}/juicios.csv", {"q1": {"d3": 2, "d9": 0}, "q2": ["d1"]})
    ...     read_qrels(f"{folder}/juicios.csv")
    {'q1': {'d3': 2, 'd9': 0}, 'q2': {'d1': 1}}
    """
    return _read(path, QRELS)


def read_test_cases(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Lee los casos de prueba de la lección.

    Args:
        path: un archivo .json (una lista) o .jsonl (un caso por línea), también con .gz.

    Returns:
        La lista de casos, dicts con 'retrieved' y 'relevant', y con 'query' y lo demás que traiga el archivo.

    Raises:
        OSError, ValueError: como en `read_run`; también si un caso no tiene lo que debe.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_test_cases(f"{folder}/casos.json", [{"query": "RAG", "retrieved": [1, 3], "relevant": [3]}])
    ...     read_test_cases(f"{folder}/casos.json")
    [{'query': 'RAG', 'retrieved': [1, 3], 'relevant': [3]}]
    """
    name, suffix = _json_name(path)
    cases = _json.read_content(name, suffix)
    if isinstance(cases, dict):
        fail(
            name,
            "",
            "se esperaba una lista de casos con 'query', 'retrieved' y 'relevant', y llegó un objeto. Si es un "
            "run, van aparte los juicios (qrels).",
        )
    for where, case in cases:
        _json.check_case(name, where, case, ["retrieved", "relevant"])
    return [case for _, case in cases]


def write_run(path: str | os.PathLike[str], run: Run, tag: str = "ragmetrics") -> None:
    """Escribe lo que recuperó un sistema. Leerlo después da lo mismo: los scores se escriben enteros.

    Args:
        path: el archivo; su nombre dice el formato (ver `ragmetrics.files`).
        run: dict query → {id: score}, o dict query → ids en orden. De una lista, TREC y CSV guardan scores que
            bajan de uno en uno, para que al leerlos el orden sea el mismo.
        tag: el nombre del sistema, para la última columna de TREC.

    Raises:
        TypeError: si un id o una query no es texto y el formato solo guarda texto.
        ValueError: si el formato no puede guardar algo sin cambiarlo: un texto vacío o con espacios en TREC, una
            query sin documentos o un documento repetido en TREC y CSV, un score que no cabe en un float.
        OSError: si no se puede escribir.

    Convención: el archivo aparece entero o no aparece; si algo falla, el que había sigue como estaba.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_run(f"{folder}/denso.trec", {"q1": ["d3", "d1"]}, tag="denso")
    ...     print(open(f"{folder}/denso.trec").read(), end="")
    q1 Q0 d3 1 2.0 denso
    q1 Q0 d1 2 1.0 denso
    """
    if not isinstance(tag, str) or tag.split() != [tag]:
        raise ValueError(f"tag debe ser una palabra sin espacios, como «bm25», y llegó {shorten(tag)}.")
    _write(path, RUN, run, tag)


def write_qrels(path: str | os.PathLike[str], qrels: Qrels) -> None:
    """Escribe los juicios. Leerlos después da lo mismo.

    Args:
        path: el archivo; su nombre dice el formato (ver `ragmetrics.files`).
        qrels: dict query → {id: ganancia}, o dict query → ids relevantes (ganancia 1 en TREC y CSV).

    Raises:
        TypeError, ValueError, OSError: como en `write_run`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_qrels(f"{folder}/juicios.trec", {"q1": {"d3": 2, "d9": 0}})
    ...     print(open(f"{folder}/juicios.trec").read(), end="")
    q1 0 d3 2
    q1 0 d9 0
    """
    _write(path, QRELS, qrels)


def write_test_cases(path: str | os.PathLike[str], test_cases: TestCases) -> None:
    """Escribe los casos de prueba de la lección, con todo lo que traigan.

    Args:
        path: un archivo .json (una lista) o .jsonl (un caso por línea), también con .gz.
        test_cases: lista de dicts con 'retrieved' y 'relevant', y mejor también 'query'.

    Raises:
        TypeError: si hay algo que JSON no guarda tal cual, como ids que no son texto ni números.
        ValueError: si el nombre pide otro formato, a un caso le falta una clave o hay un nan.
        OSError: si no se puede escribir.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_test_cases(f"{folder}/casos.jsonl", [{"query": "RAG", "retrieved": [1, 3], "relevant": [3]}])
    ...     print(open(f"{folder}/casos.jsonl").read(), end="")
    {"query": "RAG", "retrieved": [1, 3], "relevant": [3]}
    """
    name, suffix = _json_name(path)
    cases = list(test_cases) if isinstance(test_cases, Iterator) else test_cases
    _, found, wanted = read_cases(cases)
    if not found:
        raise ValueError("No hay ningún caso que escribir.")
    content = []
    for number, (case, retrieved, relevant) in enumerate(zip(cases, found, wanted, strict=True), start=1):
        with in_front(f"Caso {number}"):
            kept = dict(case)
            if "query" in kept:
                kept["query"] = _json.as_id(kept["query"])
            _json.check_keeps({key: kept[key] for key in kept if key not in ("retrieved", "relevant")})
            for kind, documents in ((RUN, retrieved), (QRELS, relevant)):
                with in_front(f"'{kind.key}'"):
                    kept[kind.key] = _json.as_documents(kind, documents)
            content.append(kept)
    write_text(name, [_json.text_of(content, suffix)])


def _read(path: Any, kind: Kind) -> dict[Any, Any]:
    name, suffix = name_and_suffix(path)
    return (_json if suffix in JSON else _rows).read_documents(name, suffix, kind)


def _write(path: Any, kind: Kind, content: Mapping[Any, Any], tag: str = "") -> None:
    name, suffix = name_and_suffix(path)
    if not isinstance(content, Mapping):
        raise TypeError(
            f"{kind.argument} debe ser un dict query → {kind.documents}, y llegó {shorten(content)}, de tipo "
            f"{type(content).__name__}."
        )
    if not content:
        raise ValueError(f"{kind.argument} está vacío: no hay ninguna query que escribir.")
    if suffix not in JSON:
        return write_text(name, _rows.lines_of(suffix, kind, content, tag))
    documents = {}
    for query, given in content.items():
        with in_front(f"Query {shorten(query)}"):
            if suffix == ".json":
                _json.check_key(query, "Conviértela con str(...), o usa .jsonl, que sí guarda enteros.")
            documents[_json.as_id(query)] = _json.as_documents(kind, given)
    cases = [{"query": query, kind.key: ids} for query, ids in documents.items()]
    write_text(name, [_json.text_of(cases if suffix == ".jsonl" else documents, suffix)])


def _json_name(path: Any) -> tuple[str, str]:
    name, suffix = name_and_suffix(path)
    if suffix not in JSON:
        fail(name, "", "los casos de prueba van en un archivo .json o .jsonl (también .json.gz o .jsonl.gz).")
    return name, suffix
