"""El evaluador de la lección: todas las métricas de una query, y sus medias sobre muchas."""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Any

from ragmetrics import metrics
from ragmetrics._inputs import Ids, Relevant, as_cutoff, as_gains, as_ranking, as_relevant, shorten

NO_RELEVANT = ("zero", "skip", "error")


class RetrievalEvaluator:
    """Calcula las métricas de la lección con un mismo k.

    Args:
        k: cuántos resultados se miran; un entero mayor o igual que 1.

    Raises:
        TypeError: si k no es un entero.
        ValueError: si k < 1.

    Cada método sigue las convenciones de la función de `ragmetrics.metrics` a la que llama.

    >>> evaluator = RetrievalEvaluator(k=5)
    >>> for name, value in evaluator.evaluate_all([1, 3, 5, 7, 9, 11, 13], relevant=[3, 7, 12]).items():
    ...     print(f"{name}: {value:.3f}")
    recall@k: 0.667
    precision@k: 0.400
    f1@k: 0.500
    mrr: 0.500
    ndcg@k: 0.498
    """

    def __init__(self, k: int = 5) -> None:
        self.k = as_cutoff(k)

    def __repr__(self) -> str:
        return f"RetrievalEvaluator(k={self.k})"

    def recall_at_k(self, retrieved: Ids, relevant: Relevant) -> float:
        """Qué parte de todos los relevantes está en el top-k (ver `ragmetrics.recall_at_k`)."""
        return metrics.recall_at_k(retrieved, relevant, self.k)

    def precision_at_k(self, retrieved: Ids, relevant: Relevant) -> float:
        """Qué parte del top-k es relevante (ver `ragmetrics.precision_at_k`)."""
        return metrics.precision_at_k(retrieved, relevant, self.k)

    def f1_at_k(self, retrieved: Ids, relevant: Relevant) -> float:
        """Media armónica de precisión y recall (ver `ragmetrics.f1_at_k`)."""
        return metrics.f1_at_k(retrieved, relevant, self.k)

    def mrr(self, retrieved: Ids, relevant: Relevant, k: int | None = None) -> float:
        """1 / posición del primer relevante de esta query; el MRR es su media (ver `reciprocal_rank`).

        No usa el k del evaluador: mira todo el ranking, salvo que des aquí su propio k (MRR@k).
        """
        return metrics.reciprocal_rank(retrieved, relevant, k)

    def ndcg_at_k(self, retrieved: Ids, relevant: Relevant) -> float:
        """Cercanía al orden ideal en el top-k (ver `ragmetrics.ndcg_at_k`)."""
        return metrics.ndcg_at_k(retrieved, relevant, self.k)

    def evaluate_all(self, retrieved: Ids, relevant: Relevant) -> dict[str, float]:
        """Todas las métricas de una query, con las claves recall@k, precision@k, f1@k, mrr y ndcg@k."""
        retrieved, relevant = as_ranking(retrieved), as_relevant(relevant)  # a generator is read only once
        return {
            "recall@k": self.recall_at_k(retrieved, relevant),
            "precision@k": self.precision_at_k(retrieved, relevant),
            "f1@k": self.f1_at_k(retrieved, relevant),
            "mrr": self.mrr(retrieved, relevant),
            "ndcg@k": self.ndcg_at_k(retrieved, relevant),
        }


class MeanMetrics(dict[str, float]):
    """Las medias de varias queries: un dict que además recuerda de dónde salen.

    Attributes:
        queries: cuántas queries entraron en la media.
        without_relevant: las queries sin ningún documento relevante (su índice si el caso no tiene 'query').

    >>> MeanMetrics({"mrr": 0.5}, queries=2, without_relevant=[])["mrr"]
    0.5
    """

    queries: int
    without_relevant: list[Hashable]

    def __init__(self, means: Mapping[str, float], queries: int, without_relevant: list[Hashable]) -> None:
        super().__init__(means)
        self.queries = queries
        self.without_relevant = without_relevant


def evaluate_multiple_queries(
    evaluator: Any, test_cases: Iterable[Mapping[str, Any]], no_relevant: str = "zero"
) -> MeanMetrics:
    """Media de cada métrica sobre varias queries.

    Args:
        evaluator: un `RetrievalEvaluator`, o cualquier objeto con un método `evaluate_all` como el suyo.
        test_cases: lista de dicts con 'retrieved' y 'relevant', y mejor también 'query' (da nombre al caso).
        no_relevant: qué hacer con las queries sin documentos relevantes: "zero" las cuenta como 0.0,
            "skip" las deja fuera de la media y "error" se niega a promediar.

    Returns:
        Un dict con la media de cada métrica. Su atributo `queries` dice cuántas queries entraron y
        `without_relevant`, cuáles no tenían documentos relevantes.

    Raises:
        TypeError: si test_cases no es una lista, un caso no es un dict o un id no sirve.
        ValueError: si no queda ninguna query, a un caso le falta una clave o no_relevant es otro nombre.
        Un error dentro de un caso conserva su tipo, y su mensaje dice de qué caso y qué query viene.

    Convención: media macro, en la que cada query pesa lo mismo, también las que no encontraron nada.
    El F1 se calcula por query y después se promedia.

    Fuente: Manning, Raghavan y Schütze (2008), Introduction to Information Retrieval, cap. 8.

    >>> means = evaluate_multiple_queries(RetrievalEvaluator(k=2), [
    ...     {"query": "instalar Python", "retrieved": [1, 3], "relevant": [3]},
    ...     {"query": "decoradores", "retrieved": [2, 4], "relevant": []},
    ... ])
    >>> means["mrr"], means.queries, means.without_relevant
    (0.25, 2, ['decoradores'])
    """
    _check_arguments(evaluator, test_cases, no_relevant)
    rows: list[dict[str, float]] = []
    without_relevant: list[Hashable] = []
    for index, case in enumerate(test_cases):
        try:
            retrieved, relevant = _read(case)
            has_relevant = bool(as_gains(relevant))
            if not has_relevant:
                without_relevant.append(case.get("query", index))
            if has_relevant or no_relevant != "skip":
                rows.append(_measure(evaluator, retrieved, relevant, rows))
        except Exception as error:
            _name_the_case(error, index, case)
            raise
    _check_enough(rows, without_relevant, no_relevant)
    means = {name: math.fsum(row[name] for row in rows) / len(rows) for name in rows[0]}
    return MeanMetrics(means, len(rows), without_relevant)


