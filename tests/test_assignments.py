"""The graders of each assignment, tried against answers whose marks are known."""

from __future__ import annotations

import contextlib
import io
import re

import nbformat
import pytest
from course import ROOT, model_answers

from ragmetrics.feedback import CheckError

SOURCES = sorted((ROOT / "solutions").glob("*/*.ipynb"))
FUNCTIONS = ("recall_at_k", "precision_at_k", "f1_at_k")


def cells_of(source):
    return [c for c in nbformat.read(source, as_version=4).cells if "nbgrader" in c.metadata]


def points(answers: dict[str, str], assignment: str = "tarea1_conjuntos") -> dict[str, float]:
    """What each graded code cell returns when the answers stand where the solutions are."""
    namespace: dict[str, object] = {}
    scores = {}
    for cell in cells_of(ROOT / "solutions" / assignment / f"{assignment}.ipynb"):
        if cell.cell_type != "code":
            continue
        meta = cell.metadata.nbgrader
        if meta.solution:
            with contextlib.suppress(NotImplementedError):
                exec(answers.get(meta.grade_id, "raise NotImplementedError"), namespace)
        elif meta.grade:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(CheckError):
                scores[meta.grade_id] = 0.0
                setup, _, last = cell.source.rpartition("\ncheck_")
                exec(setup, namespace)
                scores[meta.grade_id] = eval("check_" + re.sub(r"\n### END HIDDEN TESTS$", "", last), namespace)
    return scores


def total_points(assignment: str) -> dict[str, float]:
    cells = cells_of(ROOT / "solutions" / assignment / f"{assignment}.ipynb")
    return {
        c.metadata.nbgrader.grade_id: c.metadata.nbgrader.points
        for c in cells
        if c.metadata.nbgrader.grade and c.cell_type == "code"
    }


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_every_check_is_named_after_a_solution(source) -> None:
    cells = cells_of(source)
    solutions = [c.metadata.nbgrader.grade_id for c in cells if c.metadata.nbgrader.solution]
    checks = [c.metadata.nbgrader.grade_id for c in cells if c.metadata.nbgrader.grade and c.cell_type == "code"]
    assert checks
    for name in checks:
        owners = [s for s in solutions if name.startswith(f"{s}-")]
        assert len(owners) == 1, name
    for name in solutions:
        written = any(c.metadata.nbgrader.grade and c.metadata.nbgrader.grade_id == name for c in cells)
        assert written or {f"{name}-visible", f"{name}-oculta"} <= set(checks), name


def test_the_reference_scores_full_and_the_untouched_notebook_scores_nothing() -> None:
    assert points(model_answers()) == total_points("tarea1_conjuntos")
    assert set(points({}).values()) == {0.0}


@pytest.mark.parametrize("constant", ["0", "0.0", "1.0", "0.5", "1/3", "2/3", "True", "None", "float('nan')"])
def test_constants_earn_nothing(constant) -> None:
    answers = {f: f"def {f}(retrieved, relevant, k):\n    return {constant}" for f in FUNCTIONS}
    scores = points(answers)
    assert {scores[f"{f}-{kind}"] for f in FUNCTIONS for kind in ("visible", "oculta")} == {0.0}


STYLES = {
    "loop with a counter": """
def NAME(retrieved, relevant, k):
    hits = 0
    for document in retrieved[:k]:
        if document in relevant:
            hits += 1
    P, R = hits / k, (hits / len(relevant) if len(relevant) > 0 else 0)
    return RESULT
""",
    "numpy": """
import numpy as np
def NAME(retrieved, relevant, k):
    hits = np.isin(retrieved[:k], relevant).sum() if len(relevant) and len(retrieved) else np.int64(0)
    P = hits / np.float64(k)
    R = hits / np.float64(len(relevant)) if len(relevant) else np.float64(0)
    return np.float32(RESULT)
""",
    "comprehension, prints inside, Spanish names": '''
def NAME(recuperados, relevantes, corte):
    """Con docstring en español."""
    aciertos = [d for i, d in enumerate(recuperados) if i < corte and d in set(relevantes)]
    print("aciertos", aciertos)
    P = len(aciertos) / corte
    R = len(aciertos) / len(relevantes) if relevantes else 0
    return RESULT
''',
    "recursion and a helper": """
def _hits(r, g, k):
    return 0 if not r or k == 0 else (r[0] in g) + _hits(r[1:], g, k - 1)
def NAME(retrieved, relevant, k):
    hits = _hits(retrieved, relevant, k)
    P, R = hits / k, hits / max(1, len(relevant))
    return RESULT
""",
    "fractions, lambda": """
from fractions import Fraction
def _pr(r, g, k):
    hits = len(set(r[:k]).intersection(g))
    return Fraction(hits, k), Fraction(hits, len(g) or 1)
def NAME(r, g, k):
    P, R = _pr(r, g, k)
    return RESULT
""",
}
RESULTS = {"recall_at_k": "R", "precision_at_k": "P", "f1_at_k": "(2 * P * R / (P + R) if P + R else 0)"}


