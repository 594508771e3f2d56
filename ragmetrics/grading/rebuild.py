"""Rebuild a student's notebook on the frame of the released one.

Only the text of the solution cells and the student's own extra cells come from the student; all the rest is
the released notebook. So a cell that was deleted, copied, moved, retyped or edited changes nothing else.
"""

from __future__ import annotations

import copy
import warnings
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_solution


def rebuild(student: NotebookNode, released: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """The released notebook with the student's answers, and what had to be repaired, in Spanish."""
    frame = {grade_id(cell): cell for cell in released.cells if grade_id(cell)}
    plain = {cell.source for cell in released.cells if not grade_id(cell)}
    answers: dict[str, str] = {}
    seen: list[str] = []
    extras: dict[str | None, list[NotebookNode]] = {}
    repairs: list[str] = []
    place: str | None = None  # the released cell that the student's cell comes after
    for cell in student.cells:
        name = grade_id(cell)
        if name is None or name not in frame:
            if cell.source.strip() and cell.source not in plain:
                extras.setdefault(place, []).append(_extra(cell))
            continue
        seen.append(name)
        place = name
        if is_solution(frame[name]):
            answers[name] = cell.source
        elif cell.source != frame[name].source and is_grade(frame[name]):
            repairs.append(f"la celda de comprobación «{name}» estaba cambiada: se usa la original")
        if cell.cell_type != frame[name].cell_type:
            repairs.append(f"la celda «{name}» había cambiado de tipo: recupera el suyo")

    cells = list(extras.get(None, []))
    for cell in released.cells:
        name = grade_id(cell)
        cell = copy.deepcopy(cell)
        cells.append(cell)
        if name is None:
            continue
        if name in answers:
            cell.source = answers[name]
        if name not in seen:
            repairs.append(f"falta la celda «{name}»: se repone la original")
        elif seen.count(name) > 1:
            counts = " (cuenta la última)" if is_solution(cell) else ""
            repairs.append(f"la celda «{name}» está copiada {seen.count(name)} veces{counts}")
        cells += extras.get(name, [])
    rebuilt = copy.deepcopy(released)
    rebuilt.cells = cells
    return rebuilt, list(dict.fromkeys(repairs))


def read_notebook(path: Path) -> NotebookNode:
    """The notebook as far as grading needs it; ValueError when it is not one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # missing or repeated cell ids: we go by nbgrader's names
        try:
            notebook = nbformat.read(path, as_version=4)
        except Exception as error:
            raise ValueError(f"{path.name} no se puede leer como notebook (está dañado o incompleto)") from error
    for cell in notebook.get("cells", [None]):
        if not isinstance(cell, dict) or not isinstance(cell.get("source"), str) or "metadata" not in cell:
            raise ValueError(f"{path.name} no se puede leer como notebook (tiene celdas mal formadas)")
    return notebook


def grade_id(cell: NotebookNode) -> str | None:
    """The name that nbgrader gave to the cell, or None."""
    name = cell.metadata.get("nbgrader", {}).get("grade_id")
    return name if isinstance(name, str) else None


def _extra(cell: NotebookNode) -> NotebookNode:
    """A cell of the student's own: its text alone, so that no tag or metadata of theirs counts."""
    if cell.cell_type == "code":
        return nbformat.v4.new_code_cell(cell.source)
    return nbformat.v4.new_markdown_cell(cell.source)


class Rebuild(NbGraderPreprocessor):
    """The first sanitizing step of `nbgrader autograde`."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Replace the notebook by the rebuilt one and log what was repaired."""
        coursedir = CourseDirectory(parent=self)
        folder = coursedir.format_path(coursedir.release_directory, ".", resources["nbgrader"]["assignment"])
        released = nbformat.read(Path(folder) / f"{resources['nbgrader']['notebook']}.ipynb", as_version=4)
        rebuilt, repairs = rebuild(nb, released)
        for repair in repairs:
            self.log.warning("%s: %s", resources["nbgrader"]["student"], repair)
        return rebuilt, resources
