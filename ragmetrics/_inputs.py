"""Checks on what comes in: every message says what came, what was expected and what to do."""

import math
import numbers
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from os import PathLike
from typing import Any

import numpy as np

# What the public functions accept: ids in ranking order; relevant ids, or relevant ids with their gains.
Ids = Iterable[Hashable]
Relevant = Iterable[Hashable] | Mapping[Any, Any]

GAINS = ("linear", "exponential")


def as_cutoff(k: object) -> int:
    """Return k as a Python int, or explain why it cannot be a cut-off."""
    if isinstance(k, bool) or not isinstance(k, (int, np.integer)):
        raise TypeError(
            f"k debe ser un número entero, como k=5, y llegó {shorten(k)}, de tipo {type(k).__name__}. "
            "Si viene de un texto o de un cálculo, conviértelo antes con int(...)."
        )
    if k < 1:
        raise ValueError(f"k debe ser al menos 1 y llegó k={k}. Es cuántos resultados se miran: prueba k=5.")
    return int(k)


def check_gain_name(gain: object) -> None:
    """Refuse any other name of a gain than the two that exist."""
    if gain not in GAINS:
        raise ValueError(f'gain debe ser "linear" o "exponential" y llegó {shorten(gain)}.')


def as_query(retrieved: Ids, relevant: Relevant) -> tuple[Sequence[Hashable], dict[Hashable, float]]:
    """Return the ranking and the gains of all relevant ids, once they are known to be comparable."""
    ranking = as_ranking(retrieved)
    gains = as_gains(relevant)
    if distinct(ranking, "retrieved").isdisjoint(gains) and ranking and gains:
        check_can_match(ranking, gains)
    return ranking, gains


def as_ranking(retrieved: Ids, name: str = "retrieved") -> Sequence[Hashable]:
    """Return the ids as a sequence; whatever has no order is refused."""
    if isinstance(retrieved, (list, tuple)):
        return retrieved
    if isinstance(retrieved, (Set, Mapping)):
        raise TypeError(
            f"{name} debe ir ordenado, del mejor resultado al peor, y llegó {type(retrieved).__name__}, donde "
            "el orden no cuenta. Pasa una lista de ids; si tienes un dict id → score: "
            "sorted(scores, key=scores.get, reverse=True)."
        )
    return list(as_ids(retrieved, name))


def as_gains(relevant: Relevant) -> dict[Hashable, float]:
    """Return the relevant ids with their gains: 1.0 each unless the caller gave gains."""
    ids = as_relevant(relevant)
    if not isinstance(ids, Mapping):
        return dict.fromkeys(distinct(ids, "relevant"), 1.0)
    gains = ((doc_id, as_gain(doc_id, gain)) for doc_id, gain in ids.items())
    return {doc_id: gain for doc_id, gain in gains if gain > 0}


def as_relevant(relevant: Relevant) -> Collection[Hashable]:
    """Return what can be read more than once: the mapping itself, or the ids."""
    if isinstance(relevant, (list, tuple, set, frozenset, Mapping)):
        return relevant
    return as_ids(relevant, "relevant")


def as_ids(ids: Ids, name: str) -> Collection[Hashable]:
    """Return the ids of a collection, array, Series or generator."""
    if isinstance(ids, (str, bytes, bytearray)):
        raise TypeError(
            f"{name} debe ser una lista de ids y llegó {shorten(ids)}, de tipo {type(ids).__name__}, "
            f"que se leería letra a letra. Si es un solo id, ponlo en una lista: [{shorten(ids)}]."
        )
    if getattr(ids, "ndim", 1) != 1:
        raise TypeError(
            f"{name} debe tener una dimensión y llegó {type(ids).__name__}, que tiene {ids.ndim}. "  # type: ignore[attr-defined]
            'Pasa los ids de una sola query: una fila (ids[0]) o una columna (tabla["id"]).'
        )
    if hasattr(ids, "tolist"):  # arrays and Series: their values, as Python objects
        return ids.tolist()
    try:
        iterator = iter(ids)
    except TypeError:
        raise TypeError(
            f"{name} debe ser una lista de ids y llegó {shorten(ids)}, de tipo {type(ids).__name__}."
            + (" ¿Le falta un return a tu función de búsqueda?" if ids is None else "")
        ) from None
    return list(iterator)


