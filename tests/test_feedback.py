"""The checks: points as a plain float, one report in Spanish, the mistake by its name."""

from __future__ import annotations

import contextlib
import math
import types
import warnings
from fractions import Fraction

import numpy as np
import pytest

from ragmetrics.feedback import (
    Case,
    CheckError,
    Group,
    MustRaise,
    answer,
    check_choice,
    check_cutoff,
    check_fraction,
    check_function,
    check_methods,
    check_option,
    check_range,
    check_value,
)
from ragmetrics.feedback.diagnosis import same
from ragmetrics.feedback.exercises import EXERCISES

GROUPS = (
    Group(
        "básico",
        1.0,
        (
            Case("mitad", (["a", "b"], ["b", "c"], 2)),
            Case("todo", (["b"], ["b"], 1)),
            Case("un tercio", (["a", "x"], ["a", "b", "c"], 2)),
        ),
    ),
    Group(
        "listas vacías",
        0.5,
        (Case("sin relevantes", (["a", "b"], [], 2)), Case("uno de dos", (["q"], ["q", "z"], 3))),
    ),
)


def recall(retrieved, relevant, k):
    return len(set(retrieved[:k]) & set(relevant)) / len(relevant) if relevant else 0.0


def grade(function, *groups, **options):
    recall_at_k = function
    return check_function(lambda: recall_at_k, *(groups or GROUPS), **options)


def grade_source(source, *groups, name="recall_at_k", **options):
    """Grade what a student's cells define, in a namespace of their own with IPython's history."""
    module = types.ModuleType("__main__")
    module.In = ["", source]
    with contextlib.suppress(SyntaxError):
        exec(compile(source, "<cell>", "exec"), module.__dict__)
    lookup = eval(f"lambda: {name}", module.__dict__)
    return check_function(lookup, *(groups or GROUPS), **options)


@pytest.mark.parametrize(
    "convert",
    [
        float,
        np.float64,
        np.float32,
        lambda x: Fraction(x).limit_denominator(1000),
        lambda x: np.array([x]),
        np.array,
        lambda x: int(x) if x in (0, 1) else x,
        lambda x: bool(x) if x in (0, 1) else x,
    ],
)
def test_right_answers_of_any_numeric_type_get_all_points(convert, capsys) -> None:
    points = grade(lambda retrieved, relevant, k: convert(recall(retrieved, relevant, k)))
    assert points == 1.5
    assert type(points) is float
    assert capsys.readouterr().out == "✔ Bien.\nPuntos: 1.5 de 1.5\n"


def test_each_group_earns_its_own_points_and_the_mistake_is_named(capsys) -> None:
    assert grade(lambda r, g, k: len(set(r[:k]) & set(g)) / len(g)) == 1.0
    out = capsys.readouterr().out
    assert "✘ recall_at_k(['a', 'b'], [], 2) se detiene con ZeroDivisionError" in out
    assert "→ ¿Qué pasa en tu división cuando `relevant` está vacía?" in out
    assert "Puntos: 1 de 1.5" in out


def test_the_smallest_failing_case_is_drawn(capsys) -> None:
    grade(lambda r, g, k: recall(r, g, k) / 2)
    out = capsys.readouterr().out
    assert "✘ recall_at_k(['b'], ['b'], 1) devuelve 0.5 y debería devolver 1 (caso: todo).\n    1 b ✓\n" in out


def leaves(*_):
    raise SystemExit(3)


def empties(retrieved, relevant, k):
    result = recall(retrieved, relevant, k)
    retrieved.clear()
    return result


def endless(retrieved, relevant, k):
    while True:
        pass


def stubborn(retrieved, relevant, k):
    while True:
        try:
            endless(retrieved, relevant, k)
        except Exception:
            continue


def raises(*_):
    raise NotImplementedError


