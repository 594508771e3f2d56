"""RetrievalEvaluator and the means over many queries."""

import copy
import pickle
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest

import ragmetrics
from ragmetrics import MeanMetrics, RetrievalEvaluator, evaluate_multiple_queries

KEYS = ["recall@k", "precision@k", "f1@k", "mrr", "ndcg@k"]
LESSON_CASES = [
    {"query": "Python installation", "retrieved": [1, 3, 5, 7, 9], "relevant": [3, 7, 12]},
    {"query": "List comprehensions", "retrieved": [2, 4, 6, 8, 10], "relevant": [4, 6]},
    {"query": "Django tutorial", "retrieved": [1, 2, 3, 4, 5], "relevant": [1, 3]},
]
EMPTY = {"query": "sin juzgar", "retrieved": ["a"], "relevant": []}
FOUND = {"query": "hallada", "retrieved": ["a"], "relevant": ["a"]}
MISSED = {"query": "perdida", "retrieved": ["x"], "relevant": ["a"]}


def rounded(values):
    return {name: f"{value:.3f}" for name, value in values.items()}


# --- the class of the lesson ----------------------------------------------------------------------


def test_the_class_example_of_the_lesson():
    values = RetrievalEvaluator(k=5).evaluate_all([1, 3, 5, 7, 9, 11, 13], [3, 7, 12])
    assert list(values) == KEYS
    assert list(rounded(values).values()) == ["0.667", "0.400", "0.500", "0.500", "0.498"]
    assert all(type(value) is float for value in values.values())


def test_k_is_five_unless_said():
    assert RetrievalEvaluator().k == 5
    assert repr(RetrievalEvaluator(k=3)) == "RetrievalEvaluator(k=3)"


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_methods_are_the_functions_at_the_evaluators_k(k):
    evaluator, query = RetrievalEvaluator(k=k), (["x", "a", "y", "b", "z"], {"a": 1, "b": 3, "c": 2})
    for name in ("recall_at_k", "precision_at_k", "f1_at_k", "ndcg_at_k"):
        assert getattr(evaluator, name)(*query) == getattr(ragmetrics, name)(*query, k)
    assert evaluator.mrr(*query) == 0.5


def test_mrr_has_its_own_cut():
    evaluator, ranking = RetrievalEvaluator(k=1), ["x", "y", "a"]
    assert evaluator.mrr(ranking, ["a"]) == 1 / 3
    assert evaluator.mrr(ranking, ["a"], k=3) == 1 / 3
    assert evaluator.mrr(ranking, ["a"], k=2) == 0.0
    assert evaluator.evaluate_all(ranking, ["a"])["mrr"] == 1 / 3


def test_numpy_k_becomes_an_int():
    assert type(RetrievalEvaluator(k=np.int64(3)).k) is int


@pytest.mark.parametrize(("k", "kind"), [(0, ValueError), (-1, ValueError), (2.0, TypeError), (True, TypeError)])
def test_bad_k_is_refused_at_once_and_later(k, kind):
    with pytest.raises(kind, match="k debe ser"):
        RetrievalEvaluator(k=k)
    evaluator = RetrievalEvaluator()
    evaluator.k = k
    with pytest.raises(kind, match="k debe ser"):
        evaluator.recall_at_k(["a"], ["a"])


@pytest.mark.parametrize("as_type", [tuple, np.array, pd.Series, iter, lambda ids: (i for i in ids)])
def test_evaluate_all_reads_its_arguments_once(as_type):
    retrieved, relevant = [1, 3, 5, 7, 9], [3, 7, 12]
    expected = RetrievalEvaluator().evaluate_all(retrieved, relevant)
    assert RetrievalEvaluator().evaluate_all(as_type(retrieved), as_type(relevant)) == expected
    assert RetrievalEvaluator().evaluate_all(iter(retrieved), dict.fromkeys(relevant, 1)) == expected


def test_evaluate_all_uses_overridden_methods():
    class Strict(RetrievalEvaluator):
        def recall_at_k(self, retrieved, relevant):
            assert isinstance(relevant, list)
            return 0.25

    assert Strict().evaluate_all(["a"], ["a"])["recall@k"] == 0.25


