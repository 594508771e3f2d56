"""Many queries at once: the same values as one by one, honest counts, clear errors."""

from __future__ import annotations

import json
import random
import re
from collections import deque
from itertools import chain

import numpy as np
import pandas as pd
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

import ragmetrics as rm
from ragmetrics import _batch
from ragmetrics.evaluation import FORMULAS

ONE_QUERY = {
    "recall@k": lambda r, g, k, gain: rm.recall_at_k(r, g, k),
    "precision@k": lambda r, g, k, gain: rm.precision_at_k(r, g, k),
    "f1@k": lambda r, g, k, gain: rm.f1_at_k(r, g, k),
    "hit_rate@k": lambda r, g, k, gain: rm.hit_rate_at_k(r, g, k),
    "mrr": lambda r, g, k, gain: rm.reciprocal_rank(r, g),
    "mrr@k": lambda r, g, k, gain: rm.reciprocal_rank(r, g, k),
    "map": lambda r, g, k, gain: rm.average_precision(r, g),
    "map@k": lambda r, g, k, gain: rm.average_precision(r, g, k),
    "dcg@k": lambda r, g, k, gain: rm.dcg_at_k(r, g, k, gain),
    "ndcg@k": lambda r, g, k, gain: rm.ndcg_at_k(r, g, k, gain),
}


def expected(rankings, relevant, k, gain):
    """Per-query values by the functions of one query, as a dict like Evaluation.values."""
    return {
        name.replace("@k", f"@{k}"): [f(r, g, k, gain) for r, g in zip(rankings, relevant, strict=True)]
        for name, f in ONE_QUERY.items()
    }


def assert_same(evaluation, rankings, relevant, cutoffs, gain="linear"):
    for k in cutoffs:
        for name, values in expected(rankings, relevant, k, gain).items():
            np.testing.assert_allclose(evaluation.values[name], values, rtol=0, atol=1e-12, err_msg=name)


ids = st.integers(0, 8)
rankings = st.lists(ids, max_size=12)  # repeats included
binary = st.one_of(st.lists(ids, max_size=6), st.sets(ids, max_size=6))
graded = st.dictionaries(ids, st.one_of(st.integers(-1, 3), st.floats(0.01, 4)), max_size=6)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(rankings, st.one_of(binary, graded)), min_size=1, max_size=8),
    st.lists(st.integers(1, 15), min_size=1, max_size=3, unique=True),
    st.sampled_from(["linear", "exponential"]),
)
def test_equals_the_functions_of_one_query(queries, cutoffs, gain) -> None:
    run = {f"q{i}": ranking for i, (ranking, _) in enumerate(queries)}
    qrels = {f"q{i}": relevant for i, (_, relevant) in enumerate(queries)}
    evaluation = rm.evaluate(run, qrels, k=cutoffs, gain=gain)
    assert_same(evaluation, run.values(), qrels.values(), cutoffs, gain)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(rankings, binary.map(list), st.integers(0, 2**62)), min_size=1, max_size=8),
    st.integers(1, 15),
    st.booleans(),
)
def test_arrays_equal_the_functions_of_one_query(queries, k, weighted) -> None:
    shift = queries[0][2]  # ids far from 0 and far apart do not overflow
    found = [[shift * (d % 2) + d for d in ranking] for ranking, _, _ in queries]
    wanted = [[shift * (d % 2) + d for d in dict.fromkeys(relevant)] for _, relevant, _ in queries]
    gains = [[(d % 4) - 0.5 for d in relevant] for relevant in wanted]
    evaluation = rm.evaluate_arrays(
        np.array(list(chain(*found)), dtype=np.int64), np.cumsum([0, *map(len, found)]),
        np.array(list(chain(*wanted)), dtype=np.int64), np.cumsum([0, *map(len, wanted)]),
        k=k, gains=np.array(list(chain(*gains))) if weighted else None,
    )  # fmt: skip
    relevant = [dict(zip(w, g, strict=True)) for w, g in zip(wanted, gains, strict=True)] if weighted else wanted
    assert_same(evaluation, found, relevant, [k])


def test_each_way_of_looking_at_part_of_the_ranking_gives_the_same() -> None:
    rng = random.Random(3)
    run = {q: rng.sample(range(200), 60) for q in range(700)}  # more queries than are read at a time
    qrels = {q: rng.sample(range(200), 4) for q in range(700)}
    whole = rm.evaluate(run, qrels, k=(1, 10))
    for name in FORMULAS:
        alone = rm.evaluate(run, qrels, k=(1, 10), metrics=[name])
        for column, values in alone.values.items():
            np.testing.assert_array_equal(values, whole.values[column], err_msg=column)
    assert len(run) > 2 * _batch.CHUNK


