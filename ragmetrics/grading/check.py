"""`ragmetrics check`: what a student sees before handing in, task by task."""

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
from nbgrader.utils import compute_checksum, determine_grade, is_grade, is_solution
from nbgrader.validator import Validator

from ragmetrics.grading.course import Course, CourseError, find_course
from ragmetrics.grading.rebuild import grade_id, read_notebook, rebuild

DONE, WRITTEN, WRONG, UNTOUCHED = "bien", "respondida", "mal", "sin intentar"
MARKS = {DONE: "✔", WRITTEN: "✔", WRONG: "✘", UNTOUCHED: "·"}


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
        tasks = judge(Validator(parent=course.app)._preprocess(rebuilt))
    except (DeadKernelError, UnresponsiveKernelError):
        print("✘ Tu código detiene el kernel de Python (exit, memoria o un bucle que no termina).", file=out)
        print("    Reinicia el kernel y ejecuta las celdas una a una para ver cuál es.", file=out)
        return 1
    for task in tasks:
        print(f"{MARKS[task.state]} {task.name}: {task.state}", file=out)
        for reason in task.reasons:
            print(f"    {reason}", file=out)
    passed = sum(task.state in (DONE, WRITTEN) for task in tasks)
    print(f"\n{passed} de {len(tasks)} tareas superan las comprobaciones visibles.", file=out)
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
        if not is_solution(cell):
            continue
        name = grade_id(cell) or ""
        checks = [c for c in notebook.cells if is_grade(c) and (grade_id(c) or "").startswith(f"{name}-")]
        if cell.metadata.nbgrader.get("checksum") == compute_checksum(cell):
            tasks.append(TaskResult(name, UNTOUCHED, []))
        elif is_grade(cell):
            tasks.append(TaskResult(name, WRITTEN, ["La corrige una persona."]))
        else:
            reasons = [reason for c in checks for reason in failures(c)]
            tasks.append(TaskResult(name, WRONG if reasons else DONE, list(dict.fromkeys(reasons))))
    return tasks


def failures(cell: NotebookNode) -> list[str]:
    """What a graded cell says is wrong; nothing when it passes."""
    text = "".join(output.text for output in cell.outputs if output.output_type == "stream")
    reasons = [line.removeprefix("✘").strip() for line in text.splitlines() if line.startswith("✘")]
    errors = [output for output in cell.outputs if output.output_type == "error"]
    if any(error.ename in ("CellTimeoutError", "KeyboardInterrupt") for error in errors):
        reasons.append("Tu código tarda demasiado: ¿tienes un bucle que no termina?")
    elif errors and errors[0].ename == "CheckError":
        reasons.append(errors[0].evalue)
    elif errors:
        reasons.append(f"La comprobación se detiene con {errors[0].ename}: {errors[0].evalue}")
    score, points = determine_grade(cell)
    if not reasons and score is not None and score < points:
        reasons.append(f"La comprobación da {score:g} de {points:g} puntos.")
    return reasons
