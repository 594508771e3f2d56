"""`ragmetrics grade`: collect, autograde, write feedback and marks for one assignment."""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.utils import is_grade, is_solution
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ragmetrics.grading.course import Course, find_course, last_words
from ragmetrics.grading.marks import NOT_GRADED, STAMP, write_marks
from ragmetrics.grading.rebuild import grade_id, read_notebook, rebuild


@dataclass
class Outcome:
    """What a grading run did with each hand-in."""

    graded: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)  # student: reason
    repaired: dict[str, list[str]] = field(default_factory=dict)


def grade(assignment: str, options: list[str], output: Path | None = None, release_feedback: bool = False) -> int:
    """Grade what changed since the last run; 0 when every hand-in has a mark, else 1."""
    output = output.resolve() if output else None
    course = Course(find_course(Path.cwd()), options)
    course.require_assignment(assignment)
    course.prepare(assignment)
    course.run("recoger", assignment, course.api.collect(assignment, update=True))
    outcome = grade_all(course, assignment)
    write_feedback(course, assignment, [*outcome.graded, *outcome.unchanged])
    if release_feedback:
        course.run("devolver", assignment, course.api.release_feedback(assignment))
    marks = output or course.folder / "notas" / f"{assignment}.csv"
    with course.api.gradebook as gradebook:
        write_marks(course.app.coursedir, gradebook, assignment, marks, outcome.failed)
        pending = sum(
            submission.needs_manual_grade
            for submission in gradebook.assignment_submissions(assignment)
            if submission.student.id not in outcome.failed
        )
    report(outcome, marks, pending, release_feedback)
    return 1 if outcome.failed else 0


def grade_all(course: Course, assignment: str) -> Outcome:
    """Autograde each hand-in that is new, that changed or whose assignment changed, one by one."""
    outcome = Outcome()
    students = sorted(course.api.get_submitted_students(assignment))
    for student in _progress("Corrigiendo", students):
        submitted = course.folder_of("submitted", assignment, student)
        autograded = course.folder_of("autograded", assignment, student)
        stamp = _digest_files([submitted, course.folder_of("source", assignment)])
        if read_stamp(autograded) == stamp:
            outcome.unchanged.append(student)
            continue
        reason, repairs = inspect(course, assignment, submitted)
        if reason is None:
            settled = settled_by_hand(course, assignment, student)
            result = course.api.autograde(assignment, student, force=True, create=True)
            reason = None if result["success"] else explain(result)
            keep_settled(course, assignment, student, settled)
        if reason is not None:
            outcome.failed[student] = reason
            write_stamp(autograded, NOT_GRADED)
            continue
        if repairs:
            outcome.repaired[student] = repairs
        write_stamp(autograded, stamp)
        outcome.graded.append(student)
    return outcome


def settled_by_hand(course: Course, assignment: str, student: str) -> dict[tuple[str, str], str]:
    """The written answers whose mark a person has given: (notebook, cell) -> the text that was marked."""
    texts = answers(course.folder_of("autograded", assignment, student))
    with course.api.gradebook as gradebook:
        try:
            submission = gradebook.find_submission(assignment, student)
        except MissingEntry:
            return {}
        return {
            (notebook.name, grade.name): texts[notebook.name, grade.name]
            for notebook in submission.notebooks
            for grade in notebook.grades
            if grade.manual_score is not None and not grade.needs_manual_grade
            if (notebook.name, grade.name) in texts
        }


def keep_settled(course: Course, assignment: str, student: str, settled: dict[tuple[str, str], str]) -> None:
    """Spare the instructor the answers that did not change: nbgrader asks to mark them all again."""
    texts = answers(course.folder_of("autograded", assignment, student))
    with course.api.gradebook as gradebook:
        for (notebook, cell), text in settled.items():
            if texts.get((notebook, cell)) == text:
                gradebook.find_grade(cell, notebook, assignment, student).needs_manual_grade = False
        gradebook.db.commit()


def answers(folder: Path) -> dict[tuple[str, str], str]:
    """The written answers in the notebooks of a folder, by notebook and cell."""
    return {
        (path.stem, grade_id(cell) or ""): cell.source
        for path in folder.glob("*.ipynb")
        for cell in read_notebook(path).cells
        if is_grade(cell) and is_solution(cell)
    }


