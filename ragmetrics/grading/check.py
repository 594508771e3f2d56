"""`ragmetrics check`: what a student sees before handing in, part by part."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import nbformat
from nbclient.exceptions import DeadKernelError
from nbformat import NotebookNode
from nbgrader.preprocessors.execute import UnresponsiveKernelError
from nbgrader.utils import compute_checksum, is_grade, is_solution
from nbgrader.validator import Validator

from ragmetrics.feedback import report as feedback
from ragmetrics.grading.course import Course, CourseError, find_course
from ragmetrics.grading.rebuild import grade_id, read_notebook, rebuild
from ragmetrics.grading.scrub import ScrubChecks

DONE, GIVEN, WRITTEN, WRONG, UNTOUCHED = "bien", "respondido", "respondida", "mal", "sin intentar"
MARKS = {DONE: "✔", GIVEN: "✔", WRITTEN: "✔", WRONG: "✘", UNTOUCHED: "·"}


@dataclass
class TaskResult:
    """How one task of the notebook stands."""

    name: str
    state: str
    reasons: list[str]


def check(notebook: Path, options: list[str], out: TextIO = sys.stdout) -> int:
    """Report on the notebook; 0 when every task passes, else 1."""
    path = notebook.resolve()
    student = open_notebook(path)
    course = Course(find_course(path.parent, Path.cwd()), options)
    released_path, released = find_released(course, path, student)
    rebuilt, repairs = rebuild(student, released)

    print(f"{path.name} · tarea «{released_path.parent.name}»", file=out)
    if path.name != released_path.name:
        repairs.append(f"el archivo se llama «{path.name}» y debe llamarse «{released_path.name}»")
    for repair in repairs:
        print(f"! {repair[0].upper()}{repair[1:]}.", file=out)

    os.chdir(path.parent)  # where the student's code finds its data
    try:
        executed = Validator(parent=course.app)._preprocess(rebuilt)
        tasks = judge(ScrubChecks(parent=course.app).preprocess(executed, {})[0])
    except (DeadKernelError, UnresponsiveKernelError):
        print("✘ Tu código detiene el kernel de Python (exit, memoria o un bucle que no termina).", file=out)
        print("    Reinicia el kernel y ejecuta las celdas una a una para ver cuál es.", file=out)
        return 1
    for task in tasks:
        print(f"{MARKS[task.state]} {task.name}: {task.state}", file=out)
        for reason in task.reasons:
            print(f"    {reason}", file=out)
    passed = sum(task.state in (DONE, GIVEN, WRITTEN) for task in tasks)
    print(f"\n{passed} de {len(tasks)} apartados superan las comprobaciones visibles.", file=out)
    if passed == len(tasks) and not repairs:
        print("Puedes entregar. Al corregir se ejecutan además las comprobaciones ocultas.", file=out)
        return 0
    return 1


def open_notebook(path: Path) -> NotebookNode:
    """The notebook, or a CourseError that says what to do about it."""
    if not path.is_file():
        raise CourseError(f"No encuentro el notebook {path}. Comprueba la ruta.")
    try:
        return read_notebook(path)
    except ValueError as error:
        raise CourseError(
            f"{error}. Ábrelo en JupyterLab, guárdalo y repite la orden; si no se abre, descarga la tarea otra "
            "vez y copia tus respuestas."
        ) from error


def find_released(course: Course, path: Path, student: NotebookNode) -> tuple[Path, NotebookNode]:
    """The released notebook that shares most named cells with the student's, preferring its own name."""
    names = {grade_id(cell) for cell in student.cells} - {None}
    best: tuple[tuple[int, bool], Path, NotebookNode] | None = None
    outbound = course.released_folder("*")
    for candidate in sorted(outbound.parent.glob(f"{outbound.name}/*.ipynb")):
        released = nbformat.read(candidate, as_version=4)
        shared = len(names & {grade_id(cell) for cell in released.cells})
        rank = (shared, candidate.name == path.name)
        if any(rank) and (best is None or rank > best[0]):
            best = (rank, candidate, released)
    if best is None:
        raise CourseError(
            f"{path.name} no se parece a ninguna tarea publicada del curso. Ejecuta la orden sobre el notebook "
            "que descargaste en la lista de tareas (por ejemplo, tarea1_conjuntos/tarea1_conjuntos.ipynb)."
        )
    return best[1], best[2]


def judge(notebook: NotebookNode) -> list[TaskResult]:
    """The state of each task of an executed notebook.

    A task is a solution cell and the graded cells named after it: `f1_at_k` and `f1_at_k-visible`.
    """
    tasks = []
    for cell in notebook.cells:
        if is_solution(cell):
            name = grade_id(cell) or ""
            checks = [c for c in notebook.cells if is_grade(c) and (grade_id(c) or "").startswith(f"{name}-")]
            state, reasons = _judge_written(cell) if is_grade(cell) else _judge_code(cell, checks)
            tasks.append(TaskResult(name, state, list(dict.fromkeys(reasons))))
    return tasks


def _judge_written(cell: NotebookNode) -> tuple[str, list[str]]:
    untouched = not cell.source.strip() or cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)
    return (UNTOUCHED, []) if untouched else (WRITTEN, ["La corrige una persona."])


def _judge_code(cell: NotebookNode, checks: list[NotebookNode]) -> tuple[str, list[str]]:
    reports = [line for check in checks for line in report(check)]
    reasons = [text for mark, text in reports if mark != feedback.RIGHT]
    errors = [output for output in cell.outputs if output.output_type == "error"]
    unread = any(text.startswith("Python no puede leer") for text in reasons)  # says it better than Python
    if errors and errors[0].ename != "NotImplementedError" and not unread:
        return WRONG, [f"Tu celda se detiene con {errors[0].ename}: {errors[0].evalue}"]
    if any(mark == feedback.WRONG for mark, _ in reports):
        return WRONG, reasons
    if any(mark == feedback.NOT_ATTEMPTED for mark, _ in reports):
        blank = all(not line.strip() or line.strip().startswith("#") for line in cell.source.splitlines())
        stub = "raise NotImplementedError" in cell.source or blank
        return UNTOUCHED, [] if stub else reasons
    if not any(check.metadata.nbgrader.points for check in checks if report(check)):
        return GIVEN, [text for _, text in reports]
    return DONE, reasons


def report(cell: NotebookNode) -> list[tuple[str, str]]:
    """What a graded cell says, line by line, each with the mark that says how the answer stands.

    Drawings have no mark.
    """
    lines = []
    for output in cell.outputs:
        if output.output_type == "display_data" and feedback.MIME in output.data:
            said = output.data["text/plain"].splitlines()
            lines += [line for line in said if not line.startswith("Puntos: ")]
        elif output.output_type == "error" and output.ename == "CheckError":
            lines += output.evalue.splitlines()
        elif output.output_type == "error":
            lines.append(f"{feedback.WRONG} {output.evalue}")
    marks = tuple(feedback.STATES)
    return [(line[0], line[1:].strip()) if line.startswith(marks) else ("", line.rstrip()) for line in lines]
