"""Run the graded cells of an assignment's source against answers, without a kernel."""

from __future__ import annotations

import contextlib
import io
import re
import types
from functools import cache
from typing import Any, NamedTuple

import nbformat
from course import ROOT

from ragmetrics import RetrievalEvaluator
from ragmetrics.feedback import CheckError
from ragmetrics.feedback.exercises import EXERCISES

SOURCES = sorted((ROOT / "solutions").glob("*/*.ipynb"))
ASSIGNMENTS = [source.stem for source in SOURCES]


class Result(NamedTuple):
    """What a graded cell returned and said."""

    points: float
    text: str


@cache
def cells_of(assignment: str) -> list[Any]:
    source = ROOT / "solutions" / assignment / f"{assignment}.ipynb"
    return [c for c in nbformat.read(source, as_version=4).cells if "nbgrader" in c.metadata]


def graded_cells(assignment: str) -> list[Any]:
    return [c for c in cells_of(assignment) if c.metadata.nbgrader.grade and c.cell_type == "code"]


def exercises_of(cell: Any) -> list[str]:
    """The exercises that a graded cell checks; none if it checks a value."""
    function = re.search(r"check_function\(\s*lambda: (\w+)", cell.source)
    methods = re.search(r"check_methods\(\s*lambda: (\w+)", cell.source)
    if methods:
        name = methods.group(1)
        return [x for x in EXERCISES if x.startswith(f"{name}.") and f'"{x.partition(".")[2]}"' in cell.source]
    return [function.group(1)] if function else []


@cache
def checks_of(exercise: str) -> tuple[str, list[Any]]:
    """The assignment that asks for the exercise, and its graded cells."""
    for assignment in ASSIGNMENTS:
        cells = [c for c in graded_cells(assignment) if exercise in exercises_of(c)]
        if cells:
            return assignment, cells
    raise LookupError(exercise)


def run_check(cell: Any, namespace: dict[str, Any]) -> Result:
    """Run one graded cell in the namespace."""
    setup, call, last = cell.source.rpartition("\ncheck_")
    said = io.StringIO()
    points = 0.0
    with contextlib.redirect_stdout(said):
        try:
            exec(setup, namespace)
            points = eval(call.strip() + last.replace("### END HIDDEN TESTS", "").rstrip(), namespace)
        except CheckError as error:
            print(error)
    assert type(points) is float
    return Result(points, said.getvalue())


def run_cells(assignment: str, answers: dict[str, str]) -> dict[str, Result]:
    """Run a whole assignment with the answers (by grade_id) where its solutions are."""
    module = types.ModuleType("__main__")
    results = {}
    for cell in cells_of(assignment):
        meta = cell.metadata.nbgrader
        if cell.cell_type != "code":
            continue
        if meta.grade and not meta.solution:
            results[meta.grade_id] = run_check(cell, module.__dict__)
        else:
            source = answers.get(meta.grade_id, "raise NotImplementedError()") if meta.solution else cell.source
            with contextlib.suppress(Exception), contextlib.redirect_stdout(io.StringIO()):
                exec(source, module.__dict__)
    return results


def answer_of(exercise: str, function: Any) -> dict[str, Any]:
    """A namespace in which the exercise is answered by the function, as its check will look it up."""
    name, _, method = exercise.partition(".")
    if not method:
        return {name: function}

    class Answer:
        def __init__(self, k=5):
            self.k = k

    for other in ("recall_at_k", "precision_at_k", "f1_at_k", "mrr", "ndcg_at_k", "evaluate_all"):
        setattr(Answer, other, lambda self, r, g, other=other: getattr(RetrievalEvaluator(self.k), other)(r, g))
    setattr(Answer, method, lambda self, r, g: function(self.k, r, g))
    return {name: Answer}


def locked_cells(assignment: str) -> dict[str, Any]:
    """The namespace that the locked cells of the assignment make."""
    namespace: dict[str, Any] = {}
    for cell in cells_of(assignment):
        meta = cell.metadata.nbgrader
        if cell.cell_type == "code" and not meta.grade and not meta.solution:
            exec(cell.source, namespace)
    return namespace


def grade(exercise: str, function: Any) -> tuple[float, float, str]:
    """Points earned by the function, points there are, and all that was said."""
    assignment, cells = checks_of(exercise)
    namespace = locked_cells(assignment) | answer_of(exercise, function)
    results = [run_check(cell, dict(namespace)) for cell in cells]
    total = sum(cell.metadata.nbgrader.points for cell in cells)
    return sum(r.points for r in results), total, "\n".join(r.text for r in results)
