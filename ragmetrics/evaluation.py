"""Evaluar muchas queries a la vez: valores por query, medias, intervalos y lo que no se pudo medir."""

import io
import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ragmetrics import _batch as batch
from ragmetrics._batch import Floats, Hits, Ints
from ragmetrics._inputs import (
    Ids,
    Relevant,
    as_cutoff,
    as_ranking,
    as_relevant,
    check_can_match,
    check_gain_name,
    shorten,
)
from ragmetrics._tables import decimal, html_table, percent, text_table
from ragmetrics.evaluator import NO_RELEVANT, read_cases
from ragmetrics.rankings import ranking_from_scores
from ragmetrics.statistics import check_confidence, check_seed, mean_intervals

Run = Mapping[Hashable, Ids | Mapping[Hashable, float]]
Qrels = Mapping[Hashable, Relevant]
TestCases = Iterable[Mapping[str, Any]]

# Every metric that can be asked for; @k stands for each of the cut-offs.
FORMULAS: dict[str, Callable[[Hits, Any, str], Floats]] = {
    "recall@k": lambda hits, k, gain: batch.recall(hits, k),
    "precision@k": lambda hits, k, gain: batch.precision(hits, k),
    "f1@k": lambda hits, k, gain: batch.f1(hits, k),
    "hit_rate@k": lambda hits, k, gain: batch.hit_rate(hits, k),
    "mrr": lambda hits, k, gain: batch.reciprocal_rank(hits, None),
    "mrr@k": lambda hits, k, gain: batch.reciprocal_rank(hits, k),
    "map": lambda hits, k, gain: batch.average_precision(hits, None),
    "map@k": lambda hits, k, gain: batch.average_precision(hits, k),
    "dcg@k": batch.dcg,
    "ndcg@k": batch.ndcg,
}
LABELS = {
    "recall": "Recall", "precision": "Precision", "f1": "F1", "hit_rate": "Hit rate",
    "mrr": "MRR", "map": "MAP", "dcg": "DCG", "ndcg": "nDCG",
}  # fmt: skip


def label(metric: str) -> str:
    """Devuelve el nombre de la métrica como se escribe: `nDCG@5`.

    >>> label("ndcg@5")
    'nDCG@5'
    """
    family, at, k = metric.partition("@")
    return LABELS.get(family, family) + at + k


class Plan(NamedTuple):
    """What is asked of an evaluation, checked."""

    cutoffs: tuple[int, ...]
    metrics: tuple[str, ...]
    gain: str
    no_relevant: str

    @classmethod
    def read(cls, k: Any, metrics: Any, gain: Any, no_relevant: Any) -> "Plan":
        """Check what the caller asks for."""
        check_gain_name(gain)
        if no_relevant not in NO_RELEVANT:
            raise ValueError(f'no_relevant debe ser "zero", "skip" o "error" y llegó {shorten(no_relevant)}.')
        return cls(_as_cutoffs(k), _as_metrics(metrics), gain, no_relevant)

    @property
    def depth(self) -> int | None:
        """How many results of each query must be looked at; None for all."""
        return None if "map" in self.metrics else max(self.cutoffs)

    @property
    def look_below(self) -> bool:
        """Whether the first hit below the cut matters."""
        return "mrr" in self.metrics and self.depth is not None

    def columns(self) -> list[tuple[str, str, int | None]]:
        """Return (name of the values, formula, cut-off) of each metric at each k, cut-offs together."""
        columns: list[tuple[str, str, int | None]] = []
        for k in self.cutoffs:
            columns += [(name.replace("@k", f"@{k}"), name, k) for name in self.metrics if "@" in name]
        return columns + [(name, name, None) for name in self.metrics if "@" not in name]

    def measure(
        self,
        hits: Hits,
        queries: Sequence[Hashable],
        unanswered: list[Hashable],
        unjudged: list[Hashable],
        confidence: float,
        seed: int,
    ) -> "Evaluation":
        """Compute the metrics and settle what happens with queries without relevant documents."""
        values = {name: FORMULAS[metric](hits, k, self.gain) for name, metric, k in self.columns()}
        has_relevant = hits.relevant > 0
        without = [queries[index] for index in np.flatnonzero(~has_relevant).tolist()]
        if without and self.no_relevant == "error":
            raise ValueError(
                f"Hay {len(without)} queries sin documentos relevantes: {shorten(without)}. "
                'Anótalos, quita esas queries o elige no_relevant="zero" (cuentan 0) o "skip" (quedan fuera).'
            )
        if without and self.no_relevant == "skip":
            values = {name: column[has_relevant] for name, column in values.items()}
            queries = [query for query, kept in zip(queries, has_relevant, strict=True) if kept]
        if not queries:
            raise ValueError(
                "No queda ninguna query que medir: "
                + ("ninguna tiene documentos relevantes." if without else "no hay queries juzgadas.")
            )
        return Evaluation(
            list(queries),
            values,
            self.cutoffs,
            without,
            unanswered,
            unjudged,
            self.gain,
            self.no_relevant,
            confidence,
            seed,
        )


