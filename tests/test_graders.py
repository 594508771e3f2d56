"""The graders of every function, tried like code: right answers in many styles, each misconception, mutants."""

from __future__ import annotations

import ast
import copy
import re
from functools import cache

import pytest
from course import model_answers
from graders import (
    ASSIGNMENTS,
    cells_of,
    checks_of,
    grade,
    graded_cells,
    run_cells,
)
from styles import STYLES

from ragmetrics.feedback import answer
from ragmetrics.feedback.exercises import EXERCISES

FUNCTIONS = [name for name in EXERCISES if "." not in name] + ["RetrievalEvaluator"]
MISCONCEPTIONS = [
    pytest.param(name, m, id=f"{name}: {m.name}") for name, e in EXERCISES.items() for m in e.misconceptions
]
CONSTANTS = ("0", "0.0", "1.0", "0.5", "1/3", "2/3", "True", "None", "float('nan')", "[]", "{}", "(1, 0, 0)", "''")


def points_of(assignment: str) -> dict[str, float]:
    return {c.metadata.nbgrader.grade_id: float(c.metadata.nbgrader.points) for c in graded_cells(assignment)}


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_reference_scores_full(assignment) -> None:
    results = run_cells(assignment, model_answers(assignment))
    assert {name: r.points for name, r in results.items()} == points_of(assignment)
    for result in results.values():
        assert {line[0] for line in result.text.splitlines() if line[0] in "✔✘·→!"} == {"✔"}


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_untouched_notebook_scores_nothing_and_reads_not_attempted(assignment) -> None:
    results = run_cells(assignment, {})
    assert set(points_of(assignment)) == set(results)
    for result in results.values():
        assert result.points == 0.0
        assert "Sin intentar: " in result.text
        assert "✘" not in result.text


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_every_check_is_named_after_a_solution(assignment) -> None:
    cells = cells_of(assignment)
    solutions = [c.metadata.nbgrader.grade_id for c in cells if c.metadata.nbgrader.solution]
    checks = [c.metadata.nbgrader.grade_id for c in graded_cells(assignment)]
    for name in checks:
        assert len([s for s in solutions if name.startswith(f"{s}-")]) == 1, name
    for name in solutions:
        written = any(c.metadata.nbgrader.grade and c.metadata.nbgrader.grade_id == name for c in cells)
        assert written or {f"{name}-visible", f"{name}-oculta"} <= set(checks), name


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_what_an_assignment_tells_before_it_starts(assignment) -> None:
    cells = cells_of(assignment)
    first = cells[0].source
    assert "**Qué necesitas saber antes:**" in first
    assert re.search(r"\*\*Tiempo aproximado:\*\* \d+ minutos", first)
    total = sum(c.metadata.nbgrader.get("points", 0) for c in cells if c.metadata.nbgrader.grade)
    assert f"**Puntos:** {total:g}." in first
    assert sum(int(p) for p in re.findall(r"^\|[^|]+\| (\d+) \|", first, re.M)) == total
    [written] = [c for c in cells if c.metadata.nbgrader.grade and c.metadata.nbgrader.solution]
    [question] = [c for c in cells if "BEGIN MARK SCHEME" in c.source]
    rubric = question.source.partition("BEGIN MARK SCHEME")[2]
    assert len(re.findall(r"^- \*1 punto\*:", rubric, re.M)) == written.metadata.nbgrader.points
    assert f"**Rúbrica ({written.metadata.nbgrader.points} puntos)**" in rubric


@pytest.fixture
def any_library(monkeypatch):
    """Let answers call the package: here they are the catalogue's own."""
    monkeypatch.setattr(answer, "LIBRARIES", ())


@pytest.mark.parametrize("constant", CONSTANTS)
@pytest.mark.parametrize("name", EXERCISES)
def test_constants_earn_nothing(name, constant, any_library) -> None:
    """In a class the other methods, right here, earn theirs."""
    value = eval(constant)
    earned, total, _ = grade(name, lambda *_: copy.deepcopy(value))
    methods = sum(exercise.startswith("RetrievalEvaluator.") for exercise in EXERCISES)
    assert earned == pytest.approx(total - total / methods if "." in name else 0.0)


@pytest.mark.parametrize(("name", "misconception"), MISCONCEPTIONS)
def test_each_misconception_loses_points_and_gets_its_own_hint(name, misconception, any_library) -> None:
    earned, total, said = grade(name, lambda *args: misconception.wrong(*args))
    assert earned < total
    named = {m.hint for m in EXERCISES[name].misconceptions if f"→ {m.hint}" in said}
    assert named == {misconception.hint}


