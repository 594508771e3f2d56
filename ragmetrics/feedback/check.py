"""Check an answer against cases, print one Spanish sentence for each failure, return the points earned.

A graded cell ends in a call of `check_function` or `check_value`. What they return is a plain float, which
nbgrader takes as partial credit; what they print is the feedback. They neither raise nor write to stderr,
because nbgrader turns either into 0 points; `check_fraction`, which gives none, is the exception.
"""

from __future__ import annotations

import contextlib
import copy
import io
import math
import numbers
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

TOLERANCE = 1e-6  # float32 and other correct ways of computing stay within it


class Case(NamedTuple):
    """One call of the student's function: what is asked and why, with the right value."""

    why: str
    args: tuple[Any, ...]
    expected: float


class Group(NamedTuple):
    """Cases about one behaviour; its points are earned when all of them are right."""

    behaviour: str
    points: float
    cases: tuple[Case, ...]


def check_function(answer: Callable[[], Any], *groups: Group, hidden: bool = False) -> float:
    """Points that the function returned by `answer()` earns, one all-or-nothing share per group.

    `answer` is a lambda, so that a missing name is a message and not an error of the cell. With `hidden`
    the report names the behaviour that fails and nothing of the case.
    """
    function, problem = _resolve(answer)
    if problem is None and not callable(function):
        problem = f"`{_name(answer)}` debe ser una función y es {_describe_type(function)}."
    if problem is not None:
        return _report([problem], 0.0, groups)
    earned, failures = 0.0, []
    for group in groups:
        failure = next(filter(None, (_failure(_name(answer), function, case) for case in group.cases)), None)
        if failure is None:
            earned += group.points
        elif hidden and not failure.startswith("Sin intentar"):
            failures.append(
                f"{_name(answer)}: tu función falla en un caso oculto de este tipo: {group.behaviour}."
            )
        else:
            failures.append(failure)
    return _report(failures, earned, groups)


def check_value(answer: Callable[[], Any], expected: float, points: float, tolerance: float = TOLERANCE) -> float:
    """Points that the number returned by `answer()` earns: all of them within `tolerance`, else none."""
    name = f"`{_name(answer)}`"
    value, failure = _resolve(answer)
    if failure is None:
        number, problem = _as_number(value)
        if problem is not None:
            failure = f"{name} {problem}"
        elif not math.isclose(number, expected, rel_tol=0.0, abs_tol=tolerance):
            failure = f"{name} vale {number:.4g} y no es el valor correcto: revisa tus cuentas."
    failures = [failure] if failure else []
    return _report(failures, 0.0 if failures else points, (Group("valor", points, ()),))


class CheckError(Exception):
    """What a check without points raises, because nbgrader's Validate sees nothing else there."""

    def _render_traceback_(self) -> list[str]:  # IPython shows this instead of a traceback
        return [f"✘ {self}"]


def check_fraction(answer: Callable[[], Any]) -> float:
    """0.0 points when `answer()` is a number between 0 and 1, else CheckError; its value is judged elsewhere."""
    name = f"`{_name(answer)}`"
    value, failure = _resolve(answer)
    if failure is None:
        number, problem = _as_number(value)
        if problem is not None:
            failure = f"{name} {problem}"
        elif not 0.0 <= number <= 1.0:
            failure = f"{name} vale {number:.4g} y debe estar entre 0 y 1."
    if failure is not None:
        raise CheckError(failure)
    print(f"✔ {name} es un número entre 0 y 1; su valor se comprueba al corregir.")
    return 0.0


def _name(answer: Callable[[], Any]) -> str:
    """Name that the lambda looks up."""
    code = answer.__code__
    return (code.co_names + code.co_freevars)[0]


def _resolve(answer: Callable[[], Any]) -> tuple[Any, str | None]:
    try:
        return answer(), None
    except NameError:
        name = _name(answer)
        return None, (f"Sin intentar: no encuentro `{name}`; defínelo con ese nombre exacto y ejecuta su celda.")


def _failure(name: str, function: Callable[..., Any], case: Case) -> str | None:
    """One sentence that says how the function fails the case, or None when it is right."""
    args = copy.deepcopy(case.args)
    call = f"{name}({', '.join(map(repr, case.args))})"
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = function(*args)
    except NotImplementedError:
        return (
            f"Sin intentar: `{name}` todavía ejecuta `raise NotImplementedError()`; "
            "escribe tu solución y borra esa línea."
        )
    except (Exception, SystemExit) as error:
        return f"{call} se detiene con {type(error).__name__}: {error} (caso: {case.why})."
    number, problem = _as_number(value)
    if problem is not None:
        return f"{call} {problem}"
    if args != case.args:
        return f"{call} modifica las listas que recibe: trabaja con una copia (caso: {case.why})."
    if not math.isclose(number, case.expected, rel_tol=0.0, abs_tol=TOLERANCE):
        return f"{call} devuelve {number:.4g} y debería devolver {case.expected:.4g} (caso: {case.why})."
    return None


def _as_number(value: Any) -> tuple[float, str | None]:
    """The value as a finite float, and what is wrong with it when it is not one."""
    if value is None:
        return math.nan, "devuelve None: ¿has escrito `return`, o solo `print`?"
    try:
        if not isinstance(value, numbers.Number):
            value = value.item()  # a numpy array of one element counts as its number
        number = float(value)
    except Exception:
        return math.nan, f"da {_describe_type(value)} y debería dar un número."
    if not math.isfinite(number):
        return number, f"da {number}: ¿divides entre cero en algún caso?"
    return number, None


def _describe_type(value: Any) -> str:
    return f"un valor de tipo {type(value).__name__}"


def _report(failures: list[str], earned: float, groups: tuple[Group, ...]) -> float:
    """Print the failures, or that all is right, and the points; return the points."""
    total = sum(group.points for group in groups)
    for failure in dict.fromkeys(failures):
        print(f"✘ {failure}")
    if not failures:
        print("✔ Bien.")
    print(f"Puntos: {earned:g} de {total:g}")
    return float(earned)
