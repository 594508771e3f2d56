"""The single-query metrics on rankings small enough to check by eye."""

import json
from math import log2
from statistics import fmean

import pytest

from ragmetrics import (
    average_precision,
    dcg_at_k,
    f1_at_k,
    hit_rate_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
    unique,
)


def exactly(value):
    return pytest.approx(value, abs=1e-12)


# --- the numbers of the lesson, with its errata ---------------------------------------------------

TOP_5 = [1, 3, 5, 7, 9]
THREE_RELEVANT = [3, 7, 12]


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (recall_at_k(TOP_5, THREE_RELEVANT, 5), "0.667"),
        (precision_at_k(TOP_5, THREE_RELEVANT, 5), "0.400"),
        (f1_at_k(TOP_5, THREE_RELEVANT, 5), "0.500"),
        (reciprocal_rank(TOP_5, THREE_RELEVANT), "0.500"),
        (dcg_at_k(TOP_5, THREE_RELEVANT, 5), "1.062"),
        (dcg_at_k(THREE_RELEVANT, THREE_RELEVANT, 5), "2.131"),  # the ideal; the lesson prints 1.63
        (ndcg_at_k(TOP_5, THREE_RELEVANT, 5), "0.498"),  # the lesson prints 0.756 and 0.65
        (recall_at_k([1, 2, 3, 4, 5], [3, 6, 9], 5), "0.333"),  # exercise 1
        (ndcg_at_k(TOP_5, [3, 7], 5), "0.651"),  # exercise 2; the lesson prints 0.650
        (dcg_at_k([3, 7], [3, 7], 5), "1.631"),
    ],
)
def test_numbers_of_the_lesson(value, printed):
    assert f"{value:.3f}" == printed


def test_mrr_of_the_lesson():
    ranks = [
        reciprocal_rank(TOP_5, [3, 7]),
        reciprocal_rank([2, 4, 6, 8, 10], [6]),
        reciprocal_rank(TOP_5, [1]),
    ]
    assert ranks == [1 / 2, 1 / 3, 1.0]
    assert f"{fmean(ranks):.3f}" == "0.611"


def test_an_mrr_of_one_half_is_not_second_place_on_average():
    first_and_never = [reciprocal_rank(["a"], ["a"]), reciprocal_rank(["x"], ["a"])]
    assert fmean(first_and_never) == 0.5 == fmean([reciprocal_rank(["x", "a"], ["a"])] * 2)


# --- one ranking, every metric --------------------------------------------------------------------

BASE = ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        (recall_at_k, 2 / 3),
        (precision_at_k, 2 / 3),
        (f1_at_k, 2 / 3),
        (hit_rate_at_k, 1.0),
        (reciprocal_rank, 1.0),
        (average_precision, (1 + 2 / 3) / 3),
        (dcg_at_k, 1 + 1 / 2),
        (ndcg_at_k, 1.5 / (1 + 1 / log2(3) + 1 / 2)),
    ],
)
def test_base_case(metric, expected):
    assert metric(BASE, ["a", "c", "z"], 3) == exactly(expected)


@pytest.mark.parametrize(
    ("retrieved", "relevant", "k", "recall", "precision", "f1", "hit", "rr", "ap", "ndcg"),
    [
        # the cut
        (["x", "y", "a", "b"], ["a", "b"], 2, 0, 0, 0, 0, 0, 0, 0),
        (["x", "y", "a", "b"], ["a", "b"], 3, 1 / 2, 1 / 3, 2 / 5, 1, 1 / 3, 1 / 6, 0.5 / (1 + 1 / log2(3))),
        (["a", "b", "c"], ["a", "c"], 1, 1 / 2, 1, 2 / 3, 1, 1, 1 / 2, 1),
        # fewer than k came back: precision still divides by k, the ideal still has both
        (["x", "a"], ["a", "b"], 5, 1 / 2, 1 / 5, 2 / 7, 1, 1 / 2, 1 / 4, 1 / log2(3) / (1 + 1 / log2(3))),
        (["a"], ["a", "b"], 3, 1 / 2, 1 / 3, 2 / 5, 1, 1, 1 / 2, 1 / (1 + 1 / log2(3))),
        # nothing relevant, nothing retrieved, neither
        (["a", "b"], [], 3, 0, 0, 0, 0, 0, 0, 0),
        ([], ["a"], 3, 0, 0, 0, 0, 0, 0, 0),
        ([], [], 3, 0, 0, 0, 0, 0, 0, 0),
        # no hit
        (["x", "y"], ["a"], 2, 0, 0, 0, 0, 0, 0, 0),
        # the order of relevant says nothing; its repeats count once
        (["x", "b"], ["a", "b"], 2, 1 / 2, 1 / 2, 1 / 2, 1, 1 / 2, 1 / 4, 1 / log2(3) / (1 + 1 / log2(3))),
        (["a", "b"], ["a", "a"], 2, 1, 1 / 2, 2 / 3, 1, 1, 1, 1),
        (["a", "c"], ["c", "a"], 2, 1, 1, 1, 1, 1, 1, 1),
        # a repeated result counts once, at its first position, and keeps its place
        (["a", "a", "b"], ["a", "c"], 3, 1 / 2, 1 / 3, 2 / 5, 1, 1, 1 / 2, 1 / (1 + 1 / log2(3))),
        (["a", "a", "b"], ["a", "b"], 3, 1, 2 / 3, 4 / 5, 1, 1, (1 + 2 / 3) / 2, 1.5 / (1 + 1 / log2(3))),
        (["a", "a", "b"], ["b"], 2, 0, 0, 0, 0, 0, 0, 0),
        (["x", "x", "x", "a"], ["a"], 4, 1, 1 / 4, 2 / 5, 1, 1 / 4, 1 / 4, 1 / log2(5)),
    ],
)
def test_conventions(retrieved, relevant, k, recall, precision, f1, hit, rr, ap, ndcg):
    found = [
        metric(retrieved, relevant, k)
        for metric in (
            recall_at_k,
            precision_at_k,
            f1_at_k,
            hit_rate_at_k,
            reciprocal_rank,
            average_precision,
            ndcg_at_k,
        )
    ]
    assert found == [exactly(value) for value in (recall, precision, f1, hit, rr, ap, ndcg)]


