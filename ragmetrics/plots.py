"""Figuras de los rankings y de las métricas, con matplotlib.

Matplotlib se importa solo al dibujar. Cada función acepta un `Axes` y lo devuelve, para que puedas cambiar
títulos o combinar figuras. El color nunca es la única señal: también hay formas, marcas o texto.
"""

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence, Set
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ragmetrics import metrics as _metrics
from ragmetrics._inputs import Ids, Relevant, as_cutoff, as_gains, as_query, as_ranking, as_relevant, shorten
from ragmetrics._tables import percent
from ragmetrics.comparison import Comparison, close, same_queries
from ragmetrics.evaluation import Evaluation
from ragmetrics.evaluation import label as metric_label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = np.ndarray[Any, Any]

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
    "hit_rate": Style("Hit rate@k", _metrics.hit_rate_at_k, GREY, "P", "--"),
    "ap": Style("AP@k", _metrics.average_precision, GREY, "X", ":"),
    "dcg": Style("DCG@k", _metrics.dcg_at_k, INK, "*", "-."),
}
ONE_QUERY = {"mrr": "rr", "map": "ap"}  # a mean over queries is drawn like its metric of one query
SYSTEMS = tuple(METRICS.values())  # the looks of several systems, in order


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


class Group(NamedTuple):
    """How the queries that share an outcome are drawn."""

    color: str
    marker: str


GROUPS = {
    "zero": Group(VERMILLION, "X"),
    "between": Group(BLUE, "o"),
    "one": Group(GREEN, "^"),
    "first": Group(BLUE, "<"),
    "tie": Group(GREY, "s"),
    "second": Group(VERMILLION, ">"),
}

NAMED_QUERIES = 30  # with more than these their names do not fit
SAME = 1e-12  # two values closer than this differ by rounding only


class Told(NamedTuple):
    """What the alternative text needs to know of a line: the names of its points, the axes that hold values."""

    names: Sequence[str]
    axes: str


class Cuts(NamedTuple):
    """A curve of precision against recall: its name and, at each cut, both values."""

    label: str
    cuts: Sequence[int]
    recall: Sequence[float]
    precision: Sequence[float]


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

    >>> ranking_strip(["d1", "d3"], relevant=["d3", "d7"], k=2).get_title(loc="left")
    '1 de 2 relevantes en el top-2'
    """
    strip = build_strip(retrieved, relevant, k)
    gap = 0.6
    width = max(1, len(strip.places)) + (len(strip.missing) + gap if strip.missing else 0)
    if ax is None:
        ax = _new_axes(min(11.0, max(5.0, 0.95 * width)), 1.9)
    longest = max([6, *(len(slot.text) for slot in strip.places + strip.missing)])
    size = min(11.0, 90 * _inches(ax)[0] / width / longest)

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
    """Escribe la tira de `ranking_strip` en HTML, sin matplotlib: para lo que se redibuja a menudo.

    >>> ranking_strip_html(["d1", "d3"], relevant=["d3"]).count("✓")
    1
    """
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
    metrics: str | Sequence[str] = ("recall",),
    max_k: int | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Dibuja cómo cambian una o varias métricas de una query al mover el corte `k`.

    Para la media de muchas queries, `evaluation_by_k`.

    Args:
        retrieved: ids recuperados, en orden.
        relevant: ids relevantes (o un dict id → ganancia).
        metrics: nombres de `METRICS`: "recall", "precision", "f1", "rr", "ndcg", "hit_rate", "ap", "dcg".
        max_k: último corte; sin él, tantos como documentos llegaron.
        ax: dónde dibujar; sin él se crea una figura.

    Returns:
        El `Axes` dibujado.

    Raises:
        ValueError: si una métrica no existe.

    >>> ax = metric_by_k(["d1", "d3"], relevant=["d3"], metrics=("recall", "precision"))
    >>> [line.get_ydata().tolist() for line in ax.lines]
    [[0.0, 1.0], [0.0, 0.5]]
    """
    styles = [METRICS[name] for name in _as_names(metrics, METRICS)]
    ranking, wanted = as_ranking(retrieved), as_relevant(relevant)
    cuts = _cuts(ranking, max_k)
    values = [[style.function(ranking, wanted, k) for k in cuts] for style in styles]
    if ax is None:
        ax = _new_axes(6.6, 3.4)
    for style, column in zip(styles, values, strict=True):
        ax.plot(cuts, column, label=style.label, linewidth=2, markersize=7, **_look(style))
    ax.set_ylabel(styles[0].label if len(styles) == 1 else "valor de la métrica")
    ax.set_title("Según cambia k", loc="left", fontsize=11)
    _set_cut_axis(ax, cuts)
    _set_value_axis(ax, ax.dataLim.y1)
    if len(styles) > 1:
        _add_legend(ax)
    return ax


