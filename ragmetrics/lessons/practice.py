"""A practice question: the reader writes a number and the cell says whether it is right."""

import re
from math import isclose
from typing import Any


def check(answer: Any, expected: float) -> None:
    """Dice si una respuesta es correcta. Vale redondear a dos decimales.

    >>> check(None, 0.5)
    Escribe tu respuesta en lugar de None y vuelve a ejecutar la celda.
    >>> check(0.33, 1 / 3)
    ¡Correcto!
    >>> check(33, 1 / 3)
    Casi: parece un porcentaje. Escríbelo entre 0 y 1.
    >>> check((0, 33), 1 / 3)  # lo que Python entiende si escribes 0,33
    En Python los decimales se escriben con punto: 0.33.
    >>> check(0.5, 1 / 3)
    Todavía no: 0.5 no es el valor. Repasa la fórmula y cuenta otra vez.
    """
    print(_verdict(answer, expected))


def _verdict(answer: Any, expected: float) -> str:
    if answer is None or answer is ...:
        return "Escribe tu respuesta en lugar de None y vuelve a ejecutar la celda."
    with_comma = _decimal_comma(answer)
    if with_comma:
        return f"En Python los decimales se escriben con punto: {with_comma}."
    try:
        number = float(answer)
    except (TypeError, ValueError):
        return f"Escribe un número, por ejemplo 0.25 o 1 / 4. Lo que llegó es {answer!r}."
    if _rounded(number, expected):
        return "¡Correcto!"
    if expected and _rounded(number / 100, expected):
        return "Casi: parece un porcentaje. Escríbelo entre 0 y 1."
    return f"Todavía no: {answer} no es el valor. Repasa la fórmula y cuenta otra vez."


def _decimal_comma(answer: Any) -> str | None:
    """Return with a point what was written with a comma: 0,25 is the tuple (0, 25) in Python."""
    if isinstance(answer, tuple):
        answer = ",".join(map(str, answer))
    match = re.fullmatch(r"(\d+),(\d+)", answer) if isinstance(answer, str) else None
    return f"{match[1]}.{match[2]}" if match else None


def _rounded(number: float, expected: float) -> bool:
    return isclose(number, expected, abs_tol=0.005 + 1e-9)