class HostileError(Exception):
    def __str__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (raises, "Sin intentar: `recall_at_k` todavía ejecuta `raise NotImplementedError()`"),
        (lambda a, b, k: print(recall(a, b, k)), "devuelve None: ¿has escrito `return`, o solo `print`?"),
        (lambda a, b, k: None, "devuelve None: ¿falta un `return` en algún camino?"),
        (lambda a, b, k: "medio", "da un texto y debería dar un número entre 0 y 1"),
        (lambda a, b, k: f"{recall(a, b, k):.3f}", "Devuelves un texto con el número dentro"),
        (lambda a, b, k: (recall(a, b, k), 1), "da una lista o tupla y debería dar un número"),
        (lambda a, b, k: {"recall": recall(a, b, k)}, "da un dict y debería dar un número"),
        (lambda a, b, k: recall(a, b, k) * 1j, "da un valor de tipo complex y debería dar un número"),
        (lambda a, b, k: (x for x in a), "¿Hay un `yield`, o unos paréntesis"),
        (lambda a, b, k: float("nan"), "da nan: ¿divides entre cero"),
        (lambda a, b, k: float("inf"), "da inf"),
        (lambda a, b, k: 0.5, "Tu función devuelve siempre 0.5, pase lo que pase"),
        (lambda a, b, k: 100 * recall(a, b, k), "Tus resultados son 100 veces mayores"),
        (lambda a, b, k: round(recall(a, b, k), 2), "Redondeas el resultado"),
        (lambda a: 0.5, "no se puede llamar con (retrieved, relevant, k): tal como está definida recibe (a)"),
        (lambda relevant, retrieved, k: 0.5, "recibe sus argumentos en otro orden, (relevant, retrieved, k)"),
        (lambda g, r, k: recall(r, g, k), "Parece que `retrieved` y `relevant` están cambiados"),
        (leaves, "Tu código llama a `exit` o `quit`"),
        (empties, "modifica las listas que recibe"),
        (lambda a, b, k: undefined_name, "Usas un nombre que no existe"),  # noqa: F821
        (lambda a, b, k: (_ for _ in ()).throw(HostileError()), "se detiene con Exception"),
        (lambda a, b, k: 1.0 if a == ["b"] else 0.5 if a == ["a", "b"] and b else 0.0, "reconoce los ejemplos?"),
        (7, "`recall_at_k` debe ser una función y es un valor de tipo float"),
        (None, "`recall_at_k` debe ser una función y es None"),
    ],
)
def test_wrong_answers_lose_points_and_get_a_sentence(function, message, capsys) -> None:
    if function == 7:
        function = 7.0
    assert grade(function) < 1.5
    captured = capsys.readouterr()
    assert message in captured.out
    assert captured.err == ""


@pytest.mark.parametrize("function", [endless, stubborn])
def test_what_never_ends_is_stopped_and_said(function, monkeypatch, capsys) -> None:
    monkeypatch.setattr("ragmetrics.feedback.answer.call.__defaults__", (0.2,))
    assert grade(function) == 0.0
    out = capsys.readouterr().out
    assert "tarda demasiado y la comprobación la detiene" in out
    assert "¿Tienes un bucle que no termina?" in out


