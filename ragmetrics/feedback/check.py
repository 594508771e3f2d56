"""The check: from an answer to points and a report that names the mistake.

A graded cell ends in a call of one of these functions. They return a plain float, which nbgrader takes as
partial credit, and show a report. They neither raise nor write to stderr, because nbgrader turns either into
0 points; the checks of format, which give no points, are the exception (`CheckError`).
"""

from __future__ import annotations

import ast
import inspect
import math
import random
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from ragmetrics.feedback.answer import Answer, Outcome, call, plain
from ragmetrics.feedback.cases import Case, Group, MustRaise
from ragmetrics.feedback.diagnosis import EXACTLY, TOLERANCE, WHERE_IT_SHOWS, diagnose, equal, same
from ragmetrics.feedback.exercises import EXERCISES, RESULTS, Exercise
from ragmetrics.feedback.report import (
    DRAWN,
    HINT,
    NOT_ATTEMPTED,
    NOTE,
    RIGHT,
    WRONG,
    Drawing,
    Line,
    Report,
    publish,
)

SLOW = "TimeUp"
STUB = "NotImplementedError"
WRONG_RESULT = "da un resultado que no es el correcto"
MANY = 0.6  # share of the failures from which a constant is named

# What an error of the student's code most often means.
ERRORS = {
    "ZeroDivisionError": "¿Con qué datos vale 0 tu denominador? Mira qué dicen las convenciones de ese caso.",
    "IndexError": "Pides una posición que no existe. ¿Qué pasa cuando la lista es corta o está vacía?",
    "KeyError": "Pides una clave que no está en el dict. ¿Qué debe valer lo que no está?",
    "ValueError": "¿Buscas con `.index` algo que puede no estar, o conviertes un texto que no es un número?",
    "TypeError": "Mezclas tipos que no encajan. ¿Qué es cada variable en esa línea: una lista, un número, None?",
    "NameError": "Usas un nombre que no existe. ¿Una errata, un `import` que falta o una celda sin ejecutar?",
    "UnboundLocalError": "Usas una variable antes de darle valor. ¿Se asigna en todos los caminos?",
    "AttributeError": "Pides un método o atributo que no existe. ¿De qué tipo es el objeto, y se llama así?",
    "RecursionError": "Tu función se llama a sí misma sin parar. ¿Cuál es el caso que la detiene?",
    "ModuleNotFoundError": "Importas un módulo que no está instalado aquí. ¿Puedes hacerlo con Python o numpy?",
    "StopIteration": "Pides a `next` algo que puede no existir. ¿Qué devuelve cuando no hay ninguno?",
    "SystemExit": "Tu código llama a `exit` o `quit`. ¿Querías `return`?",
    SLOW: "¿Tienes un bucle que no termina? Mira qué tiene que cambiar en cada vuelta para que acabe.",
}


class CheckError(Exception):
    """What a check without points raises, because nbgrader's Validate sees nothing else there."""

    def _render_traceback_(self) -> list[str]:  # IPython shows this instead of a traceback
        return [str(self)]


class Tried(NamedTuple):
    """A case that was tried and what is wrong with the outcome: nothing when `problem` is empty."""

    case: Case | MustRaise
    outcome: Outcome
    right: Outcome
    problem: str = ""


class Failed(NamedTuple):
    """A group whose points are not earned, and its smallest failing case."""

    group: Group
    tried: Tried


def check_function(
    answer: Callable[[], Any],
    *groups: Group,
    hidden: bool = False,
    method: str = "",
    evaluator: Callable[[], Any] | None = None,
) -> float:
    """Points that the student's function earns: of each group of behaviour all of them, or none.

    Args:
        answer: a lambda, so that a missing name is a message and not an error of the cell; the name that it
            looks up says which exercise this is.
        groups: cases of each behaviour and its points.
        hidden: the report names the kind of case that fails and nothing of the case.
        method: the method of the class to call; the first argument of each case is then what builds the object.
        evaluator: a lambda with a class; the first argument of each case is then what builds the object that
            is passed to the function.
    """
    checker = _Checker(Answer(answer), method, evaluator, hidden)
    return publish(checker.check(groups))