def inspect(course: Course, assignment: str, submitted: Path) -> tuple[str | None, list[str]]:
    """Why the hand-in can't be graded, if so, and what will be repaired in it."""
    repairs: list[str] = []
    for path in sorted(course.folder_of("release", assignment).glob("*.ipynb")):
        notebook = submitted / path.name
        if not notebook.is_file():
            others = ", ".join(sorted(p.name for p in submitted.glob("*.ipynb"))) or "ninguno"
            return f"falta el notebook {path.name} (entregados: {others})", []
        try:
            student = read_notebook(notebook)
        except ValueError as error:
            return str(error), []
        if not any(map(grade_id, student.cells)):
            return f"{path.name} no contiene ninguna celda de la tarea", []
        repairs += rebuild(student, read_notebook(path))[1]
    return None, repairs


def explain(result: dict[str, object]) -> str:
    """In Spanish, why nbgrader could not grade a hand-in."""
    text = f"{result.get('error', '')}\n{result.get('log', '')}"
    for pattern, reason in (
        (r"UnresponsiveKernelError", "el código no termina y no se pudo interrumpir"),
        (r"DeadKernelError|Kernel died", "el código detuvo el kernel de Python (memoria, exit o un fallo grave)"),
        (r"OperationalError", "la base de datos de notas no responde: repite la orden"),
        (r"PermissionError", "no hay permiso para leer o escribir sus archivos"),
    ):
        if re.search(pattern, text):
            return reason
    return f"nbgrader no pudo corregirla: {last_words(result)}"


def write_feedback(course: Course, assignment: str, students: list[str]) -> None:
    """Write the feedback of those whose marks or comments changed since it was last written."""
    for student in _progress("Escribiendo comentarios", students):
        feedback = course.folder_of("feedback", assignment, student)
        stamp = _digest([read_stamp(course.folder_of("autograded", assignment, student)) or "",
                         _grades_text(course, assignment, student)])  # fmt: skip
        if read_stamp(feedback) == stamp:
            continue
        result = course.api.generate_feedback(assignment, student, force=True)
        course.run(f"escribir los comentarios de {student} en", assignment, result)
        write_stamp(feedback, stamp)


def _grades_text(course: Course, assignment: str, student: str) -> str:
    """All that feedback shows from the gradebook: scores and comments."""
    with course.api.gradebook as gradebook:
        submission = gradebook.find_submission(assignment, student)
        rows = [
            [(grade.name, grade.score, grade.max_score) for grade in notebook.grades]
            + [(comment.name, comment.comment) for comment in notebook.comments]
            for notebook in submission.notebooks
        ]
        return json.dumps([rows, submission.late_submission_penalty], default=str, sort_keys=True)


def report(outcome: Outcome, marks: Path, pending: int, released: bool) -> None:
    """Tell the instructor what was done, who is left out and what to do next."""
    for student, repairs in outcome.repaired.items():
        print(f"! {student}: {'; '.join(repairs)}.")
    print(f"Corregidas ahora: {len(outcome.graded)}. Sin cambios desde la última vez: {len(outcome.unchanged)}.")
    if outcome.failed:
        print(f"No se han podido corregir ({len(outcome.failed)}); en las notas figuran sin nota:")
        for student, reason in outcome.failed.items():
            print(f"✘ {student}: {reason}.")
    if pending:
        print(f"Con respuestas por corregir a mano (en Formgrader, «Manual Grading»): {pending}.")
    print(f"Notas: {marks}")
    if released:
        print("Los comentarios están publicados: cada estudiante puede descargar los suyos.")
    else:
        print("Los comentarios no se han publicado: cuando termines, repite la orden con --release-feedback.")


def read_stamp(folder: Path) -> str | None:
    """What the folder was made from, or None when it was not made by us or not finished."""
    path = folder / STAMP
    return path.read_text() if path.is_file() else None


def write_stamp(folder: Path, text: str) -> None:
    """Record what the folder was made from, as the last step of making it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / STAMP).write_text(text)


def _digest_files(folders: Iterable[Path]) -> str:
    """A digest of the names and the content of all files below the folders."""
    parts = []
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and ".ipynb_checkpoints" not in p.parts):
            parts += [str(path.relative_to(folder)), hashlib.sha256(path.read_bytes()).hexdigest()]
    return _digest(parts)


def _digest(parts: list[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _progress(label: str, items: list[str]) -> Iterable[str]:
    """Go through the items with a progress bar on stderr."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[item]}"),
    )
    with Progress(*columns, console=Console(file=sys.stderr)) as progress:
        task = progress.add_task(label, total=len(items), item="")
        for item in items:
            progress.update(task, item=item)
            yield item
            progress.advance(task)
        progress.update(task, item="")
