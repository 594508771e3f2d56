"""TREC and CSV: a row for each document of each query."""

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from ragmetrics._documents import QRELS, RUN, Kind, in_front
from ragmetrics._inputs import distinct, shorten
from ragmetrics._storage import fail, read_lines

BYTE_ORDER_MARK = "\ufeff"

Row = tuple[int, str, str, str]  # line, query, document, number


def read_documents(name: str, suffix: str, kind: Kind) -> dict[str, dict[str, float]]:
    """Read the documents of each query, each once, with their numbers."""
    found: dict[str, dict[str, float]] = {}
    lines: dict[str, list[int]] = {}  # of each document of the query, to name the first one if it comes again
    current = None
    for line, query, doc_id, text in (_csv_rows if suffix == ".csv" else _trec_rows)(name, kind):
        if query != current:
            documents, places = found.setdefault(query, {}), lines.setdefault(query, [])
            current = query
        if doc_id in documents:
            first = places[list(documents).index(doc_id)]
            fail(
                name,
                f"línea {line}",
                f"el documento {shorten(doc_id)} de la query {shorten(query)} ya estaba en la línea {first}. Cada "
                "documento va una sola vez por query.",
            )
        try:
            documents[doc_id] = kind.parse(text)
        except ValueError:
            problem = f"{kind.number} debe ser {kind.expected}, y llegó {shorten(text)}"
            fail(name, f"línea {line}", f"{problem} (query {shorten(query)}, documento {shorten(doc_id)}).")
        places.append(line)
    if not found:
        fail(name, "", f"está vacío: no hay ninguna línea «{_shape(kind, suffix)}».")
    return found


def lines_of(suffix: str, kind: Kind, content: Mapping[Hashable, Any], tag: str) -> Iterator[str]:
    """Return the lines of the file."""
    field = _csv_field if suffix == ".csv" else _trec_field
    if suffix == ".csv":
        yield _shape(kind, suffix) + "\n"
    for query, given in content.items():
        with in_front(f"Query {shorten(query)}"):
            name = field(query, "la query")
            documents = [
                (field(doc_id, "el documento"), number) for doc_id, number in _numbered(given, kind).items()
            ]
        for rank, (doc_id, number) in enumerate(documents, start=1):
            if suffix == ".csv":
                yield f"{name},{doc_id},{number!r}\n"
            elif kind is RUN:
                yield f"{name} Q0 {doc_id} {rank} {number!r} {tag}\n"
            else:
                yield f"{name} 0 {doc_id} {number!r}\n"


def _shape(kind: Kind, suffix: str) -> str:
    return f"query,doc,{kind.number}" if suffix == ".csv" else " ".join(kind.trec)


def _trec_rows(name: str, kind: Kind) -> Iterator[Row]:
    size, place = len(kind.trec), kind.trec.index(kind.number)
    for line, text in read_lines(name):
        fields = text.split()
        if len(fields) == size:
            yield line, fields[0], fields[2], fields[place]
        elif fields:
            fail(
                name,
                f"línea {line}",
                f"{_came(fields)} ({shorten(text.strip())}) y se esperaban {size}, separados por espacios: "
                f"{' '.join(kind.trec)}.{_hint(text, len(fields))}",
            )


def _came(fields: list[str]) -> str:
    return "llegó 1 campo" if len(fields) == 1 else f"llegaron {len(fields)} campos"


def _hint(text: str, size: int) -> str:
    """Say what a line that is not of this kind looks like."""
    for other in (RUN, QRELS):
        if len(other.trec) == size:
            return f" {other.looks}: ¿están los archivos en su orden?"
    if "," in text or text.lstrip()[0] in "{[":
        return " Si es CSV o JSON, su nombre debe acabar en .csv, .json o .jsonl."
    return ""


def _csv_rows(name: str, kind: Kind) -> Iterator[Row]:
    """Read the rows; columns come in any order, and others are left aside."""
    records = _csv_records(name)
    line, header = next(records, (1, []))
    wanted = ("query", "doc", kind.number)
    if header and not set(wanted) <= set(header):
        fail(
            name,
            f"línea {line}",
            f"la cabecera debe traer las columnas {','.join(wanted)}, separadas por comas, y llegó "
            f"{shorten(','.join(header))}.",
        )
    places = [header.index(column) for column in wanted if header]
    for line, fields in records:
        if len(fields) != len(header):
            fail(
                name,
                f"línea {line}",
                f"{_came(fields)} ({shorten(','.join(fields))}) y se esperaban los {len(header)} de "
                f"la cabecera: {','.join(header)}.",
            )
        query, doc_id, number = (fields[place] for place in places)
        if not query or not doc_id:
            fail(name, f"línea {line}", f"query y doc no pueden ir vacíos, y llegó {shorten(','.join(fields))}.")
        yield line, query, doc_id, number


def _csv_records(name: str) -> Iterator[tuple[int, list[str]]]:
    """Read the records that are not blank, with the line where each begins."""
    import csv

    reader = csv.reader((line for _, line in read_lines(name)), strict=True, skipinitialspace=True)
    while True:
        line = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error:
            fail(name, f"línea {line}", "no se entiende como CSV: revisa las comillas.")
        fields = [field.strip() for field in record]
        if any(fields):
            yield line, fields


def _numbered(given: Any, kind: Kind) -> dict[Any, float]:
    documents = kind.plain(given)
    if isinstance(documents, list):
        distinct(documents, kind.key)
        documents = kind.numbered(documents)
    if not documents:
        raise ValueError(
            "no tiene ningún documento, y ni TREC ni CSV tienen cómo decirlo. Quítala antes (una query juzgada y "
            "sin respuesta ya cuenta 0 en evaluate), o usa .json."
        )
    return documents


def _check_text(text: object, what: str) -> None:
    if not isinstance(text, str):
        raise TypeError(
            f"{what} {shorten(text)} es de tipo {type(text).__name__}, y TREC y CSV solo guardan texto: al leer "
            "sería otro. Conviértelo antes con str(...), también en los juicios, o usa .jsonl, que guarda enteros."
        )


def _trec_field(text: Any, what: str) -> str:
    _check_text(text, what)
    if text.split() != [text] or text.startswith(BYTE_ORDER_MARK):
        raise ValueError(
            f"{what} {shorten(text)} no cabe en TREC, que separa los campos por espacios: no puede ir vacío ni "
            "llevar espacios o saltos de línea. Cambia el id, o usa .csv o .json."
        )
    return text.split()[0]  # the text itself, also when it belongs to an Enum


def _csv_field(text: Any, what: str) -> str:
    _check_text(text, what)
    plain = text.strip()
    if not plain or plain != text:
        raise ValueError(
            f"{what} {shorten(text)} no cabe en CSV: no puede ir vacío ni empezar o acabar con espacios. Cambia "
            "el id (text.strip()), o usa .json."
        )
    special = any(character in plain for character in ',"\r\n')
    return '"' + plain.replace('"', '""') + '"' if special else plain