TREC = {
    "recall@10": "recall_10", "precision@10": "P_10", "hit_rate@10": "success_10", "mrr": "recip_rank",
    "map": "map", "map@10": "map_cut_10", "ndcg@10": "ndcg_cut_10",
}  # fmt: skip


def test_equals_pytrec_eval_on_a_thousand_random_runs() -> None:
    """Graded judgments, ties, unjudged documents, short rankings, judged documents that are not relevant."""
    rng = random.Random(7)
    run, qrels = {}, {}
    for q in range(1000):
        pool = [f"d{i}" for i in range(40)]
        run[f"q{q}"] = {d: float(rng.randrange(6)) for d in rng.sample(pool, rng.randint(1, 30))}
        qrels[f"q{q}"] = {d: rng.choice([0, 0, 1, 2, 3]) for d in rng.sample(pool, rng.randint(1, 15))}
        qrels[f"q{q}"][rng.choice(pool)] = 1
    evaluation = rm.evaluate(run, qrels, k=10, metrics=["recall@k", "precision@k", "mrr", "map", "map@k", "ndcg@k",
                                                        "hit_rate@k"])  # fmt: skip
    peer = pytrec_eval.RelevanceEvaluator(qrels, set(TREC.values())).evaluate(run)
    for ours, theirs in TREC.items():
        values = [peer[q][theirs] for q in evaluation.queries]
        np.testing.assert_allclose(evaluation.values[ours], values, rtol=0, atol=1e-9, err_msg=ours)


LESSON = [
    {"query": "Python installation", "retrieved": [1, 3, 5, 7, 9], "relevant": [3, 7, 12]},
    {"query": "List comprehensions", "retrieved": [2, 4, 6, 8, 10], "relevant": [4, 6]},
    {"query": "Django tutorial", "retrieved": [1, 2, 3, 4, 5], "relevant": [1, 3]},
]


def test_the_lessons_cases() -> None:
    evaluation = rm.evaluate(LESSON, k=5)
    assert evaluation.queries == [case["query"] for case in LESSON]
    right = {"recall@5": 0.889, "precision@5": 0.400, "f1@5": 0.548, "mrr": 0.667, "ndcg@5": 0.704}
    assert {name: round(evaluation.means[name], 3) for name in right} == right


@pytest.mark.parametrize(
    "as_given",
    [tuple, np.array, pd.Series, deque, iter, lambda ranking: {d: -float(i) for i, d in enumerate(ranking)}],
)
def test_rankings_of_any_ordered_kind(as_given) -> None:
    run = {"q": as_given([4, 2, 9, 1])}
    assert rm.evaluate(run, {"q": np.array([9, 5])}, k=3).means["recall@3"] == 0.5


def test_ties_are_broken_as_in_trec_eval() -> None:
    run = {"q": {"a": 1.0, "c": 1.0, "b": 1.0, "z": 0.5}}
    assert rm.evaluate(run, {"q": ["c"]}, k=1).means["mrr"] == 1.0
    assert rm.evaluate(run, {"q": ["a"]}, k=1).means["mrr"] == pytest.approx(1 / 3)


def test_who_counts_and_who_does_not() -> None:
    evaluation = rm.evaluate({"a": [1], "extra": [1]}, {"a": [1], "silent": [1], "empty": []}, k=1)
    assert evaluation.queries == ["a", "silent", "empty"]
    assert evaluation.unanswered == ["silent", "empty"]
    assert evaluation.unjudged == ["extra"]
    assert evaluation.without_relevant == ["empty"]
    assert evaluation.means["recall@1"] == pytest.approx(1 / 3)
    text = repr(evaluation)
    for line in ("Queries: 3.", "Sin documentos relevantes: 1 (cuentan 0).", "Juzgadas y sin respuesta: 2",
                 "Respondidas y sin juzgar: 1 (no cuentan)."):  # fmt: skip
        assert line in text
        assert line in evaluation._repr_html_()


def test_queries_without_relevant_documents() -> None:
    run, qrels = {"a": [1], "b": [1]}, {"a": [1], "b": {1: 0, 2: -2}}
    assert rm.evaluate(run, qrels, k=1, no_relevant="zero").means["mrr"] == 0.5
    skipped = rm.evaluate(run, qrels, k=1, no_relevant="skip")
    assert skipped.means["mrr"] == 1.0
    assert skipped.queries == ["a"]
    assert skipped.without_relevant == ["b"]
    assert "Sin documentos relevantes: 1 (quedan fuera)." in repr(skipped)
    with pytest.raises(ValueError, match=r"Hay 1 queries sin documentos relevantes: \['b'\]"):
        rm.evaluate(run, qrels, k=1, no_relevant="error")