@pytest.mark.parametrize("style", STYLES)
def test_correct_styles_score_full(style) -> None:
    answers = model_answers() | {
        f: STYLES[style].replace("NAME", f).replace("RESULT", RESULTS[f]) for f in FUNCTIONS
    }
    assert points(answers) == total_points("tarea1_conjuntos")


MISTAKES = {
    "recall_at_k": {
        "divides by k": "len(set(retrieved[:k]) & set(relevant)) / k if relevant else 0.0",
        "hit rate": "float(bool(set(retrieved[:k]) & set(relevant)))",
        "no guard for an empty gold": "len(set(retrieved[:k]) & set(relevant)) / len(relevant)",
        "divides by the hits found": "1.0 if set(retrieved[:k]) & set(relevant) else 0.0",
        "ignores k": "len(set(retrieved) & set(relevant)) / len(relevant) if relevant else 0.0",
        "slice ends at k+1": "len(set(retrieved[:k+1]) & set(relevant)) / len(relevant) if relevant else 0.0",
        "slice ends at k-1": "len(set(retrieved[:k-1]) & set(relevant)) / len(relevant) if relevant else 0.0",
        "order lost": "len(set(sorted(retrieved)[:k]) & set(relevant)) / len(relevant) if relevant else 0.0",
        "percentage": "100 * len(set(retrieved[:k]) & set(relevant)) / len(relevant) if relevant else 0.0",
        "rounds": "round(len(set(retrieved[:k]) & set(relevant)) / len(relevant), 2) if relevant else 0.0",
        "min(k, R)": "len(set(retrieved[:k]) & set(relevant)) / min(k, len(relevant)) if relevant else 0.0",
        "empty gold is 1": "len(set(retrieved[:k]) & set(relevant)) / len(relevant) if relevant else 1.0",
    },
    "precision_at_k": {
        "divides by what came back": "len(set(retrieved[:k]) & set(relevant)) / (len(retrieved[:k]) or 1)",
        "divides by the relevant": "len(set(retrieved[:k]) & set(relevant)) / len(relevant) if relevant else 0.0",
        "ignores k in the cut": "len(set(retrieved) & set(relevant)) / k",
        "slice ends at k+1": "len(set(retrieved[:k+1]) & set(relevant)) / k",
        "min(k, R)": "len(set(retrieved[:k]) & set(relevant)) / min(k, len(relevant) or k)",
        "percentage": "100 * len(set(retrieved[:k]) & set(relevant)) / k",
    },
    "f1_at_k": {
        "arithmetic mean": "(precision_at_k(retrieved, relevant, k) + recall_at_k(retrieved, relevant, k)) / 2",
        "geometric mean": "(precision_at_k(retrieved, relevant, k) * recall_at_k(retrieved, relevant, k)) ** 0.5",
        "forgets the 2": (
            "(lambda p, r: p * r / (p + r) if p + r else 0.0)"
            "(precision_at_k(retrieved, relevant, k), recall_at_k(retrieved, relevant, k))"
        ),
        "no guard": (
            "(lambda p, r: 2 * p * r / (p + r))"
            "(precision_at_k(retrieved, relevant, k), recall_at_k(retrieved, relevant, k))"
        ),
        "denominator of what came back": (
            "2 * len(set(retrieved[:k]) & set(relevant)) / ((len(retrieved[:k]) + len(relevant)) or 1)"
        ),
    },
}


@pytest.mark.parametrize(
    ("function", "mistake"), [(function, mistake) for function in MISTAKES for mistake in MISTAKES[function]]
)
def test_mistakes_lose_points_of_their_own_function_only(function, mistake) -> None:
    wrong = f"def {function}(retrieved, relevant, k):\n    return {MISTAKES[function][mistake]}"
    own_f1 = STYLES["loop with a counter"].replace("NAME", "f1_at_k").replace("RESULT", RESULTS["f1_at_k"])
    answers = model_answers() | {"f1_at_k": own_f1, "ejercicio_1": "recall_ejercicio_1 = 1/3", function: wrong}
    scores, full = points(answers), total_points("tarea1_conjuntos")
    lost = {name for name in full if scores[name] < full[name]}
    assert lost
    assert all(name.startswith(f"{function}-") for name in lost)
