"""How fast `evaluate` is next to its peers: same Python inputs, same process, results compared first.

    python tests/benchmarks/speed.py [--small] [--repeat N]

Prints one table: CPU time by query (best of N), and how many times as long each peer takes. Nothing here passes
or fails by time. See README.md beside this file.
"""

from __future__ import annotations

import argparse
import gc
import random
import time
import tracemalloc
import warnings
from collections.abc import Callable
from typing import Any

import ir_measures
import numpy as np
import pytrec_eval
from ir_measures import RR, P, R, nDCG

import ragmetrics as rm
from ragmetrics._tables import text_table

K = 10
SHAPES = ((1_000, 100, 10), (10_000, 100, 20), (100_000, 100, 10))  # queries, depth, relevant
METRICS = ("recall@k", "precision@k", "f1@k", "mrr", "ndcg@k")  # the lesson's five
SLOW = 20_000  # the slowest peers are timed on this many queries at most, and the time scaled


def collection(queries: int, depth: int, relevant: int, kind: str) -> tuple[dict, dict]:
    """Random rankings in which half of the relevant documents were found, more of them near the top."""
    rng = random.Random(20)
    name = (lambda i: i) if kind == "int" else (lambda i: f"doc_{i}")
    run, qrels = {}, {}
    for q in range(queries):
        documents = rng.sample(range(1_000_000), depth + relevant)
        ranking, wanted = documents[:depth], documents[depth:]
        for document in wanted[: (relevant + 1) // 2]:
            ranking[min(int(rng.expovariate(1 / 15)), depth - 1)] = document
        run[f"q{q}"] = [name(i) for i in ranking]
        qrels[f"q{q}"] = [name(i) for i in wanted]
    return run, qrels


def floor(run: dict, qrels: dict) -> object:
    """The least that any implementation over Python lists must do."""
    return [set(relevant).intersection(run[query][:K]) for query, relevant in qrels.items()]


def ours(run: dict, qrels: dict) -> dict[str, np.ndarray]:
    return rm.evaluate(run, qrels, k=K, metrics=METRICS).values


def lesson(run: dict, qrels: dict) -> dict[str, np.ndarray]:
    """The lesson's own loop, as printed there."""

    def one(retrieved: list, relevant: list) -> tuple[float, ...]:
        found = len(set(retrieved[:K]) & set(relevant))
        recall, precision = found / len(set(relevant)), found / K
        f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        mrr = 0.0
        for i, document in enumerate(retrieved):
            if document in relevant:
                mrr = 1.0 / (i + 1)
                break
        wanted, dcg, idcg = set(relevant), 0.0, 0.0
        for i, document in enumerate(retrieved[:K]):
            dcg += (1 if document in wanted else 0) / np.log2(i + 2)
        for i in range(min(len(relevant), K)):
            idcg += 1.0 / np.log2(i + 2)
        return recall, precision, f1, mrr, dcg / idcg

    rows = np.array([one(run[query], relevant) for query, relevant in qrels.items()])
    return dict(zip(NAMES, rows.T, strict=True))


NAMES = tuple(name.replace("@k", f"@{K}") for name in METRICS)


def as_scores(run: dict) -> dict:
    return {query: {str(d): float(-i) for i, d in enumerate(ranking)} for query, ranking in run.items()}


def as_gains(qrels: dict) -> dict:
    return {query: {str(d): 1 for d in relevant} for query, relevant in qrels.items()}


def trec_eval(run: dict, qrels: dict) -> dict[str, np.ndarray]:
    """pytrec_eval, conversion of the lists included; it has no F1 at a cut-off, so four metrics."""
    return trec_eval_native(as_scores(run), as_gains(qrels))


def trec_eval_native(run: dict, qrels: dict) -> dict[str, np.ndarray]:
    wanted = {"recall@10": "recall_10", "precision@10": "P_10", "mrr": "recip_rank", "ndcg@10": "ndcg_cut_10"}
    values = pytrec_eval.RelevanceEvaluator(qrels, set(wanted.values())).evaluate(run)
    return {ours: np.array([values[query][theirs] for query in qrels]) for ours, theirs in wanted.items()}


def ir_measures_lists(run: dict, qrels: dict) -> dict[str, np.ndarray]:
    measures = {R @ K: "recall@10", P @ K: "precision@10", RR: "mrr", nDCG @ K: "ndcg@10"}
    values: dict[str, dict[str, float]] = {name: {} for name in measures.values()}
    for result in ir_measures.iter_calc(list(measures), as_gains(qrels), as_scores(run)):
        values[measures[result.measure]][result.query_id] = result.value
    return {name: np.array([column[query] for query in qrels]) for name, column in values.items()}


def ranx_typed(run: dict, qrels: dict) -> tuple:
    from ranx import Qrels, Run

    return Qrels(as_gains(qrels)), Run(as_scores(run))


def ranx_native(qrels: Any, run: Any) -> dict[str, np.ndarray]:
    from ranx import evaluate

    names = [f"recall@{K}", f"precision@{K}", f"f1@{K}", "mrr", f"ndcg@{K}"]
    scores = evaluate(qrels, run, names, return_mean=False, make_comparable=False)
    order = np.argsort([int(query[1:]) for query in qrels.keys()])  # noqa: SIM118  (ranx sorts them as text; its Qrels is no dict)
    return dict(zip(NAMES, (np.asarray(scores[name])[order] for name in names), strict=True))


def ranx_lists(run: dict, qrels: dict) -> dict[str, np.ndarray]:
    return ranx_native(*ranx_typed(run, qrels))


def as_arrays(run: dict, qrels: dict) -> tuple:
    rankings, relevant = list(run.values()), list(qrels.values())
    return (
        np.array([d for ranking in rankings for d in ranking]), np.cumsum([0, *map(len, rankings)]),
        np.array([d for ids in relevant for d in ids]), np.cumsum([0, *map(len, relevant)]),
    )  # fmt: skip


def ours_native(*arrays: np.ndarray) -> dict[str, np.ndarray]:
    return rm.evaluate_arrays(*arrays, k=K, metrics=METRICS).values


def best(function: Callable[[], object], repeat: int) -> float:
    """Least CPU seconds of some runs."""
    times = []
    for _ in range(repeat):
        gc.collect()
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def peak(function: Callable[[], object]) -> float:
    """Most memory in MB that Python and numpy held during a run, its result included."""
    tracemalloc.start()
    function()
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size / 1e6


def same(ours_: dict[str, np.ndarray], theirs: dict[str, np.ndarray], who: str) -> None:
    for name, values in theirs.items():
        np.testing.assert_allclose(values, ours_[name], rtol=0, atol=1e-9, err_msg=f"{who} {name}")


def part(data: dict, size: int) -> dict:
    return dict(list(data.items())[:size])


def measure(shape: tuple[int, int, int], kind: str, repeat: int) -> list[list[str]]:
    run, qrels = collection(*shape, kind)
    n = len(run)
    few = min(n, SLOW)
    few_run, few_qrels = part(run, few), part(qrels, few)
    reference = ours(run, qrels)
    peers = {"lesson": lesson, "pytrec_eval": trec_eval, "ir-measures": ir_measures_lists, "ranx": ranx_lists}
    for who, peer in peers.items():
        same({name: values[:few] for name, values in reference.items()}, peer(few_run, few_qrels), who)

    base = best(lambda: floor(run, qrels), repeat) / n
    mine = best(lambda: ours(run, qrels), repeat) / n
    label = f"{n} x {shape[1]}, {shape[2]} rel., {kind}"
    memory = peak(lambda: ours(run, qrels))
    rows = [
        [label, "set intersection alone", *columns(base, mine), ""],
        ["", "ragmetrics, lists", *columns(mine, mine), f"{memory:.0f}"],
    ]
    for who, peer in peers.items():
        quick = max(1, repeat // 5) if who in ("ranx", "ir-measures") else max(1, repeat // 2)
        seconds = best(lambda peer=peer: peer(few_run, few_qrels), quick) / few
        size = "" if who == "ranx" else f"{peak(lambda peer=peer: peer(few_run, few_qrels)) * n / few:.0f}"
        rows.append(["", f"{who}, lists", *columns(seconds, mine), size])
    scores, gains = as_scores(few_run), as_gains(few_qrels)
    seconds = best(lambda: trec_eval_native(scores, gains), repeat) / few
    rows.append(["", "pytrec_eval, its own dicts", *columns(seconds, mine), ""])
    typed = ranx_typed(few_run, few_qrels)
    ranx_seconds = best(lambda: ranx_native(*typed), repeat) / few
    rows.append(["", "ranx, its typed lists", *columns(ranx_seconds, mine), ""])
    if kind == "int":
        arrays = as_arrays(run, qrels)
        same(reference, ours_native(*arrays), "arrays")
        seconds = best(lambda: ours_native(*arrays), repeat) / n
        rows.append(
            ["", "ragmetrics, arrays", *columns(seconds, mine), f"{peak(lambda: ours_native(*arrays)):.0f}"]
        )
    return rows


def columns(seconds: float, mine: float) -> list[str]:
    return [f"{seconds * 1e6:.2f}", f"{seconds / mine:.2f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="leave out the 100 000 queries")
    parser.add_argument("--repeat", type=int, default=9, help="runs of which the best counts")
    args = parser.parse_args()
    warnings.filterwarnings("ignore")  # numba's, while ranx compiles
    warm_run, warm_qrels = collection(50, 20, 5, "str")
    ranx_lists(warm_run, warm_qrels)
    rows = []
    for shape in SHAPES[: 2 if args.small else 3]:
        for kind in ("int", "str"):
            rows += measure(shape, kind, args.repeat)
    print(text_table(["collection", "who", "µs a query", "times ours", "peak MB"], rows))


if __name__ == "__main__":
    main()
