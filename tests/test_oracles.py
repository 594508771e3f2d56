"""The same numbers as other people's code where conventions agree; where they differ, a test says how."""

import random
from statistics import fmean

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from ir_measures import AP, RR, P, R, SetF, Success, nDCG
from sklearn.metrics import average_precision_score, ndcg_score

from ragmetrics import (
    average_precision,
    f1_at_k,
    hit_rate_at_k,
    ndcg_at_k,
    precision_at_k,
    recall_at_k,
    reciprocal_rank,
)

CUTOFFS = [1, 2, 3, 5, 10, 100]
DOCUMENTS = [f"d{i:02d}" for i in range(30)]


def same(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def random_queries(seed, grades, how_many=100):
    """Return {query: (ranking, gains)}: short and long rankings, with unjudged and unretrieved documents."""
    rng = random.Random(seed)
    queries = {}
    for number in range(how_many):
        ranking = rng.sample(DOCUMENTS, rng.randint(1, 20))
        gains = {doc: rng.choice(grades) for doc in rng.sample(DOCUMENTS, rng.randint(1, 12))}
        queries[f"q{number}"] = (ranking, gains)
    return queries


def as_qrels(queries):
    """Return the judgements for the oracles; pytrec_eval-terrier 0.5.11 writes out of bounds below -1."""
    return {query: {doc: max(gain, -1) for doc, gain in gains.items()} for query, (_, gains) in queries.items()}


def as_run(queries):
    """Give each document a score that repeats the order of the ranking, without ties."""
    return {query: scores_for(ranking) for query, (ranking, _) in queries.items()}


def scores_for(ranking):
    return {doc: float(len(ranking) - position) for position, doc in enumerate(ranking)}


def trec_eval(qrels, run, *measures):
    return pytrec_eval.RelevanceEvaluator(qrels, set(measures)).evaluate(run)


GRADES = {
    "binary": [0, 1],
    "graded": [0, 1, 2, 3],
    "negative": [-2, -1, 0, 1, 2, 4],
    "none": [0, -1],
}


# --- pytrec_eval: NIST's trec_eval ----------------------------------------------------------------


@pytest.mark.parametrize("k", CUTOFFS)
@pytest.mark.parametrize("grades", GRADES)
def test_trec_eval_at_a_cut(grades, k):
    queries = random_queries(seed=k, grades=GRADES[grades])
    measures = [f"{name}.{k}" for name in ("recall", "P", "ndcg_cut", "map_cut", "success")]
    oracle = trec_eval(as_qrels(queries), as_run(queries), *measures)
    assert len(oracle) == len(queries)
    for query, (ranking, gains) in queries.items():
        assert oracle[query] == {
            f"recall_{k}": same(recall_at_k(ranking, gains, k)),
            f"P_{k}": same(precision_at_k(ranking, gains, k)),
            f"ndcg_cut_{k}": same(ndcg_at_k(ranking, gains, k)),
            f"map_cut_{k}": same(average_precision(ranking, gains, k)),
            f"success_{k}": same(hit_rate_at_k(ranking, gains, k)),
        }


@pytest.mark.parametrize("grades", GRADES)
def test_trec_eval_over_the_whole_ranking(grades):
    queries = random_queries(seed=7, grades=GRADES[grades])
    oracle = trec_eval(as_qrels(queries), as_run(queries), "map", "recip_rank", "ndcg", "set_F")
    for query, (ranking, gains) in queries.items():
        assert oracle[query] == {
            "map": same(average_precision(ranking, gains)),
            "recip_rank": same(reciprocal_rank(ranking, gains)),
            "ndcg": same(ndcg_at_k(ranking, gains, k=100)),
            "set_F": same(f1_at_k(ranking, gains, k=len(ranking))),
        }


@pytest.mark.parametrize("k", CUTOFFS)
def test_exponential_gains_are_linear_ones_of_two_to_the_grade_minus_one(k):
    queries = random_queries(seed=40 + k, grades=[-1, 0, 1, 2, 3, 4])
    powers = {
        query: {doc: 2 ** max(grade, 0) - 1 for doc, grade in gains.items()}
        for query, (_, gains) in queries.items()
    }
    oracle = trec_eval(powers, as_run(queries), f"ndcg_cut.{k}")
    for query, (ranking, gains) in queries.items():
        expected = oracle[query][f"ndcg_cut_{k}"]
        assert ndcg_at_k(ranking, gains, k, gain="exponential") == same(expected)


def test_difference_trec_eval_sorts_ties_by_id_descending():
    ranking, scores = ["d1", "d2", "d3"], {"d1": 1.0, "d2": 1.0, "d3": 1.0}
    assert trec_eval({"q": {"d3": 1}}, {"q": scores}, "recip_rank")["q"]["recip_rank"] == 1.0
    assert reciprocal_rank(ranking, ["d3"]) == same(1 / 3)


def test_difference_trec_eval_holds_scores_as_float32():
    """1.000000001 and 1.0 become a tie; a ranking has no scores to lose."""
    scores = {"d1": 1.000000001, "d2": 1.0}
    assert trec_eval({"q": {"d1": 1}}, {"q": scores}, "recip_rank")["q"]["recip_rank"] == 0.5
    assert reciprocal_rank(["d1", "d2"], ["d1"]) == 1.0


def test_difference_trec_eval_wants_whole_grades():
    with pytest.raises(TypeError, match="integer"):
        trec_eval({"q": {"d1": 0.5}}, {"q": {"d1": 1.0}}, "ndcg")
    assert ndcg_at_k(["d1"], {"d1": 0.5}, 1) == 1.0


def test_difference_trec_eval_leaves_out_queries_without_results():
    oracle = trec_eval({"found": {"a": 1}, "missed": {"a": 1}}, {"found": {"a": 1.0}}, "recip_rank")
    assert list(oracle) == ["found"]
    assert reciprocal_rank([], ["a"]) == 0.0


# --- ir-measures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("grades", GRADES)
def test_ir_measures(grades, k):
    queries = random_queries(seed=100 + k, grades=GRADES[grades], how_many=50)
    ours = {
        R @ k: lambda ranking, gains: recall_at_k(ranking, gains, k),
        P @ k: lambda ranking, gains: precision_at_k(ranking, gains, k),
        Success @ k: lambda ranking, gains: hit_rate_at_k(ranking, gains, k),
        nDCG @ k: lambda ranking, gains: ndcg_at_k(ranking, gains, k),
        AP @ k: lambda ranking, gains: average_precision(ranking, gains, k),
        RR @ k: lambda ranking, gains: reciprocal_rank(ranking, gains, k),
        AP: average_precision,
        RR: reciprocal_rank,
        nDCG: lambda ranking, gains: ndcg_at_k(ranking, gains, 100),
        SetF: lambda ranking, gains: f1_at_k(ranking, gains, len(ranking)),
    }
    metrics = list(ir_measures.iter_calc(list(ours), as_qrels(queries), as_run(queries)))
    assert len(metrics) == len(ours) * len(queries)
    for metric in metrics:
        assert ours[metric.measure](*queries[metric.query_id]) == same(metric.value), metric


def test_ir_measures_also_averages_queries_without_results_as_zero():
    qrels = {"found": {"a": 1}, "missed": {"a": 1}}
    assert ir_measures.calc_aggregate([RR], qrels, {"found": {"a": 1.0}}) == {RR: 0.5}
    assert fmean([reciprocal_rank(["a"], ["a"]), reciprocal_rank([], ["a"])]) == 0.5


def test_difference_the_ideal_of_ndcg_without_a_cut():
    """nDCG compares with all relevant documents, nDCG@2 with the best two: both were retrieved here."""
    qrels, run = {"q": dict.fromkeys("abcd", 1)}, {"q": scores_for("ab")}
    whole, cut = ir_measures.calc_aggregate([nDCG, nDCG @ 2], qrels, run).values()
    assert {round(whole, 4), round(cut, 4)} == {0.6367, 1.0}
    assert ndcg_at_k(["a", "b"], list("abcd"), 2) == 1.0
    assert ndcg_at_k(["a", "b"], list("abcd"), 100) == same(min(whole, cut))


def test_difference_one_provider_ignores_the_cut_of_rr():
    """Asked for RR@2, ir-measures' pytrec_eval provider alone answers RR; the default choice of provider cuts."""
    qrels, run = {"q": {"c": 1}}, {"q": scores_for("abc")}
    assert ir_measures.pytrec_eval.calc_aggregate([RR @ 2], qrels, run)[RR @ 2] == same(1 / 3)
    assert ir_measures.calc_aggregate([RR @ 2], qrels, run)[RR @ 2] == 0.0
    assert reciprocal_rank(["a", "b", "c"], ["c"], k=2) == 0.0
    assert reciprocal_rank(["a", "b", "c"], ["c"]) == same(1 / 3)


def test_difference_rr_and_rr_at_k_break_ties_in_opposite_ways():
    """RR comes from trec_eval (id descending), RR@3 from the MS MARCO script (id ascending)."""
    qrels, run = {"q": {"d3": 1}}, {"q": {"d1": 1.0, "d2": 1.0, "d3": 1.0}}
    assert ir_measures.calc_aggregate([RR], qrels, run)[RR] == 1.0
    assert ir_measures.calc_aggregate([RR @ 3], qrels, run)[RR @ 3] == same(1 / 3)


def test_difference_judged_only_skips_unjudged_documents():
    """Our unjudged documents are not relevant and keep their place, as in the measures' default."""
    qrels, run = {"q": {"a": 1}}, {"q": scores_for("xa")}
    judged = nDCG(judged_only=True) @ 2
    assert ir_measures.calc_aggregate([judged], qrels, run)[judged] == 1.0
    assert ir_measures.calc_aggregate([nDCG @ 2], qrels, run)[nDCG @ 2] == same(ndcg_at_k(["x", "a"], ["a"], 2))


def test_difference_denominators_of_average_precision():
    """AP@5 over all ten relevant documents is 0.5; libraries that divide by min(k, R) report 1.0."""
    ten = DOCUMENTS[:10]
    qrels, run = {"q": dict.fromkeys(ten, 1)}, {"q": scores_for(ten)}
    assert ir_measures.calc_aggregate([AP @ 5], qrels, run)[AP @ 5] == same(0.5)
    assert average_precision(ten, ten, k=5) == same(0.5)
    assert average_precision(ten, ten, k=5) * len(ten) / min(5, len(ten)) == same(1.0)


# --- scikit-learn ---------------------------------------------------------------------------------


def as_vectors(ranking, gains):
    """Return the gains and the scores of the retrieved documents, then of the relevant ones left out."""
    documents = ranking + [doc for doc in gains if doc not in ranking]
    truth = [max(gains.get(doc, 0), 0) for doc in documents]
    return np.array([truth]), np.array([range(len(documents), 0, -1)])


@pytest.mark.parametrize("k", [1, 2, 5, 10])
def test_sklearn_ndcg_with_every_relevant_document_passed(k):
    """Fractional gains too. The left-out documents go last, so they only stay out when k places are filled."""
    rng = random.Random(k)
    for _ in range(100):
        ranking = rng.sample(DOCUMENTS, 10)
        gains = {doc: rng.choice([0, 0.2, 1.5, 2, 3.75]) for doc in rng.sample(DOCUMENTS, 8)}
        truth, scores = as_vectors(ranking, gains)
        assert ndcg_at_k(ranking, gains, k) == same(ndcg_score(truth, scores, k=k))


def test_sklearn_average_precision_when_every_relevant_document_came_back():
    rng = random.Random(3)
    for _ in range(100):
        ranking = rng.sample(DOCUMENTS, 15)
        relevant = rng.sample(ranking, rng.randint(1, 6))
        truth, scores = as_vectors(ranking, dict.fromkeys(relevant, 1))
        assert average_precision(ranking, relevant) == same(average_precision_score(truth[0], scores[0]))


def test_difference_sklearn_knows_only_the_documents_it_is_passed():
    """Three relevant documents, one retrieved at the top: a perfect 1.0 there, 0.469 here."""
    assert ndcg_score([[1, 0, 0]], [[3, 2, 1]], k=3) == 1.0
    assert ndcg_at_k(["a", "x", "y"], ["a", "b", "c"], 3) == pytest.approx(0.4693, abs=6e-5)
    assert average_precision_score([1, 0, 0], [3, 2, 1]) == 1.0
    assert average_precision(["a", "x", "y"], ["a", "b", "c"]) == same(1 / 3)


def test_difference_sklearn_averages_ties():
    assert ndcg_score([[1, 0]], [[5, 5]], k=1) == same(0.5)
    assert ndcg_at_k(["a", "b"], ["a"], 1) == 1.0


def test_difference_sklearn_refuses_one_document_and_negative_gains():
    with pytest.raises(ValueError, match="1 document"):
        ndcg_score([[1]], [[1]])
    assert ndcg_at_k(["a"], ["a"], 1) == 1.0
    with pytest.raises(ValueError, match="negative"):
        ndcg_score([[1, -1]], [[1, 2]])
    assert ndcg_at_k(["b", "a"], {"a": 1, "b": -1}, 2) == same(ndcg_score([[1, 0]], [[1, 2]]))


# --- examples others have published ---------------------------------------------------------------

DIGITS = list("0123456789")
SIX_GAINS = {"0": 3, "1": 2, "2": 3, "4": 1, "5": 2}
JARVELIN = {"2": 5, "4": 4, "5": 3, "10": 2}
IDS = ["id1", "id2", "id3", "id4"]
PUBLISHED = [
    # source, metric, retrieved, relevant, k, value, tolerance
    ("pytrec_eval test_ndcg_cut", "ndcg", ["d3", "d1", "d2"], {"d1": 0, "d2": 1, "d3": 0}, 3, 0.5, 1e-9),
    ("ir_measures test_SetF", "f1", ["D0", "D2", "D3", "D1", "D4"], ["D1", "D2", "D3"], 5, 0.75, 1e-9),
    ("ir_measures test_SetP", "precision", ["D1", "D4", "D2", "D3"], ["D0", "D3"], 4, 0.25, 1e-9),
    ("ir_measures test_nDCG", "ndcg", ["D0", "D2", "D3", "D1"], {"D0": 1, "D1": -1, "D3": 2}, 3, 0.76018, 1e-5),
    ("ir_measures test_nDCG", "ndcg", ["D1", "D4", "D2", "D3"], {"D0": 1, "D3": 2, "D4": -1}, 4, 0.32739, 6e-6),
    ("ir_measures test_gdeval", "exp", ["D1", "D3", "D2", "D4"], {"D0": 1, "D3": 2, "D5": 2}, 20, 0.35099, 6e-6),
    ("ir_measures test_gdeval", "exp", ["D1", "D3", "D2", "D4"], {"D0": 1, "D3": 2, "D5": 2}, 2, 0.38685, 6e-6),
    ("ranx test_ndcg_jarvelin", "ndcg", ["1", "2", "3", "4", "5"], JARVELIN, 10, 0.6108112659, 1e-9),
    ("ranx test_ndcg_burges", "exp", ["10", "5", "2", "4", "3"], JARVELIN, 10, 0.6491221548, 1e-9),
    ("ranx f1_test", "f1", [f"d{i}" for i in range(1, 9)], ["d2", "d5", "d7"], 8, 0.5454545455, 1e-9),
    ("ranx test_precision", "precision", [1, 2, 3, 4, 5, 7], [1, 4, 5, 6], 5, 0.6, 1e-9),
    ("scikit-learn ndcg_score docs", "ndcg", list("edcba"), {"a": 10, "d": 1, "e": 5}, 5, 0.69569, 1e-5),
    ("scikit-learn ndcg_score docs", "ndcg", list("bcdae"), {"a": 10, "d": 1, "e": 5}, 4, 0.352, 1e-4),
    ("Wikipedia DCG, six documents", "ndcg", DIGITS[:6], SIX_GAINS, 6, 0.961, 5e-4),
    ("Elasticsearch testDCGAt", "exp", DIGITS[:6], SIX_GAINS, 10, 0.9488107, 1e-6),
    ("LlamaIndex test_metrics", "ndcg", ["id5", "id1"], IDS, 4, 0.24630238874, 1e-9),
    ("LlamaIndex test_metrics", "ndcg", ["id1", "id2", "id5"], IDS, 4, 0.63668243873, 1e-9),
    ("LlamaIndex test_metrics", "precision", ["id3", "id1", "id2", "id4"], IDS[:3], 4, 0.75, 1e-9),
    ("Haystack test_document_ndcg", "ndcg", [], ["France"], 5, 0.0, 1e-9),
    ("torchmetrics retrieval docs", "ap", ["c", "b", "a"], ["a", "c"], 3, 0.8333, 6e-5),
    ("RecBole test_topk_metrics", "ndcg", ["i0", "i1", "i2"], ["i0", "i2", "u0", "u1"], 2, 0.61314719277, 1e-9),
    ("RecBole test_topk_metrics", "recall", ["i0", "i1", "i2"], ["i0", "i2", "u0", "u1"], 2, 0.25, 1e-9),
    ("MLflow test_ndcg_at_k", "ndcg", ["4", "5", "1"], ["1", "2", "3"], 3, 0.2346394, 1e-6),
    ("MLflow#24541 short list", "ndcg", ["1"], ["1", "2", "3", "4", "5"], 5, 0.339, 5e-4),
    ("gbrain#4607 gold repeated", "recall", ["s::g"], ["s::g", "s::g"], 1, 1.0, 1e-9),
]
BY_NAME = {
    "recall": recall_at_k,
    "precision": precision_at_k,
    "f1": f1_at_k,
    "ap": average_precision,
    "ndcg": ndcg_at_k,
    "exp": lambda retrieved, relevant, k: ndcg_at_k(retrieved, relevant, k, gain="exponential"),
}


@pytest.mark.parametrize(("source", "metric", "retrieved", "relevant", "k", "value", "tolerance"), PUBLISHED)
def test_published_examples(source, metric, retrieved, relevant, k, value, tolerance):
    assert BY_NAME[metric](retrieved, relevant, k) == pytest.approx(value, abs=tolerance), source


SPARK = [
    ([1, 6, 2, 7, 8, 3, 9, 10, 4, 5], [1, 2, 3, 4, 5]),
    ([4, 1, 5, 6, 2, 7, 3, 8, 9, 10], [1, 2, 3]),
    ([1, 2, 3, 4, 5], []),
]


@pytest.mark.parametrize(
    ("k", "precision", "recall"),
    [(1, 1 / 3, 1 / 15), (3, 1 / 3, 11 / 45), (5, 4 / 15, 16 / 45), (15, 8 / 45, 2 / 3)],
)
def test_means_published_by_spark(k, precision, recall):
    """RankingMetricsSuite: the query without relevant documents counts as zero."""
    assert fmean(precision_at_k(*query, k) for query in SPARK) == same(precision)
    assert fmean(recall_at_k(*query, k) for query in SPARK) == same(recall)
