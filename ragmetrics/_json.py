"""JSON and JSONL: what comes back is equal to what was written, or it is not written."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ragmetrics._documents import QRELS, RUN, Documents, Kind
from ragmetrics._inputs import shorten
from ragmetrics._storage import fail, read_lines


def read_documents(name: str, suffix: str, kind: Kind) -> dict[Any, Any]:
    """Read the documents of each query from an object, or from cases that say so."""
    content = read_content(name, suffix)
    if isinstance(content, dict):
        for query, documents in content.items():
            _check_documents(name, f"query {shorten(query)}", documents, kind)
        return content
    found: dict[Any, Any] = {}
    places: dict[Any, str] = {}
    for where, case in content:
        check_case(name, where, case, ["query", kind.key])
        query = case["query"]
        if query in found:
            fail(
                name, where, f"la query {shorten(query)} ya estaba en {places[query]}. Cada query va una sola vez."
            )
        found[query], places[query] = case[kind.key], where
    return found


def read_content(name: str, suffix: str) -> dict[str, Any] | list[tuple[str, Any]]:
    """Read the object, or each element of the list with where it is."""
    content: Any
    if suffix == ".jsonl":
        content = [(f"línea {line}", _parse(name, text, line)) for line, text in read_lines(name) if text.strip()]
    else:
        text = "".join(line for _, line in read_lines(name))
        content = _parse(name, text) if text.strip() else []
        if isinstance(content, list):
            content = [(f"caso {number}", case) for number, case in enumerate(content, start=1)]
        elif not isinstance(content, dict):
            fail(name, "", f"se esperaba un objeto o una lista de JSON y llegó {shorten(content)}.")
    if not content:
        fail(name, "", "está vacío: no hay ninguna query.")
    return content


def check_case(name: str, where: str, case: Any, keys: list[str]) -> None:
    """Refuse a case without these keys, or with documents that are not documents."""
    if not isinstance(case, dict):
        fail(name, where, f"se esperaba un objeto con {_listed(keys)}, y llegó {shorten(case)}.")
    for key in keys:
        if key not in case:
            fail(name, where, f"falta la clave {key!r} (claves que sí están: {_listed(case) or 'ninguna'}).")
    if "query" in case and not _is_id(case["query"]):
        fail(name, where, f"'query' debe ser un texto o un número, y llegó {shorten(case['query'])}.")
    for kind in (RUN, QRELS):
        if kind.key in keys:
            _check_documents(name, where, case[kind.key], kind)


def as_documents(kind: Kind, given: Any) -> Documents:
    """Return the documents as JSON keeps them; what it would change is an error."""
    documents = kind.plain(given)
    if isinstance(documents, list):
        return list(map(as_id, documents))
    for doc_id, number in documents.items():
        check_key(doc_id, "Convierte los ids con str(...), o pasa una lista de ids, que sí guarda enteros.")
        if not math.isfinite(number):
            raise ValueError(
                f"{kind.number} del documento {shorten(doc_id)}: JSON no tiene {number!r}. Usa TREC o CSV."
            )
    return documents


def as_id(value: Any) -> Any:
    """Return the id as JSON keeps it."""
    plain = value.item() if isinstance(value, np.generic) else value
    if not _is_id(plain):
        raise TypeError(
            f"JSON no guarda como id {shorten(value)}, de tipo {type(value).__name__}: debe ser un texto o un "
            "número. Conviértelo antes con str(...)."
        )
    return plain


def check_key(key: Any, advice: str) -> None:
    """Refuse keys that JSON would silently turn into text."""
    if not isinstance(key, str):
        raise TypeError(
            f"las claves de un objeto JSON son siempre texto, y llegó {shorten(key)}, de tipo "
            f"{type(key).__name__}, que al leer sería otra. {advice}"
        )


def check_keeps(values: Mapping[Any, Any]) -> None:
    """Refuse whatever would come back from JSON as something else."""
    import json

    for key, value in values.items():
        check_key(key, "Conviértela con str(...).")
        try:
            kept = json.loads(json.dumps(value, allow_nan=False)) == value
        except (TypeError, ValueError, RecursionError):
            kept = False
        if not kept:
            raise TypeError(
                f"JSON no guarda tal cual {key!r}: {shorten(value)}. Pásalo a textos, números, listas y dicts con "
                "claves de texto."
            )


def text_of(content: Mapping[str, Any] | list[Any], suffix: str = ".json") -> str:
    """Return the text of a file, one line for each query or case."""
    from json import JSONEncoder

    encode = JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    if suffix == ".jsonl":
        return "".join(f"{encode(case)}\n" for case in content)
    if isinstance(content, list):
        return "[\n" + ",\n".join(map(encode, content)) + "\n]\n"
    return "{\n" + ",\n".join(f"{encode(key)}: {encode(value)}" for key, value in content.items()) + "\n}\n"


class _RepeatedKeyError(ValueError):
    """A JSON object has the same key twice."""


def _parse(name: str, text: str, line: int | None = None) -> Any:
    """Return what the text says; `line` is where it is, when it is one line of the file."""
    import json

    where = f"línea {line}" if line else ""
    try:
        return json.loads(text, object_pairs_hook=_as_dict)
    except _RepeatedKeyError as error:
        fail(name, where, str(error))
    except json.JSONDecodeError as error:
        rest = text[error.pos :].strip()
        came = f"no se entiende {shorten(rest)}" if rest else "se acaba antes de tiempo"
        fail(name, f"línea {line or error.lineno}, columna {error.colno}", f"no es JSON válido: {came}.")
    except (ValueError, RecursionError):
        fail(name, where, "no se puede leer: un número tiene miles de cifras, o hay demasiadas listas anidadas.")


def _as_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        repeated = next(key for key in keys if keys.count(key) > 1)
        raise _RepeatedKeyError(f"la clave {shorten(repeated)} está dos veces en el mismo objeto.")
    return result


def _check_documents(name: str, where: str, documents: Any, kind: Kind) -> None:
    if isinstance(documents, dict):
        for doc_id, number in documents.items():
            if not isinstance(number, (int, float)) or not kind.valid(number):
                problem = f"{kind.number} debe ser {kind.expected}, y llegó {shorten(number)}"
                fail(name, where, f"{problem} (documento {shorten(doc_id)}).")
    elif isinstance(documents, list):
        for doc_id in documents:
            if not _is_id(doc_id):
                fail(
                    name, where, f"cada id de {kind.key} debe ser un texto o un número, y llegó {shorten(doc_id)}."
                )
    else:
        expected = f"una lista de ids o un objeto id → {kind.number}"
        fail(name, where, f"se esperaba {expected}, y llegó {shorten(documents)}.")


def _is_id(value: Any) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _listed(keys: Iterable[str]) -> str:
    return ", ".join(map(repr, keys))