def test_values_are_float64_arrays_in_order_and_means_are_floats() -> None:
    evaluation = rm.evaluate({"b": [1], "a": [2]}, {"b": [1], "a": [1]}, k=(2, 1))
    assert evaluation.queries == ["b", "a"]
    assert evaluation.k == (2, 1)
    assert all(v.dtype == np.float64 and v.shape == (2,) for v in evaluation.values.values())
    assert all(type(mean) is float for mean in evaluation.means.values())
    assert set(evaluation.values) == {
        n.replace("@k", f"@{k}") for n in FORMULAS for k in (1, 2)
    }  # all metrics at every k, whole-ranking ones once


def test_intervals_hold_the_mean_and_depend_on_the_seed_only() -> None:
    rng = random.Random(1)
    qrels = {q: [0] for q in range(40)}
    run = {q: rng.sample(range(10), 10) for q in range(40)}
    one, same, other = (rm.evaluate(run, qrels, k=3, seed=seed) for seed in (5, 5, 6))
    assert one.intervals == same.intervals
    assert one.intervals != other.intervals
    for name, (low, high) in one.intervals.items():
        assert low <= one.means[name] <= high
        assert low < high
    narrow = rm.evaluate(run, qrels, k=3, seed=5, confidence=0.5)
    assert (
        narrow.intervals["mrr"][1] - narrow.intervals["mrr"][0] < one.intervals["mrr"][1] - one.intervals["mrr"][0]
    )


def test_one_query_has_no_interval() -> None:
    evaluation = rm.evaluate({"q": [1]}, {"q": [1]}, k=1)
    assert np.isnan(evaluation.intervals["mrr"]).all()
    assert re.search(r"MRR +1,000 +—", repr(evaluation))


def test_worst_queries_come_first_and_ties_keep_their_order() -> None:
    evaluation = rm.evaluate({"a": [1], "b": [2], "c": [2]}, {"a": [1], "b": [1], "c": [1]}, k=1)
    assert evaluation.worst(n=2) == [("b", 0.0), ("c", 0.0)]
    assert evaluation.worst("mrr", n=99)[-1] == ("a", 1.0)
    with pytest.raises(ValueError, match="No hay ninguna métrica 'ndcg@7'; las hay: recall@1"):
        evaluation.worst("ndcg@7")


def test_exports(tmp_path) -> None:
    evaluation = rm.evaluate({"a": [1], "b, c": [2]}, {"a": [1], "b, c": [1, 3]}, k=2)
    json.dumps(evaluation.to_dict())
    assert evaluation.to_dict()["values"]["recall@2"] == [1.0, 0.0]
    path = tmp_path / "values.csv"
    assert evaluation.to_csv(path) is None
    assert path.read_text(encoding="utf-8") == evaluation.to_csv()
    pd.testing.assert_frame_equal(pd.read_csv(path, index_col="query"), evaluation.to_pandas())


def test_the_html_table_can_be_announced() -> None:
    html = rm.evaluate({"<b>": [1]}, {"<b>": [1]}, k=1)._repr_html_()
    for part in ("<caption", '<th scope="col"', '<th scope="row"', "nDCG@1", "1,000"):
        assert part in html