def _check_arguments(evaluator: Any, test_cases: object, no_relevant: object) -> None:
    if isinstance(evaluator, type) or not callable(getattr(evaluator, "evaluate_all", None)):
        raise TypeError(
            "evaluator debe ser un objeto con el método evaluate_all, como RetrievalEvaluator(k=5), "
            f"y llegó {shorten(evaluator)}. ¿Pasaste la clase sin paréntesis, o falta el método?"
        )
    _check_list_of_cases(test_cases)
    if no_relevant not in NO_RELEVANT:
        raise ValueError(f'no_relevant debe ser "zero", "skip" o "error" y llegó {shorten(no_relevant)}.')


def _check_list_of_cases(test_cases: object) -> None:
    is_table = getattr(test_cases, "ndim", 1) != 1
    if isinstance(test_cases, (Mapping, str, bytes)) or not isinstance(test_cases, Iterable) or is_table:
        raise TypeError(
            "test_cases debe ser una lista de dicts con 'query', 'retrieved' y 'relevant', y llegó "
            f"{type(test_cases).__name__}. "
            + (
                'Si es una tabla: tabla.to_dict("records").'
                if is_table
                else "Un solo caso va en una lista: [caso]."
            )
        )


def read_cases(test_cases: Any) -> tuple[list[Hashable], list[Any], list[Any]]:
    """Return the names of the queries (the index where a case has none), what was found and what is relevant."""
    _check_list_of_cases(test_cases)
    names: list[Hashable] = []
    retrieved, relevant = [], []
    for index, case in enumerate(test_cases):
        try:
            found, wanted = _read(case)
        except (TypeError, ValueError) as error:
            _name_the_case(error, index, case)
            raise
        name = case.get("query", index)
        try:
            hash(name)
        except TypeError:
            raise TypeError(f"Caso {index + 1}: 'query' debe ser un texto y llegó {shorten(name)}.") from None
        names.append(name)
        retrieved.append(found)
        relevant.append(wanted)
    return names, retrieved, relevant


def _read(case: Any) -> tuple[Any, Any]:
    """Return what was retrieved and what is relevant; what can be read only once becomes a list."""
    if not isinstance(case, Mapping):
        raise TypeError(
            "cada caso debe ser un dict con 'retrieved' y 'relevant', y llegó "
            f"{shorten(case)}, de tipo {type(case).__name__}."
        )
    for key in ("retrieved", "relevant"):
        if key not in case:
            present = ", ".join(map(repr, case)) or "ninguna"
            raise ValueError(f"falta la clave {key!r} (claves que sí están: {present}).")
    retrieved, relevant = case["retrieved"], case["relevant"]
    return (
        list(retrieved) if isinstance(retrieved, Iterator) else retrieved,
        list(relevant) if isinstance(relevant, Iterator) else relevant,
    )


def _measure(evaluator: Any, retrieved: Any, relevant: Any, rows: list[dict[str, float]]) -> dict[str, float]:
    """Return the metrics of one case, checked: the evaluator may be a student's own class."""
    values = evaluator.evaluate_all(retrieved, relevant)
    if not isinstance(values, Mapping):
        raise TypeError(
            f"evaluate_all debe devolver un dict métrica → valor y devolvió {shorten(values)}, "
            f"de tipo {type(values).__name__}. ¿Falta un return?"
        )
    for name, value in values.items():
        if not isinstance(value, numbers.Real):
            raise TypeError(f"evaluate_all debe devolver números y en {name!r} devolvió {shorten(value)}.")
    if rows and values.keys() != rows[0].keys():
        raise ValueError(
            f"evaluate_all devolvió las métricas {list(values)} y en los casos anteriores {list(rows[0])}. "
            "Debe devolver siempre las mismas, también cuando no hay aciertos."
        )
    return dict(values)


def _name_the_case(error: Exception, index: int, case: Any) -> None:
    """Put the case before the message; the error keeps its type and its traceback."""
    query = f", query {shorten(case['query'])}" if isinstance(case, Mapping) and "query" in case else ""
    where = f"Caso {index + 1} (test_cases[{index}]{query})"
    if type(error) in (TypeError, ValueError):
        error.args = (f"{where}: {error}",)
    else:  # the arguments of other errors are not just a message
        error.add_note(where)


def _check_enough(rows: list[dict[str, float]], without_relevant: list[Hashable], no_relevant: str) -> None:
    if without_relevant and no_relevant == "error":
        raise ValueError(
            f"Hay queries sin documentos relevantes ({len(without_relevant)}): {shorten(without_relevant)}. "
            'Anótalos, quita esas queries o elige no_relevant="zero" (cuentan 0.0) o "skip" (quedan fuera).'
        )
    if not rows and without_relevant:
        raise ValueError(
            'Ninguna query tiene documentos relevantes y con no_relevant="skip" no queda nada que promediar. '
            "Revisa la clave 'relevant' de tus casos."
        )
    if not rows:
        raise ValueError("test_cases está vacío: no hay nada que promediar. Añade al menos un caso.")