def check_methods(
    answer: Callable[[], Any], methods: Mapping[str, tuple[Group, ...]], hidden: bool = False
) -> float:
    """Points that the student's class earns, method by method, with a report for each: see `check_function`."""
    return sum(check_function(answer, *groups, hidden=hidden, method=name) for name, groups in methods.items())


class _Checker:
    """One check of one function."""

    def __init__(self, answer: Answer, method: str, evaluator: Callable[[], Any] | None, hidden: bool) -> None:
        self.answer, self.method, self.evaluator, self.hidden = answer, method, evaluator, hidden
        self.name = f"{answer.name}.{method}" if method else answer.name
        self.exercise: Exercise = EXERCISES[self.name]
        self.stopped = Outcome()  # a call that ended all others: too slow, or of a library

    def check(self, groups: tuple[Group, ...]) -> Report:
        total = sum(group.points for group in groups)
        problem = self._problem_before_calling()
        if problem is not None:
            return Report(self.name, [problem], 0.0, total)

        tried = [[self._try(case) for case in group.cases] for group in groups]
        if self.stopped.library:
            text = (
                f"`{self.name}` llama a la biblioteca `{self.stopped.library}`, que ya calcula la métrica. Puntúa "
                "lo que programas tú: escribe la fórmula con Python o numpy."
            )
            return Report(self.name, [Line(WRONG, text)], 0.0, total, misconception="usa una biblioteca")
        stub = self._stub(tried)
        if stub is not None:
            return Report(self.name, [stub], 0.0, total)

        failed = [
            Failed(group, min((t for t in results if t.problem), key=_size))
            for group, results in zip(groups, tried, strict=True)
            if any(t.problem for t in results)
        ]
        earned = total - sum(group.points for group, _ in failed)
        if not failed:
            well = f"`{self.method}`: bien." if self.method else "Bien."
            return Report(self.name, [Line(RIGHT, well), *self._notes(tried)], earned, total)
        name, hint = self._explain([t for results in tried for t in results])
        lines = [self._line(one) for one in failed] + [Line(HINT, hint)] * bool(hint) + self._notes(tried)
        return Report(self.name, list(dict.fromkeys(lines)), earned, total, self._drawings(failed), name)

    # Before any call: is there something to call?

    def _problem_before_calling(self) -> Line | None:
        answer = self.answer
        if not answer.found:
            return self._missing()
        value: Any = answer.value
        if self.method:
            if not inspect.isclass(value):
                return Line(WRONG, f"`{answer.name}` debe ser una clase y es {answer.kind}.")
            if not callable(getattr(value, self.method, None)):
                return Line(
                    NOT_ATTEMPTED, f"Sin intentar: tu clase `{answer.name}` no tiene el método `{self.method}`."
                )
        elif not callable(value):
            return Line(WRONG, f"`{answer.name}` debe ser una función y es {answer.kind}.")
        if self.evaluator is not None and not Answer(self.evaluator).found:
            name = Answer(self.evaluator).name
            return Line(WRONG, f"No encuentro `{name}`: ejecuta la celda del enunciado que lo define.")
        return self._wrong_signature()

    def _missing(self) -> Line:
        error = self.answer.syntax_error()
        if error is not None:
            kinds = {"IndentationError": "la sangría no cuadra", "TabError": "mezclas tabuladores y espacios"}
            what = kinds.get(type(error).__name__, "¿falta un paréntesis, una comilla o dos puntos?")
            text = (
                f"Python no puede leer la celda de `{self.answer.name}`: error de sintaxis en la línea "
                f"{error.lineno} ({what})."
            )
            return Line(WRONG, text)
        similar = self.answer.similar_name()
        if similar:
            text = f"Has definido `{similar}`, y la tarea pide `{self.answer.name}`: ¿es un nombre cambiado?"
            return Line(WRONG, text)
        return _not_found(self.answer)

    def _wrong_signature(self) -> Line | None:
        wanted = self.exercise.parameters[1:] if self.method else self.exercise.parameters
        target = getattr(self.answer.value, self.method) if self.method else self.answer.value
        try:
            signature = inspect.signature(target)
        except Exception:  # some callables have none
            return None
        names = [name for name in signature.parameters if name != "self"]
        asked = ", ".join(wanted)
        if names != list(wanted) and sorted(names) == sorted(wanted):
            received = ", ".join(names)
            text = f"`{self.name}` recibe sus argumentos en otro orden, ({received}); la tarea pide ({asked})."
            return Line(WRONG, text)
        is_static = self.method and isinstance(
            inspect.getattr_static(self.answer.value, self.method), staticmethod
        )
        is_bound = self.method and inspect.ismethod(target)
        try:
            signature.bind(*([None] if self.method and not is_static and not is_bound else []), *wanted)
        except TypeError:
            received = ", ".join(names) or "nada"
            text = f"`{self.name}` no se puede llamar con ({asked}): tal como está definida recibe ({received})."
            if self.method and "self" not in signature.parameters and not is_static:
                text += " ¿Falta `self` como primer argumento del método?"
            return Line(WRONG, text)
        return None

    # Calling

    def _bind(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function of a case's arguments, for the answer, the reference and the misconceptions alike."""
        if self.evaluator is None:
            return function
        evaluator = self.evaluator()
        return lambda first, *rest: function(evaluator(first), *rest)

    def _call_answer(self, args: tuple[Any, ...]) -> Outcome:
        if self.stopped.error or self.stopped.library:
            return self.stopped
        target: Any = self.answer.value
        if self.method:
            method = self.method

            def function(k: Any, *rest: Any) -> Any:
                return getattr(target(k), method)(*rest)
        else:
            function = self._bind(target)
        outcome = call(function, args)
        if outcome.error == SLOW or outcome.library:
            self.stopped = outcome
        return outcome

    def _right(self, args: tuple[Any, ...]) -> Outcome:
        return call(self._bind(self.exercise.reference), args)

    def _try(self, case: Case | MustRaise) -> Tried:
        if isinstance(case, MustRaise):
            outcomes = [self._call_answer(args) for args in case.calls]
            raised = next((o for o in outcomes if o.error), None)
            if raised is None:
                return Tried(case, outcomes[0], Outcome(error="TypeError"), "esconde los errores")
            return Tried(case, raised, raised, "tarda demasiado" if raised.error == SLOW else "")
        outcome, right = self._call_answer(case.args), self._right(case.args)
        return Tried(case, outcome, right, self._problem(outcome, right))

    def _problem(self, outcome: Outcome, right: Outcome) -> str:
        """What is wrong with the outcome, in words that hold nothing of the case; empty when it is right."""
        wanted, low, high = RESULTS[self.exercise.result]
        value = outcome.value
        if outcome.error == SLOW:
            return "tarda demasiado y la comprobación la detiene"
        if outcome.error:
            return f"se detiene con {outcome.error}"
        if outcome.kind:
            return f"da {outcome.kind} y debería dar {wanted}"
        if value is None:
            how = (
                "¿has escrito `return`, o solo `print`?"
                if outcome.printed
                else "¿falta un `return` en algún camino?"
            )
            return f"devuelve None: {how}"
        expected = right.value
        if isinstance(expected, float) and isinstance(value, list) and len(value) == 1:
            value = value[0]  # a numpy array of one element counts as its number
        if type(value) is not type(expected):
            return f"da {_describe(value)} y debería dar {wanted}"
        if isinstance(value, float) and not math.isfinite(value):
            return f"da {value}: ¿divides entre cero en algún caso?"
        if outcome.changed:
            return "modifica las listas que recibe: trabaja con una copia"
        if equal(value, expected):
            return ""
        if isinstance(value, dict):
            return _different_keys(value, expected)
        if isinstance(value, float) and not low - TOLERANCE <= value <= high + TOLERANCE:
            return f"da un número fuera de rango: debe ser {wanted}"
        return WRONG_RESULT

    # Explaining

    def _stub(self, tried: list[list[Tried]]) -> Line | None:
        """Whether the line that nbgrader leaves is still there, alone or above an answer."""
        raised = next((t.outcome for results in tried for t in results if t.outcome.error == STUB), None)
        if raised is None:
            return None
        names = {self.method, self.answer.name, getattr(self.answer.value, "__name__", ""), "__init__"}
        if raised.where not in names - {""}:
            text = f"`{self.name}` llama a `{raised.where}`, que todavía ejecuta `raise NotImplementedError()`."
            return Line(WRONG, text)
        tree = self.answer.tree(raised.where if self.method else "")
        if tree is not None and _has_more_than_the_stub(tree):
            text = (
                f"En `{self.name}` hay código tuyo, pero la línea `raise NotImplementedError()` sigue ahí y la "
                "detiene: bórrala."
            )
            return Line(WRONG, text)
        text = (
            f"Sin intentar: `{self.name}` todavía ejecuta `raise NotImplementedError()`; escribe tu solución y "
            "borra esa línea."
        )
        return Line(NOT_ATTEMPTED, text)

    def _explain(self, tried: list[Tried]) -> tuple[str, str]:
        """The misconception's name and the single most useful hint."""
        plain_cases = [t for t in tried if isinstance(t.case, Case)]
        failing = [t for t in tried if t.problem]
        if all(isinstance(t.case, MustRaise) for t in failing):
            return "esconde los errores", (
                "Con datos sin sentido tu función devuelve un resultado como si nada: ¿hay un `except` que se "
                "come cualquier error?"
            )
        if self.stopped.error:
            return "no termina", ERRORS[SLOW]
        if any(t.outcome.changed and not t.outcome.error for t in failing):
            return (
                "modifica sus argumentos",
                "¿Usas `sort`, `remove`, `pop` o `append` sobre una lista que te han pasado?",
            )
        if any(t.outcome.kind == "un valor de tipo generator" for t in failing):
            return (
                "devuelve un generador",
                "¿Hay un `yield`, o unos paréntesis donde querías `list(...)` o `sum(...)`?",
            )
        if all(t.outcome.value is None and not t.outcome.error and not t.outcome.kind for t in plain_cases):
            name = "imprime en vez de devolver" if any(t.outcome.printed for t in failing) else "no devuelve nada"
            return (
                name,
                "Lo que se imprime no se puede usar después. ¿Qué palabra hace que la función dé su resultado?",
            )
        errors = {t.outcome.error for t in plain_cases}
        if len(errors) == 1 and not errors & {"", "ZeroDivisionError"}:
            return self._explain_error(failing[0].outcome)

        if self.answer.shadowed() and any("not callable" in t.outcome.detail for t in failing):
            return "tapa una función de Python", self._shadow_hint()

        probes = [*plain_cases, *(self._probe(case) for case in self.exercise.probes)]
        constant = _constant(probes)
        if constant:
            return constant
        if self._remembers(probes):
            return "recuerda llamadas anteriores", (
                "Llamada dos veces con lo mismo, tu función no da lo mismo. ¿Guarda algo entre llamadas, como una "
                "lista en un argumento por defecto o una variable global?"
            )
        found = diagnose(
            [m._replace(wrong=self._bind(m.wrong)) for m in self.exercise.misconceptions],
            [t.case.args for t in probes if isinstance(t.case, Case)],
            [t.outcome for t in probes],
            [t.right for t in probes],
        )
        if found is not None and found.how == EXACTLY:
            return found.misconception.name, found.misconception.hint
        hard_coded = _hard_coded(probes)
        if hard_coded:
            return hard_coded
        if self._loses_the_order(probes):
            return "pierde el orden", (
                "El resultado depende de cómo se llamen los ids: ¿pasas `retrieved` por `set()` o `sorted()` "
                "antes de cortar? Un conjunto no guarda el orden."
            )
        if found is not None and found.how == WHERE_IT_SHOWS:
            return found.misconception.name, found.misconception.hint
        structure = self._structure()
        if structure:
            return structure
        if found is not None:
            return found.misconception.name, f"Muchos de tus fallos coinciden con esto: {found.misconception.hint}"
        with_error = next((t.outcome for t in failing if t.outcome.error), None)
        if with_error is not None:
            return self._explain_error(with_error)
        return "", ""

    def _probe(self, case: Case) -> Tried:
        return Tried(case, self._call_answer(case.args), self._right(case.args))

    def _explain_error(self, outcome: Outcome) -> tuple[str, str]:
        shadowed = self.answer.shadowed()
        if outcome.error in ("TypeError", "UnboundLocalError") and shadowed:
            return "tapa una función de Python", self._shadow_hint()
        local = self._shadowed_inside()
        if outcome.error in ("TypeError", "UnboundLocalError", "AttributeError") and local:
            return "tapa una función de Python", (
                f"Dentro de tu función hay una variable llamada `{local}`, como la función de Python. ¿Sigue "
                "siendo la función cuando la llamas?"
            )
        return f"se detiene con {outcome.error}", ERRORS.get(outcome.error, "")

    def _shadow_hint(self) -> str:
        names = ", ".join(f"`{name}`" for name in self.answer.shadowed())
        if not names:
            return ""
        return (
            f"Has usado como variable el nombre de una función de Python ({names}): cambia ese nombre y "
            "reinicia el kernel."
        )

    def _shadowed_inside(self) -> str:
        code = getattr(getattr(self.answer.value, self.method, self.answer.value), "__code__", None)
        names = code.co_varnames if code else ()
        return next(
            (n for n in names if n in ("list", "set", "sum", "max", "min", "len", "sorted", "range", "dict")), ""
        )

    def _remembers(self, probes: list[Tried]) -> bool:
        return any(
            isinstance(t.case, Case)
            and not t.outcome.error
            and not same(t.outcome, self._call_answer(t.case.args))
            for t in probes[:3]
        )

    def _loses_the_order(self, probes: list[Tried]) -> bool:
        """Whether other names for the same ids change the result; with our reference they never do."""
        if not {"retrieved", "test_cases"} & set(self.exercise.parameters):
            return False
        chance = random.Random(0)
        for tried in probes:
            if isinstance(tried.case, Case) and not tried.outcome.error:
                old = tried.case.args
                first, *others = (_renamed(old, chance) for _ in range(4))
                outcome = self._call_answer(first)
                if any(not same(self._call_answer(x), self._with_names(outcome, first, x)) for x in others):
                    return True
        return False

    def _with_names(self, outcome: Outcome, old: tuple[Any, ...], new: tuple[Any, ...]) -> Outcome:
        """What the answer would give for the new ids, if names did not matter."""
        if self.exercise.result != "ids" or not isinstance(outcome.value, list):
            return outcome
        names = dict(zip(map(_key, _ids(old)), _ids(new), strict=True))
        return outcome._replace(value=[names.get(_key(x), x) for x in outcome.value])

    def _structure(self) -> tuple[str, str] | None:
        tree = self.answer.tree(self.method)
        if tree is None:
            return None
        for node in ast.walk(tree):
            for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
                if isinstance(body, list) and any(isinstance(s, ast.Return) for s in body[:-1]):
                    return (
                        "código tras return",
                        "Hay código después de un `return`, y no se ejecuta nunca. ¿Dónde debería ir?",
                    )
        for node in ast.walk(tree):
            if isinstance(node, (ast.For, ast.While)) and isinstance(node.body[-1], ast.Return):
                return (
                    "return dentro del bucle",
                    "Hay un `return` al final del cuerpo de tu bucle: ¿cuántas vueltas llega a dar?",
                )
        return None

    # Saying it

    def _line(self, failed: Failed) -> Line:
        tried = failed.tried
        if self.hidden:
            error = f" ({tried.problem})" if tried.outcome.error or tried.outcome.value is None else ""
            text = f"`{self.name}` falla en un caso oculto{error}. Tipo de caso: {failed.group.behaviour}."
            return Line(WRONG, text)
        if isinstance(tried.case, MustRaise):
            return Line(WRONG, f"{self._shown(tried.case.calls[0])} no da ningún error (caso: {tried.case.why}).")
        shown, why = self._shown(tried.case.args), f"(caso: {tried.case.why})"
        if tried.outcome.error and tried.outcome.detail:
            return Line(WRONG, f"{shown} {tried.problem}: {tried.outcome.detail} {why}.")
        different = tried.problem.startswith((WRONG_RESULT, "da un número fuera"))
        if different:
            come, right = _different(tried.outcome.value, tried.right.value)
            return Line(WRONG, f"{shown} devuelve {come} y debería devolver {right} {why}.")
        return Line(WRONG, f"{shown} {tried.problem} {why}.")

    def _shown(self, args: tuple[Any, ...]) -> str:
        first, rest = repr(args[0]), ", ".join(map(repr, args[1:]))
        return self.exercise.shown.format(
            name=self.answer.name,
            method=self.method,
            first=first,
            rest=rest,
            args=", ".join(map(repr, args)),
            evaluator=Answer(self.evaluator).name if self.evaluator else "",
        )

    def _drawings(self, failed: list[Failed]) -> tuple[Drawing, ...]:
        smallest = min((one.tried for one in failed), key=_size)
        if self.hidden or not isinstance(smallest.case, Case):
            return ()
        given = dict(zip(self.exercise.parameters, smallest.case.args, strict=True))
        rankings = given.get("test_cases", [given])
        return tuple(
            Drawing(ranking["retrieved"], ranking.get("gains", ranking.get("relevant")), given.get("k"))
            for ranking in rankings[:DRAWN]
            if "retrieved" in ranking and ("relevant" in ranking or "gains" in ranking)
        )

    def _notes(self, tried: list[list[Tried]]) -> list[Line]:
        warned = sorted({t.outcome.warned for results in tried for t in results if t.outcome.warned})
        if not warned:
            return []
        text = (
            f"Tu código lanza avisos ({', '.join(warned)}). No quitan puntos, pero suelen anunciar una división "
            "entre 0 o una media de nada."
        )
        return [Line(NOTE, text)]


def _size(tried: Tried) -> int:
    """How much there is to read in a case."""
    return len(repr(tried.case.calls if isinstance(tried.case, MustRaise) else tried.case.args))


def _describe(value: Any) -> str:
    names = {float: "un número", str: "un texto", list: "una lista o tupla", dict: "un dict"}
    return names.get(type(value), "otra cosa")


def _different_keys(value: dict[Any, Any], expected: dict[Any, Any]) -> str:
    missing = [key for key in expected if key not in value]
    if missing:
        return f"da un dict sin la clave {missing[0]!r}"
    extra = [key for key in value if key not in expected]
    if extra:
        return "da un dict con claves que no se piden"
    return WRONG_RESULT


def _different(value: Any, expected: Any) -> tuple[str, str]:
    """What came and what was expected; of a dict, the first key that differs."""
    if isinstance(value, dict):
        key = next(key for key in expected if not equal(value[key], expected[key]))
        return f"{_written(value[key])} en la clave {key!r}", _written(expected[key])
    return _written(value), _written(expected)


def _written(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    return repr(value)


def _has_more_than_the_stub(tree: ast.AST) -> bool:
    function = next((n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))), None)
    if function is None:
        return False
    return any(
        not isinstance(s, (ast.Raise, ast.Pass))
        and not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        for s in function.body
    )