def as_gain(doc_id: object, gain: Any) -> float:
    """Return the gain of one document as a finite float."""
    if not isinstance(gain, (numbers.Number, np.bool_)) or isinstance(gain, (complex, np.complexfloating)):
        raise TypeError(
            f"La ganancia del documento {shorten(doc_id)} debe ser un número y llegó {shorten(gain)}, "
            f"de tipo {type(gain).__name__}. Si es un texto, conviértelo con float(...)."
        )
    try:
        value = float(gain)  # type: ignore[arg-type]
    except (OverflowError, ValueError):  # an int beyond 1.8e308; Decimal("sNaN")
        value = math.inf
    if not math.isfinite(value):
        raise ValueError(
            f"La ganancia del documento {shorten(doc_id)} debe ser un número finito y llegó {shorten(gain)}. "
            "Si el documento no está juzgado, quítalo de relevant."
        )
    return value


def distinct(ids: Collection[Hashable], name: str) -> set[Hashable]:
    """Return the ids as a set, or say which one cannot be an id."""
    try:
        return set(ids)
    except TypeError:
        for position, doc_id in enumerate(ids, start=1):
            _check_hashable(doc_id, position, name)
        raise


def _check_hashable(doc_id: object, position: int, name: str) -> None:
    try:
        hash(doc_id)
    except TypeError:
        raise TypeError(
            f"El elemento {position} de {name} es de tipo {type(doc_id).__name__}, que no sirve como id. "
            + _how_to_take_the_id_out(doc_id, name)
        ) from None


def _how_to_take_the_id_out(doc_id: object, name: str) -> str:
    if isinstance(doc_id, (list, set, np.ndarray)):
        return f"¿Es una lista por query? Pasa los ids de una sola: {name}[0]."
    if isinstance(doc_id, dict):
        return f'Saca el id de cada uno: [doc["id"] for doc in {name}].'
    if isinstance(doc_id, tuple):
        return f"Quédate con el id de cada tupla: [doc.id for doc, score in {name}]."
    return f'Saca el id de cada documento: [doc.metadata["id"] for doc in {name}], o doc.id si lo tiene.'


def check_can_match(
    ranking: Collection[Hashable],
    gains: Collection[Hashable],
    names: tuple[str, str] = ("ids de retrieved", "ids de relevant"),
) -> None:
    """Refuse ids that can never be equal: a silent 0.0 would look like a bad retriever."""
    found, wanted = set(map(type, ranking)), set(map(type, gains))
    families, wanted_families = set(map(_family, found)), set(map(_family, wanted))
    if None in families | wanted_families or families & wanted_families:
        return
    raise TypeError(
        f"{names[0].capitalize()} ({_describe(ranking, found)}) y {names[1]} ({_describe(gains, wanted)}) "
        "nunca pueden coincidir porque son de tipos distintos. " + _advice(families, wanted_families)
    )


def _family(cls: type) -> str | None:
    """Name the types that can be equal to each other; None when only the type itself knows."""
    if issubclass(cls, str):
        return "str"
    if issubclass(cls, bytes):
        return "bytes"
    if issubclass(cls, (numbers.Number, np.bool_)):
        return "number"
    if issubclass(cls, tuple):
        return "tuple"
    if cls.__eq__ is object.__eq__:  # equal to itself only
        return "object"
    if issubclass(cls, PathLike):
        return "path"
    if (cls.__module__, cls.__name__) == ("uuid", "UUID"):  # `import uuid` is not free
        return "uuid"
    return None


def _describe(ids: Collection[Hashable], types: set[type]) -> str:
    names = ", ".join(sorted(cls.__name__ for cls in types))
    return f"{names}, como {shorten(next(iter(ids)))}"


def _advice(families: set[str | None], wanted_families: set[str | None]) -> str:
    for name, side in (("retrieved", families), ("relevant", wanted_families)):
        if "object" in side:
            return f'Saca el id de cada objeto: [doc.metadata["id"] for doc in {name}].'
        if "tuple" in side:
            return f"Quédate con el id de cada tupla: [doc_id for doc_id, score in {name}]."
        if "bytes" in side:
            return f"Convierte los bytes en texto: [doc_id.decode() for doc_id in {name}]."
    return "Conviértelos al mismo tipo, por ejemplo con str(...) o int(...): [str(i) for i in relevant]."


def shorten(value: object) -> str:
    """Return a repr that fits in a message."""
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