def evaluation_by_k(
    evaluation: Evaluation | Mapping[str, Evaluation] | Comparison,
    metrics: str | Sequence[str] = "recall",
    ax: "Axes | None" = None,
) -> "Axes":
    """Dibuja cómo cambia la media de muchas queries al mover el corte `k`, con su intervalo de confianza.

    Args:
        evaluation: una `Evaluation` con varios cortes, o varias para comparar sistemas: {"BM25": a, "denso": b}.
            También vale lo que devuelve `compare`.
        metrics: nombres de métricas con corte, como "recall" o ("recall", "precision"); con varios sistemas,
            solo una.
        ax: dónde dibujar; sin él se crea una figura.

    Returns:
        El `Axes` dibujado.

    Raises:
        TypeError: si no llegan evaluaciones.
        ValueError: si una métrica no existe, si hay un solo corte o si llegan varios sistemas y varias métricas.

    >>> from ragmetrics import evaluate
    >>> evaluation = evaluate({"q1": ["a", "x"], "q2": ["y", "b"]}, {"q1": ["a"], "q2": ["b"]}, k=(1, 2))
    >>> evaluation_by_k(evaluation, ("recall", "precision")).get_title(loc="left")
    'Media de 2 queries, con su intervalo del 95 %'
    """
    systems = _as_systems(evaluation)
    families = _as_names(metrics, _families(systems.values()))
    if len(systems) > 1 and len(families) > 1:
        raise ValueError(
            f"Con varios sistemas se dibuja una sola métrica y llegaron {len(families)}: {', '.join(families)}. "
            "Elige una, o haz una figura por sistema."
        )
    curves = [(system, family, _cuts_of(system, family)) for system in systems.values() for family in families]
    if len(systems) > 1:
        looks, labels = list(SYSTEMS), list(map(_system_label, systems))
    else:
        looks = [METRICS[ONE_QUERY.get(family, family)] for family in families]
        labels = [metric_label(f"{family}@k") for family in families]
    if ax is None:
        ax = _new_axes(7.2 if len(curves) > 1 else 6.6, 3.6)
    tops = []
    for index, (system, family, cuts) in enumerate(curves):
        aside = 5 * (index - (len(curves) - 1) / 2)
        tops.append(_draw_means(ax, system, family, cuts, looks[index], labels[index], aside))
    ax.set_ylabel(metric_label(f"{families[0]}@k") if len(families) == 1 else "media de la métrica")
    ax.set_title(_sample_title(systems), loc="left", fontsize=11, parse_math=False)
    _set_cut_axis(ax, sorted({k for _, _, cuts in curves for k in cuts}), 0.05 + 0.01 * len(curves))
    _set_value_axis(ax, max(tops))
    if len(curves) > 1:
        _add_legend(ax)
    return ax


def precision_recall(
    retrieved: Ids, relevant: Relevant, max_k: int | None = None, ax: "Axes | None" = None
) -> "Axes":
    """Dibuja la precision frente al recall de una query en cada corte.

    Args:
        retrieved: ids recuperados, en orden.
        relevant: ids relevantes (o un dict id → ganancia).
        max_k: último corte; sin él, tantos como documentos llegaron.
        ax: dónde dibujar; sin él se crea una figura.

    Returns:
        El `Axes` dibujado; junto a cada punto, su corte, si cabe.

    Raises:
        TypeError, ValueError: los de `recall_at_k`.

    >>> ax = precision_recall(["d1", "d3"], relevant=["d3"])
    >>> [text.get_text() for text in ax.texts]
    ['k=1', 'k=2']
    """
    ranking, wanted = as_ranking(retrieved), as_relevant(relevant)
    cuts = _cuts(ranking, max_k)
    recall = [METRICS["recall"].function(ranking, wanted, k) for k in cuts]
    precision = [METRICS["precision"].function(ranking, wanted, k) for k in cuts]
    if ax is None:
        ax = _new_axes(5.4, 4.2)
    ax.set_title("Precision y recall en cada corte", loc="left", fontsize=11)
    _draw_cuts(ax, [Cuts("Cortes", cuts, recall, precision)])
    return ax