def evaluate(
    run: Run | TestCases,
    qrels: Qrels | None = None,
    k: int | Iterable[int] = 5,
    *,
    metrics: Iterable[str] | None = None,
    gain: str = "linear",
    no_relevant: str = "zero",
    confidence: float = 0.95,
    seed: int = 0,
) -> "Evaluation":
    """Evalúa un sistema sobre muchas queries.

    Args:
        run: lo que recuperó el sistema: dict query → ids en orden, o dict query → {id: score}, que se ordena
            como en trec_eval (de mayor a menor score y, si empatan, de mayor a menor id). También vale la lista
            de casos de la lección, dicts con 'query', 'retrieved' y 'relevant', sin `qrels`.
        qrels: los juicios: dict query → ids relevantes, o dict query → {id: ganancia}.
        k: un corte o varios, como k=(1, 3, 5, 10).
        metrics: cuáles de "recall@k", "precision@k", "f1@k", "hit_rate@k", "mrr", "mrr@k", "map", "map@k", "dcg@k"
            y "ndcg@k"; si no dices nada, todas. "mrr" y "map" miran el ranking entero.
        gain: "linear" o "exponential" (2^g - 1), para DCG y nDCG.
        no_relevant: qué hacer con las queries sin documentos relevantes: "zero" las cuenta como 0, "skip" las deja
            fuera y "error" se niega.
        confidence: nivel de los intervalos de confianza, entre 0 y 1.
        seed: semilla del bootstrap; la misma da los mismos intervalos.

    Returns:
        Una `Evaluation`: valores por query, medias, intervalos, y qué queries faltan o sobran.

    Raises:
        TypeError, ValueError: los de las métricas de una query, con el nombre de la query delante; y si no queda
            ninguna query que medir.

    Convención: las queries juzgadas y sin respuesta cuentan 0; las respondidas y sin juzgar no cuentan. Todas las
    queries pesan lo mismo (media macro). Para ir deprisa no se miran los resultados que no cuentan: un id que no
    vale, bajo el corte o tras el último acierto, puede no dar error. Las demás convenciones son las de
    `ragmetrics.metrics`.

    Fuente: Voorhees y Harman (2005), TREC: Experiment and Evaluation in Information Retrieval, cap. 3.

    >>> evaluation = evaluate({"q1": ["a", "x"], "q2": ["y", "b"]}, {"q1": ["a"], "q2": ["b"]}, k=2)
    >>> evaluation.means["mrr"]
    0.75
    """
    plan = Plan.read(k, metrics, gain, no_relevant)
    queries, rankings, relevant, unanswered, unjudged = _read(run, qrels)
    hits = batch.hits_in_lists(queries, rankings, relevant, plan.depth, plan.look_below)
    return plan.measure(hits, queries, unanswered, unjudged, confidence, seed)