def test_evaluate_all_refuses_what_the_metrics_refuse():
    with pytest.raises(TypeError, match="orden"):
        RetrievalEvaluator().evaluate_all({"a"}, ["a"])
    with pytest.raises(TypeError, match="nunca pueden coincidir"):
        RetrievalEvaluator().evaluate_all(["1"], [1])


# --- means over queries ---------------------------------------------------------------------------


def test_the_batch_example_of_the_lesson():
    means = evaluate_multiple_queries(RetrievalEvaluator(k=5), LESSON_CASES)
    assert list(means) == KEYS
    assert list(rounded(means).values()) == ["0.889", "0.400", "0.548", "0.667", "0.704"]
    assert all(type(value) is float for value in means.values())
    assert (means.queries, means.without_relevant) == (3, [])


def test_the_means_are_a_dict():
    means = evaluate_multiple_queries(RetrievalEvaluator(), LESSON_CASES)
    assert isinstance(means, dict)
    assert means == dict(means)
    assert repr(means) == repr(dict(means))
    for twin in (copy.copy(means), copy.deepcopy(means), pickle.loads(pickle.dumps(means))):
        assert (type(twin), twin, twin.queries) == (MeanMetrics, means, 3)


def test_every_query_weighs_the_same():
    """Macro mean: (1/1 + 1/9) / 2; pooling the hits would give 2/10."""
    nine = [f"r{i}" for i in range(9)]
    cases = [
        {"query": "1", "retrieved": ["a", "x"], "relevant": ["a"]},
        {"query": "9", "retrieved": ["r0", "x"], "relevant": nine},
    ]
    means = evaluate_multiple_queries(RetrievalEvaluator(k=2), cases)
    assert means["recall@k"] == pytest.approx((1 + 1 / 9) / 2)


def test_f1_is_averaged_per_query():
    cases = [
        {"query": "1", "retrieved": ["a", "b"], "relevant": ["a", "b"]},
        {"query": "2", "retrieved": ["x", "c"], "relevant": ["c", "d", "e", "f"]},
    ]
    means = evaluate_multiple_queries(RetrievalEvaluator(k=2), cases)
    assert means["f1@k"] == pytest.approx((1 + 1 / 3) / 2)


@pytest.mark.parametrize("no_relevant", ["zero", "skip", "error"])
def test_queries_that_found_nothing_count(no_relevant):
    nothing = {"query": "vacía", "retrieved": [], "relevant": ["a"]}
    means = evaluate_multiple_queries(RetrievalEvaluator(), [FOUND, MISSED, nothing], no_relevant=no_relevant)
    assert (means["mrr"], means.queries) == (pytest.approx(1 / 3), 3)


@pytest.mark.parametrize(("no_relevant", "mrr", "queries"), [("zero", 1 / 3, 3), ("skip", 1 / 2, 2)])
@pytest.mark.parametrize(
    "empty", [list, tuple, set, dict, lambda: {"a": 0, "b": -1}, lambda: np.array([]), lambda: iter([])]
)
def test_queries_without_relevant_documents(no_relevant, mrr, queries, empty):
    cases = [FOUND, {**EMPTY, "relevant": empty()}, MISSED]
    means = evaluate_multiple_queries(RetrievalEvaluator(), cases, no_relevant=no_relevant)
    assert means["mrr"] == pytest.approx(mrr)
    assert (means.queries, means.without_relevant) == (queries, ["sin juzgar"])


def test_zero_is_the_default():
    assert evaluate_multiple_queries(RetrievalEvaluator(), [FOUND, EMPTY])["mrr"] == 0.5


def test_queries_without_relevant_documents_can_be_refused():
    cases = [FOUND, EMPTY, {"retrieved": ["a"], "relevant": {}}]
    with pytest.raises(ValueError, match=r"queries sin documentos relevantes \(2\)") as caught:
        evaluate_multiple_queries(RetrievalEvaluator(), cases, no_relevant="error")
    for words in ("'sin juzgar'", "2]", '"zero"', '"skip"'):
        assert words in str(caught.value)


