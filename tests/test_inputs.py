"""What the metrics accept, what they refuse and what the refusal says."""

import math
import uuid
import warnings
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath

import numpy as np
import pandas as pd
import pytest

import ragmetrics
from ragmetrics import (
    average_precision,
    dcg_at_k,
    f1_at_k,
    hit_rate_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)

METRICS = [
    recall_at_k,
    precision_at_k,
    f1_at_k,
    hit_rate_at_k,
    reciprocal_rank,
    average_precision,
    dcg_at_k,
    ndcg_at_k,
]
every_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.__name__)


class Document:
    """A retrieved object as RAG libraries return it: equal to itself only."""

    def __init__(self, doc_id):
        self.metadata = {"id": doc_id}


def error_of(call, *arguments, **options):
    with pytest.raises((TypeError, ValueError)) as caught:
        call(*arguments, **options)
    return caught.value


# --- k --------------------------------------------------------------------------------------------


@every_metric
@pytest.mark.parametrize("k", [True, False, np.True_, 5.0, np.float64(5), "5", [5], np.array([5])])
def test_k_must_be_an_integer(metric, k):
    error = error_of(metric, ["a"], ["a"], k)
    assert type(error) is TypeError
    assert "k debe ser un número entero" in str(error)
    assert repr(k) in str(error)
    assert type(k).__name__ in str(error)


@every_metric
def test_only_metrics_that_can_read_a_whole_ranking_go_without_k(metric):
    if metric in (reciprocal_rank, average_precision):
        assert metric(["a"], ["a"], None) == metric(["a"], ["a"]) == 1.0
    else:
        assert "k debe ser" in str(error_of(metric, ["a"], ["a"], None))


@every_metric
@pytest.mark.parametrize("k", [0, -1, np.int64(0), np.int32(-3)])
def test_k_must_be_at_least_one(metric, k):
    error = error_of(metric, ["a"], ["a"], k)
    assert type(error) is ValueError
    assert "al menos 1" in str(error)
    assert f"k={k}" in str(error)


@every_metric
@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, np.uint64])
def test_numpy_integers_are_cutoffs(metric, kind):
    assert metric(["x", "a", "b"], ["a", "b"], kind(2)) == metric(["x", "a", "b"], ["a", "b"], 2)


@every_metric
def test_k_beyond_any_index(metric):
    assert 0.0 <= metric(["a"], ["a"], 10**30) <= 1.0


# --- retrieved: only what has an order ------------------------------------------------------------


@every_metric
@pytest.mark.parametrize(
    "retrieved",
    [{"a"}, frozenset("a"), {"a": 0.9}, {"a": 1}.keys(), {"a": 1}.items(), Counter("a")],
    ids=["set", "frozenset", "dict", "dict_keys", "dict_items", "Counter"],
)
def test_retrieved_without_order(metric, retrieved):
    error = error_of(metric, retrieved, ["a"], 1)
    assert type(error) is TypeError
    for words in ("retrieved", "orden", type(retrieved).__name__, "lista"):
        assert words in str(error)


@every_metric
@pytest.mark.parametrize("text", ["doc_1", np.str_("doc_1"), b"doc_1", bytearray(b"doc_1")])
@pytest.mark.parametrize("role", ["retrieved", "relevant"])
def test_text_is_not_a_list_of_ids(metric, text, role):
    arguments = {"retrieved": ["a"], "relevant": ["a"], "k": 1, role: text}
    error = error_of(metric, **arguments)
    assert type(error) is TypeError
    for words in (role, "lista de ids", type(text).__name__, "doc_1"):
        assert words in str(error)


@every_metric
@pytest.mark.parametrize("value", [None, 5, 0.5, object()], ids=["None", "int", "float", "object"])
@pytest.mark.parametrize("role", ["retrieved", "relevant"])
def test_what_cannot_be_read_is_not_a_list_of_ids(metric, value, role):
    arguments = {"retrieved": ["a"], "relevant": ["a"], "k": 1, role: value}
    error = error_of(metric, **arguments)
    assert type(error) is TypeError
    for words in (role, "lista de ids", type(value).__name__):
        assert words in str(error)
    assert ("return" in str(error)) == (value is None)


