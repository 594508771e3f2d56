"""Figuras de los rankings y de las métricas, con matplotlib.

Matplotlib se importa solo al dibujar. Cada función acepta un `Axes` y lo devuelve, para que puedas cambiar
títulos o combinar figuras. El color nunca es la única señal: también hay formas, marcas o texto.
"""

from collections.abc import Callable, Hashable, Sequence, Set
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from ragmetrics import metrics as _metrics
from ragmetrics._inputs import Ids, Relevant, as_cutoff, as_gains, as_query, as_ranking, as_relevant

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#6A0F6A"
INK, GREY, PAPER = "#1A1A1A", "#5F5F5F", "#FFFFFF"
PALETTE = (BLUE, VERMILLION, GREEN, PURPLE, INK, GREY)


class Style(NamedTuple):
    """How one metric is drawn: the same colour, marker and dash in every figure."""

    label: str
    function: Callable[..., float]
    color: str
    marker: str
    dash: str


METRICS = {
    "recall": Style("Recall@k", _metrics.recall_at_k, BLUE, "o", "-"),
    "precision": Style("Precision@k", _metrics.precision_at_k, VERMILLION, "s", "--"),
    "f1": Style("F1@k", _metrics.f1_at_k, GREEN, "^", "-."),
    "rr": Style("RR@k", _metrics.reciprocal_rank, PURPLE, "D", ":"),
    "ndcg": Style("nDCG@k", _metrics.ndcg_at_k, INK, "v", "-"),
    "hit_rate": Style("Acierto@k", _metrics.hit_rate_at_k, GREY, "P", "--"),
    "ap": Style("AP@k", _metrics.average_precision, GREY, "X", ":"),
}


class Kind(NamedTuple):
    """How one kind of box of a ranking strip is drawn, in matplotlib and in CSS."""

    meaning: str
    mark: str
    rounded: bool
    fill: str
    edge: str
    text: str
    dash: str
    css_dash: str


KINDS = {
    "relevant": Kind("relevante", "✓", True, BLUE, BLUE, PAPER, "-", "solid"),
    "late": Kind("relevante, pero tras el corte", "✓", True, PAPER, BLUE, BLUE, "-", "solid"),
    "missing": Kind("relevante que no llegó", "✓", True, PAPER, BLUE, BLUE, "--", "dashed"),
    "other": Kind("no relevante", "", False, PAPER, GREY, INK, "-", "solid"),
    "repeated": Kind("repetido, no cuenta otra vez", "=", False, PAPER, GREY, INK, "-", "solid"),
    "empty": Kind("sin documento", "", False, PAPER, GREY, INK, ":", "dotted"),
}


class Slot(NamedTuple):
    """One box of a ranking strip; `kind` is a key of KINDS."""

    text: str
    kind: str


class Strip(NamedTuple):
    """A ranking ready to draw: its places in order, the relevant documents that did not come, the cut."""

    places: list[Slot]
    missing: list[Slot]
    k: int | None

    @property
    def title(self) -> str:
        """Say how many of the relevant documents are before the cut."""
        found = sum(slot.kind == "relevant" for slot in self.places)
        total = found + sum(slot.kind == "late" for slot in self.places) + len(self.missing)
        where = "en el ranking" if self.k is None else f"en el top-{self.k}"
        return f"{found} de {total} {'relevante' if total == 1 else 'relevantes'} {where}"


def decimal(value: float, digits: int = 2) -> str:
    """Escribe un número con coma decimal.

    >>> decimal(2 / 3)
    '0,67'
    """
    return f"{value:.{digits}f}".replace(".", ",")


def relevant_ids(relevant: Relevant) -> list[Hashable]:
    """Lista los ids relevantes, siempre en el mismo orden.

    >>> relevant_ids({"b": 2, "a": 0})
    ['b']
    """
    ids = as_relevant(relevant)
    gains = as_gains(ids)
    ordered = sorted(ids, key=str) if isinstance(ids, Set) else dict.fromkeys(ids)
    return [document for document in ordered if document in gains]


