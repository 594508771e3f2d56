"""Rankings antes de medir: quitar repetidos y pasar de chunks a documentos."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np

from ragmetrics._inputs import Ids, as_ranking, distinct, shorten


def unique(retrieved: Ids) -> list[Hashable]:
    """Quita los ids repetidos y deja cada uno en su primera aparición.

    Los documentos de detrás avanzan y ocupan los huecos. Las métricas no lo hacen por su cuenta: para
    ellas un repetido cuenta una sola vez, pero sigue ocupando su posición.

    Args:
        retrieved: ids en el orden del ranking (lista, tupla, array, Series o generador).

    Returns:
        Una lista nueva; `retrieved` no cambia.

    Raises:
        TypeError: si `retrieved` no tiene orden (set, dict), es un texto o algo no sirve como id.

    >>> unique(["a", "a", "b", "a", "c"])
    ['a', 'b', 'c']
    """
    return _without_repeats(as_ranking(retrieved), "retrieved")


def chunks_to_documents(
    chunk_ids: Ids, document_of: Mapping[Any, Hashable] | Callable[[Any], Hashable]
) -> list[Hashable]:
    """Convierte un ranking de chunks en un ranking de documentos sin repetidos.

    Cada documento queda en la posición de su mejor chunk. Sirve cuando tu RAG recupera chunks, pero los
    relevantes están anotados por documento.

    Args:
        chunk_ids: ids de chunks en el orden del ranking.
        document_of: dict chunk → documento, o función que recibe un chunk y devuelve su documento.

    Returns:
        Una lista nueva de ids de documentos.

    Raises:
        ValueError: si `document_of` no conoce un chunk (o devuelve None); el mensaje dice cuál.
        TypeError: si `chunk_ids` no tiene orden o `document_of` no es un dict ni una función.

    >>> chunks_to_documents(["a#1", "a#2", "b#1"], {"a#1": "a", "a#2": "a", "b#1": "b"})
    ['a', 'b']
    >>> chunks_to_documents(["a#1", "a#2", "b#1"], lambda chunk: chunk.split("#")[0])
    ['a', 'b']
    """
    chunks = as_ranking(chunk_ids, "chunk_ids")
    if isinstance(document_of, Mapping):
        distinct(chunks, "chunk_ids")
        documents = [document_of.get(chunk) for chunk in chunks]
    elif callable(document_of):
        documents = [_call(document_of, chunk) for chunk in chunks]
    else:
        raise TypeError(
            "document_of debe ser un dict chunk → documento, o una función, y llegó "
            f"{shorten(document_of)}, de tipo {type(document_of).__name__}."
        )
    for position, (chunk, document) in enumerate(zip(chunks, documents, strict=True), start=1):
        if document is None:
            raise ValueError(
                f"document_of no conoce el chunk {shorten(chunk)} (posición {position} de chunk_ids). "
                "Añádelo, o revisa que los ids se escriban igual en los dos sitios."
            )
    return _without_repeats(documents, "los documentos de document_of")


def ranking_from_scores(scores: Mapping[Any, float]) -> list[Hashable]:
    """Ordena los ids por su score como trec_eval: de mayor a menor y, si empatan, de mayor a menor id.

    Args:
        scores: dict id → score.

    Returns:
        Una lista con los ids, del mejor al peor.

    Raises:
        TypeError: si no es un dict, un score no es un número o dos ids empatados no se pueden comparar.
        ValueError: si un score es nan.

    Convención: el orden en que vienen los empates no cuenta, para que el resultado no dependa de él.

    >>> ranking_from_scores({"a": 0.2, "b": 0.9, "c": 0.2})
    ['b', 'c', 'a']
    """
    if not isinstance(scores, Mapping):
        raise TypeError(f"scores debe ser un dict id → score y llegó {type(scores).__name__}.")
    for doc_id, score in scores.items():
        if not isinstance(score, (numbers.Real, np.bool_)):
            raise TypeError(
                f"El score del documento {shorten(doc_id)} debe ser un número y llegó {shorten(score)}, "
                f"de tipo {type(score).__name__}."
            )
        if score != score:
            raise ValueError(f"El score del documento {shorten(doc_id)} es nan, y así no hay orden. Quítalo.")
    try:
        by_id = sorted(scores, reverse=True)
    except TypeError:
        raise TypeError(
            "Los ids tienen tipos que no se pueden comparar entre sí, y los empates se deciden por el id. "
            "Conviértelos todos a un mismo tipo, por ejemplo con str(...), o pasa la lista ya ordenada."
        ) from None
    return sorted(by_id, key=scores.__getitem__, reverse=True)


def _call(document_of: Callable[[Any], Hashable], chunk: Hashable) -> Hashable:
    try:
        return document_of(chunk)
    except KeyError as error:
        if error.args == (chunk,):  # `lambda chunk: table[chunk]`
            return None
        raise


def _without_repeats(ids: Any, name: str) -> list[Hashable]:
    distinct(ids, name)
    return list(dict.fromkeys(ids))
