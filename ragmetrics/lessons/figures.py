"""Figures with an alternative text.

JupyterLab ignores alternative texts on `image/png` outputs, so a figure is shown as an HTML `<img>`. The text
is computed from what the figure draws: whoever cannot see it gets the data, and nbval, which compares the
HTML and skips the pixels, asserts them.
"""

import base64
from html import escape
from io import BytesIO
from typing import Any

import numpy as np

from ragmetrics._html import Html
from ragmetrics.plots import PAPER, Told, decimal

MANY = 20  # beyond this many points a summary says more than a list


def show(figure_or_ax: Any, alt: str | None = None) -> Html:
    """Muestra una figura de matplotlib con su texto alternativo, y la cierra.

    El texto se calcula con lo que dibuja la figura, para quien no puede verla.

    Args:
        figure_or_ax: la figura, o el `Axes` que devuelven las funciones de `ragmetrics.plots`.
        alt: un texto alternativo tuyo, en lugar del calculado.

    Returns:
        La figura; pon la llamada al final de la celda para que se vea.
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

    A line without markers is a guide (a cut, a target): only its label is said. Many points are summarised.
    """
    return " ".join(text for ax in figure.axes for text in _describe_axes(ax)) or "Figura vacía."


def _describe_axes(ax: Any) -> list[str]:
    titles = [ax.get_title(side) for side in ("left", "center", "right")]
    axis_labels = [("Eje horizontal", ax.get_xlabel()), ("Eje vertical", ax.get_ylabel())] if ax.axison else []
    boxes = "; ".join(patch.get_label() for patch in ax.patches if _named(patch))
    bars = [_describe_means(bars) for bars in ax.containers if _named(bars) and _has_intervals(bars)]
    sentences = [
        *titles,
        *(f"{axis}: {' '.join(text.split())}" for axis, text in axis_labels if text),
        _capital(boxes),
        *_describe_lines(ax),
        *bars,
    ]
    return [f"{sentence}." for sentence in sentences if sentence]


def _describe_lines(ax: Any) -> list[str]:
    """Describe the lines; rows of queries (a line for each outcome) are many or few all together."""
    lines = [line for line in ax.lines if _named(line)]
    rows = [line.get_xdata() for line in lines if _is_row(line)]
    total = sum(map(len, rows))
    summary = [f"{total} queries: {_summary(np.concatenate(rows))}"] if total > MANY else []
    return summary + [_describe_line(line, list_rows=total <= MANY) for line in lines]


def _describe_line(line: Any, list_rows: bool) -> str:
    label = str(line.get_label())
    if line.get_marker() in (None, "None", "none", "", " "):
        return _capital(label)
    told = getattr(line, "told", None) or Told([f"{x:g}" for x in line.get_xdata()], "y")
    columns = [line.get_xdata() if axis == "x" else line.get_ydata() for axis in told.axes]
    points = [
        f"{name} → {' y '.join(map(_number, values))}" for name, *values in zip(told.names, *columns, strict=True)
    ]
    if _is_row(line):
        return _capital(label) + (f" ({'; '.join(points)})" if points and list_rows else "")
    return f"{label}: {_list_or_summary(points, columns)}"


def _describe_means(bars: Any) -> str:
    """Describe a curve of means with the interval of each one."""
    line, _, (ends,) = bars
    points = [f"{x:g} → {_number(y)}" for x, y in line.get_xydata()]
    if len(points) <= MANY:
        intervals = [(low, high) for (_, low), (_, high) in ends.get_segments()]
        points = [
            f"{point} ({_number(low)} a {_number(high)})"
            for point, (low, high) in zip(points, intervals, strict=True)
        ]
    return f"{bars.get_label()}: {_list_or_summary(points, [line.get_ydata()])}"


def _list_or_summary(points: list[str], columns: list[Any]) -> str:
    if len(points) <= MANY:
        return "; ".join(points)
    wheres = [""] if len(columns) == 1 else ["en horizontal, ", "en vertical, "]
    summaries = [where + _summary(column) for where, column in zip(wheres, columns, strict=True)]
    return "; ".join([f"{len(points)} puntos", *summaries, f"el primero, {points[0]}", f"el último, {points[-1]}"])


def _summary(values: Any) -> str:
    low, middle, high = map(_number, np.quantile(values, [0, 0.5, 1]))
    return f"mínimo {low}, mediana {middle}, máximo {high}"


def _number(value: float) -> str:
    return decimal(value, 3).replace("-", "−")


def _has_intervals(container: Any) -> bool:
    return getattr(container, "has_yerr", False) and not container.has_xerr


def _is_row(line: Any) -> bool:
    return getattr(line, "told", None) is not None and line.told.axes == "x"


def _named(artist: Any) -> bool:
    return not str(artist.get_label()).startswith("_")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
