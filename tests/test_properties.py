"""What must hold for any ranking, tried on many."""

import itertools
import math
import random

import numpy as np
import pandas as pd
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ragmetrics import (
    RetrievalEvaluator,
    average_precision,
    chunks_to_documents,
    dcg_at_k,
    f1_at_k,
    hit_rate_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
    unique,
)

settings.register_profile("ragmetrics", deadline=None, derandomize=True, max_examples=150)
settings.load_profile("ragmetrics")


def exponential_ndcg(retrieved, relevant, k):
    return ndcg_at_k(retrieved, relevant, k, gain="exponential")


BOUNDED = [
    recall_at_k,
    precision_at_k,
    f1_at_k,
    hit_rate_at_k,
    reciprocal_rank,
    average_precision,
    ndcg_at_k,
    exponential_ndcg,
]
ALL = [*BOUNDED, dcg_at_k]
POSITION_AWARE = [reciprocal_rank, average_precision, dcg_at_k, ndcg_at_k, exponential_ndcg]

ids = st.integers(0, 12)
rankings = st.lists(ids, unique=True, max_size=12)
rankings_with_repeats = st.lists(ids, max_size=15)
cutoffs = st.integers(1, 15)
binary = st.lists(ids, unique=True, max_size=8)
gains = st.one_of(st.integers(-2, 4), st.floats(-1, 5, allow_nan=False))
graded = st.dictionaries(ids, gains, max_size=8)
relevants = st.one_of(binary, graded)


def close(one, other):
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def positive(relevant):
    """The ids that count as relevant."""
    return {i for i in relevant if not isinstance(relevant, dict) or relevant[i] > 0}


def best_first(relevant):
    if not isinstance(relevant, dict):
        return list(relevant)
    return sorted(positive(relevant), key=relevant.get, reverse=True)


@given(rankings_with_repeats, relevants, cutoffs)
def test_values_lie_between_zero_and_one(retrieved, relevant, k):
    for metric in BOUNDED:
        assert 0.0 <= metric(retrieved, relevant, k) <= 1.0
    assert 0.0 <= dcg_at_k(retrieved, relevant, k) < math.inf


@given(rankings_with_repeats, relevants, cutoffs, st.randoms(use_true_random=False))
def test_the_names_of_the_documents_do_not_matter(retrieved, relevant, k, rng):
    names = [f"doc_{i}" for i in range(13)]
    rng.shuffle(names)
    renamed = (
        {names[i]: relevant[i] for i in relevant} if isinstance(relevant, dict) else [names[i] for i in relevant]
    )
    for metric in ALL:
        assert metric([names[i] for i in retrieved], renamed, k) == metric(retrieved, relevant, k)


@given(rankings_with_repeats, relevants, cutoffs, st.randoms(use_true_random=False))
def test_the_order_of_relevant_does_not_matter(retrieved, relevant, k, rng):
    items = list(relevant.items()) if isinstance(relevant, dict) else list(relevant)
    rng.shuffle(items)
    shuffled = dict(items) if isinstance(relevant, dict) else items
    for metric in ALL:
        assert metric(retrieved, shuffled, k) == metric(retrieved, relevant, k)


@given(rankings_with_repeats, binary, cutoffs)
def test_repeats_in_relevant_count_once(retrieved, relevant, k):
    for metric in ALL:
        assert metric(retrieved, relevant + relevant[:3], k) == metric(retrieved, relevant, k)
        assert metric(retrieved, set(relevant), k) == metric(retrieved, relevant, k)
        assert metric(retrieved, dict.fromkeys(relevant, 1), k) == metric(retrieved, relevant, k)


@given(rankings_with_repeats, relevants, cutoffs)
def test_recall_hits_and_dcg_grow_with_k(retrieved, relevant, k):
    for metric in (recall_at_k, hit_rate_at_k, dcg_at_k, reciprocal_rank, average_precision):
        assert metric(retrieved, relevant, k) <= metric(retrieved, relevant, k + 1)


@given(relevants, cutoffs, st.lists(st.integers(20, 30), max_size=5))
def test_the_ideal_order_scores_exactly_one(relevant, k, noise):
    ideal = best_first(relevant)
    assume(ideal)
    for metric in (ndcg_at_k, exponential_ndcg):
        assert metric(ideal + noise, relevant, k) == 1.0
    assert reciprocal_rank(ideal + noise, relevant) == 1.0
    assert close(average_precision(ideal + noise, relevant), 1.0)


@given(rankings, graded, cutoffs)
def test_no_order_beats_the_ideal_one(retrieved, relevant, k):
    for gain in ("linear", "exponential"):
        best = dcg_at_k(best_first(relevant), relevant, k, gain=gain)
        assert dcg_at_k(retrieved, relevant, k, gain=gain) <= best * (1 + 1e-12)


@given(rankings_with_repeats, relevants, cutoffs)
def test_ceilings_of_precision_and_recall(retrieved, relevant, k):
    total = len(positive(relevant))
    assert precision_at_k(retrieved, relevant, k) <= min(total, k) / k
    assert recall_at_k(retrieved, relevant, k) <= (min(k, total) / total if total else 0.0)
    ideal = best_first(relevant)
    assert precision_at_k(ideal, relevant, k) == min(total, k) / k
    assert recall_at_k(ideal, relevant, k) == (min(k, total) / total if total else 0.0)


