"""Comparar sistemas en las mismas queries: cuánto difieren, si cabe en el azar y qué se puede concluir."""

import io
import math
import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from itertools import count as count_from
from typing import Any, NamedTuple

import numpy as np

from ragmetrics._inputs import as_gains, shorten
from ragmetrics._tables import decimal, html_table, percent, text_table
from ragmetrics.evaluation import Evaluation, Plan, Qrels, evaluate, label
from ragmetrics.evaluator import read_cases
from ragmetrics.statistics import SIGN_FLIPS, Floats, check_confidence, holm, mean_intervals, randomization_tests

LESSON_METRICS = ("recall@k", "precision@k", "f1@k", "mrr", "ndcg@k")
BEST = "▲ "  # not *: next to a mean, it would read as "significant"


class Pair(NamedTuple):
    """Dos sistemas comparados en una métrica; la diferencia es b - a, y b gana donde es positiva."""

    metric: str
    a: str
    b: str
    mean_a: float
    mean_b: float
    difference: float
    interval: tuple[float, float]
    p: float
    p_adjusted: float
    wins: int
    ties: int
    losses: int
    n: int


def compare(
    runs: Mapping[str, Any],
    qrels: Qrels | None = None,
    k: int | Iterable[int] = 5,
    *,
    metrics: Iterable[str] | None = None,
    gain: str = "linear",
    no_relevant: str = "zero",
    confidence: float = 0.95,
    alpha: float = 0.05,
    seed: int = 0,
) -> "Comparison":
    """Compara dos o más sistemas en las mismas queries y dice qué se puede concluir.

    De cada pareja de sistemas y cada métrica mira la diferencia en cada query. De ahí salen la diferencia media
    (siempre el segundo menos el primero), su intervalo de confianza (bootstrap), la p de una prueba de
    aleatorización pareada y en cuántas queries gana, empata o pierde el segundo.

    Args:
        runs: dict nombre → lo que recuperó ese sistema, como lo recibe `evaluate`; o nombre → `Evaluation`, si ya
            lo evaluaste con los mismos juicios y el mismo k (entonces `k`, `gain` y `no_relevant` no cuentan).
        qrels: los juicios, los mismos para todos; sobran con `Evaluation` y con listas de casos de la lección.
        k: un corte o varios, como k=(1, 3, 5, 10).
        metrics: como en `evaluate`; si no dices nada, las cinco de la lección: Recall, Precision, F1, MRR y nDCG.
        gain, no_relevant: como en `evaluate`.
        confidence: nivel de los intervalos, entre 0 y 1.
        alpha: desde qué p se dice que un sistema supera a otro: p ≤ alpha.
        seed: semilla del bootstrap y de la prueba; la misma da los mismos números.

    Returns:
        Una `Comparison`.

    Raises:
        TypeError: si runs no es un dict de nombres, faltan los juicios, o por lo mismo que en `evaluate`.
        ValueError: si hay menos de dos sistemas, no miden las mismas queries o el mismo k, o por lo mismo que en
            `evaluate`. El mensaje dice de qué sistema viene.

    Convención: cuentan todas las queries juzgadas, también las que un sistema no respondió (0). La p corregida
    (Holm) tiene en cuenta todas las parejas de sistemas dentro de una métrica. Mirar muchas métricas y quedarse
    con la que mejor sale no se corrige: elige la métrica antes de mirar. Dos valores que solo difieren por el
    redondeo son un empate. Que una diferencia quepa en el azar no quiere decir que no la haya.

    Fuente: Smucker, Allan y Carterette (2007), A comparison of statistical significance tests for information
    retrieval evaluation, CIKM, doi:10.1145/1321440.1321528; Sakai (2018), Laboratory Experiments in Information
    Retrieval, Springer.

    >>> qrels = {f"q{i}": ["a"] for i in range(8)}
    >>> bm25 = {query: ["x", "a"] for query in qrels}
    >>> denso = {query: ["a", "x"] for query in qrels}
    >>> comparison = compare({"BM25": bm25, "denso": denso}, qrels, k=5)
    >>> print(*comparison.conclusions("mrr"))
    denso supera a BM25 en 0,50 de MRR (intervalo del 95 %: 0,50 a 0,50; p = 0,008, 8 queries).
    """
    _check_runs(runs)
    check_confidence(confidence)
    check_confidence(alpha, "alpha")
    ready = [run for run in runs.values() if isinstance(run, Evaluation)]
    cutoffs = ready[0].k if len(ready) == len(runs) else k
    plan = Plan.read(cutoffs, LESSON_METRICS if metrics is None else metrics, gain, no_relevant)
    evaluations = same_queries(_evaluate_all(runs, qrels, plan, confidence, seed))
    return Comparison(evaluations, _metrics(evaluations, plan, metrics is None), confidence, alpha, seed)