@pytest.mark.parametrize(
    ("run", "qrels", "error", "message"),
    [
        ({"q1": {1, 2}}, {"q1": [1]}, TypeError, r"Query 'q1': retrieved debe ir ordenado"),
        ({"q1": "abc"}, {"q1": ["a"]}, TypeError, r"Query 'q1': retrieved debe ser una lista de ids"),
        ({"q1": None}, {"q1": ["a"]}, TypeError, r"Query 'q1': retrieved debe ser una lista de ids y llegó None"),
        ({"q1": ["a"]}, {"q1": "abc"}, TypeError, r"Query 'q1': relevant debe ser una lista"),
        (
            {"q0": ["a"], "q1": [1, 2]},
            {"q0": ["a"], "q1": ["1"]},
            TypeError,
            r"Query 'q1': .* nunca pueden coincidir",
        ),
        ({"q1": [[1], [2]]}, {"q1": [1]}, TypeError, r"Query 'q1': El elemento 1 de retrieved"),
        ({"q1": [1]}, {"q1": [[1]]}, TypeError, r"Query 'q1': El elemento 1 de relevant"),
        ({"q1": [1]}, {"q1": {1: float("nan")}}, ValueError, r"Query 'q1': La ganancia del documento 1"),
        ({"q1": [1]}, {"q1": {1: float("inf")}}, ValueError, r"Query 'q1': La ganancia del documento 1"),
        ({"q1": [1]}, {"q1": {1: "2"}}, TypeError, r"Query 'q1': La ganancia del documento 1"),
        ({"q1": {1: "2"}}, {"q1": [1]}, TypeError, r"Query 'q1': El score del documento 1"),
        ({"q1": {1: float("nan")}}, {"q1": [1]}, ValueError, r"Query 'q1': El score del documento 1 es nan"),
        (
            {"q1": {1: 1, "a": 1}},
            {"q1": [1]},
            TypeError,
            r"Query 'q1': Los ids tienen tipos que no se pueden comparar",
        ),
        ({1: ["a"]}, {"1": ["a"]}, TypeError, r"Queries de run .* y queries de qrels .* nunca pueden coincidir"),
        ([["a"]], {"q1": ["a"]}, TypeError, r"run debe ser un dict query → ids en orden"),
        ({"q1": ["a"]}, [["a"]], TypeError, r"qrels debe ser un dict query → ids relevantes"),
        ({"q1": ["a"]}, None, TypeError, r"test_cases debe ser una lista de dicts"),
        ({"q1": ["a"]}, {}, ValueError, r"No queda ninguna query que medir: no hay queries juzgadas"),
        ([], None, ValueError, r"No queda ninguna query que medir"),
        ([{"query": "x", "retrieved": [1]}], None, ValueError, r"Caso 1 .*query 'x'.*falta la clave 'relevant'"),
        (
            [{"query": "x", "retrieved": {1}, "relevant": [1]}],
            None,
            TypeError,
            r"Query 'x': retrieved debe ir ordenado",
        ),
    ],
)
def test_bad_input_names_the_query(run, qrels, error, message) -> None:
    with pytest.raises(error, match=message):
        rm.evaluate(run, qrels, k=2)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"k": 0}, ValueError, "k debe ser al menos 1"),
        ({"k": 2.0}, TypeError, "k debe ser un número entero"),
        ({"k": True}, TypeError, "k debe ser un número entero"),
        ({"k": ()}, ValueError, "k está vacío"),
        ({"k": (1, "3")}, TypeError, "k debe ser un número entero"),
        ({"k": "5"}, TypeError, "k debe ser un número entero"),
        ({"gain": "log"}, ValueError, 'gain debe ser "linear" o "exponential"'),
        ({"no_relevant": "nan"}, ValueError, 'no_relevant debe ser "zero", "skip" o "error"'),
        ({"metrics": ["ndcg@5"]}, ValueError, "metrics debe nombrar métricas de esta lista: recall@k"),
        ({"metrics": []}, ValueError, "metrics debe nombrar métricas"),
        ({"confidence": 95}, ValueError, "confidence debe ser un número entre 0 y 1"),
        ({"confidence": "0.95"}, ValueError, "confidence debe ser un número entre 0 y 1"),
        ({"seed": "a"}, TypeError, "seed debe ser un número entero"),
        ({"metrics": 5}, TypeError, "metrics debe ser una lista de nombres"),
        ({"metrics": [["mrr"]]}, TypeError, "metrics debe ser una lista de nombres"),
        ({"k": np.array(5)}, TypeError, "k debe ser un número entero"),
    ],
)
def test_bad_options(options, error, message) -> None:
    with pytest.raises(error, match=message):
        rm.evaluate({"q": [1]}, {"q": [1]}, **options)


