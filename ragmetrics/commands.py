"""What `ragmetrics evaluate` and `ragmetrics compare` do: read the files, measure, and say it as was asked."""

import csv
import io
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ragmetrics._json import text_of
from ragmetrics._storage import name_and_suffix
from ragmetrics._tables import decimal, text_table
from ragmetrics.comparison import Comparison, compare
from ragmetrics.evaluation import Evaluation, evaluate, label
from ragmetrics.files import JSON, read_qrels, read_run, read_test_cases

LONGEST_QUERY = 40  # characters that a table shows


def evaluate_files(run: str, qrels: str | None, form: str, per_query: bool, **asked: Any) -> str:
    """Evaluate a run against judgments, or test cases that hold both; `asked` is what `evaluate` takes."""
    if qrels is not None:
        evaluation = evaluate(read_run(run), read_qrels(qrels), **asked)
    elif name_and_suffix(run)[1] in JSON:
        evaluation = evaluate(read_test_cases(run), **asked)
    else:
        raise ValueError(
            f"faltan los juicios: ragmetrics evaluate {run} QRELS. Solo los casos de prueba (.json o .jsonl) van "
            "sin ellos."
        )
    return {"table": _table, "csv": _csv, "json": _json}[form](evaluation, per_query)


def compare_files(qrels: str, runs: Sequence[str], form: str, per_query: bool, **asked: Any) -> str:
    """Compare the runs, each named after its file; `asked` is what `compare` takes."""
    names = system_names(runs)
    judgments = read_qrels(qrels)
    systems = {name: read_run(run) for name, run in zip(names, runs, strict=True)}
    comparison = compare(systems, judgments, **asked)
    return {"table": _comparison_table, "csv": _comparison_csv, "json": _comparison_json}[form](
        comparison, per_query
    )


def system_names(paths: Sequence[str]) -> list[str]:
    """Return the shortest names that tell the files apart: without suffix, with it, with the folder."""
    absolute = [os.path.realpath(path) for path in paths]
    for path, place in zip(paths, absolute, strict=True):
        if absolute.count(place) > 1:
            raise ValueError(f"{path}: el mismo archivo está dos veces; cada sistema va una sola vez.")
    ways: list[Callable[[str], str]] = [_stem, os.path.basename, lambda path: "/".join(path.split(os.sep)[-2:])]
    for way in ways:
        names = [" ".join(way(path).split()) for path in absolute]  # a name of several lines breaks the table
        if all(names) and len(set(names)) == len(names):
            return names
    raise ValueError(
        f"no sé cómo llamar a los sistemas: {', '.join(paths)} tienen el mismo nombre en carpetas que también se "
        "llaman igual. Cambia el nombre de los archivos."
    )


def _stem(path: str) -> str:
    name = os.path.basename(path)
    if name.lower().endswith(".gz"):
        name = name[:-3]
    return os.path.splitext(name)[0]


def _table(evaluation: Evaluation, per_query: bool) -> str:
    if not per_query:
        return f"{evaluation!r}\n"
    header = ["Query", *map(label, evaluation.values)]
    rows = [[_short(query), *map(decimal, values)] for query, values in _by_query(evaluation, evaluation.values)]
    return f"{text_table(header, rows)}\n\n{evaluation!r}\n"


def _csv(evaluation: Evaluation, per_query: bool) -> str:
    if per_query:
        return evaluation.to_csv() or ""
    rows = []
    for name, mean in evaluation.means.items():
        low, high = evaluation.intervals[name]
        rows.append([name, mean, *(("", "") if np.isnan(low) else (low, high))])
    return _csv_text([["metric", "mean", "low", "high"], *rows])


def _json(evaluation: Evaluation, _: bool) -> str:
    return text_of(evaluation.to_dict())  # it holds the values of each query, asked or not


def _comparison_table(comparison: Comparison, per_query: bool) -> str:
    if not per_query:
        return f"{comparison!r}\n"
    header = ["Query", "Sistema", *map(label, comparison.metrics)]
    rows = [[_short(query), system, *map(decimal, values)] for query, system, values in _by_system(comparison)]
    return f"{text_table(header, rows)}\n\n{comparison!r}\n"


def _comparison_csv(comparison: Comparison, per_query: bool) -> str:
    if not per_query:
        return comparison.to_csv() or ""
    rows = [[query, system, *values] for query, system, values in _by_system(comparison)]
    return _csv_text([["query", "system", *comparison.metrics], *rows])


def _comparison_json(comparison: Comparison, per_query: bool) -> str:
    content = comparison.to_dict()
    if per_query:
        content["per_query"] = [
            {"query": query, "system": system, **dict(zip(comparison.metrics, values, strict=True))}
            for query, system, values in _by_system(comparison)
        ]
    return text_of(content)


def _by_query(evaluation: Evaluation, metrics: Iterable[str]) -> list[tuple[Any, list[float]]]:
    """Return each query with its values."""
    columns = [evaluation.values[metric].tolist() for metric in metrics]
    return [(query, list(values)) for query, *values in zip(evaluation.queries, *columns, strict=True)]


def _by_system(comparison: Comparison) -> list[tuple[Any, str, list[float]]]:
    """Return each query with the values of each system."""
    by_system = {name: _by_query(comparison.evaluations[name], comparison.metrics) for name in comparison.systems}
    return [
        (query, system, by_system[system][place][1])
        for place, query in enumerate(comparison.queries)
        for system in comparison.systems
    ]


def _csv_text(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _short(query: Any) -> str:
    text = " ".join(str(query).split())
    return text if len(text) <= LONGEST_QUERY else text[: LONGEST_QUERY - 1] + "…"