def _constant(probes: list[Tried]) -> tuple[str, str] | None:
    values = [t.outcome.value for t in probes]
    first = values[0]
    if isinstance(first, float) and all(isinstance(v, float) and equal(v, first) for v in values):
        return (
            "constante",
            f"Tu función devuelve siempre {first:.4g}, pase lo que pase. ¿Dónde usa sus argumentos?",
        )
    return None


def _hard_coded(probes: list[Tried]) -> tuple[str, str] | None:
    """Right on some cases, and one and the same value on all the others."""
    wrong = [t.outcome.value for t in probes if not same(t.outcome, t.right)]
    if len(wrong) < 4 or len(wrong) < MANY * len(probes) or any(not equal(v, wrong[0]) for v in wrong):
        return None
    if isinstance(wrong[0], (float, type(None))):
        return "escrita para los ejemplos", (
            "Aciertas algunos casos y en todos los demás devuelves lo mismo. ¿Calcula tu función, o reconoce los "
            "ejemplos?"
        )
    return None


def _ids(args: Any) -> list[Any]:
    """The ids in the arguments, each once, in order."""
    found: dict[Any, Any] = {}

    def visit(value: Any, key: str = "") -> None:
        if isinstance(value, dict):
            for name, item in value.items():
                if name in ("query", "retrieved", "relevant"):
                    visit(item, name)
                else:
                    found.setdefault(_key(name), name)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, dict):
                    visit(item)
                else:
                    found.setdefault(_key(item), item)

    for value in args:
        visit(value)
    return list(found.values())


