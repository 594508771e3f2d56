"""Check an answer against cases, print one Spanish sentence for each failure, return the points earned.

A graded cell ends in a call of `check_function` or `check_value`. What they return is a plain float, which
nbgrader takes as partial credit; what they print is the feedback. They neither raise nor write to stderr,
because nbgrader turns either into 0 points; `check_fraction`, which gives none, is the exception.

Each line of a report begins with a mark that says how the answer stands; `ragmetrics check` reads them.
"""

from __future__ import annotations

import contextlib
import copy
import io
import math
import numbers
import traceback
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

RIGHT, WRONG, NOT_ATTEMPTED = "✔", "✘", "·"
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


class Failure(NamedTuple):
    """Why an answer does not pass."""

    mark: str
    text: str


class CheckError(Exception):
    """What a check without points raises, because nbgrader's Validate sees nothing else there."""

    def _render_traceback_(self) -> list[str]:  # IPython shows this instead of a traceback
        return [str(self)]


def check_function(answer: Callable[[], Any], *groups: Group, hidden: bool = False) -> float:
    """Points that the function returned by `answer()` earns, one all-or-nothing share per group.

    `answer` is a lambda, so that a missing name is a message and not an error of the cell. With `hidden`
    the report names the behaviour that fails and nothing of the case.
    """
    total = sum(group.points for group in groups)
    name = _name(answer)
    function, failure = _resolve(answer)
    if failure is None and not callable(function):
        failure = Failure(WRONG, f"`{name}` debe ser una función y es {_describe_type(function)}.")
    if failure is not None:
        return _report([failure], 0.0, total)
    earned, failures = 0.0, []
    for group in groups:
        failure = next(filter(None, (_failure(name, function, case) for case in group.cases)), None)
        if failure is None:
            earned += group.points
        elif hidden and failure.mark == WRONG:
            text = f"`{name}` falla en un caso oculto. Tipo de caso: {group.behaviour}."
            failures.append(Failure(WRONG, text))
        else:
            failures.append(failure)
    return _report(failures, earned, total)


def check_value(answer: Callable[[], Any], expected: float, points: float, tolerance: float = TOLERANCE) -> float:
    """Points that the number returned by `answer()` earns: all of them within `tolerance`, else none."""
    number, failure = _resolve_number(answer)
    if failure is None and not math.isclose(number, expected, rel_tol=0.0, abs_tol=tolerance):
        text = f"`{_name(answer)}` vale {number:.4g} y no es el valor correcto: revisa tus cuentas."
        failure = Failure(WRONG, text)
    return _report([failure] if failure else [], 0.0 if failure else points, points)


def check_fraction(answer: Callable[[], Any]) -> float:
    """0.0 points when `answer()` is a number between 0 and 1, else CheckError; its value is judged elsewhere."""
    name = _name(answer)
    number, failure = _resolve_number(answer)
    if failure is None and not 0.0 <= number <= 1.0:
        failure = Failure(WRONG, f"`{name}` vale {number:.4g} y debe estar entre 0 y 1.")
    if failure is not None:
        raise CheckError(f"{failure.mark} {failure.text}")
    print(f"{RIGHT} `{name}` es un número entre 0 y 1; su valor se comprueba al corregir.")
    return 0.0


def _name(answer: Callable[[], Any]) -> str:
    """Name that the lambda looks up."""
    code = answer.__code__
    return (code.co_names + code.co_freevars)[0]


def _resolve(answer: Callable[[], Any]) -> tuple[Any, Failure | None]:
    try:
        return answer(), None
    except NameError:
        name = _name(answer)
        text = f"Sin intentar: no encuentro `{name}`; defínelo con ese nombre exacto y ejecuta su celda."
        return None, Failure(NOT_ATTEMPTED, text)


def _resolve_number(answer: Callable[[], Any]) -> tuple[float, Failure | None]:
    value, failure = _resolve(answer)
    if failure is not None:
        return math.nan, failure
    number, problem = _as_number(value)
    if value is None:
        problem = "vale None: guarda en ella el número."
    elif isinstance(value, tuple) and len(value) == 2:
        problem = f"vale {value}: en Python los decimales se escriben con punto, como 0.25."
    return number, Failure(WRONG, f"`{_name(answer)}` {problem}") if problem else None


def _failure(name: str, function: Callable[..., Any], case: Case) -> Failure | None:
    """How the function fails the case, or None when it is right."""
    args = copy.deepcopy(case.args)
    call = f"{name}({', '.join(map(repr, case.args))})"
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = function(*args)
    except KeyboardInterrupt:  # the time is up: stop here, the other cases would take as long
        raise
    except BaseException as error:
        return _raised(name, function, call, case, error)
    number, problem = _as_number(value)
    if problem is not None:
        return Failure(WRONG, f"{call} {problem}")
    if args != case.args:
        return Failure(WRONG, f"{call} modifica las listas que recibe: trabaja con una copia (caso: {case.why}).")
    if not math.isclose(number, case.expected, rel_tol=0.0, abs_tol=TOLERANCE):
        expected = f"debería devolver {case.expected:.4g}"
        return Failure(WRONG, f"{call} devuelve {number:.4g} y {expected} (caso: {case.why}).")
    return None


def _raised(name: str, function: Callable[..., Any], call: str, case: Case, error: BaseException) -> Failure:
    """What an exception of the function means."""
    where = traceback.extract_tb(error.__traceback__)[-1].name
    if type(error) is NotImplementedError and where == getattr(function, "__name__", name):
        return Failure(
            NOT_ATTEMPTED,
            f"Sin intentar: `{name}` todavía ejecuta `raise NotImplementedError()`; "
            "escribe tu solución y borra esa línea.",
        )
    if type(error) is NotImplementedError:
        return Failure(WRONG, f"`{name}` llama a `{where}`, que todavía ejecuta `raise NotImplementedError()`.")
    try:
        text = str(error)
    except Exception:
        text = "(sin mensaje)"
    return Failure(WRONG, f"{call} se detiene con {type(error).__name__}: {text} (caso: {case.why}).")


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


def _report(failures: list[Failure], earned: float, total: float) -> float:
    """Print the failures, or that all is right, and the points; return the points."""
    for mark, text in dict.fromkeys(failures):
        print(f"{mark} {text}")
    if not failures:
        print(f"{RIGHT} Bien.")
    print(f"Puntos: {earned:g} de {total:g}")
    return float(earned)
