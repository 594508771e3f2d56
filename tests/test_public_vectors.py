"""The public test vectors of other libraries, with their sources, through both ways of computing."""

from __future__ import annotations

import json
import math

import pytest
from course import ROOT

import ragmetrics as rm

CASES = json.loads((ROOT / "tests/data/public_vectors.json").read_text(encoding="utf-8"))["cases"]


def relevant_count(case) -> int:
    relevant = case["relevant"]
    return sum(gain > 0 for gain in relevant.values()) if isinstance(relevant, dict) else len(set(relevant))


def map_min(case) -> float:
    """AP@k over min(k, R) instead of over R: another convention, from ours by the ratio of denominators."""
    value = rm.average_precision(case["retrieved"], case["relevant"], case["k"])
    total = relevant_count(case)
    return value * total / min(case["k"], total) if total else 0.0


ONE_QUERY = {
    "recall@k": lambda c: rm.recall_at_k(c["retrieved"], c["relevant"], c["k"]),
    "precision@k": lambda c: rm.precision_at_k(c["retrieved"], c["relevant"], c["k"]),
    "f1@k": lambda c: rm.f1_at_k(c["retrieved"], c["relevant"], c["k"]),
    "hit_rate@k": lambda c: rm.hit_rate_at_k(c["retrieved"], c["relevant"], c["k"]),
    "mrr": lambda c: rm.reciprocal_rank(c["retrieved"], c["relevant"]),
    "mrr@k": lambda c: rm.reciprocal_rank(c["retrieved"], c["relevant"], c["k"]),
    "map": lambda c: rm.average_precision(c["retrieved"], c["relevant"]),
    "map@k": lambda c: rm.average_precision(c["retrieved"], c["relevant"], c["k"]),
    "map_min@k": map_min,
    "dcg@k": lambda c: rm.dcg_at_k(c["retrieved"], c["relevant"], c["k"]),
    "ndcg@k": lambda c: rm.ndcg_at_k(c["retrieved"], c["relevant"], c["k"]),
    "ndcg_exp@k": lambda c: rm.ndcg_at_k(c["retrieved"], c["relevant"], c["k"], gain="exponential"),
}


def queries_of(case) -> list[dict]:
    return [query | {"k": case["k"]} for query in case.get("queries", [case])]


def test_there_are_vectors_and_each_names_source_and_convention() -> None:
    assert len(CASES) > 40
    assert all(case["source"] and case["convention"] and case["expected"] for case in CASES)


@pytest.mark.parametrize(
    ("case", "metric"),
    [pytest.param(c, m, id=f"{c['name']}-{m}") for c in CASES for m in c["expected"]],
)
def test_public_vectors(case, metric) -> None:
    values = [ONE_QUERY[metric](query) for query in queries_of(case)]
    assert math.fsum(values) / len(values) == pytest.approx(case["expected"][metric], abs=case["tol"])


@pytest.mark.parametrize(
    ("case", "metric"),
    [pytest.param(c, m, id=f"{c['name']}-{m}") for c in CASES for m in c["expected"] if m != "map_min@k"],
)
def test_public_vectors_through_evaluate(case, metric) -> None:
    name, gain = metric.replace("_exp", ""), "exponential" if "_exp" in metric else "linear"
    evaluation = rm.evaluate(queries_of(case), k=case["k"], metrics=name, gain=gain)
    [mean] = evaluation.means.values()
    assert mean == pytest.approx(case["expected"][metric], abs=case["tol"])