def evaluate_arrays(
    retrieved: Any,
    retrieved_offsets: Any,
    relevant: Any,
    relevant_offsets: Any,
    k: int | Iterable[int] = 5,
    *,
    gains: Any = None,
    queries: Sequence[Hashable] | None = None,
    metrics: Iterable[str] | None = None,
    gain: str = "linear",
    no_relevant: str = "zero",
    confidence: float = 0.95,
    seed: int = 0,
) -> "Evaluation":
    """Hace lo que `evaluate` para quien ya tiene los ids en arrays de enteros, una query detrás de otra.

    Args:
        retrieved: ids recuperados (enteros) de todas las queries, cada una en su orden.
        retrieved_offsets: dónde empieza cada query en `retrieved`, y el final: la query i ocupa
            `retrieved[retrieved_offsets[i]:retrieved_offsets[i + 1]]`.
        relevant: ids relevantes de todas las queries.
        relevant_offsets: lo mismo para `relevant`.
        gains: la ganancia de cada elemento de `relevant`; si no dices nada, 1.
        queries: nombres de las queries; si no dices nada, 0, 1, 2…
        k, metrics, gain, no_relevant, confidence, seed: como en `evaluate`.

    Returns:
        Una `Evaluation`.

    Raises:
        TypeError: si los ids o los offsets no son enteros.
        ValueError: si los offsets no empiezan en 0, decrecen o no acaban en la longitud de su array.

    >>> evaluate_arrays([7, 3, 5, 8], [0, 2, 4], [3, 9], [0, 1, 2], k=2).values["mrr"]
    array([0.5, 0. ])
    """
    plan = Plan.read(k, metrics, gain, no_relevant)
    found, wanted = _as_integers(retrieved, "retrieved"), _as_integers(relevant, "relevant")
    found_offsets = _as_offsets(retrieved_offsets, len(found), "retrieved")
    wanted_offsets = _as_offsets(relevant_offsets, len(wanted), "relevant")
    n = len(found_offsets) - 1
    if queries is not None and not isinstance(queries, Iterable):
        raise TypeError(f"queries debe ser una lista de nombres y llegó {shorten(queries)}.")
    names = list(range(n)) if queries is None else list(queries)
    for what, size in (("relevant_offsets", len(wanted_offsets) - 1), ("queries", len(names))):
        if size != n:
            raise ValueError(f"retrieved_offsets describe {n} queries y {what}, {size}: deben ser las mismas.")
    weights = None if gains is None else _as_gain_array(gains, len(wanted))
    hits = batch.hits_in_arrays(found, found_offsets, wanted, wanted_offsets, weights, plan.depth, plan.look_below)
    return plan.measure(hits, names, [], [], confidence, seed)