@every_metric
@pytest.mark.parametrize(
    "table",
    [np.array(3), np.int64(3), np.array([[1, 2], [3, 4]]), pd.DataFrame({"id": [1]})],
    ids=["0-d", "scalar", "2-d", "DataFrame"],
)
@pytest.mark.parametrize("role", ["retrieved", "relevant"])
def test_arrays_have_one_dimension(metric, table, role):
    arguments = {"retrieved": [1], "relevant": [1], "k": 1, role: table}
    error = error_of(metric, **arguments)
    assert type(error) is TypeError
    for words in (role, "una dimensión", type(table).__name__, str(table.ndim)):
        assert words in str(error)


def test_an_error_inside_a_generator_is_not_rewritten():
    def broken():
        yield "a"
        raise TypeError("from the search engine")

    with pytest.raises(TypeError, match=r"^from the search engine$"):
        recall_at_k(broken(), ["a"], 1)


@every_metric
@pytest.mark.parametrize(
    "as_type",
    [tuple, np.array, pd.Series, pd.Index, deque, iter, lambda ids: (i for i in ids), lambda ids: map(str, ids)],
    ids=["tuple", "array", "Series", "Index", "deque", "iterator", "generator", "map"],
)
def test_ordered_collections_give_the_same(metric, as_type):
    retrieved, relevant = ["x", "a", "y", "b"], ["b", "z", "a"]
    expected = metric(retrieved, relevant, 4)
    assert expected > 0
    assert metric(as_type(retrieved), relevant, 4) == expected
    assert metric(retrieved, as_type(relevant), 4) == expected
    assert metric(as_type(retrieved), as_type(relevant), 4) == expected


@every_metric
@pytest.mark.parametrize("as_type", [set, frozenset, dict.fromkeys, lambda ids: dict.fromkeys(ids, 1).keys()])
def test_relevant_needs_no_order(metric, as_type):
    relevant = as_type(["b", "z", "a"])
    if isinstance(relevant, dict):
        relevant = dict.fromkeys(relevant, 1)
    assert metric(["x", "a", "b"], relevant, 3) == metric(["x", "a", "b"], ["a", "b", "z"], 3)


def test_series_are_read_by_value_not_by_index():
    retrieved = pd.Series(["b", "a"], index=["a", "b"])
    relevant = pd.Series(["b"], index=["a"])
    assert reciprocal_rank(retrieved, relevant) == 1.0


def test_a_sorted_series_keeps_the_order_of_its_rows():
    scores = pd.Series({10: 0.1, 20: 0.9, 30: 0.5})
    ranking = pd.Series([10, 20, 30])[scores.argsort()[::-1].to_numpy()]
    assert list(ranking) == [20, 30, 10]
    assert reciprocal_rank(ranking, [30]) == 0.5


def test_a_series_of_scores_indexed_by_id_is_noticed():
    scores = pd.Series({"a": 0.9, "b": 0.5})
    assert "float" in str(error_of(recall_at_k, scores, ["a"], 1))


# --- ids ------------------------------------------------------------------------------------------


@every_metric
@pytest.mark.parametrize("doc_id", [0, "", False, 0.0, b"", (), None, np.int64(0), np.str_(""), np.False_])
def test_false_like_ids_are_ids(metric, doc_id):
    assert metric([doc_id], [doc_id], 1) == 1.0
    assert metric([doc_id], {doc_id: 1}, 1) == 1.0


@every_metric
@pytest.mark.parametrize(
    ("retrieved", "relevant"),
    [
        ([np.int64(3), np.int32(7)], [7]),
        (np.array([3, 7]), [7]),
        ([3, 7], np.array([7], dtype=np.uint16)),
        ([np.str_("3"), np.str_("7")], ["7"]),
        (["3", "7"], np.array(["7"])),
        ([3.0, 7.0], [7]),
        (np.array(["3", "7"], dtype=object), pd.Series(["7"])),
    ],
)
def test_numpy_ids_equal_python_ids(metric, retrieved, relevant):
    assert metric(retrieved, relevant, 2) == metric(["x", "a"], ["a"], 2) > 0


