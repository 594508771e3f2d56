"""Name the mistake: which misconception explains what an answer does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ragmetrics.feedback.answer import Outcome, call
from ragmetrics.feedback.misconceptions import Misconception

TOLERANCE = 1e-6  # float32 and other correct ways of computing stay within it
EXACTLY, WHERE_IT_SHOWS, PARTLY = "exactly", "where it shows", "partly"
DIVISION = "ZeroDivisionError"
LOOKUP = ("IndexError", "KeyError", "ValueError", "StopIteration")  # what looking for something absent raises


class Diagnosis(NamedTuple):
    """The misconception that explains an answer, and how well: a constant below."""

    misconception: Misconception
    how: str


def same(a: Outcome, b: Outcome) -> bool:
    """Whether two outcomes are the same for a student: equal values, or the same kind of failure."""
    failures = _failure(a), _failure(b)
    if any(failures):
        return failures[0] == failures[1]
    return not a.kind and not b.kind and equal(a.value, b.value)


def _failure(outcome: Outcome) -> str:
    """A division by zero is one failure, raised by Python or NaN in numpy; a failed search is another."""
    undefined = isinstance(outcome.value, float) and not math.isfinite(outcome.value)
    if outcome.error == DIVISION or undefined:
        return DIVISION
    return "LookupError" if outcome.error in LOOKUP else outcome.error


def equal(a: Any, b: Any) -> bool:
    """Whether two values (plain data) are equal within the tolerance."""
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=0.0, abs_tol=TOLERANCE)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
    return type(a) is type(b) and bool(a == b)


def diagnose(
    misconceptions: Sequence[Misconception],
    cases: Sequence[tuple[Any, ...]],
    theirs: Sequence[Outcome],
    right: Sequence[Outcome],
) -> Diagnosis | None:
    """The misconception that explains the answer best, if one does.

    First the one that equals the answer on every case (EXACTLY); then, of those that equal it wherever they are
    wrong, the one that explains most, at least a third of the failures (WHERE_IT_SHOWS); last, the one that
    explains most and at least half of them (PARTLY).
    """
    failing = {i for i, (a, b) in enumerate(zip(theirs, right, strict=True)) if not same(a, b)}
    explained: list[tuple[int, Misconception]] = []
    partly: list[tuple[int, Misconception]] = []
    for misconception in misconceptions:
        outcomes = [call(misconception.wrong, args) for args in cases]
        apart = {i for i, (a, b) in enumerate(zip(outcomes, right, strict=True)) if not same(a, b)}
        agree = {i for i in apart if same(outcomes[i], theirs[i])}
        if apart == failing == agree and apart:
            return Diagnosis(misconception, EXACTLY)
        if apart and agree == apart and 3 * len(agree) >= len(failing):
            explained.append((len(agree), misconception))
        elif 2 * len(agree) >= len(failing) and len(agree) >= 2:
            partly.append((len(agree), misconception))
    for found, how in ((explained, WHERE_IT_SHOWS), (partly, PARTLY)):
        if found:
            best = max(count for count, _ in found)
            return Diagnosis(next(m for count, m in found if count == best), how)
    return None