class Evaluation:
    """Lo que salió de evaluar un sistema sobre muchas queries.

    En un notebook se muestra como tabla; `print` la escribe en la terminal.

    Attributes:
        queries: las queries medidas, en el orden de los juicios.
        values: dict métrica → array float64 con el valor de cada query; las claves son como "ndcg@5" o "mrr".
        k: los cortes.
        without_relevant: queries sin ningún documento relevante.
        unanswered: queries juzgadas que el sistema no respondió (cuentan 0).
        unjudged: queries respondidas que nadie ha juzgado (no cuentan).
        gain, no_relevant, confidence, seed: los que se pidieron.

    >>> evaluation = evaluate({"q1": ["a", "x"], "q2": ["y", "b"]}, {"q1": ["a"], "q2": ["b"]}, k=2)
    >>> evaluation.worst("mrr", n=1)
    [('q2', 0.5)]
    """

    def __init__(
        self,
        queries: list[Hashable],
        values: dict[str, Floats],
        k: tuple[int, ...],
        without_relevant: list[Hashable],
        unanswered: list[Hashable],
        unjudged: list[Hashable],
        gain: str,
        no_relevant: str,
        confidence: float,
        seed: int,
    ) -> None:
        check_confidence(confidence)
        check_seed(seed)
        self.queries = queries
        self.values = values
        self.k = k
        self.without_relevant = without_relevant
        self.unanswered = unanswered
        self.unjudged = unjudged
        self.gain = gain
        self.no_relevant = no_relevant
        self.confidence = confidence
        self.seed = seed

    def __len__(self) -> int:
        return len(self.queries)

    @cached_property
    def means(self) -> dict[str, float]:
        """La media de cada métrica sobre las queries."""
        return {name: float(column.mean()) for name, column in self.values.items()}

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """El intervalo de confianza de cada media, por bootstrap sobre las queries; nan con una sola query."""
        low, high = mean_intervals(np.column_stack(list(self.values.values())), self.confidence, self.seed)
        return {name: (float(a), float(b)) for name, a, b in zip(self.values, low, high, strict=True)}

    def worst(self, metric: str | None = None, n: int = 5) -> list[tuple[Hashable, float]]:
        """Las n queries con menor valor de la métrica, de peor a mejor (si no dices cuál, nDCG en el mayor k)."""
        name = self.metric_named(metric)
        order = np.argsort(self.values[name], kind="stable")[: as_cutoff(n)]
        return [(self.queries[index], float(self.values[name][index])) for index in order]

    def to_dict(self) -> dict[str, Any]:
        """Todo en tipos de Python, listo para JSON si las queries lo son."""
        return {
            "k": list(self.k),
            "queries": [query.item() if isinstance(query, np.generic) else query for query in self.queries],
            "means": dict(self.means),
            "intervals": {  # a single query has none, and nan is not JSON
                name: None if np.isnan(interval[0]) else list(interval)
                for name, interval in self.intervals.items()
            },
            "confidence": self.confidence,
            "values": {name: column.tolist() for name, column in self.values.items()},
            "without_relevant": list(self.without_relevant),
            "unanswered": list(self.unanswered),
            "unjudged": list(self.unjudged),
        }

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Una fila por query y una columna por métrica; escribe en `path` o, sin él, devuelve el texto."""
        import csv

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["query", *self.values])
        writer.writerows(zip(self.queries, *(column.tolist() for column in self.values.values()), strict=True))
        if path is None:
            return text.getvalue()
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text.getvalue())
        return None

    def to_pandas(self) -> Any:
        """Un DataFrame con una fila por query; necesita pandas instalado."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_pandas necesita pandas (pip install pandas); sin él, usa to_csv.") from error
        return pd.DataFrame(self.values, index=pd.Index(self.queries, name="query"))

    def __repr__(self) -> str:
        return "\n".join([text_table(*self._table()), *self._notes()])

    def _repr_html_(self) -> str:
        header, rows = self._table()
        return html_table(f"Media de {len(self)} queries", header, rows, self._notes())

    def _table(self) -> tuple[list[str], list[list[str]]]:
        header = ["Métrica", "Media", f"Intervalo del {percent(self.confidence)}"]
        rows = []
        for name, mean in self.means.items():
            low, high = self.intervals[name]
            interval = "—" if np.isnan(low) else f"{decimal(low)} a {decimal(high)}"
            rows.append([label(name), decimal(mean), interval])
        return header, rows

    def _notes(self) -> list[str]:
        left_out = "quedan fuera" if self.no_relevant == "skip" else "cuentan 0"
        notes = [
            ("Sin documentos relevantes", self.without_relevant, left_out),
            ("Juzgadas y sin respuesta", self.unanswered, "cuentan 0"),
            ("Respondidas y sin juzgar", self.unjudged, "no cuentan"),
        ]
        return [f"Queries: {len(self)}."] + [
            f"{what}: {len(queries)} ({effect})." for what, queries, effect in notes if queries
        ]

    def metric_named(self, metric: str | None) -> str:
        """Devuelve la métrica si existe y, si no dices cuál, la principal: nDCG en el mayor k."""
        if metric is None:
            preferred = [f"ndcg@{k}" for k in sorted(self.k, reverse=True)]
            return next((name for name in preferred if name in self.values), next(iter(self.values)))
        if metric not in self.values:
            raise ValueError(f"No hay ninguna métrica {shorten(metric)}; las hay: {', '.join(self.values)}.")
        return metric


def _read(
    run: Any, qrels: Any
) -> tuple[list[Hashable], list[Sequence[Hashable]], list[Relevant], list[Hashable], list[Hashable]]:
    """Return queries, their rankings and relevant ids, the queries without answer and those without judgment."""
    if qrels is None:
        names, retrieved, wanted = read_cases(run)
        return names, _rankings(names, retrieved), _relevant(names, wanted), [], []
    for name, value in (("run", run), ("qrels", qrels)):
        if not isinstance(value, Mapping):
            content = "ids en orden o {id: score}" if name == "run" else "ids relevantes o {id: ganancia}"
            raise TypeError(
                f"{name} debe ser un dict query → {content}, y llegó {shorten(value)}, de tipo "
                f"{type(value).__name__}. La lista de casos de la lección va sola: evaluate(test_cases, k=5)."
            )
    names = list(qrels)
    unanswered = [query for query in names if query not in run]
    unjudged = [query for query in run if query not in qrels]
    if names and len(unanswered) == len(names) and unjudged:
        check_can_match(run, qrels, ("queries de run", "queries de qrels"))
    missing = set(unanswered)
    retrieved = list(map(run.get, names)) if not missing else [() if q in missing else run[q] for q in names]
    return names, _rankings(names, retrieved), _relevant(names, list(qrels.values())), unanswered, unjudged


