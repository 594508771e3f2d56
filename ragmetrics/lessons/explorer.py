"""The explorer: move the cut, mark documents, reorder them, and watch the five metrics of the course.

`Ranking` is the state and knows nothing of widgets; `Explorer` shows it. A row stands for a position, so
moving a document changes the contents of two rows, and the keyboard focus can follow the document.
"""

from collections.abc import Hashable
from typing import Any

import ipywidgets as widgets

from ragmetrics._html import CARD
from ragmetrics._inputs import Ids, Relevant, as_cutoff, as_ranking
from ragmetrics.evaluator import RetrievalEvaluator
from ragmetrics.plots import BLUE, GREY, INK, PAPER, build_strip, decimal, ranking_strip_html, relevant_ids

FALLBACK = "Explorador interactivo: ejecuta esta celda para mover k, marcar documentos y reordenarlos."


class Ranking:
    """A ranking that can be edited: its documents in order, the relevant ones and the cut."""

    def __init__(self, retrieved: Ids, relevant: Relevant, k: int = 5) -> None:
        self.retrieved, self.relevant = list(as_ranking(retrieved)), relevant_ids(relevant)
        self.k = as_cutoff(k)

    def move(self, index: int, step: int) -> int:
        """Swap the document at `index` with its neighbour (`step` is -1 or 1); return where it is now."""
        target = index + step
        if not 0 <= target < len(self.retrieved):
            return index
        documents = self.retrieved
        documents[index], documents[target] = documents[target], documents[index]
        return target

    def mark(self, document: Hashable, relevant: bool) -> None:
        """Make a document relevant or not."""
        if relevant != (document in self.relevant):
            (self.relevant.append if relevant else self.relevant.remove)(document)

    def metrics(self) -> dict[str, float]:
        """Compute the five metrics of the course."""
        return RetrievalEvaluator(k=self.k).evaluate_all(self.retrieved, self.relevant)

    def explained_metrics(self) -> list[tuple[str, str, float]]:
        """Name, where it comes from in this ranking, and value of each metric."""
        kinds = [slot.kind for slot in build_strip(self.retrieved, self.relevant, self.k).places]
        found = kinds.count("relevant")
        first = next((i for i, kind in enumerate(kinds, start=1) if kind in ("relevant", "late")), None)
        reasons = (
            f"{found} de {len(set(self.relevant))} relevantes",
            f"{found} de {self.k} posiciones",
            "media armónica de las dos",
            f"primer relevante: posición {first}" if first else "no llegó ningún relevante",
            "aciertos según su posición",
        )
        names = (f"Recall@{self.k}", f"Precision@{self.k}", f"F1@{self.k}", "RR", f"nDCG@{self.k}")
        return list(zip(names, reasons, self.metrics().values(), strict=True))

    def html(self) -> str:
        """Draw the strip and the table of metrics."""
        strip = ranking_strip_html(self.retrieved, self.relevant, self.k)
        rows = "".join(_metric_row(*metric) for metric in self.explained_metrics())
        table = f'<table style="margin:10px 0 0 0">{rows}</table>'
        return f'<div style="{CARD}">{strip}{table}</div>'