class Comparison:
    """Lo que salió de comparar sistemas en las mismas queries.

    En un notebook se muestra como tablas; `print` las escribe en la terminal.

    Attributes:
        systems: los nombres de los sistemas, en el orden en que llegaron.
        evaluations: dict nombre → `Evaluation`, con las queries en el mismo orden.
        queries: las queries.
        metrics: las métricas que se comparan, como "ndcg@5" o "mrr".
        pairs: los números de cada métrica y pareja de sistemas: metric, a, b, mean_a, mean_b, difference (b - a),
            interval (de la diferencia), p, p_adjusted (corregida por Holm), wins, ties, losses (queries en que b
            gana, empata y pierde) y n.
        confidence, alpha, seed: los que se pidieron.

    >>> qrels = {"q1": ["a"], "q2": ["b"]}
    >>> comparison = compare({"A": {"q1": ["x", "a"], "q2": ["b"]}, "B": {"q1": ["a"]}}, qrels)
    >>> comparison.differences("mrr", "A", "B")
    array([ 0.5, -1. ])
    """

    def __init__(
        self,
        evaluations: Mapping[str, Evaluation],
        metrics: Sequence[str],
        confidence: float,
        alpha: float,
        seed: int,
    ) -> None:
        self.evaluations = dict(evaluations)
        self.systems = list(evaluations)
        self.queries = self.evaluations[self.systems[0]].queries
        self.metrics = list(metrics)
        self.confidence = confidence
        self.alpha = alpha
        self.seed = seed
        self.pairs = self._measure()

    def __len__(self) -> int:
        return len(self.queries)

    def differences(self, metric: str, a: str, b: str) -> Floats:
        """La diferencia b - a en cada query, en el orden de `queries`; 0 donde solo difieren por el redondeo."""
        for name in (a, b):
            if name not in self.evaluations:
                raise ValueError(f"No hay ningún sistema {shorten(name)}; los hay: {', '.join(self.systems)}.")
        name = self._metric(metric)
        values_a, values_b = self.evaluations[a].values[name], self.evaluations[b].values[name]
        return np.where(close(values_a, values_b), 0.0, values_b - values_a)

    def conclusions(self, metric: str | None = None) -> list[str]:
        """Qué se puede concluir de cada pareja, en una frase (si no dices la métrica, nDCG en el mayor k)."""
        return [self._conclusion(pair) for pair in self._pairs_of(self._metric(metric))]

    def to_dict(self) -> dict[str, Any]:
        """Todo menos los valores por query, en tipos de Python listos para JSON (intervalo None si no lo hay)."""
        return {
            "systems": list(self.systems),
            "queries": len(self),
            "metrics": list(self.metrics),
            "confidence": self.confidence,
            "alpha": self.alpha,
            "seed": self.seed,
            "means": {
                name: {metric: self._mean(name, metric) for metric in self.metrics} for name in self.systems
            },
            "pairs": [
                {**pair._asdict(), "interval": None if np.isnan(pair.interval[0]) else list(pair.interval)}
                for pair in self.pairs
            ],
            "conclusions": {metric: self.conclusions(metric) for metric in self.metrics},
        }

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Una fila por métrica y pareja de sistemas; escribe en `path` o, sin él, devuelve el texto."""
        import csv

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        before, after = Pair._fields[:6], Pair._fields[7:]
        writer.writerow([*before, "low", "high", *after])
        for pair in self.pairs:
            ends = ("", "") if np.isnan(pair.interval[0]) else pair.interval
            writer.writerow([*pair[:6], *ends, *pair[7:]])
        if path is None:
            return text.getvalue()
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text.getvalue())
        return None

    def __repr__(self) -> str:
        differences = f"Diferencias en {label(self._metric(None))}:"
        return "\n".join(
            [
                text_table(*self._table_of_means()),
                *self._notes(),
                "",
                differences,
                text_table(*self._table_of_pairs()),
                *self.conclusions(),
            ]
        )

    def _repr_html_(self) -> str:
        means = f"Medias de {len(self.systems)} sistemas en {_count(len(self))}"
        differences = f"Diferencias en {label(self._metric(None))}"
        return html_table(means, *self._table_of_means(), self._notes()) + html_table(
            differences, *self._table_of_pairs(), self.conclusions()
        )

    def _measure(self) -> list[Pair]:
        rows = [(metric, *couple) for metric in self.metrics for couple in combinations(self.systems, 2)]
        columns = [self.differences(*row) for row in rows]
        matrix = np.column_stack(columns)
        low, high = mean_intervals(matrix, self.confidence, self.seed)
        p = randomization_tests(matrix, self.seed, self._sign_flips)
        adjusted = np.concatenate([holm(of_metric) for of_metric in np.split(p, len(self.metrics))])
        return [
            Pair(
                metric=metric,
                a=a,
                b=b,
                mean_a=self._mean(a, metric),
                mean_b=self._mean(b, metric),
                difference=float(column.mean()),
                interval=(float(low[index]), float(high[index])),
                p=float(p[index]),
                p_adjusted=float(adjusted[index]),
                wins=int(np.count_nonzero(column > 0)),
                ties=int(np.count_nonzero(column == 0)),
                losses=int(np.count_nonzero(column < 0)),
                n=len(self),
            )
            for index, ((metric, a, b), column) in enumerate(zip(rows, columns, strict=True))
        ]

    @property
    def _couples(self) -> int:
        return math.comb(len(self.systems), 2)

    @property
    def _sign_flips(self) -> int:
        """How many sign flips make the lowest p possible, once corrected, a twentieth of alpha at most."""
        return max(SIGN_FLIPS, min(math.ceil(20 * self._couples / self.alpha), 1_000_000))

    def _pairs_of(self, metric: str) -> list[Pair]:
        return [pair for pair in self.pairs if pair.metric == metric]

    def _mean(self, system: str, metric: str) -> float:
        return self.evaluations[system].means[metric]

    def _metric(self, metric: str | None) -> str:
        """Return the metric, checked; unless said, nDCG at the largest k, or the first one."""
        if metric is None:
            ndcg = [name for name in self.metrics if name.startswith("ndcg@")]
            return max(ndcg, key=lambda name: int(name.partition("@")[2])) if ndcg else self.metrics[0]
        if metric not in self.metrics:
            raise ValueError(f"No se compara ninguna métrica {shorten(metric)}; sí: {', '.join(self.metrics)}.")
        return metric

    def _conclusion(self, pair: Pair) -> str:
        name, systems, queries = label(pair.metric), f"{pair.a} y {pair.b}", _count(pair.n)
        too_few = self._least_p(pair.n) > self.alpha
        if pair.ties == pair.n:
            where = "la única query" if pair.n == 1 else f"las {queries}"
            but = f", y con {queries} no se puede concluir nada" if too_few else ""
            return f"En {name}, {systems} dan lo mismo en {where}{but}."
        digits = _digits(pair.difference, *pair.interval)
        size = _size(abs(pair.difference), digits)
        difference = f"a diferencia de {size} en {name} entre {systems}"
        if too_few:
            return f"Con {queries} no se puede concluir nada de l{difference}: {self._cannot_go_below(pair.n)}."
        different = pair.n - pair.ties
        if self._least_p(different) > self.alpha:
            where = f"solo difieren en {different} de las {queries}"
            return f"L{difference} cabe en el azar: {where}, y con tan pocas {self._cannot_go_below(different)}."
        p = f"{self._p_name} {_p(pair.p_adjusted, self.alpha)}"
        if pair.p_adjusted > self.alpha:
            return f"L{difference} cabe en el azar: {p}, {queries}."
        best, other, ends = pair.b, pair.a, pair.interval
        if pair.difference < 0:
            best, other, ends = pair.a, pair.b, (-ends[1], -ends[0])
        low, high = (_number(end, digits) for end in ends)
        interval = f"intervalo del {percent(self.confidence)}: {low} a {high}"
        return f"{best} supera a {other} en {size} de {name} ({interval}; {p}, {queries})."

    @property
    def _p_name(self) -> str:
        return "p corregida" if self._couples > 1 else "p"

    def _least_p(self, different: int) -> float:
        """Return the lowest p, corrected, that the test can give when so many queries differ."""
        return min(1.0, self._couples * max(2.0 ** (1 - different), 1 / (self._sign_flips + 1)))

    def _cannot_go_below(self, different: int) -> str:
        return f"la prueba no baja de {self._p_name} = {_short(self._least_p(different))}"

    def _table_of_means(self) -> tuple[list[str], list[list[str]]]:
        rows = []
        for metric in self.metrics:
            means = [self._mean(name, metric) for name in self.systems]
            best = close(np.array(means), max(means))
            cells = [BEST * top + decimal(mean) for mean, top in zip(means, best.tolist(), strict=True)]
            rows.append([label(metric), *cells])
        return ["Métrica", *self.systems], rows

    def _table_of_pairs(self) -> tuple[list[str], list[list[str]]]:
        several = len(self.systems) > 2
        header = ["Pareja", "Diferencia", f"Intervalo del {percent(self.confidence)}", "p"]
        header += ["p corregida"] * several + ["Gana", "Empata", "Pierde"]
        rows = []
        for pair in self._pairs_of(self._metric(None)):
            low, high = pair.interval
            interval = "—" if np.isnan(low) else f"{_number(low, 3)} a {_number(high, 3)}"
            p_values = (pair.p, pair.p_adjusted) if several else (pair.p,)
            p_cells = [_p(p, self.alpha).removeprefix("= ") for p in p_values]
            counts = map(str, (pair.wins, pair.ties, pair.losses))
            rows.append([f"{pair.b} frente a {pair.a}", _number(pair.difference, 3), interval, *p_cells, *counts])
        return header, rows

    def _notes(self) -> list[str]:
        first = self.evaluations[self.systems[0]]
        notes = [f"{BEST}la mejor media de la fila; si la diferencia cabe en el azar, lo dicen las conclusiones."]
        if self._couples > 1:
            notes.append(f"p corregida (Holm): tiene en cuenta que se comparan {self._couples} parejas.")
        notes.append(f"Queries: {len(self)}.")
        if first.without_relevant:
            effect = "quedan fuera" if first.no_relevant == "skip" else "cuentan 0"
            notes.append(f"Sin documentos relevantes: {len(first.without_relevant)} ({effect}).")
        for what, effect, attribute in (
            ("Juzgadas y sin respuesta", "cuentan 0", "unanswered"),
            ("Respondidas y sin juzgar", "no cuentan", "unjudged"),
        ):
            counts = {name: len(getattr(self.evaluations[name], attribute)) for name in self.systems}
            if any(counts.values()):
                each = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
                notes.append(f"{what}: {each} ({effect}).")
        return notes


def _check_runs(runs: Any) -> None:
    if not isinstance(runs, Mapping):
        raise TypeError(
            'runs debe ser un dict nombre → run, como {"BM25": run_a, "denso": run_b}, y llegó '
            f"{shorten(runs)}, de tipo {type(runs).__name__}."
        )
    for name in runs:
        if not isinstance(name, str) or not name.strip():
            raise TypeError(f"El nombre de cada sistema debe ser un texto y llegó {shorten(name)}.")
    if len(runs) < 2:
        came = f"solo {shorten(next(iter(runs)))}" if runs else "ninguno"
        raise ValueError(f"Para comparar hacen falta al menos dos sistemas y llegó {came}. Con uno, usa evaluate.")


def _evaluate_all(
    runs: Mapping[str, Any], qrels: Any, plan: Plan, confidence: float, seed: int
) -> dict[str, Evaluation]:
    """Evaluate what is not evaluated yet; errors say which system they come from."""
    if isinstance(qrels, Mapping):  # they are read once for each system
        qrels = {query: list(ids) if isinstance(ids, Iterator) else ids for query, ids in qrels.items()}
    evaluations: dict[str, Evaluation] = {}
    judgments: dict[str, dict[Hashable, Any]] = {}
    for name, run in runs.items():
        try:
            if isinstance(run, Evaluation):
                evaluations[name] = run
                continue
            if qrels is None:
                run, judgments[name] = _read_cases(run)
            evaluations[name] = evaluate(
                run,
                qrels,
                plan.cutoffs,
                metrics=plan.metrics,
                gain=plan.gain,
                no_relevant=plan.no_relevant,
                confidence=confidence,
                seed=seed,
            )
            if name in judgments:
                _check_same_judgments(judgments)
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else ValueError
            raise kind(f"Sistema {shorten(name)}: {error}") from None
    return evaluations


def _read_cases(run: Any) -> tuple[list[dict[str, Any]], dict[Hashable, Any]]:
    """Return the lesson's test cases, readable again, and their judgments."""
    if isinstance(run, Mapping):
        raise TypeError("faltan los juicios: compare(runs, qrels, k=5), con qrels un dict query → ids relevantes.")
    names, retrieved, relevant = read_cases(run)
    cases = [
        {"query": name, "retrieved": found, "relevant": wanted}
        for name, found, wanted in zip(names, retrieved, relevant, strict=True)
    ]
    judgments: dict[Hashable, Any] = {}
    for name, wanted in zip(names, relevant, strict=True):
        judgments[_again(name, judgments)] = wanted
    return cases, judgments