RIGHT = "def recall_at_k(r, g, k):\n    return len(set(r[:k]) & set(g)) / len(g) if g else 0.0\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def recal_at_k(r, g, k):\n    return 0.5", "Has definido `recal_at_k`, y la tarea pide `recall_at_k`"),
        ("def recallAtK(r, g, k):\n    return 0.5", "Has definido `recallAtK`, y la tarea pide `recall_at_k`"),
        ("x = 1", "Sin intentar: no encuentro `recall_at_k`"),
        ("def recall_at_k(r, g, k)\n    return 0.5", "error de sintaxis en la línea 1"),
        ("def recall_at_k(r, g, k):\nreturn 0.5", "error de sintaxis en la línea 2 (la sangría no cuadra)"),
        ("def recall_at_k(r, g, k):\n    x = 1\n\treturn x", "(mezclas tabuladores y espacios)"),
        ("set = [1]\n" + RIGHT, "el nombre de una función de Python (`set`)"),
        ("def recall_at_k(r, g, k):\n    list = []\n    return len(list(r))", "hay una variable llamada `list`"),
        ("seen = []\ndef recall_at_k(r, g, k):\n    seen.extend(d for d in r[:k] if d in g)\n"
         "    return min(1.0, len(seen) / max(1, len(g)))", "Llamada dos veces con lo mismo"),
        ("def recall_at_k(r, g, k, found=[]):\n    for d in r[:k]:\n        if d in g: found.append(d)\n"
         "    return len(found) / 7", "como una lista en un argumento por defecto"),
        ("def recall_at_k(r, g, k):\n    hits = len(set(r[:k]) & set(g))\n"
         "    return hits / (len(g) + hits + k + 3)\n    return hits", "Hay código después de un `return`"),
        ("def recall_at_k(r, g, k):\n    hits = len(set(r[:k]) & set(g))\n    for d in g:\n"
         "        return hits / (len(g) + hits + k + 3)\n    return 0.0",
         "Hay un `return` al final del cuerpo de tu bucle"),
        ("def other():\n    raise NotImplementedError()\ndef recall_at_k(r, g, k):\n    return other()",
         "llama a `other`, que todavía ejecuta"),
    ],
)  # fmt: skip
def test_what_is_wrong_around_the_answer_is_said(source, message, capsys) -> None:
    assert grade_source(source) < 1.5
    assert message in capsys.readouterr().out


def test_an_order_lost_in_a_set_is_seen_whatever_the_hash_seed(capsys) -> None:
    long = [f"{c}{i}" for i, c in enumerate("tbxmazckpdwe")]
    groups = (Group("orden", 1.0, (Case("largo", (long, long[:4], 4)), Case("otro", (long[::-1], long[-4:], 4)))),)
    source = "def recall_at_k(r, g, k):\n    return len(set(list(set(r))[:k]) & set(g)) / max(1, len(g))"
    assert grade_source(source, *groups) == 0.0
    assert "pasas `retrieved` por `set()`" in capsys.readouterr().out


def test_the_stub_left_above_an_answer_is_told_from_an_untouched_one(tmp_path, monkeypatch, capsys) -> None:
    import linecache

    for name, body, message in (
        ("above", "    raise NotImplementedError()\n    return 0.5\n", "hay código tuyo, pero la línea"),
        ("below", "    x = len(r)\n    raise NotImplementedError()\n", "hay código tuyo, pero la línea"),
        (
            "alone",
            '    """Doc."""\n    # ESCRIBE\n    raise NotImplementedError()\n',
            "Sin intentar: `recall_at_k`",
        ),
    ):
        source = f"def recall_at_k(r, g, k):\n{body}"
        linecache.cache[f"<{name}>"] = (len(source), None, source.splitlines(True), f"<{name}>")
        namespace = {}
        exec(compile(source, f"<{name}>", "exec"), namespace)
        assert grade(namespace["recall_at_k"]) == 0.0
        assert message in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "library"),
    [
        ("from ragmetrics import recall_at_k", "ragmetrics"),
        ("import ragmetrics\ndef recall_at_k(r, g, k):\n    return ragmetrics.recall_at_k(r, g, k)", "ragmetrics"),
        ("from ragmetrics import RetrievalEvaluator as E\nrecall_at_k = lambda r, g, k: E(k).recall_at_k(r, g)",
         "ragmetrics"),
        ("import sklearn.metrics as m\ndef recall_at_k(r, g, k):\n    y = [d in g for d in r[:k]]\n"
         "    return m.recall_score(y, y)", "sklearn.metrics"),
        ("import functools, ragmetrics\nrecall_at_k = functools.partial(ragmetrics.recall_at_k)", "ragmetrics"),
    ],
)  # fmt: skip
def test_another_library_earns_nothing_and_is_named(source, library, capsys) -> None:
    assert grade_source(source) == 0.0
    assert f"llama a la biblioteca `{library}`" in capsys.readouterr().out


