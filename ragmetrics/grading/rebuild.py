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
from nbgrader.utils import compute_checksum, is_grade, is_solution


def rebuild(student: NotebookNode, released: NotebookNode) -> tuple[NotebookNode, list[str]]:
    """The released notebook with the student's answers, and what had to be repaired, in Spanish."""
    frame = {name: cell for cell in released.cells if (name := grade_id(cell))}
    plain = {_text(cell) for cell in released.cells if not grade_id(cell)}
    answers: dict[str, list[NotebookNode]] = {name: [] for name in frame}
    extras: dict[str | None, list[NotebookNode]] = {}
    repairs: list[str] = []
    place: str | None = None  # the released cell that the student's cell comes after
    for cell in student.cells:
        name = grade_id(cell)
        if name is None or name not in frame:
            if _text(cell).strip() and _text(cell) not in plain:
                extras.setdefault(place, []).append(_extra(cell))
            continue
        place = name
        answers[name].append(cell)
        repairs += _edits(name, cell, frame[name])

    cells = list(extras.get(None, []))
    for released_cell in released.cells:
        name = grade_id(released_cell)
        cell = copy.deepcopy(released_cell)
        if name is not None and is_solution(cell):
            cells += _answer(cell, answers[name])
        cells.append(cell)
        if name is not None:
            found = len(answers[name])
            if not found:
                repairs.append(f"falta la celda «{name}»: se repone")
            elif found > 1:
                counts = "cuenta la última" if cell.cell_type == "code" else "se juntan"
                counts = f" ({counts})" if is_solution(cell) else ""
                repairs.append(f"la celda «{name}» está copiada {found} veces{counts}")
            cells += extras.get(name, [])
    rebuilt = copy.deepcopy(released)
    rebuilt.cells = cells
    return rebuilt, list(dict.fromkeys(repairs))


def _edits(name: str, cell: NotebookNode, released: NotebookNode) -> list[str]:
    """What the student changed in a cell and will not count."""
    edits = []
    same = _text(cell) == _text(released)
    older = cell.metadata["nbgrader"].get("checksum") == compute_checksum(cell)  # of an earlier release
    if is_grade(released) and not is_solution(released) and not same and not older:
        edits.append(f"la celda de comprobación «{name}» estaba cambiada: se usa la original")
    if cell.cell_type != released.cell_type:
        edits.append(f"la celda «{name}» había cambiado de tipo: recupera el suyo")
    return edits


def _answer(cell: NotebookNode, copies: list[NotebookNode]) -> list[NotebookNode]:
    """Put the student's answer into the solution cell; what must come before it.

    JupyterLab leaves several cells of one name when a cell is split or copied: the last one that says something
    counts, and those before it still run before it.
    """
    written = [copied for copied in copies if _text(copied).strip()]
    if cell.cell_type == "markdown":
        if copies:
            cell.source = "\n\n".join(dict.fromkeys(_text(copied) for copied in written))
            cell.attachments = {k: v for copied in copies for k, v in copied.get("attachments", {}).items()}
        return []
    if not copies:
        # Not the stub: it would undo what the student wrote in a cell of their own.
        cell.source = "# Esta celda se borró: se repone vacía."
        return []
    if not written:
        cell.source = ""
        return []
    *earlier, last = written
    cell.source = _text(last)
    return [_extra(copied) for copied in earlier if _text(copied) != _text(last)]


def _text(cell: NotebookNode) -> str:
    return cell.source.replace("\r\n", "\n")


def read_notebook(path: Path) -> NotebookNode:
    """The notebook as far as grading needs it; ValueError when it is not one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # missing or repeated cell ids: we go by nbgrader's names
        try:
            notebook = nbformat.reads(path.read_text(encoding="utf-8-sig"), as_version=4)
        except Exception as error:
            raise ValueError(f"{path.name} no se puede leer como notebook (está dañado o incompleto)") from error
    cells = notebook.get("cells")
    if not isinstance(cells, list) or not all(map(_is_cell, cells)):
        raise ValueError(f"{path.name} no se puede leer como notebook (tiene celdas mal formadas)")
    return notebook


def _is_cell(cell: Any) -> bool:
    return (
        isinstance(cell, dict)
        and cell.get("cell_type") in ("code", "markdown", "raw")
        and isinstance(cell.get("source"), str)
        and isinstance(cell.get("metadata"), dict)
        and isinstance(cell.get("attachments", {}), dict)
    )


def grade_id(cell: NotebookNode) -> str | None:
    """The name that nbgrader gave to the cell, or None."""
    meta = cell.metadata.get("nbgrader")
    name = meta.get("grade_id") if isinstance(meta, dict) else None
    return name if isinstance(name, str) else None


def _extra(cell: NotebookNode) -> NotebookNode:
    """A cell of the student's own: its text and pictures alone, so that no tag or metadata of theirs counts."""
    if cell.cell_type == "code":
        return nbformat.v4.new_code_cell(_text(cell))
    return nbformat.v4.new_markdown_cell(_text(cell), attachments=cell.get("attachments", {}))


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