def _again(name: Hashable, known: Mapping[Hashable, Any]) -> Hashable:
    """Return the name, or name and count where a query comes more than once."""
    if name not in known:
        return name
    return next((name, count) for count in count_from(2) if (name, count) not in known)


def _check_same_judgments(judgments: Mapping[str, Mapping[Hashable, Any]]) -> None:
    """Refuse test cases that do not agree on what is relevant: the systems would not take the same exam."""
    first, last = next(iter(judgments)), list(judgments)[-1]
    for query, relevant in judgments[last].items():
        expected = judgments[first].get(query, relevant)
        if expected is not relevant and as_gains(expected) != as_gains(relevant):
            raise ValueError(
                f"la query {shorten(query)} tiene otros documentos relevantes que en {shorten(first)}. "
                "Para comparar, los juicios deben ser los mismos."
            )


def same_queries(evaluations: dict[str, Evaluation]) -> dict[str, Evaluation]:
    """Return the evaluations with the queries in the order of the first one; refuse other queries or cut-offs."""
    (first, reference), *others = evaluations.items()
    aligned = {first: reference}
    for name, evaluation in others:
        if set(evaluation.k) != set(reference.k):
            raise ValueError(
                f"{first} se evaluó con k = {shorten(reference.k)} y {name}, con k = {shorten(evaluation.k)}. "
                "Evalúalos con los mismos cortes."
            )
        if evaluation.gain != reference.gain:
            raise ValueError(
                f'{first} se evaluó con gain="{reference.gain}" y {name}, con gain="{evaluation.gain}": sus DCG y '
                "nDCG no se pueden comparar. Evalúalos con la misma."
            )
        aligned[name] = _reordered(evaluation, reference.queries, first, name)
    return aligned


