"""unique and chunks_to_documents."""

from collections import defaultdict

import numpy as np
import pandas as pd
import pytest

from ragmetrics import chunks_to_documents, ndcg_at_k, precision_at_k, recall_at_k, unique

DOCUMENT_OF = {"a#1": "a", "a#2": "a", "b#1": "b", "c#1": "c"}


@pytest.mark.parametrize(
    ("retrieved", "expected"),
    [
        (["a", "a", "b"], ["a", "b"]),
        (["b", "a", "b", "c", "a"], ["b", "a", "c"]),
        (["a", "b"], ["a", "b"]),
        ([], []),
        (("a", "a"), ["a"]),
        (np.array([2, 1, 2]), [2, 1]),
        (pd.Series(["b", "b", "a"], index=[2, 1, 0]), ["b", "a"]),
        ((doc_id for doc_id in "aab"), ["a", "b"]),
        ([0, False, "", None, 0.0], [0, "", None]),
    ],
)
def test_unique_keeps_the_first_of_each(retrieved, expected):
    found = unique(retrieved)
    assert type(found) is list
    assert found == expected


def test_unique_returns_a_new_list():
    retrieved = ["a", "b"]
    assert unique(retrieved) is not retrieved
    unique(retrieved).append("c")
    assert retrieved == ["a", "b"]


@pytest.mark.parametrize(
    ("retrieved", "words"),
    [
        ({"a"}, ["retrieved", "orden", "set"]),
        ({"a": 1}, ["retrieved", "orden", "dict"]),
        ("aab", ["retrieved", "letra a letra"]),
        (None, ["retrieved", "None"]),
        ([{"id": 1}], ["El elemento 1 de retrieved", "dict", 'doc["id"]']),
    ],
)
def test_unique_refuses_what_the_metrics_refuse(retrieved, words):
    with pytest.raises(TypeError) as caught:
        unique(retrieved)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "document_of",
    [DOCUMENT_OF, DOCUMENT_OF.get, DOCUMENT_OF.__getitem__, lambda chunk: chunk.split("#")[0]],
    ids=["dict", "get", "getitem", "function"],
)
@pytest.mark.parametrize("as_type", [list, tuple, np.array, pd.Series, iter])
def test_chunks_become_documents_at_their_best_chunk(document_of, as_type):
    chunks = as_type(["b#1", "a#2", "a#1", "b#1", "c#1"])
    documents = chunks_to_documents(chunks, document_of)
    assert type(documents) is list
    assert documents == ["b", "a", "c"]


def test_no_chunks_no_documents():
    assert chunks_to_documents([], DOCUMENT_OF) == []


def test_documents_may_have_false_like_ids():
    assert chunks_to_documents(["x", "y", "z"], {"x": 0, "y": "", "z": 0}) == [0, ""]


def test_chunks_may_be_objects_when_a_function_reads_them():
    chunks = [{"source": "a"}, {"source": "a"}, {"source": "b"}]
    assert chunks_to_documents(chunks, lambda chunk: chunk["source"]) == ["a", "b"]


@pytest.mark.parametrize(
    "document_of",
    [DOCUMENT_OF, DOCUMENT_OF.get, DOCUMENT_OF.__getitem__, {**DOCUMENT_OF, "z#9": None}],
    ids=["dict", "get", "getitem", "None"],
)
def test_an_unknown_chunk_is_named(document_of):
    with pytest.raises(ValueError, match="no conoce el chunk 'z#9'") as caught:
        chunks_to_documents(["a#1", "z#9"], document_of)
    assert "posición 2" in str(caught.value)


def test_looking_up_does_not_fill_a_defaultdict():
    document_of = defaultdict(lambda: "other", DOCUMENT_OF)
    with pytest.raises(ValueError, match="z#9"):
        chunks_to_documents(["z#9"], document_of)
    assert document_of == DOCUMENT_OF


@pytest.mark.parametrize("document_of", [None, "a", ["a"], 3])
def test_document_of_is_a_dict_or_a_function(document_of):
    with pytest.raises(TypeError, match="document_of debe ser un dict") as caught:
        chunks_to_documents(["a#1"], document_of)
    assert type(document_of).__name__ in str(caught.value)


@pytest.mark.parametrize(
    ("chunks", "document_of", "words"),
    [
        ({"a#1"}, DOCUMENT_OF, ["chunk_ids", "orden"]),
        ("a#1", DOCUMENT_OF, ["chunk_ids", "letra a letra"]),
        (None, DOCUMENT_OF, ["chunk_ids", "None"]),
        ([["a#1"]], DOCUMENT_OF, ["El elemento 1 de chunk_ids", "list", "chunk_ids[0]"]),
        (["a#1"], {"a#1": ["a"]}, ["El elemento 1 de los documentos", "list"]),
    ],
)
def test_chunks_to_documents_refuses_what_the_metrics_refuse(chunks, document_of, words):
    with pytest.raises(TypeError) as caught:
        chunks_to_documents(chunks, document_of)
    for word in words:
        assert word in str(caught.value)


def test_an_error_of_the_function_itself_comes_through():
    with pytest.raises(ZeroDivisionError):
        chunks_to_documents(["a#1"], lambda chunk: 1 / 0)
    with pytest.raises(IndexError):
        chunks_to_documents(["a"], lambda chunk: chunk.split("#")[1])


def test_removing_repeats_before_the_cut_is_not_the_same_as_counting_them_once():
    retrieved, relevant = ["a", "a", "b", "x"], ["a", "b"]
    assert recall_at_k(retrieved, relevant, 2) == 0.5
    assert recall_at_k(unique(retrieved), relevant, 2) == 1.0
    assert precision_at_k(retrieved, relevant, 2) == 0.5
    assert ndcg_at_k(retrieved, relevant, 3) < ndcg_at_k(unique(retrieved), relevant, 3) == 1.0