def _rankings(queries: Sequence[Hashable], retrieved: list[Any]) -> list[Sequence[Hashable]]:
    """Return the rankings as sequences; lists and tuples, the usual case, are taken as they are."""
    if set(map(type, retrieved)) <= {list, tuple}:
        return retrieved
    return [_named(query, _as_ranking, ids) for query, ids in zip(queries, retrieved, strict=True)]


def _relevant(queries: Sequence[Hashable], relevant: list[Any]) -> list[Any]:
    """Return the relevant ids as collections that can be read twice."""
    if set(map(type, relevant)) <= {list, tuple, set, frozenset, dict}:
        return relevant
    return [_named(query, as_relevant, ids) for query, ids in zip(queries, relevant, strict=True)]


def _as_ranking(retrieved: Any) -> Sequence[Hashable]:
    return ranking_from_scores(retrieved) if isinstance(retrieved, Mapping) else as_ranking(retrieved)


def _named(query: Hashable, read: Callable[[Any], Any], value: Any) -> Any:
    try:
        return read(value)
    except (TypeError, ValueError) as error:
        raise type(error)(f"Query {shorten(query)}: {error}") from None


def _as_cutoffs(k: Any) -> tuple[int, ...]:
    """Return the cut-offs, each once, in the order given."""
    if isinstance(k, (str, bytes)) or not isinstance(k, Iterable) or getattr(k, "ndim", 1) == 0:
        return (as_cutoff(k),)
    cutoffs = tuple(dict.fromkeys(map(as_cutoff, k)))
    if not cutoffs:
        raise ValueError("k está vacío: da al menos un corte, como k=5 o k=(1, 5, 10).")
    return cutoffs


def _as_metrics(metrics: Any) -> tuple[str, ...]:
    if metrics is None:
        return tuple(FORMULAS)
    if not isinstance(metrics, Iterable):
        raise TypeError(f"metrics debe ser una lista de nombres y llegó {shorten(metrics)}.")
    wanted = (metrics,) if isinstance(metrics, str) else tuple(metrics)
    if not all(isinstance(name, str) for name in wanted):
        raise TypeError(f"metrics debe ser una lista de nombres y llegó {shorten(metrics)}.")
    wanted = tuple(dict.fromkeys(wanted))
    unknown = [name for name in wanted if name not in FORMULAS]
    if unknown or not wanted:
        raise ValueError(
            f"metrics debe nombrar métricas de esta lista: {', '.join(FORMULAS)}; y llegó {shorten(metrics)}. "
            "Los cortes van en k, no en el nombre."
        )
    return wanted


def _as_integers(values: Any, name: str) -> Ints:
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(
            f"{name} debe ser un array de enteros de una dimensión y llegó {array.dtype} de {array.ndim}. "
            "Si tus ids son texto, usa evaluate con listas."
        )
    if array.dtype == np.uint64 and array.max() > np.iinfo(np.int64).max:
        raise ValueError(f"{name} tiene ids que no caben en int64: renuméralos o usa evaluate con listas.")
    return array.astype(np.int64, copy=False)


def _as_offsets(values: Any, size: int, name: str) -> Ints:
    offsets = _as_integers(values, f"{name}_offsets")
    if not len(offsets) or offsets[0] != 0 or offsets[-1] != size or (np.diff(offsets) < 0).any():
        raise ValueError(
            f"{name}_offsets debe empezar en 0, no decrecer y acabar en {size}, que son los ids de {name}; "
            f"llegó {shorten(offsets.tolist())}."
        )
    return offsets


def _as_gain_array(gains: Any, size: int) -> Floats:
    array = np.asarray(gains)
    if array.size and array.dtype.kind not in "fiub":
        raise TypeError(f"gains debe tener números y llegó un array de {array.dtype}.")
    array = array.astype(np.float64)
    if array.shape != (size,):
        raise ValueError(f"gains debe tener una ganancia por cada id de relevant ({size}) y llegó {array.shape}.")
    if not np.isfinite(array).all():
        raise ValueError("gains tiene valores que no son números finitos: quita los documentos sin juzgar.")
    return array