def _reordered(evaluation: Evaluation, queries: list[Hashable], first: str, name: str) -> Evaluation:
    if evaluation.queries == queries:
        return evaluation
    place = {query: index for index, query in enumerate(evaluation.queries)}
    known = set(queries)
    missing = [query for query in queries if query not in place]
    extra = [query for query in place if query not in known]
    if missing or extra:
        only = [
            f"solo en {system} hay {len(some)}: {shorten(some)}"
            for system, some in ((first, missing), (name, extra))
            if some
        ]
        raise ValueError(
            f"{first} y {name} no miden las mismas queries ({'; '.join(only)}). "
            "Evalúa los dos con los mismos juicios y el mismo no_relevant."
        )
    if not len(evaluation) == len(place) == len(queries):
        raise ValueError(
            f"{first} y {name} tienen queries repetidas en distinto orden, y así no se pueden emparejar. "
            "Dale a cada query un nombre distinto."
        )
    from copy import copy  # numpy does without it

    order = [place[query] for query in queries]
    result = copy(evaluation)
    result.queries = list(queries)
    result.values = {metric: column[order] for metric, column in evaluation.values.items()}
    return result


def _metrics(evaluations: Mapping[str, Evaluation], plan: Plan, default: bool) -> list[str]:
    """Return the metrics to compare; by default the lesson's, or what there is when nobody measured those."""
    wanted = [name for name, _, _ in plan.columns()]
    common = [
        metric
        for metric in next(iter(evaluations.values())).values
        if all(metric in evaluation.values for evaluation in evaluations.values())
    ]
    if default:
        wanted = [metric for metric in wanted if metric in common] or common
    for name, evaluation in evaluations.items():
        missing = [metric for metric in wanted if metric not in evaluation.values]
        if missing or not wanted:
            lacking = f"no tiene {', '.join(missing)}" if missing else "no tiene ninguna métrica de los demás"
            raise ValueError(f"Sistema {shorten(name)}: {lacking}; tiene: {', '.join(evaluation.values)}.")
    return wanted


