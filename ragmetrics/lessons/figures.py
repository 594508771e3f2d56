"""Figures with an alternative text.

JupyterLab ignores alternative texts on `image/png` outputs, so a figure is shown as an HTML `<img>`. The text
is computed from what the figure draws: whoever cannot see it gets the data, and nbval, which compares the
HTML and skips the pixels, asserts them.
"""

import base64
from html import escape
from io import BytesIO
from typing import Any

from ragmetrics.lessons._html import Html
from ragmetrics.plots import PAPER, decimal


def show(figure_or_ax: Any, alt: str | None = None) -> Html:
    """Show a matplotlib figure (or the one of an Axes) with its alternative text, and close it.

    `alt` replaces the computed text.
    """
    import matplotlib.pyplot as plt

    figure = getattr(figure_or_ax, "figure", figure_or_ax)
    alt = alt or describe(figure)
    png = BytesIO()
    figure.savefig(png, format="png", dpi=160, facecolor=PAPER)
    plt.close(figure)
    source = "data:image/png;base64," + base64.b64encode(png.getvalue()).decode("ascii")
    width = round(figure.get_figwidth() * 96)
    return Html(
        f'<figure style="margin:4px 0"><img alt="{escape(alt)}" src="{source}" width="{width}" '
        f'style="max-width:100%;height:auto;background-color:{PAPER};border-radius:6px"></figure>',
        alt,
    )


def describe(figure: Any) -> str:
    """Say in Spanish what a figure draws: titles, axis labels, boxes and the data of its lines.

    A line without markers is a guide (a cut, a target): only its label is said.
    """
    return " ".join(text for ax in figure.axes for text in _describe_axes(ax)) or "Figura vacía."


def _describe_axes(ax: Any) -> list[str]:
    titles = [ax.get_title(side) for side in ("left", "center", "right")]
    axis_labels = [("Eje horizontal", ax.get_xlabel()), ("Eje vertical", ax.get_ylabel())] if ax.axison else []
    boxes = "; ".join(patch.get_label() for patch in ax.patches if _named(patch))
    lines = [_describe_line(line) for line in ax.lines if _named(line)]
    sentences = [*titles, *(f"{axis}: {text}" for axis, text in axis_labels if text), _capital(boxes), *lines]
    return [f"{sentence}." for sentence in sentences if sentence]


def _describe_line(line: Any) -> str:
    if line.get_marker() in (None, "None", "none", "", " "):
        return str(line.get_label())
    points = zip(line.get_xdata(), line.get_ydata(), strict=True)
    return f"{line.get_label()}: " + "; ".join(f"{x:g} → {decimal(y, 3)}" for x, y in points)


def _named(artist: Any) -> bool:
    return not str(artist.get_label()).startswith("_")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