def _key(value: Any) -> Any:
    return value if isinstance(value, str) else float(value) if isinstance(value, (int, float)) else repr(value)


def _renamed(args: tuple[Any, ...], chance: random.Random) -> tuple[Any, ...]:
    """The arguments with other names for the ids."""
    names = {_key(x): f"{chance.choice('abcdefgh')}{chance.randrange(10**6):06d}" for x in _ids(args)}

    def rename(value: Any) -> Any:
        if isinstance(value, list):
            return [rename(item) if isinstance(item, dict) else names[_key(item)] for item in value]
        if isinstance(value, dict) and "retrieved" in value:
            return {k: v if k == "query" else rename(v) for k, v in value.items()}
        if isinstance(value, dict):
            return {names[_key(k)]: v for k, v in value.items()}
        return value

    return tuple(rename(value) for value in args)


# Values and choices, for exercises without a function.


def check_value(
    answer: Callable[[], Any],
    expected: float,
    points: float,
    tolerance: float = TOLERANCE,
    mistakes: Mapping[float, str] | None = None,
) -> float:
    """Points that the number of `answer` earns: all of them within `tolerance`, else none.

    `mistakes` names wrong values: value → hint.
    """
    found = Answer(answer)
    number, line = _as_number(found)
    lines = [line] if line else []
    if not lines and not math.isclose(number, expected, rel_tol=0.0, abs_tol=tolerance):
        lines.append(
            Line(WRONG, f"`{found.name}` vale {number:.4g} y no es el valor correcto: revisa tus cuentas.")
        )
        hints = [hint for value, hint in (mistakes or {}).items() if abs(number - value) <= max(tolerance, 0.001)]
        lines += [Line(HINT, hint) for hint in hints[:1]]
    return _judge(found, lines, points)


