"""Rankings antes de medir: quitar repetidos y pasar de chunks a documentos."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

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


def _call(document_of: Callable[[Any], Hashable], chunk: Hashable) -> Hashable:
    try:
        return document_of(chunk)
    except KeyError:  # `lambda chunk: table[chunk]`
        return None


def _without_repeats(ids: Any, name: str) -> list[Hashable]:
    distinct(ids, name)
    return list(dict.fromkeys(ids))