def build_strip(retrieved: Ids, relevant: Relevant, k: int | None = None) -> Strip:
    """Clasifica los documentos de un ranking para dibujarlos.

    Si llegaron menos de `k`, los huecos que quedan también son posiciones.

    >>> strip = build_strip(["a", "b"], relevant=["b", "c"], k=3)
    >>> [slot.kind for slot in strip.places], strip.missing
    (['other', 'relevant', 'empty'], [Slot(text='c', kind='missing')])
    >>> strip.title
    '1 de 2 relevantes en el top-3'
    """
    wanted = relevant_ids(relevant)
    ranking, _ = as_query(retrieved, wanted)
    cut = None if k is None else as_cutoff(k)
    places: list[Slot] = []
    seen: set[Hashable] = set()
    for position, document in enumerate(ranking, start=1):
        if document in seen:
            kind = "repeated"
        elif document not in wanted:
            kind = "other"
        else:
            kind = "relevant" if cut is None or position <= cut else "late"
        places.append(Slot(str(document), kind))
        seen.add(document)
    places += [Slot("", "empty")] * ((cut or 0) - len(places))
    missing = [Slot(str(document), "missing") for document in wanted if document not in seen]
    return Strip(places, missing, cut)


def ranking_strip(retrieved: Ids, relevant: Relevant, k: int | None = None, ax: "Axes | None" = None) -> "Axes":
    """Dibuja un ranking como una tira de documentos.

    Los relevantes llevan ✓ y esquinas redondas, y van rellenos si cuentan; los relevantes que no llegaron van
    aparte, con borde discontinuo; una línea marca el corte.

    Args:
        retrieved: ids recuperados, en orden.
        relevant: ids relevantes (o un dict id → ganancia).
        k: dónde cortar; sin `k` no hay línea de corte.
        ax: dónde dibujar; sin él se crea una figura.

    Returns:
        El `Axes` dibujado.
    """
    strip = build_strip(retrieved, relevant, k)
    gap = 0.6
    width = max(1, len(strip.places)) + (len(strip.missing) + gap if strip.missing else 0)
    if ax is None:
        ax = _new_axes(min(11.0, max(5.0, 0.95 * width)), 1.9)
    longest = max([6, *(len(slot.text) for slot in strip.places + strip.missing)])
    size = min(11.0, 90 * _inches(ax) / width / longest)

    for position, slot in enumerate(strip.places, start=1):
        _draw_slot(ax, position - 1, slot, size, f"posición {position}")
        _write(ax, position - 0.5, 1.08, str(position), va="bottom")
    start = len(strip.places) + gap
    for index, slot in enumerate(strip.missing):
        _draw_slot(ax, start + index, slot, size, "sin posición")
    if strip.missing:
        heading = "no llegó" if len(strip.missing) == 1 else "no llegaron"
        _write(ax, start + len(strip.missing) / 2, 1.08, heading, va="bottom", style="italic")
    if strip.k is not None:
        ax.plot([strip.k] * 2, [-0.12, 1.3], color=INK, linewidth=2.2, label=f"Corte en k = {strip.k}")
        _write(ax, strip.k, -0.16, f"corte k = {strip.k}", va="top")

    ax.set_xlim(-0.1, width + 0.1)
    ax.set_ylim(-0.42, 1.45)
    ax.set_axis_off()
    ax.set_title(strip.title, loc="left", fontsize=11, color=INK)
    return ax


def ranking_strip_html(retrieved: Ids, relevant: Relevant, k: int | None = None) -> str:
    """Escribe la tira de `ranking_strip` en HTML, sin matplotlib: para lo que se redibuja a menudo."""
    strip = build_strip(retrieved, relevant, k)
    boxes = [_slot_html(str(position), slot) for position, slot in enumerate(strip.places, start=1)]
    if strip.k is not None:
        style = f"border-left:3px solid {INK};padding:0 4px;font-size:12px"
        boxes.insert(strip.k, f'<div style="{style}">corte<br>k = {strip.k}</div>')
    boxes += [_slot_html("no llegó", slot) for slot in strip.missing]
    return (
        f'<p style="margin:0 0 6px 0"><strong>{strip.title}</strong></p>'
        f'<div style="display:flex;flex-wrap:wrap;gap:6px">{"".join(boxes)}</div>'
    )