@pytest.mark.parametrize(
    ("arrays", "options", "error", "message"),
    [
        (([1.5], [0, 1], [1], [0, 1]), {}, TypeError, "retrieved debe ser un array de enteros"),
        (([[1]], [0, 1], [1], [0, 1]), {}, TypeError, "retrieved debe ser un array de enteros"),
        ((["a"], [0, 1], [1], [0, 1]), {}, TypeError, "usa evaluate con listas"),
        (([1], [0, 2], [1], [0, 1]), {}, ValueError, "retrieved_offsets debe empezar en 0"),
        (([1], [1, 1], [1], [0, 1]), {}, ValueError, "retrieved_offsets debe empezar en 0"),
        (([1, 2], [0, 2, 1, 2], [1], [0, 1, 1, 1]), {}, ValueError, "no decrecer"),
        (([1], [0, 1], [1], [0, 0, 1]), {}, ValueError, "relevant_offsets, 2: deben ser las mismas"),
        (([1], [0, 1], [1], [0, 1]), {"queries": ["a", "b"]}, ValueError, "queries, 2: deben ser las mismas"),
        (([1], [0, 1], [1], [0, 1]), {"gains": [1, 2]}, ValueError, "una ganancia por cada id"),
        (([1], [0, 1], [1], [0, 1]), {"gains": [np.nan]}, ValueError, "no son números finitos"),
        (([1], [0, 1], [1], [0, 1]), {"gains": ["2"]}, TypeError, "gains debe tener números"),
        (([1], [0, 1], [1], [0, 1]), {"queries": 5}, TypeError, "queries debe ser una lista"),
        (
            ([1, 2], [0, 2], [1, 1, 2], [0, 3]),
            {"gains": [1, 3, 2]},
            ValueError,
            "dos veces con ganancias distintas",
        ),
        (
            ([1, 2], [0, 2], [1, 1, 2], [0, 3]),
            {"gains": [-1, 3, 2]},
            ValueError,
            "dos veces con ganancias distintas",
        ),
        ((np.array([2**64 - 1], np.uint64), [0, 1], [1], [0, 1]), {}, ValueError, "no caben en int64"),
    ],
)
def test_bad_arrays(arrays, options, error, message) -> None:
    with pytest.raises(error, match=message):
        rm.evaluate_arrays(*arrays, k=1, **options)


def test_gains_too_large_to_add_are_an_error() -> None:
    with pytest.raises(ValueError, match="demasiado grandes"):
        rm.evaluate({"q": [1, 2]}, {"q": {1: 1.7e308, 2: 1.7e308}}, k=2)
    with pytest.raises(ValueError, match="demasiado grandes"):
        rm.evaluate({"q": [1]}, {"q": {1: 5000}}, k=2, gain="exponential")


def test_inputs_are_not_modified() -> None:
    run, qrels = {"q": [1, 2, 1]}, {"q": {1: 2, 3: 0}}
    rm.evaluate(run, qrels, k=2)
    assert (run, qrels) == ({"q": [1, 2, 1]}, {"q": {1: 2, 3: 0}})


def test_one_query_makes_valid_json() -> None:
    evaluation = rm.evaluate({"q": [1]}, {"q": [1]}, k=1)
    assert json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))["intervals"]["mrr"] is None


@pytest.mark.parametrize("k", [10**9, 10**30, 10**400])
def test_a_cutoff_beyond_any_ranking(k) -> None:
    run, qrels = {"q": [3, 1, 2], "r": [5]}, {"q": [1, 2], "r": {5: 2, 6: 0.5}}
    assert_same(rm.evaluate(run, qrels, k=k), run.values(), qrels.values(), [k])
    arrays = rm.evaluate_arrays([3, 1, 2], [0, 3], [1, 2], [0, 2], k=k)
    assert_same(arrays, [[3, 1, 2]], [[1, 2]], [k])


class Counted:
    """An id that counts how often it is compared."""

    comparisons = 0

    def __init__(self, value: int) -> None:
        self.value = value

    def __hash__(self) -> int:
        return hash(self.value)

    def __eq__(self, other: object) -> bool:
        Counted.comparisons += 1
        return isinstance(other, Counted) and self.value == other.value


@pytest.mark.parametrize("n", [10, 2000])
def test_the_work_grows_with_the_hits_and_not_with_their_square(n) -> None:
    run, qrels = {"q": [Counted(i) for i in range(n)]}, {"q": [Counted(i) for i in range(0, n, 2)]}
    Counted.comparisons = 0
    evaluation = rm.evaluate(run, qrels, k=5)
    assert Counted.comparisons < 20 * n
    assert evaluation.values["map"] == pytest.approx(rm.average_precision(run["q"], qrels["q"]))


def test_what_is_below_the_cut_costs_nothing() -> None:
    """With metrics that are cut at k, documents below it are not looked at."""
    run, qrels = {"q": [Counted(i) for i in range(5000)]}, {"q": [Counted(0), Counted(4000)]}
    Counted.comparisons = 0
    rm.evaluate(run, qrels, k=10, metrics=["recall@k", "ndcg@k", "mrr"])
    assert Counted.comparisons < 40


def test_numpy_names_of_queries_make_valid_json() -> None:
    evaluation = rm.evaluate({np.int64(3): [1], np.str_("a"): [1]}, {np.int64(3): [1], np.str_("a"): [1]}, k=1)
    assert json.loads(json.dumps(evaluation.to_dict()))["queries"] == [3, "a"]