def close(values: Floats, others: Floats | float) -> Any:
    """Return where two values differ by no more than rounding."""
    return np.isclose(values, others, rtol=1e-9, atol=1e-12)


def _count(queries: int) -> str:
    return "1 query" if queries == 1 else f"{queries} queries"


def _digits(difference: float, low: float, high: float) -> int:
    """Return the fewest decimals, 2 to 4, at which nothing shows as 0 nor both ends as equal unless they are."""
    shown = [abs(value) for value in (difference, low, high, (high - low) / 2) if abs(value) > 1e-9]
    return next((digits for digits in (2, 3) if all(round(value, digits) > 0 for value in shown)), 4)


def _number(value: float, digits: int) -> str:
    return decimal(round(value, digits) + 0.0, digits)  # + 0.0 turns -0.0 into 0.0


def _size(value: float, digits: int) -> str:
    shown = _number(value, digits)
    return "menos de 0,0001" if value > 1e-9 and shown == _number(0.0, digits) else shown


def _short(p: float) -> str:
    return f"{p:.3g}".replace(".", ",")


def _p(p: float, alpha: float) -> str:
    """Return p as it is written, on the side of alpha where it is: `= 0,41`, `= 0,003`, `< 0,001`."""
    least = min(0.001, alpha)
    if p < least:
        return f"< {_short(least)}"
    digits = 2 if p >= 0.1 else 3
    while (round(p, digits) <= alpha) != (p <= alpha):
        digits += 1
    return f"= {decimal(p, digits)}"
