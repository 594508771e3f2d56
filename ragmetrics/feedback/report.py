"""What a check says: text for a terminal, HTML for a notebook, data for whoever counts misconceptions."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from ragmetrics._html import CARD, rich
from ragmetrics.plots import build_strip, ranking_strip_html

RIGHT, WRONG, NOT_ATTEMPTED, HINT, NOTE = "✔", "✘", "·", "→", "!"
STATES = {RIGHT: "bien", WRONG: "mal", NOT_ATTEMPTED: "sin intentar"}
MIME = "application/vnd.ragmetrics.check+json"
DRAWN = 3  # rankings of a case with many queries


class Line(NamedTuple):
    """One sentence, with the mark that says how the answer stands; `ragmetrics check` reads the marks."""

    mark: str
    text: str


class Drawing(NamedTuple):
    """A ranking to draw."""

    retrieved: list[Any]
    relevant: Any
    k: int | None


class Report(NamedTuple):
    """The result of one check."""

    name: str
    lines: list[Line]
    earned: float
    total: float
    drawings: tuple[Drawing, ...] = ()
    misconception: str = ""

    @property
    def state(self) -> str:
        """Right, wrong or not attempted, in Spanish."""
        marks = [line.mark for line in self.lines]
        return STATES[next((mark for mark in (WRONG, NOT_ATTEMPTED) if mark in marks), RIGHT)]

    @property
    def score(self) -> str:
        """The points, in words; empty where there are none to earn."""
        return f"Puntos: {self.earned:g} de {self.total:g}" if self.total else ""

    def text(self) -> str:
        """The report for a terminal."""
        lines = [f"{line.mark} {line.text}" for line in self.lines]
        drawn = [f"    {strip_text(drawing)}" for drawing in self.drawings]
        return "\n".join(filter(None, [*lines[:1], *drawn, *lines[1:], self.score]))

    def html(self) -> str:
        """The report for a notebook."""
        lines = [f'<p style="margin:4px 0">{line.mark} {_bold(rich(line.text))}</p>' for line in self.lines]
        drawn = [f'<div style="margin:8px 0">{ranking_strip_html(*drawing)}</div>' for drawing in self.drawings]
        body = "".join([*lines[:1], *drawn, *lines[1:]])
        score = f'<p style="margin:4px 0"><strong>{self.score}</strong></p>' if self.score else ""
        return f'<div style="{CARD}">{body}{score}</div>'

    def data(self) -> dict[str, Any]:
        """The report as data."""
        return {
            "function": self.name,
            "state": self.state,
            "misconception": self.misconception,
            "earned": self.earned,
            "total": self.total,
        }


def publish(report: Report) -> float:
    """Show the report and return the points earned."""
    shell = None
    if "IPython" in sys.modules:
        from IPython import get_ipython

        shell = get_ipython()
    if shell is None:
        print(report.text())
    else:
        from IPython.display import display

        display({"text/plain": report.text(), "text/html": report.html(), MIME: report.data()}, raw=True)
    return float(report.earned)


def strip_text(drawing: Drawing) -> str:
    """The ranking in one line: a ✓ after each relevant document, a bar at the cut.

    >>> strip_text(Drawing(["a", "b", "c"], ["b", "z"], 2))
    '1 a · 2 b ✓ | 3 c · no llegó: z ✓'
    """
    strip = build_strip(*drawing)
    line = ""
    for position, slot in enumerate(strip.places, start=1):
        separator = "" if position == 1 else " | " if strip.k == position - 1 else " · "
        mark = {"relevant": " ✓", "late": " ✓", "repeated": " (repetido)"}.get(slot.kind, "")
        line += f"{separator}{position} {slot.text}{mark}".rstrip()
    missing = ", ".join(f"{slot.text} ✓" for slot in strip.missing)
    return " · ".join(filter(None, [line, f"no llegó: {missing}" if missing else ""])) or "ranking vacío"


def _bold(html: str) -> str:
    """Markdown's bold in a hint."""
    parts = html.split("**")
    return "".join(f"<strong>{part}</strong>" if i % 2 else part for i, part in enumerate(parts))