@pytest.mark.parametrize(("name", "style"), [(name, style) for name in STYLES for style in STYLES[name]])
def test_correct_styles_score_full(name, style) -> None:
    assignment, _ = checks_of(name if name != "RetrievalEvaluator" else "RetrievalEvaluator.mrr")
    results = run_cells(assignment, model_answers(assignment) | {name: STYLES[name][style]})
    full = points_of(assignment)
    for check, result in results.items():
        assert result.points == full[check], f"{check}: {result.text}"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_there_are_at_least_eight_styles(name) -> None:
    assert len(STYLES[name]) >= 8


# Mutants of the model answers: small changes, each of which must cost points.

OPERATORS = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div,), ast.Div: (ast.Mult,),
    ast.BitAnd: (ast.BitOr,),
    ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.Lt), ast.Lt: (ast.LtE,), ast.Eq: (ast.NotEq,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.And: (ast.Or,),
}  # fmt: skip
# Mutants that compute the same on everything the task allows: (function, what changed, where).
EQUIVALENT = {
    ("recall_at_k", "list", "set(relevant)"),  # no repeats in this task
    ("f1_at_k", "list", "set(relevant)"),
    ("RetrievalEvaluator", "+ 1", "5"),  # __init__ is given, and every case gives k
    ("RetrievalEvaluator", "- 1", "5"),
    ("graded_ndcg_at_k", "GtE", "gain > 0"),  # a gain of 0 adds nothing to the ideal
    ("randomization_p", "Gt", "abs(sum((s * d for s, d in zip(signs, differences)))) >= observed - 1e-09"),
}


def mutants(source: str):
    """Yield (what changed, where, source) for each place where one thing can be changed."""
    tree = ast.parse(source)
    for index, node in enumerate(ast.walk(tree)):
        for what, change in _changes(node):
            mutant = copy.deepcopy(tree)
            target = list(ast.walk(mutant))[index]
            change(target)
            text = ast.unparse(ast.fix_missing_locations(mutant))
            if text != ast.unparse(tree):
                yield what, ast.unparse(node), text


def _changes(node):
    match node:
        case ast.BinOp() | ast.AugAssign():
            for new in OPERATORS.get(type(node.op), ()):
                yield new.__name__, lambda n, new=new: setattr(n, "op", new())
        case ast.BoolOp():
            for new in OPERATORS.get(type(node.op), ()):
                yield new.__name__, lambda n, new=new: setattr(n, "op", new())
        case ast.Compare():
            for new in OPERATORS.get(type(node.ops[0]), ()):
                yield new.__name__, lambda n, new=new: setattr(n, "ops", [new()])
        case ast.Constant(value=bool()):
            yield "not", lambda n: setattr(n, "value", not n.value)
        case ast.Constant(value=int() | float()):
            yield "+ 1", lambda n: setattr(n, "value", n.value + 1)
            if node.value:
                yield "- 1", lambda n: setattr(n, "value", n.value - 1)
        case ast.If() | ast.IfExp():
            yield "if True", lambda n: setattr(n, "test", ast.Constant(value=True))
            yield "if False", lambda n: setattr(n, "test", ast.Constant(value=False))
        case ast.Slice(upper=ast.expr()):
            yield "no cut", lambda n: setattr(n, "upper", None)
        case ast.Call(func=ast.Name(id="set"), args=[_]):
            yield "list", lambda n: setattr(n.func, "id", "list")
        case ast.Call(func=ast.Name(id="min")):
            yield "max", lambda n: setattr(n.func, "id", "max")
        case ast.Call(func=ast.Name(id="max")):
            yield "min", lambda n: setattr(n.func, "id", "min")
        case ast.Call(func=ast.Name(id="abs")):
            yield "no abs", lambda n: setattr(n.func, "id", "float")
        case ast.Break():
            yield "continue", lambda n: setattr(n, "__class__", ast.Continue)
        case ast.comprehension(ifs=[_]):
            yield "no if", lambda n: setattr(n, "ifs", [])


@cache
def answers_with_mutants():
    found = []
    for assignment in ASSIGNMENTS:
        answers = model_answers(assignment)
        for name in answers:
            if name in FUNCTIONS:
                found += [
                    pytest.param(assignment, name, text, id=f"{name}: {what} in {where[:60]}")
                    for what, where, text in mutants(answers[name])
                    if (name, what, where) not in EQUIVALENT
                ]
    return found


@pytest.mark.parametrize(("assignment", "name", "source"), answers_with_mutants())
def test_no_mutant_of_the_model_answers_survives(assignment, name, source, monkeypatch) -> None:
    monkeypatch.setattr("ragmetrics.feedback.answer.call.__defaults__", (0.5,))
    results = run_cells(assignment, model_answers(assignment) | {name: source})
    full = points_of(assignment)
    lost = sum(full.values()) - sum(r.points for r in results.values())
    assert lost > 0, source