def test_f1_is_the_harmonic_mean():
    precision, recall = precision_at_k(TOP_5, THREE_RELEVANT, 5), recall_at_k(TOP_5, THREE_RELEVANT, 5)
    assert f1_at_k(TOP_5, THREE_RELEVANT, 5) == exactly(2 * precision * recall / (precision + recall))


def test_f1_of_a_hit_at_the_last_place():
    """P = 1/3, R = 1: the harmonic mean is 1/2, the geometric 0.577, the arithmetic 0.667."""
    assert f1_at_k(["x", "y", "a"], ["a"], 3) == exactly(0.5)


@pytest.mark.parametrize(("rank", "expected"), [(1, 1.0), (2, 1 / 2), (3, 1 / 3), (100, 1 / 100)])
def test_reciprocal_rank_by_position(rank, expected):
    ranking = [f"x{i}" for i in range(rank - 1)] + ["a", "b"]
    assert reciprocal_rank(ranking, ["b", "a"]) == expected


def test_reciprocal_rank_looks_everywhere_unless_k_is_given():
    ranking = ["x"] * 9 + ["a"]
    assert reciprocal_rank(ranking, ["a"]) == 1 / 10
    assert reciprocal_rank(ranking, ["a"], k=10) == 1 / 10
    assert reciprocal_rank(ranking, ["a"], k=9) == 0.0


def test_average_precision_divides_by_all_relevant():
    """As trec_eval; the other convention, min(k, R), would give 1.0 here."""
    ten = [f"r{i}" for i in range(10)]
    assert average_precision(ten[:5], ten, k=5) == exactly(0.5)
    assert average_precision(ten, ten, k=5) == exactly(0.5)
    assert average_precision(ten, ten) == 1.0


def test_average_precision_by_hand():
    assert average_precision(["a", "x", "b", "y", "c"], ["a", "b", "c", "d"]) == exactly((1 + 2 / 3 + 3 / 5) / 4)


# --- discounts and gains --------------------------------------------------------------------------


@pytest.mark.parametrize("rank", [1, 2, 3, 7, 50])
def test_the_discount_is_log2_of_rank_plus_one(rank):
    ranking = [f"x{i}" for i in range(rank - 1)] + ["a"]
    assert dcg_at_k(ranking, ["a"], rank) == exactly(1 / log2(rank + 1))
    assert ndcg_at_k(ranking, ["a"], rank) == exactly(1 / log2(rank + 1))


GRADED = {"a": 3, "b": 2, "c": 1}


@pytest.mark.parametrize(
    ("gain", "dcg", "ideal"),
    [
        ("linear", 2 + 3 / log2(3) + 1 / 2, 3 + 2 / log2(3) + 1 / 2),
        ("exponential", 3 + 7 / log2(3) + 1 / 2, 7 + 3 / log2(3) + 1 / 2),
    ],
)
def test_graded_gains(gain, dcg, ideal):
    assert dcg_at_k(["b", "a", "c"], GRADED, 3, gain=gain) == exactly(dcg)
    assert ndcg_at_k(["b", "a", "c"], GRADED, 3, gain=gain) == exactly(dcg / ideal)
    assert ndcg_at_k(["a", "b", "c"], GRADED, 3, gain=gain) == 1.0