def check_choice(
    answer: Callable[[], Any], right: Collection[Any], points: float, hints: Mapping[Any, str] | None = None
) -> float:
    """Points that a choice earns: all of them if it is one of the right ones; `hints` answer the wrong ones."""
    found = Answer(answer)
    value, _ = plain(found.value)
    value = value.strip().lower() if isinstance(value, str) else value
    if not found.found:
        lines = [_not_found(found)]
    elif any(value == plain(option)[0] for option in right):
        lines = []
    else:
        lines = [Line(WRONG, f"`{found.name}` no es la mejor elección para esta situación.")]
        lines += [Line(HINT, hint) for option, hint in (hints or {}).items() if value == plain(option)[0]]
    return _judge(found, lines, points)


def check_range(
    answer: Callable[[], Any], low: float, high: float, points: float, below: str = "", above: str = ""
) -> float:
    """Points that a number earns: all of them between `low` and `high`; `below` and `above` are hints."""
    found = Answer(answer)
    number, line = _as_number(found)
    lines = [line] if line else []
    if not lines and not low - TOLERANCE <= number <= high + TOLERANCE:
        lines = [Line(WRONG, f"`{found.name}` vale {number:.4g}, y no sirve para esta situación.")]
        hint = below if number < low else above
        lines += [Line(HINT, hint)] if hint else []
    return _judge(found, lines, points)