@given(st.lists(ids, unique=True, max_size=8), relevants, cutoffs)
def test_moving_a_better_document_up_never_lowers_the_value(retrieved, relevant, k):
    gain = relevant if isinstance(relevant, dict) else dict.fromkeys(relevant, 1)
    gains = [max(gain.get(doc, 0), 0) for doc in retrieved]
    for up, down in itertools.combinations(range(len(retrieved)), 2):
        if gains[down] <= gains[up]:
            continue
        swapped = list(retrieved)
        swapped[up], swapped[down] = swapped[down], swapped[up]
        for metric in POSITION_AWARE:
            assert metric(swapped, relevant, k) >= metric(retrieved, relevant, k) - 1e-12
        if up < k and gains[down] - gains[up] > 1e-3:
            assert ndcg_at_k(swapped, relevant, k) > ndcg_at_k(retrieved, relevant, k)


@given(rankings_with_repeats, relevants, cutoffs, rankings_with_repeats)
def test_what_lies_past_k_changes_nothing(retrieved, relevant, k, more):
    full = (retrieved + [90 + i for i in range(k)])[:k]
    for metric in ALL:
        assert metric(full + more, relevant, k) == metric(full, relevant, k)


@given(rankings_with_repeats, relevants, cutoffs)
def test_a_repeat_is_worth_what_an_unknown_document_is(retrieved, relevant, k):
    marked, seen = [], set()
    for position, doc in enumerate(retrieved):
        marked.append(1000 + position if doc in seen else doc)
        seen.add(doc)
    for metric in ALL:
        assert metric(retrieved, relevant, k) == metric(marked, relevant, k)


@given(rankings_with_repeats, relevants, cutoffs)
def test_removing_repeats_never_lowers_a_metric(retrieved, relevant, k):
    assert unique(unique(retrieved)) == unique(retrieved)
    for metric in ALL:
        assert metric(unique(retrieved), relevant, k) >= metric(retrieved, relevant, k) - 1e-12
        if len(set(retrieved)) == len(retrieved):
            assert metric(unique(retrieved), relevant, k) == metric(retrieved, relevant, k)


@given(rankings_with_repeats)
def test_unique_keeps_ids_and_first_appearances(retrieved):
    found = unique(retrieved)
    assert set(found) == set(retrieved)
    assert len(found) == len(set(found))
    assert [retrieved.index(doc) for doc in found] == sorted(retrieved.index(doc) for doc in found)
    assert chunks_to_documents(range(len(retrieved)), lambda chunk: retrieved[chunk]) == found


@given(rankings_with_repeats, relevants, cutoffs)
def test_recall_precision_and_f1_count_the_same_hits(retrieved, relevant, k):
    total = len(positive(relevant))
    hits = len(set(retrieved[:k]) & positive(relevant))
    precision, recall = precision_at_k(retrieved, relevant, k), recall_at_k(retrieved, relevant, k)
    assert close(precision * k, hits)
    assert close(recall * total, hits)
    assert hit_rate_at_k(retrieved, relevant, k) == (hits > 0)
    harmonic = 2 * precision * recall / (precision + recall) if hits else 0.0
    assert close(f1_at_k(retrieved, relevant, k), harmonic)


@given(rankings, binary, cutoffs)
def test_average_precision_is_the_mean_of_precisions_at_hits(retrieved, relevant, k):
    assume(relevant)
    at_hits = [
        precision_at_k(retrieved, relevant, i + 1) for i, doc in enumerate(retrieved[:k]) if doc in relevant
    ]
    assert close(average_precision(retrieved, relevant, k), sum(at_hits) / len(relevant))


@given(rankings, st.dictionaries(ids, st.floats(0.1, 5), min_size=1, max_size=8), cutoffs)
def test_linear_ndcg_does_not_depend_on_the_scale_of_the_gains(retrieved, relevant, k):
    scaled = {doc: 4 * gain for doc, gain in relevant.items()}
    assert close(ndcg_at_k(retrieved, scaled, k), ndcg_at_k(retrieved, relevant, k))


@given(rankings_with_repeats, relevants, cutoffs)
def test_the_type_of_the_collection_does_not_matter(retrieved, relevant, k):
    series = pd.Series(retrieved, dtype="int64", index=random.Random(1).sample(range(99), len(retrieved)))
    for metric in ALL:
        expected = metric(retrieved, relevant, k)
        assert metric(tuple(retrieved), relevant, k) == expected
        assert metric(np.array(retrieved, dtype=int), relevant, k) == expected
        assert metric((doc for doc in retrieved), relevant, k) == expected
        assert metric(series, relevant, k) == expected


@given(rankings_with_repeats, relevants, cutoffs)
def test_inputs_stay_as_they_were(retrieved, relevant, k):
    before = list(retrieved), relevant.copy()
    for metric in ALL:
        metric(retrieved, relevant, k)
    RetrievalEvaluator(k=k).evaluate_all(retrieved, relevant)
    unique(retrieved)
    assert (retrieved, relevant) == before
    assert list(relevant) == list(before[1])


@given(rankings_with_repeats, relevants, cutoffs)
def test_the_evaluator_agrees_with_the_functions(retrieved, relevant, k):
    assert RetrievalEvaluator(k=k).evaluate_all(iter(retrieved), relevant) == {
        "recall@k": recall_at_k(retrieved, relevant, k),
        "precision@k": precision_at_k(retrieved, relevant, k),
        "f1@k": f1_at_k(retrieved, relevant, k),
        "mrr": reciprocal_rank(retrieved, relevant),
        "ndcg@k": ndcg_at_k(retrieved, relevant, k),
    }
