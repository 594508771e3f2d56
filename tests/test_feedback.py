"""The checks say in one Spanish sentence what is wrong and return the points as a plain float."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest

from ragmetrics.feedback import Case, CheckError, Group, check_fraction, check_function, check_value

GROUPS = (
    Group("básico", 1.0, (Case("mitad", ([1, 2], [2]), 0.5), Case("todo", ([2], [2]), 1.0))),
    Group("listas vacías", 0.5, (Case("vacía", ([], [2]), 0.0), Case("una de tres", ([1, 2, 3], [3]), 1 / 3))),
)


def share(retrieved, relevant):
    return len(set(retrieved) & set(relevant)) / len(retrieved) if retrieved else 0.0


def grade(function, **options):
    answer = function  # the name the report uses
    return check_function(lambda: answer, *GROUPS, **options)


@pytest.mark.parametrize(
    "convert",
    [
        float,
        np.float64,
        np.float32,
        lambda x: Fraction(x).limit_denominator(1000),
        lambda x: np.array([x]),
        np.array,
    ],
)
def test_right_answers_of_any_numeric_type_get_all_points(convert, capsys) -> None:
    points = grade(lambda retrieved, relevant: convert(share(retrieved, relevant)))
    assert points == 1.5
    assert type(points) is float
    assert capsys.readouterr().out == "✔ Bien.\nPuntos: 1.5 de 1.5\n"


def test_each_group_earns_its_own_points(capsys) -> None:
    assert grade(lambda retrieved, relevant: len(set(retrieved) & set(relevant)) / len(retrieved)) == 1.0
    out = capsys.readouterr().out
    assert "✘ answer([], [2]) se detiene con ZeroDivisionError" in out
    assert "Puntos: 1 de 1.5" in out


def raises(*_):
    raise NotImplementedError


def leaves(*_):
    raise SystemExit(3)


def empties(retrieved, relevant):
    result = share(retrieved, relevant)
    retrieved.clear()
    return result


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (raises, "Sin intentar: `answer` todavía ejecuta `raise NotImplementedError()`"),
        (lambda a, b: print(share(a, b)), "devuelve None: ¿has escrito `return`, o solo `print`?"),
        (lambda a, b: "0.5", "da un valor de tipo str y debería dar un número"),
        (lambda a, b: (0.5, 1), "da un valor de tipo tuple"),
        (lambda a, b: 0.5j, "da un valor de tipo complex"),
        (lambda a, b: float("nan"), "da nan: ¿divides entre cero"),
        (lambda a, b: float("inf"), "da inf"),
        (lambda a: 0.5, "se detiene con TypeError"),
        (leaves, "se detiene con SystemExit: 3"),
        (empties, "modifica las listas que recibe"),
        (lambda a, b: 100 * share(a, b), "devuelve 50 y debería devolver 0.5 (caso: mitad)"),
        (7, "`answer` debe ser una función y es un valor de tipo int"),
    ],
)
def test_wrong_answers_earn_nothing_and_get_a_sentence(function, message, capsys) -> None:
    assert grade(function) == 0.0
    captured = capsys.readouterr()
    assert message in captured.out
    assert captured.err == ""


def test_a_missing_name_is_a_sentence_and_not_an_error(capsys) -> None:
    assert check_function(lambda: missing_function, *GROUPS) == 0.0  # noqa: F821
    assert "no encuentro `missing_function`" in capsys.readouterr().out


def test_hidden_reports_name_the_behaviour_and_nothing_of_the_case(capsys) -> None:
    assert grade(lambda a, b: 0.5, hidden=True) == 0.0
    out = capsys.readouterr().out
    assert "falla en un caso oculto. Tipo de caso: básico." in out
    for secret in ("mitad", "[1, 2]", "0.3333"):
        assert secret not in out


@pytest.mark.parametrize("secret_in", [ValueError, KeyError])
def test_hidden_reports_do_not_repeat_what_the_student_raises(secret_in, capsys) -> None:
    def spy(retrieved, relevant):
        raise secret_in(f"{retrieved} {relevant}")

    assert grade(spy, hidden=True) == 0.0
    assert "[2]" not in capsys.readouterr().out


def test_warnings_and_prints_of_the_answer_do_not_reach_the_cell(capsys) -> None:
    def noisy(retrieved, relevant):
        warnings.warn("careful", RuntimeWarning, stacklevel=1)
        print("debug")
        return float(np.divide(0.0, 0.0)) if retrieved is None else share(retrieved, relevant)

    with warnings.catch_warnings(record=True) as caught:
        assert grade(noisy) == 1.5
    assert caught == []
    captured = capsys.readouterr()
    assert "debug" not in captured.out
    assert captured.err == ""


def test_a_value_is_right_within_its_tolerance(capsys) -> None:
    value = 0.33
    assert check_value(lambda: value, expected=1 / 3, points=2.0, tolerance=0.005) == 2.0
    assert check_value(lambda: value, expected=0.34, points=2.0, tolerance=0.005) == 0.0
    assert "`value` vale 0.33 y no es el valor correcto" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (33, "`value` vale 33 y debe estar entre 0 y 1."),
        ("0.33", "`value` da un valor de tipo str"),
        (None, "`value` vale None: guarda en ella el número."),
        ((0, 33), "en Python los decimales se escriben con punto"),
    ],
)
def test_what_is_not_a_fraction_is_an_error_that_shows_our_words_only(value, message) -> None:
    with pytest.raises(CheckError, match=message) as failed:
        check_fraction(lambda: value)
    assert failed.value._render_traceback_() == [str(failed.value)]
    assert str(failed.value).startswith("✘ ")


def test_a_fraction_is_checked_without_giving_points_or_the_answer_away(capsys) -> None:
    value = 0.2
    assert check_fraction(lambda: value) == 0.0
    assert "✔ `value` es un número entre 0 y 1; su valor se comprueba al corregir." in capsys.readouterr().out