def _judge(found: Answer, lines: list[Line], points: float) -> float:
    """All the points when nothing is wrong, else none; the hint, if any, names the mistake."""
    hint = next((line.text for line in lines if line.mark == HINT), "")
    earned = 0.0 if lines else points
    return publish(Report(found.name, lines or [Line(RIGHT, "Bien.")], earned, points, misconception=hint))


def check_fraction(answer: Callable[[], Any]) -> float:
    """0.0 points when `answer` is a number between 0 and 1, else CheckError; its value is judged elsewhere."""
    return _check_format(answer, 0.0, 1.0, "un número entre 0 y 1")


def check_cutoff(answer: Callable[[], Any]) -> float:
    """0.0 points when `answer` is an integer of at least 1, else CheckError; its value is judged elsewhere."""
    return _check_format(answer, 1.0, math.inf, "un entero mayor o igual que 1", whole=True)


def check_option(answer: Callable[[], Any], options: Collection[str]) -> float:
    """0.0 points when `answer` is one of the options, else CheckError; whether it is right is judged elsewhere."""
    found = Answer(answer)
    if not found.found:
        _fail(_not_found(found))
    value, _ = plain(found.value)
    if not isinstance(value, str) or value.strip().lower() not in options:
        _fail(Line(WRONG, f"`{found.name}` debe ser uno de estos textos: {', '.join(map(repr, options))}."))
    return _accept(found.name, "es una de las opciones")


