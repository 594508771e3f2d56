"""What a file says of each query: the documents of a run or of the judgments, and the numbers they carry."""

import math
import numbers
from collections.abc import Callable, Hashable, Iterator, Mapping, Set
from contextlib import contextmanager
from typing import Any, NamedTuple

from ragmetrics._inputs import as_gain, as_ranking, as_relevant, shorten
from ragmetrics.rankings import ranking_from_scores

Documents = dict[Any, float] | list[Any]


class Kind(NamedTuple):
    """One of the two, and what tells it from the other."""

    argument: str
    documents: str  # what the argument holds for each query
    looks: str
    key: str  # in JSON
    number: str  # what comes with each document
    trec: tuple[str, ...]  # fields of a line
    parse: Callable[[str], float]  # ValueError when it is not what is expected
    valid: Callable[[float], bool]  # the same of a number
    expected: str
    plain: Callable[[Any], Documents]  # checks what the caller gave for one query
    numbered: Callable[[list[Any]], dict[Any, float]]  # gives ids without numbers the ones that mean the same


@contextmanager
def in_front(where: str) -> Iterator[None]:
    """Put where we are before the message of an error."""
    try:
        yield
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"{where}: {error}") from None


def _parse_score(text: str) -> float:
    score = float(text)
    if score != score or "_" in text or not text.isascii():  # Python reads 1_000 and digits of other scripts
        raise ValueError
    return score


def _parse_gain(text: str) -> float:
    """Return an int when it is written as one."""
    gain = _parse_score(text)
    if not math.isfinite(gain):
        raise ValueError
    return int(text) if text.lstrip("+-").isdigit() else gain


def _is_finite(gain: float) -> bool:
    try:
        return math.isfinite(gain)
    except OverflowError:  # an int beyond 1.8e308
        return False


def _plain_run(retrieved: Any) -> Documents:
    if not isinstance(retrieved, Mapping):
        return list(as_ranking(retrieved))
    return {doc_id: _exact("score", doc_id, retrieved[doc_id]) for doc_id in ranking_from_scores(retrieved)}


def _plain_qrels(relevant: Any) -> Documents:
    ids = as_relevant(relevant)
    if isinstance(ids, Mapping):
        return {doc_id: _plain_gain(doc_id, gain) for doc_id, gain in ids.items()}
    return sorted(ids, key=repr) if isinstance(ids, Set) else list(ids)  # the same file each time


def _plain_gain(doc_id: Hashable, gain: Any) -> float:
    as_gain(doc_id, gain)
    return int(gain) if isinstance(gain, numbers.Integral) else _exact("gain", doc_id, gain)


def _exact(what: str, doc_id: Hashable, number: Any) -> float:
    try:
        value = float(number)
    except OverflowError:
        value = math.inf
    if value != number:
        raise ValueError(
            f"{what} del documento {shorten(doc_id)}: {shorten(number)} no cabe en un float, y al leerlo sería "
            "otro número. Conviértelo antes con float(...)."
        )
    return value


def _falling_scores(ids: list[Any]) -> dict[Any, float]:
    places = {doc_id: place for place, doc_id in reversed(list(enumerate(ids, start=1)))}
    if len(places) < len(ids):
        place, doc_id = next(
            (place, doc_id) for place, doc_id in enumerate(ids, start=1) if places[doc_id] < place
        )
        raise ValueError(
            f"el documento {shorten(doc_id)} está dos veces (posiciones {places[doc_id]} y {place}), y ni TREC ni "
            "CSV lo admiten. Usa antes unique o, si recuperas chunks, chunks_to_documents; .json guarda repetidos."
        )
    return dict(zip(ids, map(float, range(len(ids), 0, -1)), strict=True))


RUN = Kind(
    argument="run",
    documents="{id: score} o ids en orden",
    looks="Parece un run",
    key="retrieved",
    number="score",
    trec=("query", "Q0", "doc", "rank", "score", "tag"),
    parse=_parse_score,
    valid=lambda score: score == score,
    expected="un número con punto decimal, como 0.85",
    plain=_plain_run,
    numbered=_falling_scores,
)
QRELS = Kind(
    argument="qrels",
    documents="{id: ganancia} o ids relevantes",
    looks="Parecen juicios (qrels)",
    key="relevant",
    number="gain",
    trec=("query", "0", "doc", "gain"),
    parse=_parse_gain,
    valid=_is_finite,
    expected="un número finito, como 0, 1 o 2",
    plain=_plain_qrels,
    numbered=lambda ids: dict.fromkeys(ids, 1),
)
