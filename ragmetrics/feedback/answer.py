"""The student's answer, as the checks see it: what it is called, what it is, and what a call of it does.

Nothing else in this package touches the student's objects. Whatever a call does (raise, hang, print, warn,
change its arguments, call a library that computes the metric) is told in an `Outcome`.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import difflib
import inspect
import io
import numbers
import re
import signal
import sys
import textwrap
import threading
import traceback
import types
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

SECONDS = 3.0  # for one call; the cases are tiny
# Libraries that compute these metrics: an answer that calls one is not the student's own.
LIBRARIES = (
    "ragmetrics", "sklearn.metrics", "ranx", "ir_measures", "pytrec_eval", "torchmetrics", "ragas", "deepeval",
    "trectools", "beir", "rank_eval", "recmetrics", "llama_index", "evaluate", "repro_eval", "tensorflow_ranking",
)  # fmt: skip
OWN = (__name__, f"{__package__}.check")  # the frames of the check itself
LIMIT = 10_000  # items of a result that are looked at


class Outcome(NamedTuple):
    """What one call did: its value as plain data, or the name of its error."""

    value: Any = None
    error: str = ""
    detail: str = ""  # the error's own text: never shown for hidden cases
    where: str = ""  # function in which it was raised
    printed: bool = False
    warned: str = ""
    changed: bool = False
    library: str = ""
    kind: str = ""  # what the value is, when it is not plain data


class TimeUp(BaseException):
    """A call took longer than SECONDS; not an Exception, so that `except Exception` does not swallow it."""


class Answer:
    """What the lambda of a check looks up: a function, a class or a value of the student."""

    def __init__(self, lookup: Callable[[], Any]) -> None:
        code = lookup.__code__
        self.name = (code.co_names + code.co_freevars)[0]
        self.namespace: dict[str, Any] = lookup.__globals__
        self.found = True
        self.value: Any = None
        try:
            self.value = lookup()
        except NameError:
            self.found = False

    @property
    def kind(self) -> str:
        """What the answer is, in words."""
        return describe_type(self.value)

    def similar_name(self) -> str:
        """A function or class that the student wrote under another name, if it looks like the one asked for."""
        own = [
            name
            for name, value in list(self.namespace.items())
            if isinstance(value, (types.FunctionType, type))
            and getattr(value, "__module__", "") == self.namespace.get("__name__")
            and not name.startswith("_")
        ]
        folded = {re.sub(r"[\W_]", "", name).lower(): name for name in own}
        close = difflib.get_close_matches(re.sub(r"[\W_]", "", self.name).lower(), folded, n=1, cutoff=0.75)
        return folded[close[0]] if close else ""

    def syntax_error(self) -> SyntaxError | None:
        """What is wrong with the last cell that tried to define the answer, when Python could not read it."""
        try:
            ast.parse(self._cell())
        except SyntaxError as error:
            return error
        return None

    def _cell(self) -> str:
        """The last cell run that defines the answer, read or not; empty without IPython's history."""
        name = re.escape(self.name)
        pattern = re.compile(rf"(def|class)\s+{name}\b|^\s*{name}\s*=", re.MULTILINE)
        sources = [x for x in self.namespace.get("In", []) if isinstance(x, str) and pattern.search(x)]
        return sources[-1] if sources else ""

    def shadowed(self) -> list[str]:
        """Names of Python's own functions that the student uses for something else."""
        return sorted(
            name
            for name, value in list(self.namespace.items())
            if not name.startswith("_") and hasattr(builtins, name) and value is not getattr(builtins, name)
            and name not in ("display", "exit", "quit", "open", "get_ipython")
        )  # fmt: skip

    def tree(self, method: str = "") -> ast.AST | None:
        """The definition of the answer, or of its method, as a syntax tree, where it can be found."""
        try:
            source = inspect.getsource(self.value)
        except Exception:  # also an object whose attributes raise
            source = self._cell()
        try:
            nodes = list(ast.walk(ast.parse(textwrap.dedent(source))))
        except SyntaxError:
            return None
        wanted = method or getattr(self.value, "__name__", self.name)
        found = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef)) and n.name == wanted]
        return found[-1] if found else None