@every_metric
@pytest.mark.parametrize(
    ("bad_id", "way_out"),
    [
        ({"id": "b"}, 'doc["id"]'),
        (["b"], "retrieved[0]"),
        (np.array(["b"]), "retrieved[0]"),
        ((["b"], 0.9), "for doc, score in retrieved"),
        (pd.Series(["b"]), 'doc.metadata["id"]'),
    ],
    ids=["dict", "list", "array", "tuple", "other"],
)
@pytest.mark.parametrize("k", [1, 5])
def test_unhashable_ids(metric, bad_id, way_out, k):
    error = error_of(metric, ["a", bad_id, bad_id], ["a"], k)
    assert type(error) is TypeError
    for words in ("El elemento 2 de retrieved", type(bad_id).__name__, way_out):
        assert words in str(error)
    error = error_of(metric, ["a"], ["a", "b", bad_id], k)
    assert type(error) is TypeError
    for words in ("El elemento 3 de relevant", type(bad_id).__name__, way_out.replace("retrieved", "relevant")):
        assert words in str(error)


FAMILIES = {
    "str": ("a", 'str, como "a"'),
    "bytes": (b"a", "bytes"),
    "number": (3, "int, como 3"),
    "tuple": (("a", 0.9), "tuple"),
    "uuid": (uuid.UUID(int=1), "UUID"),
    "path": (PurePosixPath("a.md"), "PurePosixPath"),
    "object": (Document("a"), "Document"),
}


@every_metric
@pytest.mark.parametrize("found", FAMILIES)
@pytest.mark.parametrize("wanted", FAMILIES)
def test_ids_that_can_never_match(metric, found, wanted):
    one, other = FAMILIES[found][0], FAMILIES[wanted][0]
    if found == wanted:
        assert metric([one], [one], 1) == 1.0
        return
    for relevant in ([other], {other: 2}):
        error = error_of(metric, [one], relevant, 1)
        assert type(error) is TypeError
        for words in (type(one).__name__, type(other).__name__, repr(one)[:50], repr(other)[:50], "nunca"):
            assert words in str(error)


@pytest.mark.parametrize(
    ("retrieved", "relevant", "advice"),
    [
        (["3"], [3], "str(...) o int(...)"),
        ([3], ["3"], "str(...) o int(...)"),
        ([uuid.UUID(int=3)], ["3"], "str(...)"),
        ([PurePosixPath("a")], ["a"], "str(...)"),
        ([b"3"], ["3"], "decode() for doc_id in retrieved"),
        (["3"], [b"3"], "decode() for doc_id in relevant"),
        ([("3", 0.9)], ["3"], "for doc_id, score in retrieved"),
        (["3"], {"3": 1}.items(), "for doc_id, score in relevant"),
        ([Document("3")], ["3"], 'doc.metadata["id"] for doc in retrieved'),
        (["3"], [Document("3")], 'doc.metadata["id"] for doc in relevant'),
    ],
)
def test_what_to_do_about_ids_that_can_never_match(retrieved, relevant, advice):
    assert advice in str(error_of(recall_at_k, retrieved, relevant, 1))


@pytest.mark.parametrize(
    ("retrieved", "relevant"),
    [
        (["a"], ["b"]),  # the same family
        ([1, 2], [3.0]),
        ([True], [5]),
        ([1, "a"], ["b"]),  # one side holds both families
        (["a"], [1, "b"]),
        ([1], []),  # nothing to compare with
        ([], ["a"]),
        ([1], {"a": 0}),  # judged, but not relevant
        ([frozenset("a")], ["a"]),  # a type whose equality is its own business
    ],
)
def test_a_plain_miss_is_zero(retrieved, relevant):
    assert recall_at_k(retrieved, relevant, 5) == 0.0


def test_a_hit_below_the_cut_shows_that_the_ids_can_match():
    assert recall_at_k(["a", "b", 3], [3, 4], 1) == 0.0


def test_ids_with_their_own_equality_are_left_alone():
    class Loose:
        def __eq__(self, other):
            return str(other) == "a"

        def __hash__(self):
            return hash("a")

    assert recall_at_k([Loose()], ["a"], 1) == 1.0
    assert recall_at_k([Loose()], ["b"], 1) == 0.0
    assert recall_at_k([Loose()], [3], 1) == 0.0


def test_ids_of_arrays_are_named_as_python_writes_them():
    message = str(error_of(recall_at_k, np.array([3]), np.array(["3"]), 1))
    assert "retrieved (int, como 3)" in message
    assert "relevant (str, como '3')" in message


def test_messages_stay_short():
    error = error_of(recall_at_k, ["x" * 10_000], [3], 1)
    assert len(str(error)) < 400


# --- gains ----------------------------------------------------------------------------------------