def test_linear_is_the_default():
    assert ndcg_at_k(["b", "a"], GRADED, 2) == ndcg_at_k(["b", "a"], GRADED, 2, gain="linear")
    assert dcg_at_k(["b", "a"], GRADED, 2) == dcg_at_k(["b", "a"], GRADED, 2, gain="linear")


@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_with_binary_relevance_both_gains_agree(gain):
    assert dcg_at_k(TOP_5, THREE_RELEVANT, 5, gain=gain) == exactly(1 / log2(3) + 1 / log2(5))
    assert dcg_at_k(TOP_5, {3: 1, 7: True, 12: 1.0}, 5, gain=gain) == exactly(1 / log2(3) + 1 / log2(5))


def test_the_ideal_takes_the_best_k_of_all_relevant_documents():
    """At k=1 the ideal is document a with gain 3, which was not even retrieved."""
    assert ndcg_at_k(["c", "b"], GRADED, 1) == exactly(1 / 3)
    assert ndcg_at_k(["c", "b"], GRADED, 2) == exactly((1 + 2 / log2(3)) / (3 + 2 / log2(3)))
    assert ndcg_at_k(["c", "b"], GRADED, 9) == exactly((1 + 2 / log2(3)) / (3 + 2 / log2(3) + 1 / 2))


def test_graded_relevance_counts_as_relevant_when_positive():
    gains = {"a": 0.2, "b": 3, "c": 0, "d": -2}
    ranking = ["c", "d", "a", "x"]
    assert recall_at_k(ranking, gains, 4) == exactly(1 / 2)
    assert precision_at_k(ranking, gains, 4) == exactly(1 / 4)
    assert hit_rate_at_k(ranking, gains, 2) == 0.0
    assert reciprocal_rank(ranking, gains) == exactly(1 / 3)
    assert average_precision(ranking, gains) == exactly(1 / 6)


def test_a_negative_gain_takes_nothing_away():
    assert dcg_at_k(["a", "b"], {"a": -2, "b": 1}, 2) == exactly(1 / log2(3))
    assert ndcg_at_k(["a", "b"], {"a": -2, "b": 1}, 2) == exactly(1 / log2(3))


def test_repeats_never_lift_ndcg_above_one():
    assert ndcg_at_k(["a", "a", "b"], {"a": 3, "b": 1}, 3) == exactly(3.5 / (3 + 1 / log2(3)))
    assert ndcg_at_k(["a", "a", "a"], ["a"], 3) == 1.0
    assert dcg_at_k(["a", "a", "a"], ["a"], 3) == 1.0


@pytest.mark.parametrize("tiny", [1e-300, 1e-20, 1e-17, 5e-324])
@pytest.mark.parametrize("gain", ["linear", "exponential"])
def test_tiny_gains_do_not_vanish(tiny, gain):
    assert dcg_at_k(["a"], {"a": tiny}, 1, gain=gain) > 0
    assert ndcg_at_k(["a"], {"a": tiny}, 1, gain=gain) == 1.0


def test_tiny_exponential_gains_keep_their_digits():
    """2^g - 1 is g·ln 2 for a small g; the plain subtraction gives 1.1102e-15 for 1.0397e-15."""
    assert dcg_at_k(["a"], {"a": 1.5e-15}, 1, gain="exponential") == pytest.approx(1.5e-15 * 0.6931471805599453)
    assert dcg_at_k(["a"], {"a": 0.5}, 1, gain="exponential") == exactly(2**0.5 - 1)
    assert dcg_at_k(["a"], {"a": 1.5}, 1, gain="exponential") == exactly(2**1.5 - 1)


def test_rounding_never_lifts_ndcg_above_one():
    """Almost equal gains, out of order: the plain quotient is 1.0000000000000002."""
    gains = {"a": 0.30000000000000004, "b": 0.30000000000000004, "c": 0.3, "d": 0.3000000000000001}
    assert ndcg_at_k(["a", "b", "c", "d"], gains, 4) == 1.0


def test_large_gains_that_fit_are_accepted():
    assert ndcg_at_k(["a"], {"a": 1023}, 1, gain="exponential") == 1.0
    assert ndcg_at_k(["b", "a"], {"a": 1e300, "b": 5e299}, 2) == exactly((0.5 + 1 / log2(3)) / (1 + 0.5 / log2(3)))


def test_an_overflow_below_the_cut_does_not_matter_to_dcg():
    assert dcg_at_k(["a", "b"], {"a": 1, "b": 5000}, 1, gain="exponential") == 1.0


def test_ndcg_ignores_what_lies_past_k():
    assert ndcg_at_k(["x", "y", "z", "a"], ["a"], 3) == 0.0