def test_a_case_without_query_is_known_by_its_index():
    cases = [FOUND, {"retrieved": ["a"], "relevant": []}, EMPTY]
    assert evaluate_multiple_queries(RetrievalEvaluator(), cases).without_relevant == [1, "sin juzgar"]


def test_skipping_every_query_leaves_nothing_to_average():
    with pytest.raises(ValueError, match="Ninguna query tiene documentos relevantes"):
        evaluate_multiple_queries(RetrievalEvaluator(), [EMPTY], no_relevant="skip")


@pytest.mark.parametrize("no_relevant", ["cero", "", None, True])
def test_only_three_ways_to_treat_them(no_relevant):
    with pytest.raises(ValueError, match='"zero", "skip" o "error"') as caught:
        evaluate_multiple_queries(RetrievalEvaluator(), [FOUND], no_relevant=no_relevant)
    assert repr(no_relevant) in str(caught.value)


@pytest.mark.parametrize("as_type", [tuple, iter, lambda cases: (case for case in cases)])
def test_cases_may_come_one_by_one(as_type):
    expected = evaluate_multiple_queries(RetrievalEvaluator(), LESSON_CASES)
    assert evaluate_multiple_queries(RetrievalEvaluator(), as_type(LESSON_CASES)) == expected


def test_a_case_may_hold_generators():
    cases = [{"query": "q", "retrieved": iter(["x", "a"]), "relevant": (i for i in ["a"])}]
    means = evaluate_multiple_queries(RetrievalEvaluator(k=2), cases)
    assert list(means.values()) == [1.0, 0.5, pytest.approx(2 / 3), 0.5, pytest.approx(0.6309297535714575)]


def test_cases_are_not_modified():
    cases = copy.deepcopy([*LESSON_CASES, EMPTY])
    evaluate_multiple_queries(RetrievalEvaluator(), cases)
    assert cases == [*LESSON_CASES, EMPTY]


def test_a_case_may_be_any_mapping_with_more_keys():
    case = MappingProxyType({**FOUND, "answer": "…", "tags": []})
    assert evaluate_multiple_queries(RetrievalEvaluator(), [case])["mrr"] == 1.0


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize("cases", [[], (), iter([])], ids=["list", "tuple", "iterator"])
def test_no_cases(cases):
    with pytest.raises(ValueError, match="test_cases está vacío"):
        evaluate_multiple_queries(RetrievalEvaluator(), cases)


@pytest.mark.parametrize("cases", [FOUND, {"q1": FOUND}, "cases.json", b"", None, 3], ids=str)
def test_cases_must_be_a_list(cases):
    with pytest.raises(TypeError, match="test_cases debe ser una lista") as caught:
        evaluate_multiple_queries(RetrievalEvaluator(), cases)
    assert type(cases).__name__ in str(caught.value)


def test_a_table_is_turned_into_cases():
    table = pd.DataFrame(LESSON_CASES)
    with pytest.raises(TypeError, match="DataFrame") as caught:
        evaluate_multiple_queries(RetrievalEvaluator(), table)
    assert 'to_dict("records")' in str(caught.value)
    assert evaluate_multiple_queries(RetrievalEvaluator(), table.to_dict("records")).queries == 3


@pytest.mark.parametrize("case", [["a"], "query", None, 3, (["a"], ["a"])], ids=str)
def test_a_case_must_be_a_dict(case):
    with pytest.raises(TypeError, match="debe ser un dict") as caught:
        evaluate_multiple_queries(RetrievalEvaluator(), [FOUND, case])
    for words in ("Caso 2", "test_cases[1]", type(case).__name__):
        assert words in str(caught.value)