def metric_by_k(
    retrieved: Ids,
    relevant: Relevant,
    metrics: Sequence[str] = ("recall",),
    max_k: int | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Dibuja cómo cambian una o varias métricas al mover el corte `k`.

    Args:
        retrieved: ids recuperados, en orden.
        relevant: ids relevantes (o un dict id → ganancia).
        metrics: nombres de `METRICS`: "recall", "precision", "f1", "rr", "ndcg", "hit_rate", "ap".
        max_k: último corte; sin él, tantos como documentos llegaron.
        ax: dónde dibujar; sin él se crea una figura.

    Returns:
        El `Axes` dibujado.

    Raises:
        ValueError: si una métrica no existe.
    """
    unknown = [name for name in metrics if name not in METRICS]
    if unknown or not metrics:
        came = repr(unknown[0]) if unknown else "ninguna"
        raise ValueError(f"Elige métricas entre {', '.join(METRICS)}; llegó {came}.")
    if ax is None:
        ax = _new_axes(6.6, 3.4)
    ranking, wanted = as_ranking(retrieved), as_relevant(relevant)
    cuts = range(1, (as_cutoff(max_k) if max_k is not None else max(len(ranking), 1)) + 1)
    for name in metrics:
        style = METRICS[name]
        values = [style.function(ranking, wanted, k) for k in cuts]
        look: dict[str, Any] = {"color": style.color, "marker": style.marker, "linestyle": style.dash}
        ax.plot(cuts, values, label=style.label, linewidth=2, markersize=7, **look)
    ax.set_xlabel("k: cuántos documentos se miran")
    ax.set_ylabel(METRICS[metrics[0]].label if len(metrics) == 1 else "valor de la métrica")
    ax.set_title("Según cambia k", loc="left", fontsize=11)
    ax.set_ylim(-0.04, 1.08)
    ax.set_xticks(cuts[:: -(-len(cuts) // 20)])
    ax.yaxis.set_major_formatter(lambda value, _: decimal(value, 1))
    ax.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)
    if len(metrics) > 1:
        ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def _new_axes(width: float, height: float) -> "Axes":
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def _inches(ax: "Axes") -> float:
    return ax.get_window_extent().width / ax.figure.dpi


def _write(ax: "Axes", x: float, y: float, text: str, va: str, style: str = "normal") -> None:
    ax.text(x, y, text, ha="center", va=va, color=INK, fontsize=9, style=style)


def _draw_slot(ax: "Axes", left: float, slot: Slot, size: float, place: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    kind = KINDS[slot.kind]
    shape = "round,pad=0,rounding_size=0.2" if kind.rounded else "square,pad=0"
    look: dict[str, Any] = {
        "facecolor": kind.fill,
        "edgecolor": kind.edge,
        "linestyle": kind.dash,
        "linewidth": 1.8,
    }
    label = f"{place}: {slot.text} ({kind.meaning})" if slot.text else f"{place}: {kind.meaning}"
    ax.add_patch(FancyBboxPatch((left + 0.1, 0.05), 0.8, 0.9, boxstyle=shape, label=label, **look))
    center: dict[str, Any] = {"x": left + 0.5, "ha": "center", "va": "center", "color": kind.text}
    ax.text(y=0.72, s=kind.mark, fontsize=13, weight="bold", **center)
    ax.text(y=0.36, s=slot.text, fontsize=size, **center)


def _slot_html(place: str, slot: Slot) -> str:
    kind = KINDS[slot.kind]
    box = (
        f"min-width:40px;padding:2px 4px;text-align:center;border:2px {kind.css_dash} {kind.edge};"
        f"border-radius:{'10px' if kind.rounded else '0'};background-color:{kind.fill};color:{kind.text}"
    )
    mark, text = kind.mark or "&nbsp;", escape(slot.text) or "&nbsp;"
    return (
        f'<div title="{kind.meaning}">'
        f'<div style="text-align:center;font-size:12px">{place}</div>'
        f'<div style="{box}"><div style="font-weight:bold">{mark}</div>{text}</div></div>'
    )