class Explorer:
    """The widgets around a `Ranking`."""

    def __init__(self, retrieved: Ids, relevant: Relevant, k: int = 5) -> None:
        self.ranking = Ranking(retrieved, relevant, k)
        k = self.ranking.k
        self._start = (list(self.ranking.retrieved), list(self.ranking.relevant), k)
        self._updating = False
        count = len(self.ranking.retrieved)
        self.cut = widgets.IntSlider(
            value=k,
            min=1,
            max=max(count, k),
            description="Corte k",
            tooltip="Cuántos documentos se miran",
            layout=widgets.Layout(width="340px"),
        )
        self.reset = widgets.Button(
            description="Empezar de nuevo", icon="undo", layout=widgets.Layout(width="auto")
        )
        self.marks = [widgets.ToggleButton(layout=widgets.Layout(width="200px")) for _ in range(count)]
        self.ups = [_arrow("▲", disabled=index == 0) for index in range(count)]
        self.downs = [_arrow("▼", disabled=index == count - 1) for index in range(count)]
        self.rows = [
            widgets.HBox([widgets.Label(f"{index + 1}.", layout=widgets.Layout(width="28px")), *controls])
            for index, controls in enumerate(zip(self.marks, self.ups, self.downs, strict=True))
        ]
        self.panel = widgets.HTML()
        hint = widgets.Label("Pulsa un documento para marcarlo como relevante; ▲ y ▼ lo mueven.")
        self.widget = widgets.VBox([widgets.HBox([self.cut, self.reset]), self.panel, hint, *self.rows])
        self._connect()
        self._refresh()

    def _connect(self) -> None:
        self.cut.observe(self._on_cut, names="value")
        self.reset.on_click(lambda _: self._on_reset())
        for index, (mark, up, down) in enumerate(zip(self.marks, self.ups, self.downs, strict=True)):
            mark.observe(lambda change, index=index: self._on_mark(index, change["new"]), names="value")
            up.on_click(lambda _, index=index: self._on_move(index, -1))
            down.on_click(lambda _, index=index: self._on_move(index, 1))

    def _on_cut(self, change: dict[str, Any]) -> None:
        self.ranking.k = change["new"]
        self._refresh()

    def _on_mark(self, index: int, relevant: bool) -> None:
        if not self._updating:
            self.ranking.mark(self.ranking.retrieved[index], relevant)
            self._refresh()

    def _on_move(self, index: int, step: int) -> None:
        target = self.ranking.move(index, step)
        self._refresh()
        arrows = (self.ups, self.downs) if step < 0 else (self.downs, self.ups)
        next(arrow[target] for arrow in arrows if not arrow[target].disabled).focus()

    def _on_reset(self) -> None:
        retrieved, relevant, k = self._start
        self.ranking = Ranking(retrieved, relevant, k)
        self.cut.value = k
        self._refresh()

    def _refresh(self) -> None:
        self._updating = True
        ranking = self.ranking
        self.panel.value = ranking.html()
        for index, document in enumerate(ranking.retrieved):
            mark = self.marks[index]
            mark.value = document in ranking.relevant
            mark.description = f"✓ {document} (relevante)" if mark.value else f"{document}"
            mark.button_style = "primary" if mark.value else ""
            mark.tooltip = f"Marcar o desmarcar {document} como relevante"
            self.ups[index].tooltip = f"Subir {document}"
            self.downs[index].tooltip = f"Bajar {document}"
        self._updating = False

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """Add to the widget what is shown without a kernel: its first state."""
        bundle = dict(self.widget._repr_mimebundle_(include=include, exclude=exclude))
        bundle["text/plain"] = FALLBACK
        bundle["text/html"] = f"<p>{FALLBACK}</p>{self.ranking.html()}"
        return bundle


def explorer(retrieved: Ids, relevant: Relevant, k: int = 5) -> Explorer:
    """Muestra un ranking que puedes cambiar, con sus cinco métricas al día.

    Mueve el corte, marca o desmarca documentos relevantes y cámbialos de posición. Las listas que le pasas no
    se modifican.

    Args:
        retrieved: ids recuperados, en orden.
        relevant: ids relevantes (o un dict id → ganancia: cuentan los que la tienen mayor que 0).
        k: el corte con el que empieza.

    Returns:
        El explorador; pon la llamada al final de la celda para que se vea.

    Raises:
        TypeError, ValueError: si `retrieved`, `relevant` o `k` no son válidos (el mensaje dice por qué).
    """
    return Explorer(retrieved, relevant, k)


def _arrow(symbol: str, disabled: bool) -> widgets.Button:
    return widgets.Button(description=symbol, disabled=disabled, layout=widgets.Layout(width="44px"))


def _metric_row(name: str, reason: str, value: float) -> str:
    cell = f"padding:3px 10px;border:none;color:{INK};text-align:"
    bar = f"width:{100 * value:.0f}%;height:12px;background-color:{BLUE}"
    return (
        f'<tr style="background-color:{PAPER}"><th scope="row" style="{cell}left">{name}</th>'
        f'<td style="{cell}left">{reason}</td>'
        f'<td style="{cell}right"><strong>{decimal(value, 3)}</strong></td>'
        f'<td style="{cell}left"><div style="width:120px;border:1px solid {GREY}">'
        f'<div style="{bar}"></div></div></td></tr>'
    )