@every_metric
@pytest.mark.parametrize("gain", ["2", np.str_("2"), b"2", None, [2], 2j, np.complex64(2), np.array(2.0)])
def test_gains_are_numbers(metric, gain):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        error = error_of(metric, ["a"], {"a": 1, "b": gain}, 1)
    assert type(error) is TypeError
    for words in ("'b'", "debe ser un número", type(gain).__name__):
        assert words in str(error)


@every_metric
@pytest.mark.parametrize(
    "gain",
    [
        math.nan,
        math.inf,
        -math.inf,
        np.float32("nan"),
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("Infinity"),
        10**400,
    ],
)
def test_gains_are_finite(metric, gain):
    error = error_of(metric, ["a"], {"a": 1, "b": gain}, 1)
    assert type(error) is ValueError
    for words in ("'b'", "finito"):
        assert words in str(error)


@every_metric
@pytest.mark.parametrize(
    "one", [1, True, 1.0, np.True_, np.int8(1), np.float32(1), np.longdouble(1), Fraction(1), Decimal(1)]
)
def test_any_real_number_is_a_gain(metric, one):
    value = metric(["x", "a"], {"a": one, "b": one}, 2)
    assert value == metric(["x", "a"], ["a", "b"], 2)
    assert type(value) is float


@every_metric
@pytest.mark.parametrize("nothing", [0, -1, -2, -0.5, False, np.False_, Fraction(-1, 3), Decimal("-0.1")])
def test_a_gain_of_zero_or_less_is_not_relevant(metric, nothing):
    assert metric(["a", "b"], {"a": nothing, "b": 1, "c": 1}, 2) == metric(["a", "b"], {"b": 1, "c": 1}, 2)
    assert metric(["a"], {"a": nothing}, 1) == 0.0


@pytest.mark.parametrize("metric", [dcg_at_k, ndcg_at_k])
@pytest.mark.parametrize("name", ["lineal", "exp", "", None, 2, True])
def test_only_two_gains_have_a_name(metric, name):
    error = error_of(metric, ["a"], ["a"], 1, gain=name)
    assert type(error) is ValueError
    for words in ('"linear"', '"exponential"', repr(name)):
        assert words in str(error)


@pytest.mark.parametrize("metric", [dcg_at_k, ndcg_at_k])
@pytest.mark.parametrize(
    ("gains", "gain"),
    [
        ({"a": 1024}, "exponential"),
        ({"a": 5000.5}, "exponential"),
        ({"a": 1023.9, "b": 1023.9}, "exponential"),
        ({"a": 1.7e308, "b": 1.7e308}, "linear"),
    ],
)
def test_a_sum_that_does_not_fit_in_a_float(metric, gains, gain):
    error = error_of(metric, ["a", "b"], gains, 2, gain=gain)
    assert type(error) is ValueError
    assert "demasiado grandes" in str(error)


# --- what comes out, and what stays as it was -----------------------------------------------------


@every_metric
@pytest.mark.parametrize("retrieved", [["a", "b"], ["x"], [], np.array(["b", "a"])], ids=str)
@pytest.mark.parametrize("relevant", [["a"], {"a": np.float32(2)}, {"a": 2}, [], np.array(["a", "b"])], ids=str)
def test_python_floats_come_back_without_warnings(metric, retrieved, relevant):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert type(metric(retrieved, relevant, np.int64(2))) is float


@every_metric
def test_inputs_are_not_modified(metric):
    retrieved, relevant, gains = ["a", "b", "a", "c"], ["c", "a", "a"], {"c": 3, "a": 0, "b": -1}
    metric(retrieved, relevant, 2)
    metric(retrieved, gains, 2)
    assert retrieved == ["a", "b", "a", "c"]
    assert relevant == ["c", "a", "a"]
    assert list(gains.items()) == [("c", 3), ("a", 0), ("b", -1)]


def test_every_public_name_exists_and_is_explained():
    for name in ragmetrics.__all__:
        assert getattr(ragmetrics, name).__doc__, name


@every_metric
def test_docstrings_say_what_a_reader_needs(metric):
    for words in (
        "Fórmula:",
        "Args:",
        "Returns:",
        "Raises:",
        "Convención:",
        "Fuente:",
        f">>> {metric.__name__}"[:3],
    ):
        assert words in metric.__doc__
    assert f"{metric.__name__}(" in metric.__doc__