@pytest.mark.parametrize("key", ["retrieved", "relevant"])
def test_a_missing_key_is_named_with_its_case(key):
    case = {name: value for name, value in MISSED.items() if name != key}
    with pytest.raises(ValueError, match=f"falta la clave '{key}'") as caught:
        evaluate_multiple_queries(RetrievalEvaluator(), [FOUND, FOUND, case])
    for words in ("Caso 3", "test_cases[2]", "'perdida'", "'query'"):
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("change", "kind", "words"),
    [
        ({"retrieved": {"a"}}, TypeError, "orden"),
        ({"retrieved": None}, TypeError, "None"),
        ({"retrieved": "a"}, TypeError, "letra a letra"),
        ({"relevant": "a"}, TypeError, "letra a letra"),
        ({"relevant": [1]}, TypeError, "nunca pueden coincidir"),
        ({"relevant": [["a"]]}, TypeError, "El elemento 1 de relevant"),
        ({"relevant": {"a": "2"}}, TypeError, "ganancia"),
        ({"relevant": {"a": float("nan")}}, ValueError, "finito"),
    ],
)
def test_an_error_in_a_case_names_its_query_and_keeps_its_type(change, kind, words):
    with pytest.raises(kind, match=words) as caught:
        evaluate_multiple_queries(RetrievalEvaluator(), [FOUND, {**MISSED, **change}])
    assert type(caught.value) is kind
    assert str(caught.value).startswith("Caso 2 (test_cases[1], query 'perdida'): ")


def test_a_case_without_query_is_named_by_number():
    with pytest.raises(TypeError, match=r"^Caso 1 \(test_cases\[0\]\): "):
        evaluate_multiple_queries(RetrievalEvaluator(), [{"retrieved": {"a"}, "relevant": ["a"]}])


# --- an evaluator of one's own --------------------------------------------------------------------


class Homemade:
    def __init__(self, answer):
        self.answer = answer

    def evaluate_all(self, retrieved, relevant):
        return self.answer(retrieved, relevant)


def test_any_object_with_evaluate_all_will_do():
    homemade = Homemade(lambda retrieved, relevant: {"hit": int(retrieved[0] in relevant), "n": np.float32(2)})
    means = evaluate_multiple_queries(homemade, [FOUND, MISSED])
    assert means == {"hit": 0.5, "n": 2.0}
    assert all(type(value) is float for value in means.values())


def test_it_gets_the_case_as_it_stands():
    seen = []
    homemade = Homemade(lambda retrieved, relevant: seen.append((retrieved, relevant)) or {"n": 0})
    case = {"retrieved": ("a", "b"), "relevant": {"a": 2}}
    evaluate_multiple_queries(homemade, [case, {"retrieved": iter("ab"), "relevant": iter("a")}])
    assert seen[0][0] is case["retrieved"]
    assert seen[0][1] is case["relevant"]
    assert seen[1] == (["a", "b"], ["a"])


@pytest.mark.parametrize("evaluator", [RetrievalEvaluator, Homemade, None, 5, object(), "x"])
def test_evaluator_must_have_evaluate_all(evaluator):
    with pytest.raises(TypeError, match=r"RetrievalEvaluator\(k=5\)") as caught:
        evaluate_multiple_queries(evaluator, [FOUND])
    assert "evaluate_all" in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "kind", "words"),
    [
        (None, TypeError, ["dict", "NoneType", "return"]),
        (0.5, TypeError, ["dict", "float"]),
        ({"mrr": "0.5"}, TypeError, ["números", "'mrr'", "'0.5'"]),
        ({"mrr": None}, TypeError, ["números", "'mrr'", "None"]),
    ],
    ids=str,
)
def test_a_bad_answer_names_the_case(answer, kind, words):
    with pytest.raises(kind) as caught:
        evaluate_multiple_queries(Homemade(lambda retrieved, relevant: answer), [FOUND])
    for word in ["Caso 1", "'hallada'", "evaluate_all", *words]:
        assert word in str(caught.value)


def test_every_case_must_bring_the_same_metrics():
    homemade = Homemade(lambda retrieved, relevant: {"mrr": 1} if retrieved == ["a"] else {"rr": 0})
    with pytest.raises(ValueError, match="siempre las mismas") as caught:
        evaluate_multiple_queries(homemade, [FOUND, MISSED])
    for word in ("Caso 2", "'perdida'", "'mrr'", "'rr'"):
        assert word in str(caught.value)


def test_errors_of_other_types_carry_a_note():
    def broken(retrieved, relevant):
        raise KeyError("score")

    with pytest.raises(KeyError) as caught:
        evaluate_multiple_queries(Homemade(broken), [FOUND])
    assert caught.value.args == ("score",)
    assert caught.value.__notes__ == ["Caso 1 (test_cases[0], query 'hallada')"]