def test_ceilings():
    """With R = 2 and k = 5, precision cannot pass 2/5; with R = 5 and k = 2, recall cannot pass 2/5."""
    assert precision_at_k(["a", "b", "x", "y", "z"], ["a", "b"], 5) == exactly(2 / 5)
    assert recall_at_k(BASE, BASE, 2) == exactly(2 / 5)
    assert precision_at_k(BASE, ["a", "b"], 3) == exactly(2 / 3)  # Precision@3 > 0.80 is out of reach


def test_the_mean_of_f1_is_not_the_f1_of_the_means():
    queries = [(["a", "b"], ["a", "b"]), (["x", "c"], ["c", "d", "e", "f"])]
    mean_f1 = fmean(f1_at_k(*query, k=2) for query in queries)
    precision = fmean(precision_at_k(*query, k=2) for query in queries)
    recall = fmean(recall_at_k(*query, k=2) for query in queries)
    assert mean_f1 == exactly((1 + 1 / 3) / 2)
    assert 2 * precision * recall / (precision + recall) == exactly(0.6818181818181818)


# --- public reports of wrong metrics --------------------------------------------------------------

TEN = [f"r{i}" for i in range(10)]
REPORTS = [
    # thread, retrieved, relevant, k, right values
    ("pytrec_eval#56 ties re-sorted by id", ["d1", "d2", "d3"], ["d3"], 3, {"mrr": 0.3333, "ndcg": 0.5}),
    ("pytrec_eval#57 mteb#3030 empty qrels", ["d1", "d2"], [], 10, {"ndcg": 0.0}),
    ("pytrec_eval#16 float gains", ["d3", "d1", "d2"], {"d1": 0.2, "d2": 1.5}, 3, {"ndcg": 0.5388}),
    ("pytrec_eval#40 trec_eval#11 ideal cut", ["a", "b"], ["a", "b", "c", "d"], 2, {"ndcg": 1.0}),
    ("trec_eval#34 float32 scores", ["d1", "d2"], ["d1"], 2, {"mrr": 1.0}),
    ("beir#105 MAP and MRR differ", ["d1", "d2", "d3"], ["d3"], 3, {"mrr": 0.3333, "ap": 0.3333}),
    ("ranx#9 ties shuffled", ["doc_12", "doc_23", "doc_25"], ["doc_12"], 3, {"mrr": 1.0}),
    ("torchmetrics#2449 k past the list", ["a"], ["a", "b", "c"], 10, {"ndcg": 0.4693, "recall": 0.3333}),
    ("scikit-learn#20119 #21335 one document", ["a"], ["a"], 1, {"ndcg": 1.0}),
    ("scikit-learn#27726 labels as scores", ["a", "b", "c", "x"], ["a", "b", "c", "d"], 4, {"ndcg": 0.8319}),
    ("ragas#813 empty context", [], ["a"], 5, {"recall": 0.0}),
    ("llama_index#13926 empty retrieved", [], ["a"], 5, {"recall": 0.0, "mrr": 0.0}),
    ("haystack#9332 repeats", ["A", "A"], ["A", "B"], 2, {"recall": 0.5}),
    ("trulens#2746 recall 2.0", ["A", "A", "X"], ["A"], 3, {"recall": 1.0, "ndcg": 1.0}),
    ("recommenders#1702 AP@k by R or min(k, R)", TEN[:5], TEN, 5, {"ap_k": 0.5, "ap_k_min": 1.0}),
    ("sentence-transformers#678 missing break", ["a", "x", "b"], ["a", "b"], 3, {"mrr": 1.0}),
    ("OpenNIR#14 anserini#92 2^g-1 or g", ["b", "a", "x"], {"a": 3, "b": 1}, 3, {"ndcg": 0.7967, "exp": 0.7098}),
    ("quepid#1387 one relevant result", ["a"], {"a": 3}, 10, {"ndcg": 1.0}),
]
RIGHT = {
    "recall": recall_at_k,
    "mrr": lambda retrieved, relevant, k: reciprocal_rank(retrieved, relevant),
    "ap": lambda retrieved, relevant, k: average_precision(retrieved, relevant),
    "ap_k": average_precision,
    "ap_k_min": lambda retrieved, relevant, k: (
        average_precision(retrieved, relevant, k) * len(relevant) / min(k, len(relevant))
    ),
    "ndcg": ndcg_at_k,
    "exp": lambda retrieved, relevant, k: ndcg_at_k(retrieved, relevant, k, gain="exponential"),
}


@pytest.mark.parametrize(("thread", "retrieved", "relevant", "k", "right"), REPORTS)
def test_public_reports(thread, retrieved, relevant, k, right):
    for name, value in right.items():
        assert RIGHT[name](retrieved, relevant, k) == pytest.approx(value, abs=6e-5), (thread, name)


def test_values_can_be_written_as_json():
    assert json.dumps(ndcg_at_k(unique(TOP_5), {3: 1}, 5)).startswith("0.63")
