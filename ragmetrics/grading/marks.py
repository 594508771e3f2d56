"""The marks of an assignment as CSV, where a hand-in that could not be graded has no mark instead of a 0."""

from __future__ import annotations

import csv
import glob
import io
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from nbgrader.plugins import ExportPlugin

from ragmetrics.grading import records
from ragmetrics.grading.rebuild import grade_id, read_notebook

FIELDS = [
    "tarea",
    "estudiante",
    "apellido",
    "nombre",
    "estado",
    "nota",
    "maximo",
    "penalizacion",
    "entrega",
    "motivo",
]


def write_marks(coursedir: CourseDirectory, gradebook: Gradebook, assignment: str, path: Path) -> None:
    """Write one row a student, whole or not at all."""
    rows = marks(coursedir, gradebook, assignment)
    named = {name for row in rows for name in row} - set(FIELDS)
    cells = [name for name in cell_order(coursedir, assignment) if name in named]
    text = io.StringIO()
    writer = csv.DictWriter(text, [*FIELDS, *cells], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    records.write_text(path, text.getvalue())


def marks(coursedir: CourseDirectory, gradebook: Gradebook, assignment: str) -> list[dict[str, object]]:
    """One row for each student of the gradebook or with a hand-in."""
    known = {student.id: student for student in gradebook.students}
    hand_ins = glob.glob(coursedir.format_path(coursedir.submitted_directory, "*", assignment))
    submitted = {Path(folder).parent.name for folder in hand_ins}
    rows = []
    for name in sorted(known.keys() | submitted):
        student = known.get(name)
        row: dict[str, object] = {
            "tarea": assignment,
            "estudiante": name,
            "apellido": (student and student.last_name) or "",
            "nombre": (student and student.first_name) or "",
        }
        if name not in submitted:
            row["estado"] = "sin entregar"
        elif not _is_graded(coursedir, assignment, name):
            record = records.read(Path(coursedir.root), assignment, name)
            row["estado"] = "sin corregir"
            row["motivo"] = record.get("reason", f"falta ejecutar ragmetrics grade {assignment}")
        else:
            row |= _graded_row(gradebook, assignment, name)
            if repairs := records.read(Path(coursedir.root), assignment, name).get("repairs"):
                row["motivo"] = "; ".join(repairs)
        rows.append(row)
    return rows


def _graded_row(gradebook: Gradebook, assignment: str, student: str) -> dict[str, object]:
    try:
        submission = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return {"estado": "sin corregir", "motivo": f"falta ejecutar ragmetrics grade {assignment}"}
    grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
    if any(g.auto_score is None and g.manual_score is None and g.cell.cell_type == "code" for g in grades):
        return {"estado": "sin corregir", "motivo": "la corrección se interrumpió: ejecuta ragmetrics grade"}
    penalty = submission.late_submission_penalty or 0.0
    row: dict[str, object] = {
        "estado": "falta corregir a mano" if submission.needs_manual_grade else "corregida",
        "nota": max(0.0, submission.score - penalty),
        "maximo": submission.max_score,
        "penalizacion": penalty,
        "entrega": submission.timestamp.isoformat(" ", "seconds") if submission.timestamp else "",
    }
    for notebook in submission.notebooks:
        for grade in notebook.grades:
            row[grade.name] = "" if grade.needs_manual_grade and grade.manual_score is None else grade.score
    return row


def cell_order(coursedir: CourseDirectory, assignment: str) -> list[str]:
    """Names of the cells in the order of the released notebooks."""
    folder = Path(coursedir.format_path(coursedir.release_directory, ".", assignment))
    notebooks = [read_notebook(path) for path in sorted(folder.glob("*.ipynb"))]
    return [name for notebook in notebooks for cell in notebook.cells if (name := grade_id(cell))]


def _is_graded(coursedir: CourseDirectory, assignment: str, student: str) -> bool:
    folder = Path(coursedir.format_path(coursedir.autograded_directory, student, assignment))
    return any(folder.glob("*.ipynb"))


class MarksExport(ExportPlugin):
    """What `nbgrader export` writes in this course: `notas.csv`, or the file given with --to."""

    def export(self, gradebook: Gradebook) -> None:
        """Write the marks of each assignment, in one file when there is only one."""
        target = Path(self.to or "notas.csv")
        wanted = [str(name) for name in self.assignment] or [a.name for a in gradebook.assignments]
        for name in wanted:
            path = target if len(wanted) == 1 else target.with_name(f"{target.stem}_{name}{target.suffix}")
            write_marks(CourseDirectory(parent=self), gradebook, name, path)
            self.log.info("Notas de «%s»: %s", name, path)