def call(function: Callable[..., Any], args: tuple[Any, ...], seconds: float = SECONDS) -> Outcome:
    """Call the function with copies of the arguments and tell what happened."""
    own = copy.deepcopy(args)
    out = io.StringIO()
    watch = _Watch()
    value, failure = None, None
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with _quiet(out):
            try:
                with _time_limit(seconds), watch:
                    value = function(*own)
                    if isinstance(value, Iterator):
                        value = _Iterator(value)
            except KeyboardInterrupt:  # the notebook's time is up: the other calls would take as long
                raise
            except BaseException as error:
                failure = error
    warned = ", ".join(sorted({warning.category.__name__ for warning in caught if _is_builtin(warning.category)}))
    facts: dict[str, Any] = {"printed": bool(out.getvalue().strip()), "warned": warned, "library": watch.library}
    if failure is not None:
        return Outcome(error=error_name(failure), detail=_text(failure), where=_where(failure), **facts)
    try:
        changed = bool(own != args)
    except Exception:
        changed = True
    data, known = plain(value)
    return Outcome(value=data, changed=changed, kind="" if known else describe_type(value), **facts)


def plain(value: Any) -> tuple[Any, bool]:
    """The value as plain data (numbers as float, tuples and arrays as lists), and whether that was possible."""
    try:
        return _plain(value, [LIMIT]), True
    except Exception:
        return None, False


def _plain(value: Any, budget: list[int]) -> Any:
    budget[0] -= 1
    if budget[0] < 0:
        raise ValueError("too long")
    if value is None or type(value) is str:
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, numbers.Number):
        return float(value)  # type: ignore[arg-type]
    if isinstance(value, Mapping):
        return {_plain(key, budget): _plain(item, budget) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, budget) for item in value]
    if callable(getattr(value, "tolist", None)) and not isinstance(value, type):  # numpy, pandas
        return _plain(value.tolist(), budget)
    if callable(getattr(value, "to_dict", None)) and not isinstance(value, type):
        return _plain(value.to_dict(), budget)
    raise TypeError(describe_type(value))


class _Iterator:
    """A generator that came back: what it holds is not looked at."""

    def __init__(self, value: Iterator[Any]) -> None:
        self.name = "generator" if isinstance(value, types.GeneratorType) else type(value).__name__


def describe_type(value: Any) -> str:
    """Name the type of the value for a student."""
    if isinstance(value, _Iterator):
        return f"un valor de tipo {value.name}"
    name = type(value).__name__
    known = _is_builtin(type(value)) or type(value).__module__.split(".")[0] in ("numpy", "pandas", "decimal")
    names = {"function": "una función", "type": "una clase", "NoneType": "None"}
    return names.get(name, f"un valor de tipo {name}" if known else "un objeto de una clase tuya")


def error_name(error: BaseException) -> str:
    """The class of the error; a class of the student's own could carry anything in its name, so it is not said."""
    for kind in type(error).__mro__:
        if _is_builtin(kind) or kind is TimeUp:
            return kind.__name__
    return "Exception"


def _is_builtin(kind: type) -> bool:
    return getattr(builtins, kind.__name__, None) is kind


def _text(error: BaseException) -> str:
    try:
        return str(error)[:200]
    except Exception:
        return ""


def _where(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return frames[-1].name if frames else ""


@contextlib.contextmanager
def _quiet(out: io.StringIO) -> Iterator[None]:
    """Keep out of the report what the answer prints or displays."""
    shell = None
    if "IPython" in sys.modules:
        from IPython import get_ipython

        shell = get_ipython()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        if shell is None:
            yield
            return
        from IPython.core.displaypub import CapturingDisplayPublisher

        before, shell.display_pub = shell.display_pub, CapturingDisplayPublisher()
        try:
            yield
        finally:
            shell.display_pub = before


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise TimeUp in the block after so long, and again until it leaves; only the main thread can be stopped."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise TimeUp

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.2)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)


class _Watch:
    """Notices calls into a library that computes the metrics."""

    library = ""

    def __enter__(self) -> _Watch:
        self.before = sys.getprofile()
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(self.before)

    def _see(self, frame: Any, event: str, arg: Any) -> None:
        if event == "call":
            module = frame.f_globals.get("__name__")
        elif event == "c_call":
            module = getattr(arg, "__module__", None)
        else:
            return
        if not self.library and isinstance(module, str) and module not in OWN:
            self.library = next((x for x in LIBRARIES if module == x or module.startswith(f"{x}.")), "")