def test_own_helpers_named_like_a_library_are_fine() -> None:
    own = "def _recall(r, g, k):\n    return len(set(r[:k]) & set(g)) / len(g) if g else 0.0\nranx = _recall\n"
    assert grade_source(own + "def recall_at_k(r, g, k):\n    return ranx(r, g, k)") == 1.5


def test_an_except_that_hides_everything_is_seen(capsys) -> None:
    groups = (Group("sin sentido", 1.0, (MustRaise("datos sin sentido", ((5, ["a"], 3), (["a"], 5, 3))),)),)

    def hides(r, g, k):
        try:
            return recall(r, g, k)
        except Exception:
            return 0.0

    assert grade(recall, *groups) == 1.0
    assert grade(hides, *groups) == 0.0
    assert "¿hay un `except` que se come cualquier error?" in capsys.readouterr().out


def test_hidden_reports_name_the_behaviour_and_nothing_of_the_case(capsys) -> None:
    def spy(retrieved, relevant, k):
        raise type(f"Leak{retrieved}", (ValueError,), {})(f"{retrieved} {relevant}")

    assert grade(lambda a, b, k: recall(a, b, k) / 2, hidden=True) == 0.0
    assert grade(spy, hidden=True) == 0.0
    assert grade(lambda a, b, k: {str(a): 1.0}, hidden=True) == 0.0
    assert grade(lambda a, b, k: warnings.warn(str(a), stacklevel=1), hidden=True) == 0.0
    assert grade(lambda a, b, k: np.array([a]), hidden=True) == 0.0
    out = capsys.readouterr().out
    assert "falla en un caso oculto. Tipo de caso: básico." in out
    assert "falla en un caso oculto (se detiene con ValueError). Tipo de caso: básico." in out
    for secret in ("mitad", "'a'", "'q'", "un tercio", "Leak"):
        assert secret not in out, secret


def test_warnings_are_silenced_and_mentioned_and_prints_swallowed(capsys) -> None:
    def noisy(retrieved, relevant, k):
        print("debug")
        np.divide(np.array([0.0]), 0.0)
        return recall(retrieved, relevant, k)

    with warnings.catch_warnings(record=True) as caught:
        assert grade(noisy) == 1.5
    assert caught == []
    captured = capsys.readouterr()
    assert "! Tu código lanza avisos (RuntimeWarning). No quitan puntos" in captured.out
    assert "debug" not in captured.out
    assert captured.err == ""


def test_two_mistakes_in_one_answer_get_one_hint(capsys) -> None:
    def wrong(r, g, k):  # divides by k, and only guards the empty gold
        return 100 * len(set(r[:k]) & set(g)) / k if g else 1.0

    assert grade(wrong) == 0.0
    assert capsys.readouterr().out.count("→") <= 1


def test_a_value_is_right_within_its_tolerance_and_known_mistakes_are_named(capsys) -> None:
    value = 0.33
    assert check_value(lambda: value, expected=1 / 3, points=2.0, tolerance=0.005) == 2.0
    assert (
        check_value(lambda: value, expected=0.34, points=2.0, tolerance=0.005, mistakes={0.33: "¿Y si…?"}) == 0.0
    )
    out = capsys.readouterr().out
    assert "`value` vale 0.33 y no es el valor correcto" in out
    assert "→ ¿Y si…?" in out
    assert check_value(lambda: not_there, expected=1, points=1.0) == 0.0  # noqa: F821
    assert "Sin intentar: no encuentro `not_there`" in capsys.readouterr().out