def _check_format(answer: Callable[[], Any], low: float, high: float, wanted: str, whole: bool = False) -> float:
    found = Answer(answer)
    number, line = _as_number(found)
    if line is not None:
        _fail(line)
    if not low <= number <= high or (whole and number != int(number)):
        _fail(Line(WRONG, f"`{found.name}` vale {number:.4g} y debe ser {wanted}."))
    return _accept(found.name, f"es {wanted}")


def _accept(name: str, what: str) -> float:
    text = f"`{name}` {what}; su valor se comprueba al corregir."
    return publish(Report(name, [Line(RIGHT, text)], 0.0, 0.0))


def _fail(line: Line) -> None:
    raise CheckError(f"{line.mark} {line.text}")


def _not_found(found: Answer) -> Line:
    text = f"Sin intentar: no encuentro `{found.name}`; defínelo con ese nombre exacto y ejecuta su celda."
    return Line(NOT_ATTEMPTED, text)


def _as_number(found: Answer) -> tuple[float, Line | None]:
    """The number that the answer holds, or what is wrong with it."""
    if not found.found:
        return math.nan, _not_found(found)
    value, known = plain(found.value)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if known and value is None:
        problem = "vale None: guarda en ella el número."
    elif isinstance(found.value, tuple) and len(found.value) == 2:
        problem = f"vale {found.value}: en Python los decimales se escriben con punto, como 0.25."
    elif not isinstance(value, float):
        problem = f"es {found.kind} y debería ser un número."
    elif not math.isfinite(value):
        problem = f"vale {value}: ¿divides entre cero?"
    else:
        return value, None
    return math.nan, Line(WRONG, f"`{found.name}` {problem}")