def evaluation_precision_recall(
    evaluation: Evaluation | Mapping[str, Evaluation] | Comparison, ax: "Axes | None" = None
) -> "Axes":
    """Dibuja la precision media frente al recall medio de muchas queries en cada corte.

    Args:
        evaluation: una `Evaluation` con varios cortes, o varias: {"BM25": a, "denso": b}. También vale lo que
            devuelve `compare`.
        ax: dónde dibujar; sin él se crea una figura.

    Returns:
        El `Axes` dibujado; junto a cada punto, su corte, si cabe.

    Raises:
        TypeError: si no llegan evaluaciones.
        ValueError: si no tienen recall y precision en varios cortes.

    >>> from ragmetrics import evaluate
    >>> evaluation = evaluate({"q1": ["a", "x"], "q2": ["y", "b"]}, {"q1": ["a"], "q2": ["b"]}, k=(1, 2))
    >>> evaluation_precision_recall(evaluation).get_title(loc="left")
    'Precision y recall en cada corte: media de 2 queries'
    """
    systems = _as_systems(evaluation)
    _as_names(("recall", "precision"), _families(systems.values()))
    curves = []
    for name, system in systems.items():
        cuts = _cuts_of(system, "recall")
        recall, precision = ([system.means[f"{family}@{k}"] for k in cuts] for family in ("recall", "precision"))
        curves.append(Cuts(_system_label(name) or "Cortes", cuts, recall, precision))
    if ax is None:
        ax = _new_axes(7.0 if len(curves) > 1 else 5.4, 4.2)
    ax.set_title(f"Precision y recall en cada corte: media de {_sample(systems)}", loc="left", fontsize=11)
    _draw_cuts(ax, curves)
    return ax


def distribution(evaluation: Evaluation, metric: str | None = None, ax: "Axes | None" = None) -> "Axes":
    """Dibuja el valor de una métrica en cada query, de la peor a la mejor.

    Una media de 0,5 puede ser de queries que van todas regular o de unas perfectas y otras a cero: aquí se ve.

    Args:
        evaluation: lo que devuelve `evaluate`.
        metric: nombre de la métrica, como "recall@5"; si no dices cuál, nDCG en el mayor k.
        ax: dónde dibujar; sin él se crea una figura.

    Returns:
        El `Axes` dibujado: un punto por query, con otra marca si vale 0 o 1, y la media.

    Raises:
        TypeError: si no llega una `Evaluation`.
        ValueError: si la métrica no existe.

    >>> from ragmetrics import evaluate
    >>> evaluation = evaluate({"q1": ["a", "x"], "q2": ["y", "z"]}, {"q1": ["a"], "q2": ["b"]}, k=2)
    >>> ax = distribution(evaluation, "recall@2")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['valen 0: 1 query', 'entre 0 y 1: 0 queries', 'valen 1: 1 query', 'media: 0,500']
    """
    _check_evaluation(evaluation)
    name = evaluation.metric_named(metric)
    values = evaluation.values[name]
    is_capped = not name.startswith("dcg")  # a DCG of 1 is not the best one
    zeros, ones = values <= SAME, (np.abs(values - 1) <= SAME) & is_capped
    between = ~zeros & ~ones
    groups = [
        ("zero", f"valen 0: {_queries(zeros.sum())}", zeros),
        ("between", f"{'entre 0 y 1' if is_capped else 'más de 0'}: {_queries(between.sum())}", between),
        ("one", f"valen 1: {_queries(ones.sum())}", ones),
    ]
    if ax is None:
        ax = _new_query_axes(len(values))
    _draw_queries(ax, evaluation.queries, values, np.argsort(values, kind="stable"), groups[: 2 + is_capped])
    mean = evaluation.means[name]
    ax.axvline(mean, color=INK, linestyle="--", linewidth=1.8, label=f"media: {decimal(mean, 3)}")
    top = max(1.0, float(values.max()))
    ax.set_xlim(-0.04 * top, 1.06 * top)
    _set_decimals(ax.xaxis, lambda value: decimal(value, 1))
    ax.set_xlabel(metric_label(name))
    ax.set_ylabel("queries, de peor a mejor")
    ax.set_title(f"{metric_label(name)} de {_queries(len(values))}", loc="left", fontsize=11)
    _add_legend(ax)
    return ax