def test_choices_and_ranges_answer_the_wrong_ones(capsys) -> None:
    metric, k = " Recall ", 3
    assert check_choice(lambda: metric, right=("recall",), points=1.0) == 1.0
    assert (
        check_choice(lambda: metric, right=("mrr",), points=1.0, hints={"recall": "¿Cuántos hacen falta?"}) == 0.0
    )
    assert check_range(lambda: k, 1, 5, points=1.0) == 1.0
    assert check_range(lambda: k, 10, 20, points=1.0, below="¿Caben todos?") == 0.0
    out = capsys.readouterr().out
    assert "→ ¿Cuántos hacen falta?" in out
    assert "→ ¿Caben todos?" in out


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (check_fraction, 33, "`value` vale 33 y debe ser un número entre 0 y 1."),
        (check_fraction, "0.33", "`value` es un valor de tipo str y debería ser un número"),
        (check_fraction, None, "`value` vale None: guarda en ella el número."),
        (check_fraction, (0, 33), "en Python los decimales se escriben con punto"),
        (check_cutoff, 2.5, "`value` vale 2.5 y debe ser un entero mayor o igual que 1."),
        (check_cutoff, 0, "`value` vale 0 y debe ser un entero mayor o igual que 1."),
        (lambda f: check_option(f, ("recall", "mrr")), "map", "debe ser uno de estos textos: 'recall', 'mrr'"),
    ],
)
def test_what_has_the_wrong_format_is_an_error_that_shows_our_words_only(check, value, message) -> None:
    with pytest.raises(CheckError) as failed:
        check(lambda: value)
    assert message in str(failed.value)
    assert failed.value._render_traceback_() == [str(failed.value)]
    assert str(failed.value).startswith("✘ ")


def test_a_format_is_checked_without_giving_points_or_the_answer_away(capsys) -> None:
    value = 0.2
    assert check_fraction(lambda: value) == 0.0
    assert "✔ `value` es un número entre 0 y 1; su valor se comprueba al corregir." in capsys.readouterr().out


@pytest.mark.parametrize("name", EXERCISES)
def test_the_probes_tell_the_misconceptions_apart(name) -> None:
    """Each differs from what is right, and from every other one."""
    exercise = EXERCISES[name]
    probes = [case.args for case in exercise.probes]
    if name == "evaluate_multiple_queries":
        probes = [(StandIn(k), *rest) for k, *rest in probes]
    seen = {"right": [answer.call(exercise.reference, args) for args in probes]}
    assert not any(o.error for o in seen["right"])
    for misconception in exercise.misconceptions:
        outcomes = [answer.call(misconception.wrong, args) for args in probes]
        for other, theirs in seen.items():
            assert not all(map(same, outcomes, theirs)), f"{misconception.name} is {other}"
        seen[misconception.name] = outcomes
        assert "?" in misconception.hint


class StandIn:
    """An evaluator whose results can be read off its arguments."""

    def __init__(self, k):
        self.k = k

    def evaluate_all(self, r, g):
        return {"recall@k": len(r) / 10, "precision@k": len(g) / 10, "f1@k": (len(r) + 1) / (len(g) + 5),
                "mrr": self.k / 10, "ndcg@k": 0.5 if r and r[0] == "a" else 0.0}  # fmt: skip


def test_the_time_limit_leaves_no_alarm_behind() -> None:
    import signal

    answer.call(recall, (["a"], ["a"], 1))
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert math.isclose(answer.SECONDS, 3.0)


def test_each_method_of_a_class_is_named_and_a_dict_shows_the_key_that_differs(capsys) -> None:
    class RetrievalEvaluator:
        def __init__(self, k):
            self.k = k

        def precision_at_k(self, retrieved, relevant):
            return len(set(retrieved[: self.k]) & set(relevant)) / self.k

        def evaluate_all(self, retrieved, relevant):
            return dict.fromkeys(("recall@k", "precision@k", "f1@k", "mrr", "ndcg@k"), 1.0)

    groups = (Group("básico", 0.5, (Case("uno de dos", (2, ["a", "x"], ["a"])), Case("todo", (1, ["a"], ["a"])))),)
    methods = dict.fromkeys(("precision_at_k", "evaluate_all", "mrr"), groups)
    assert check_methods(lambda: RetrievalEvaluator, methods) == 0.5
    out = capsys.readouterr().out
    assert "✔ `precision_at_k`: bien." in out
    assert "evaluate_all(['a', 'x'], ['a']) devuelve 1 en la clave 'precision@k' y debería devolver 0.5" in out
    assert "· Sin intentar: tu clase `RetrievalEvaluator` no tiene el método `mrr`." in out
