"""The exercises: what each function is called with, what is right, and which misconceptions it invites."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import ragmetrics
from ragmetrics.feedback import cases, misconceptions
from ragmetrics.feedback.cases import Case
from ragmetrics.feedback.misconceptions import Misconception


class Exercise(NamedTuple):
    """A function, or the method of a class, that students write.

    For a method the first parameter is what its class is built with, and `shown` says how a call is written.
    """

    parameters: tuple[str, ...]
    reference: Callable[..., Any]
    result: str  # a key of RESULTS
    probes: tuple[Case, ...]
    misconceptions: tuple[Misconception, ...]
    shown: str = "{name}({args})"


# What a result must be, for the messages; numbers also have a range.
RESULTS: dict[str, tuple[str, float, float]] = {
    "fraction": ("un número entre 0 y 1", 0.0, 1.0),
    "gain": ("un número mayor o igual que 0", 0.0, float("inf")),
    "number": ("un número", float("-inf"), float("inf")),
    "ids": ("una lista de ids", 0.0, 0.0),
    "scores": ("un dict con una media por métrica", 0.0, 0.0),
    "counts": ("una tupla de tres números", 0.0, 0.0),
}

RR = "reciprocal_rank"
BY_K = ("retrieved", "relevant", "k")


def _exercise(parameters: tuple[str, ...], reference: Callable[..., Any], result: str, probes: Iterable[Case],
              wrong: Iterable[Misconception], shown: str = "{name}({args})") -> Exercise:  # fmt: skip
    """An exercise with the misconceptions of its own, then those that any function of its kind invites."""
    general = _general(parameters, reference, result)
    return Exercise(parameters, reference, result, tuple(probes), (*wrong, *general), shown)


def _general(parameters: tuple[str, ...], right: Callable[..., Any], result: str) -> list[Misconception]:
    """Misconceptions made from the right implementation."""
    entries = []
    if result in ("fraction", "gain", "number"):
        entries += [
            Misconception(
                "porcentaje", lambda *args: 100 * right(*args),
                "Tus resultados son 100 veces mayores. ¿Quieres un porcentaje, o un número como pide el enunciado?"),
            *(Misconception(
                f"redondea a {digits} decimales", lambda *args, digits=digits: round(right(*args), digits),
                "Redondeas el resultado. ¿Dónde se redondea: al calcular o al enseñar?") for digits in (3, 2, 1)),
            Misconception(
                "devuelve un texto", lambda *args: f"{right(*args):.3f}",
                "Devuelves un texto con el número dentro. ¿Con qué tipo se puede seguir calculando?"),
        ]  # fmt: skip
    if parameters[:2] == ("retrieved", "relevant"):
        entries += [
            Misconception(
                "retrieved y relevant cambiados", lambda r, g, *k: right(g, r, *k),
                "Parece que `retrieved` y `relevant` están cambiados. ¿En qué orden llegan los argumentos?"),
            Misconception(
                "no distingue mayúsculas", lambda r, g, *k: right(_folded(r), _folded(g), *k),
                "Tratas como iguales ids que solo cambian en las mayúsculas. ¿Son el mismo documento?"),
            Misconception(
                "busca un id dentro de otro", lambda r, g, *k: right([_containing(d, g) for d in r], g, *k),
                "Buscas un id dentro de otro: «doc_1» también está en «doc_12». ¿Cómo se compara un id entero?"),
            Misconception(
                "pierde los ids que son 0",
                lambda r, g, *k: right([d if d else "" for d in r], [d for d in g if d] or ["?"], *k)
                if 0 in r else right(r, g, *k),
                "Se pierde el id 0. ¿Preguntas si el id está, o si es «verdadero»?"),
        ]  # fmt: skip
    return entries


def _folded(ids: Iterable[Any]) -> list[Any]:
    return [x.lower() if isinstance(x, str) else x for x in ids]


def _containing(document: Any, relevant: Iterable[Any]) -> Any:
    return next((g for g in relevant if str(document) in str(g)), document)


def mean_reciprocal_rank(test_cases: list[dict[str, Any]]) -> float:
    """Mean of the reciprocal ranks; 0.0 without queries."""
    values = [ragmetrics.reciprocal_rank(case["retrieved"], case["relevant"]) for case in test_cases]
    return sum(values) / len(values) if values else 0.0


def mean_difference(a: list[float], b: list[float]) -> float:
    """Mean of a - b over the queries."""
    return sum(x - y for x, y in zip(a, b, strict=True)) / len(a)


def wins_ties_losses(a: list[float], b: list[float]) -> tuple[int, int, int]:
    """In how many queries a is above, equal and below."""
    pairs = list(zip(a, b, strict=True))
    return sum(x > y for x, y in pairs), sum(x == y for x, y in pairs), sum(x < y for x, y in pairs)


def randomization_p(a: list[float], b: list[float]) -> float:
    """Share of the 2^n choices of signs whose sum is as far from 0 as the observed one."""
    differences = [x - y for x, y in zip(a, b, strict=True)]
    observed = abs(sum(differences)) - 1e-9
    signs = itertools.product((1, -1), repeat=len(differences))
    extreme = [abs(sum(s * d for s, d in zip(choice, differences, strict=True))) >= observed for choice in signs]
    return sum(extreme) / len(extreme)


def precision_ceiling(sizes: list[int], k: int) -> float:
    """Best mean Precision@k that queries with so many relevant documents allow; 0.0 without queries."""
    return sum(min(size, k) / k for size in sizes) / len(sizes) if sizes else 0.0


def _method(name: str) -> Callable[..., Any]:
    return lambda k, *args: getattr(ragmetrics.RetrievalEvaluator(k), name)(*args)


def _built(wrong: Iterable[Misconception], repeated: Iterable[Misconception]) -> list[Misconception]:
    """Misconceptions of a function (r, g, k), called as those of a method (k, r, g)."""
    return [
        Misconception(m.name, lambda k, r, g, m=m: m.wrong(list(r), list(g), k), m.hint)
        for m in (*repeated, *wrong)
    ]


def _with_k_first(probes: Iterable[Case]) -> list[Case]:
    return [Case(case.why, (case.args[2], *case.args[:2])) for case in probes]


def _evaluator(method: str, wrong: Iterable[Misconception], repeated: Iterable[Misconception]) -> Exercise:
    return _exercise(
        ("k", "retrieved", "relevant"), _method(method), "fraction", _with_k_first((*cases.QUERY, *cases.REPEATS)),
        _built(wrong, repeated), "{name}(k={first}).{method}({rest})",
    )  # fmt: skip


_without_k = [Misconception(m.name, lambda r, g, k, m=m: m.wrong(r, g), m.hint)
              for m in misconceptions.RECIPROCAL_RANK]  # fmt: skip

EXERCISES: dict[str, Exercise] = {
    # tarea 1
    "recall_at_k": _exercise(BY_K, ragmetrics.recall_at_k, "fraction", cases.QUERY, misconceptions.RECALL),
    "precision_at_k": _exercise(BY_K, ragmetrics.precision_at_k, "fraction", cases.QUERY, misconceptions.PRECISION),
    "f1_at_k": _exercise(BY_K, ragmetrics.f1_at_k, "fraction", cases.QUERY, misconceptions.F1),
    # tarea 2
    RR: _exercise(BY_K[:2], ragmetrics.reciprocal_rank, "fraction", cases.RANKING, misconceptions.RECIPROCAL_RANK),
    "mean_reciprocal_rank": _exercise(
        ("test_cases",), mean_reciprocal_rank, "fraction", cases.QUERIES, misconceptions.MEAN_RECIPROCAL_RANK),
    "dcg_at_k": _exercise(BY_K, ragmetrics.dcg_at_k, "gain", cases.QUERY, misconceptions.DCG),
    "ndcg_at_k": _exercise(BY_K, ragmetrics.ndcg_at_k, "fraction", cases.QUERY, misconceptions.NDCG),
    "graded_ndcg_at_k": _exercise(
        ("retrieved", "gains", "k"), ragmetrics.ndcg_at_k, "fraction", cases.GRADED, misconceptions.GRADED_NDCG),
    # tarea 3
    "unique": _exercise(("retrieved",), ragmetrics.unique, "ids", cases.LISTS, misconceptions.UNIQUE),
    "RetrievalEvaluator.recall_at_k": _evaluator("recall_at_k", misconceptions.RECALL, misconceptions.REPEATED_RECALL),
    "RetrievalEvaluator.precision_at_k": _evaluator(
        "precision_at_k", misconceptions.PRECISION, misconceptions.REPEATED_PRECISION),
    "RetrievalEvaluator.f1_at_k": _evaluator("f1_at_k", misconceptions.F1, misconceptions.REPEATED_F1),
    "RetrievalEvaluator.mrr": _evaluator("mrr", _without_k, misconceptions.REPEATED_RR),
    "RetrievalEvaluator.ndcg_at_k": _evaluator("ndcg_at_k", misconceptions.NDCG, misconceptions.REPEATED_NDCG),
    "RetrievalEvaluator.evaluate_all": _exercise(
        ("k", "retrieved", "relevant"), _method("evaluate_all"), "scores", _with_k_first((*cases.QUERY, *cases.REPEATS)),
        [Misconception(m.name, lambda *args, m=m: m.wrong(_method("evaluate_all")(*args)), m.hint)
         for m in misconceptions.ALL],
        "{name}(k={first}).{method}({rest})"),
    "evaluate_multiple_queries": _exercise(
        ("evaluator", "test_cases"),
        lambda evaluator, test_cases: dict(ragmetrics.evaluate_multiple_queries(evaluator, test_cases)),
        "scores", [Case(c.why, (3, *c.args)) for c in cases.QUERIES if c.args[0]], misconceptions.BATCH,
        "{name}({evaluator}({first}), {rest})"),
    # tarea 4
    "precision_ceiling": _exercise(("sizes", "k"), precision_ceiling, "fraction", cases.SIZES, misconceptions.CEILING),
    "mean_difference": _exercise(("a", "b"), mean_difference, "number", cases.PAIRS, misconceptions.DIFFERENCE),
    "wins_ties_losses": _exercise(("a", "b"), wins_ties_losses, "counts", cases.PAIRS, misconceptions.COUNTS),
    "randomization_p": _exercise(("a", "b"), randomization_p, "fraction", cases.PAIRS, misconceptions.RANDOMIZATION),
}  # fmt: skip