def compare_queries(
    evaluation_a: Evaluation | Comparison,
    evaluation_b: Evaluation | None = None,
    metric: str | None = None,
    names: tuple[str, str] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Compara dos sistemas query por query: la diferencia de una métrica en cada una, en orden.

    Args:
        evaluation_a: lo que devuelve `evaluate` con el primer sistema; o, sin `evaluation_b`, lo que devuelve
            `compare`.
        evaluation_b: lo que devuelve `evaluate` con el segundo, sobre las mismas queries.
        metric: nombre de la métrica, como "ndcg@5"; si no dices cuál, nDCG en el mayor k.
        names: nombres de los dos sistemas; los de una comparación, si no dices cuáles, son los dos primeros.
        ax: dónde dibujar; sin él se crea una figura.

    Returns:
        El `Axes` dibujado: a la derecha las queries en que gana el segundo, a la izquierda aquellas en que pierde.

    Raises:
        TypeError: si no llegan dos `Evaluation` o lo que devuelve `compare`.
        ValueError: si la métrica o un nombre no existe, o si las queries o los cortes no son los mismos.

    Convención: la diferencia es el segundo menos el primero, como en `compare`.

    >>> from ragmetrics import evaluate
    >>> qrels = {"q1": ["a"], "q2": ["b"]}
    >>> a = evaluate({"q1": ["x", "a"], "q2": ["y", "b"]}, qrels, k=2)
    >>> b = evaluate({"q1": ["a", "x"], "q2": ["y", "b"]}, qrels, k=2)
    >>> ax = compare_queries(a, b, "mrr", names=("BM25", "denso"))
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['gana denso: 1 query', 'empatan: 1 query', 'gana BM25: 0 queries', 'diferencia media: +0,250']
    """
    first, second, a, b = _two_systems(evaluation_a, evaluation_b, names)
    name = a.metric_named(metric)
    values_a, values_b = a.values[name], b.values[b.metric_named(name)]
    ties = close(values_a, values_b)
    differences = np.where(ties, 0.0, values_b - values_a)
    wins, losses = differences > 0, differences < 0
    groups = [
        ("second", f"gana {second}: {_queries(wins.sum())}", wins),
        ("tie", f"empatan: {_queries(ties.sum())}", ties),
        ("first", f"gana {first}: {_queries(losses.sum())}", losses),
    ]
    if ax is None:
        ax = _new_query_axes(len(differences))
    _draw_queries(ax, a.queries, differences, np.argsort(-differences, kind="stable"), groups)
    mean = float(differences.mean())
    ax.axvline(0, color=INK, linewidth=1)
    ax.axvline(mean, color=INK, linestyle="--", linewidth=1.8, label=f"diferencia media: {_signed(mean, 3)}")
    reach = 1.08 * max(0.05, float(np.abs(differences).max()))
    ax.set_xlim(-reach, reach)
    _set_decimals(ax.xaxis, lambda value: _signed(value, 1 if reach > 0.4 else 2))
    room = max(6, int(4 * _inches(ax)[0]) - 8)  # letters of each name, so that both fit
    ax.set_xlabel(f"← gana {_cut(first, room)}   ·   gana {_cut(second, room)} →", parse_math=False)
    ax.set_ylabel("queries, según su diferencia")
    title = f"Diferencia de {metric_label(name)} en {_queries(len(differences))}"
    ax.set_title(title, loc="left", fontsize=11)
    _add_legend(ax)
    return ax


def _new_axes(width: float, height: float) -> "Axes":
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=(width, height), layout="constrained")[1]


def _inches(ax: "Axes") -> tuple[float, float]:
    extent = ax.get_window_extent()
    return extent.width / ax.figure.dpi, extent.height / ax.figure.dpi


def _new_query_axes(n: int) -> "Axes":
    """Make room for the name of each query while there are few."""
    return _new_axes(8.2, 1.2 + 0.2 * max(n, 8) if n <= NAMED_QUERIES else 4.8)


def _look(style: Style) -> dict[str, Any]:
    return {"color": style.color, "marker": style.marker, "linestyle": style.dash}


def _as_names(metrics: str | Sequence[str], available: Collection[str]) -> list[str]:
    """Return the names of the metrics asked for, each once; "recall@k" is "recall"."""
    asked = [metrics] if isinstance(metrics, str) else metrics
    names = list(dict.fromkeys(str(name).removesuffix("@k") for name in asked))
    unknown = [name for name in names if name not in available]
    if unknown or not names:
        came = shorten(unknown[0]) if unknown else "ninguna"
        raise ValueError(f"Elige métricas entre {', '.join(available)}; llegó {came}.")
    return names


def _check_evaluation(evaluation: object) -> None:
    if not isinstance(evaluation, Evaluation):
        raise TypeError(
            f"Hace falta lo que devuelve evaluate(...), una Evaluation, y llegó {shorten(evaluation)}, de tipo "
            f"{type(evaluation).__name__}."
        )


def _as_systems(evaluation: Any) -> dict[str, Evaluation]:
    """Return the evaluations by name; the only one has no name."""
    if isinstance(evaluation, Comparison):
        return _as_systems(evaluation.evaluations)
    systems = dict(evaluation) if isinstance(evaluation, Mapping) else {"": evaluation}
    if not 1 <= len(systems) <= len(SYSTEMS):
        raise ValueError(
            f"Da entre 1 y {len(SYSTEMS)} sistemas, que se puedan distinguir; llegaron {len(systems)}."
        )
    for system in systems.values():
        _check_evaluation(system)
    return systems


def _families(systems: Iterable[Evaluation]) -> list[str]:
    """Return the metrics with a cut-off that all systems have, without their "@5"."""
    measured = [dict.fromkeys(name.partition("@")[0] for name in each.values if "@" in name) for each in systems]
    shared = [family for family in measured[0] if all(family in other for other in measured)]
    if not shared:
        raise ValueError(
            "No hay ninguna métrica con corte en común: evalúa otra vez con, por ejemplo, "
            'metrics=("recall@k", "precision@k") y k=(1, 3, 5, 10).'
        )
    return shared


def _cuts_of(evaluation: Evaluation, family: str) -> list[int]:
    cuts = sorted(k for k in evaluation.k if f"{family}@{k}" in evaluation.values)
    if len(cuts) < 2:
        raise ValueError(
            f"La evaluación tiene un solo corte, k = {cuts[0]}, y esta figura necesita varios: evalúa otra vez "
            "con, por ejemplo, k=(1, 3, 5, 10)."
        )
    return cuts


def _cuts(ranking: Sequence[Hashable], max_k: int | None) -> range:
    return range(1, (as_cutoff(max_k) if max_k is not None else max(len(ranking), 1)) + 1)


def _two_systems(a: Any, b: Any, names: Sequence[str] | None) -> tuple[str, str, Evaluation, Evaluation]:
    """Return the names and the evaluations of two systems, with the queries in the same order."""
    is_comparison = isinstance(a, Comparison)
    names = names or (a.systems[:2] if is_comparison else ("A", "B"))
    if isinstance(names, str) or len(names) != 2 or names[0] == names[1]:
        raise ValueError(f'names son dos nombres distintos, como ("BM25", "denso"), y llegó {shorten(names)}.')
    if is_comparison and b is not None:
        raise TypeError(
            f"Lo que devuelve compare ya tiene los dos sistemas y llegó además {shorten(b)}. "
            'Elige por nombre la métrica y los sistemas: metric="ndcg@5", names=("BM25", "denso").'
        )
    systems = a.evaluations if is_comparison else dict(zip(names, (a, b), strict=True))
    for name in names:
        if name not in systems:
            raise ValueError(f"No hay ningún sistema {shorten(name)}; los hay: {', '.join(systems)}.")
        _check_evaluation(systems[name])
    aligned = same_queries({name: systems[name] for name in names})
    return names[0], names[1], aligned[names[0]], aligned[names[1]]


def _queries(n: int) -> str:
    return f"{n} {'query' if n == 1 else 'queries'}"


def _signed(value: float, digits: int) -> str:
    text = decimal(abs(value), digits)
    sign = "" if not text.strip("0,") else "+" if value > 0 else "−"
    return sign + text


def _system_label(name: object) -> str:
    """Return the name in one line; matplotlib leaves out of the legend what starts with "_"."""
    text = " ".join(str(name).split())
    return f"«{text}»" if text.startswith("_") else text


def _cut(text: object, limit: int = 34) -> str:
    """Return a name that fits beside an axis."""
    text = " ".join(str(text).split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _sample(systems: Mapping[str, Evaluation]) -> str:
    sizes = sorted({len(system) for system in systems.values()})
    return _queries(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} a {_queries(sizes[-1])}"


def _sample_title(systems: Mapping[str, Evaluation]) -> str:
    names = [f"{_cut(name)}: " for name in systems if len(systems) == 1 and name]
    levels = {system.confidence for system in systems.values()}
    level = f" del {percent(levels.pop())}" if len(levels) == 1 else " de confianza"
    if all(len(system) == 1 for system in systems.values()):
        return "".join([*names, "Una sola query, sin intervalo"])
    return "".join([*names, f"Media de {_sample(systems)}, con su intervalo{level}"])


def _add_legend(ax: "Axes") -> None:
    """Put the legend beside the axes, where it hides nothing; long names take several lines."""
    from textwrap import fill

    from matplotlib.lines import Line2D

    handles, labels = ax.get_legend_handles_labels()
    place: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1.0, 0.5), "frameon": False}
    legend = ax.legend(handles, [fill(label, 28) for label in labels], **place)
    for text in legend.get_texts():
        text.set_parse_math(False)
    for handle in legend.legend_handles:
        if isinstance(handle, Line2D):
            handle.set_markersize(7)  # also where the points are tiny


def _set_decimals(axis: Any, write: Callable[[float], str]) -> None:
    """Put the ticks of an axis where few decimals say them exactly."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 5, 10]))
    axis.set_major_formatter(lambda value, _: write(value))


def _set_value_axis(ax: "Axes", top: float) -> None:
    """Show the whole range of a metric, and more only when a DCG needs it."""
    top = max(1.0, top)
    ax.set_ylim(-0.04 * top, 1.08 * top)
    _set_decimals(ax.yaxis, lambda value: decimal(value, 1))
    ax.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    ax.spines[["top", "right"]].set_visible(False)


def _set_cut_axis(ax: "Axes", cuts: Sequence[int], margin: float = 0.05) -> None:
    """Mark the cuts that have room, on a logarithmic scale when otherwise the first ones would stick together."""
    label, places = "k: cuántos documentos se miran", dict(zip(cuts, map(float, cuts), strict=True))
    gaps, span = np.diff(cuts), cuts[-1] - cuts[0]
    if len(cuts) > 2 and gaps.min() < span / 20 and gaps.max() > gaps.min():
        ax.set_xscale("log")
        ax.minorticks_off()
        label, places = f"{label} (escala logarítmica)", {cut: math.log(cut) for cut in cuts}
    low, high = places[cuts[0]], places[cuts[-1]]
    beyond = margin * (high - low) or 0.5
    limits = low - beyond, high + beyond
    ax.set_xlim(*(map(math.exp, limits) if ax.get_xscale() == "log" else limits))
    step = (high - low) * (0.12 + 0.085 * len(str(cuts[-1]))) / _inches(ax)[0]
    ticks: list[int] = []
    for cut in sorted(cuts, key=_roundness, reverse=True):
        if all(abs(places[cut] - places[other]) >= step for other in ticks):
            ticks.append(cut)
    ax.set_xticks(sorted(ticks), [str(cut) for cut in sorted(ticks)])
    ax.set_xlabel(label)


def _roundness(k: int) -> int:
    return next(unit for unit in (1000, 100, 10, 5, 1) if k % unit == 0 or k == 1)


def _draw_means(
    ax: "Axes", evaluation: Evaluation, family: str, cuts: list[int], style: Style, label: str, aside: float
) -> float:
    """Draw a curve of means, some points aside so that its bars do not hide those of the other curves.

    Return the highest value drawn.
    """
    from matplotlib.transforms import ScaledTranslation

    names = [f"{family}@{k}" for k in cuts]
    means = np.array([evaluation.means[name] for name in names])
    every = -(-len(cuts) // 20)
    look: dict[str, Any] = {"label": label, "linewidth": 2, "markersize": 7, "markevery": every, **_look(style)}
    if len(evaluation) == 1:
        ax.plot(cuts, means, **look)
        return float(means.max())
    low, high = np.array([evaluation.intervals[name] for name in names]).T
    bars = np.maximum([means - low, high - means], 0)  # rounding
    shift = ScaledTranslation(aside / 72, 0, ax.figure.dpi_scale_trans)
    look |= {"errorevery": every, "capsize": 3, "elinewidth": 1.4, "transform": ax.transData + shift}
    ax.errorbar(cuts, means, yerr=bars, **look)
    return float(high.max())


def _draw_cuts(ax: "Axes", curves: Sequence[Cuts]) -> None:
    """Draw precision against recall and, beside each point, its cut."""
    for (label, cuts, recall, precision), style in zip(curves, SYSTEMS, strict=False):
        (line,) = ax.plot(recall, precision, label=label, linewidth=2, markersize=7, **_look(style))
        line.told = Told([f"k = {k}" for k in cuts], "xy")  # type: ignore[attr-defined]
    _set_value_axis(ax, 1)
    ax.set_xlim(-0.04, 1.12)
    _set_decimals(ax.xaxis, lambda value: decimal(value, 1))
    ax.set_xlabel("Recall@k")
    ax.set_ylabel("Precision@k")
    if len(curves) > 1:
        _add_legend(ax)
    _name_cuts(ax, curves)


def _name_cuts(ax: "Axes", curves: Sequence[Cuts]) -> None:
    """Write the cuts that hide no other: the first, the last and those that find something go before the rest."""
    ax.figure.canvas.figure.draw_without_rendering()  # the layout settles how much room there is
    taken: list[tuple[float, float, float]] = []
    for _, cuts, recall, precision in curves:
        last = len(cuts) - 1
        rises = [index for index in range(1, last) if recall[index] > recall[index - 1]]
        for index in dict.fromkeys([0, last, *rises, *range(last)]):
            point, text = (recall[index], precision[index]), f"k={cuts[index]}"
            goes_up = index < last and precision[index + 1] > precision[index]
            aside = (5, 5) if not goes_up else (4, -11) if point[1] > 0.06 else (9, -2)
            x, y = ax.transData.transform(point) * 72 / ax.figure.dpi + aside
            width = 6 * len(text)
            if all(x + width < left or right < x or abs(y - height) > 11 for left, right, height in taken):
                taken.append((x, x + width, y))
                ax.annotate(text, point, aside, textcoords="offset points", fontsize=9, color=INK)


def _draw_queries(
    ax: "Axes",
    queries: Sequence[Hashable],
    values: Array,
    order: Array,
    groups: Sequence[tuple[str, str, Array]],
) -> None:
    """Draw a row per query, from the top in the order given, with the marker of its group at its value."""
    from matplotlib.ticker import MaxNLocator

    n, height = len(values), _inches(ax)[1]
    rows = np.empty(n, dtype=int)
    rows[order] = np.arange(1, n + 1)
    room = 72 * height / n
    ax.hlines(rows, 0, values, color="#CFCFCF", linewidth=min(3.0, max(0.4, 0.4 * room)), zorder=1)
    size = min(7.0, max(2.5, 0.8 * room))
    for kind, label, members in groups:
        own, group = order[members[order]], GROUPS[kind]
        look: dict[str, Any] = {"color": group.color, "marker": group.marker, "markeredgewidth": 0}
        (line,) = ax.plot(values[own], rows[own], label=label, linestyle="none", markersize=size, **look)
        line.told = Told([str(queries[index]) for index in own], "x")  # type: ignore[attr-defined]
    if n <= NAMED_QUERIES and room >= 10:
        names = [_cut(queries[index]) for index in order]
        ax.set_yticks(range(1, n + 1), names, fontsize=9, parse_math=False)
    else:
        ax.set_yticks([tick for tick in MaxNLocator(integer=True).tick_values(1, n) if 1 <= tick <= n])
    margin = max(0.7, 0.02 * n)
    ax.set_ylim(n + margin, 1 - margin)
    ax.grid(axis="x", color="#DDDDDD", linewidth=0.8)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def _write(ax: "Axes", x: float, y: float, text: str, va: str, style: str = "normal") -> None:
    ax.text(x, y, text, ha="center", va=va, color=INK, fontsize=9, style=style, parse_math=False)


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
    ax.text(y=0.36, s=slot.text, fontsize=size, parse_math=False, **center)


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
