"""`ragmetrics grade`: collect, autograde, write feedback and marks for one assignment."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import MissingEntry
from nbgrader.utils import is_grade, is_solution
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from ragmetrics.grading import records
from ragmetrics.grading.course import Course, CourseError, find_course, last_words, require_success
from ragmetrics.grading.marks import write_marks
from ragmetrics.grading.rebuild import grade_id, read_notebook, rebuild


@dataclass
class Outcome:
    """What a grading run did with each hand-in."""

    graded: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)  # student: reason
    repaired: dict[str, list[str]] = field(default_factory=dict)
    without_feedback: dict[str, str] = field(default_factory=dict)  # student: reason


def grade(assignment: str, options: list[str], output: Path | None = None, release_feedback: bool = False) -> int:
    """Grade what changed since the last run; 0 when every hand-in has its mark and feedback, else 1."""
    marks = output.resolve() if output else None
    course = Course(find_course(Path.cwd()), options)
    course.require_assignment(assignment)
    marks = marks or course.folder / "notas" / f"{assignment}.csv"
    require_writable(marks)
    with only_one(course.folder):
        return _grade(course, assignment, marks, release_feedback)


def _grade(course: Course, assignment: str, marks: Path, release_feedback: bool) -> int:
    course.prepare(assignment)
    require_success("recoger", assignment, course.api.collect(assignment, update=True))
    outcome = grade_all(course, assignment)
    pending = save_marks(course, assignment, marks, outcome)
    write_feedback(course, assignment, outcome)
    if release_feedback:
        release(course, assignment, outcome)
    report(outcome, marks, pending, release_feedback)
    return 1 if outcome.failed or outcome.without_feedback else 0


@contextlib.contextmanager
def only_one(course: Path) -> Iterator[None]:
    """Refuse to grade while another run does; the lock goes with the process, however it ends."""
    import fcntl  # not on Windows, where nbgrader has no exchange either

    path = course / records.FOLDER / "lock"
    path.parent.mkdir(exist_ok=True)
    with path.open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise CourseError("Ya hay otra corrección en marcha en este curso. Espera a que termine.") from None
        yield


def require_writable(path: Path) -> None:
    """Refuse a file that can't be written before the work and not after it."""
    if path.is_dir():
        raise CourseError(f"{path} es una carpeta: en --output va el nombre del archivo, como notas.csv.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        records.write_text(path.with_name(f".{path.name}"), "")
        path.with_name(f".{path.name}").unlink()
    except OSError as error:
        raise CourseError(
            f"No se puede escribir en {path.parent}: {error.strerror}. Elige otro --output."
        ) from error


def grade_all(course: Course, assignment: str) -> Outcome:
    """Autograde each hand-in that is new, that changed or whose assignment changed, one by one."""
    outcome = Outcome()
    source = course.folder_of("source", assignment)
    for student in _progress("Corrigiendo", sorted(course.api.get_submitted_students(assignment))):
        try:
            grade_one(course, assignment, student, source, outcome)
        except Exception as error:  # whatever one hand-in does, the others are graded
            fail(
                course, assignment, student, f"no se pudo corregir ({type(error).__name__}: {error})", {}, outcome
            )
    return outcome


def grade_one(course: Course, assignment: str, student: str, source: Path, outcome: Outcome) -> None:
    """Autograde one hand-in unless it is graded already."""
    submitted = course.folder_of("submitted", assignment, student)
    autograded = course.folder_of("autograded", assignment, student)
    record = records.read(course.folder, assignment, student)
    digest = records.digest_of_files(submitted, source)
    done = record.get("graded") == digest and any(autograded.glob("*.ipynb"))
    if done and is_in_gradebook(course, assignment, student):
        outcome.unchanged.append(student)
        return
    settled = record.get("settled", {}) | settled_by_hand(course, assignment, student)
    reason, repairs = examine(course, assignment, submitted)
    if reason is None:
        result = course.api.autograde(assignment, student, force=True, create=True)
        reason = None if result["success"] else explain(result)
    if reason is not None:
        fail(course, assignment, student, reason, settled, outcome)
        return
    keep_settled(course, assignment, student, settled)
    records.write(course.folder, assignment, student, record={"graded": digest, "repairs": repairs})
    outcome.graded.append(student)
    if repairs:
        outcome.repaired[student] = repairs


def fail(
    course: Course, assignment: str, student: str, reason: str, settled: dict[str, str], outcome: Outcome
) -> None:
    """Record that a hand-in has no mark and why.

    Without its autograded folder nbgrader shows it as not graded; with it, as a 0 or with an older mark.
    """
    shutil.rmtree(course.folder_of("autograded", assignment, student), ignore_errors=True)
    records.write(course.folder, assignment, student, record={"reason": reason, "settled": settled})
    outcome.failed[student] = reason


def is_in_gradebook(course: Course, assignment: str, student: str) -> bool:
    """Whether the gradebook holds the hand-in; it does not when the file was deleted or replaced."""
    with course.api.gradebook as gradebook:
        try:
            gradebook.find_submission(assignment, student)
        except MissingEntry:
            return False
        return True


def settled_by_hand(course: Course, assignment: str, student: str) -> dict[str, str]:
    """The written answers whose mark a person has given: notebook/cell -> digest of the text that was marked."""
    texts = answers(course.folder_of("autograded", assignment, student))
    with course.api.gradebook as gradebook:
        try:
            submission = gradebook.find_submission(assignment, student)
        except MissingEntry:
            return {}
        return {
            cell: texts[cell]
            for notebook in submission.notebooks
            for grade in notebook.grades
            if (cell := f"{notebook.name}/{grade.name}") in texts
            if grade.manual_score is not None and not grade.needs_manual_grade
        }


def keep_settled(course: Course, assignment: str, student: str, settled: dict[str, str]) -> None:
    """Spare the instructor the answers that did not change: nbgrader asks to mark them all again."""
    texts = answers(course.folder_of("autograded", assignment, student))
    with course.api.gradebook as gradebook:
        for path, text in settled.items():
            notebook, cell = path.split("/")
            if texts.get(path) == text:
                gradebook.find_grade(cell, notebook, assignment, student).needs_manual_grade = False
        gradebook.db.commit()


def answers(folder: Path) -> dict[str, str]:
    """The written answers in the notebooks of a folder: notebook/cell -> digest of the text."""
    return {
        f"{path.stem}/{grade_id(cell)}": records.digest([cell.source])
        for path in folder.glob("*.ipynb")
        for cell in read_notebook(path).cells
        if is_grade(cell) and is_solution(cell)
    }


def examine(course: Course, assignment: str, submitted: Path) -> tuple[str | None, list[str]]:
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
    if str(result.get("error", "")).rstrip().endswith("KeyboardInterrupt"):  # nbgrader swallows Ctrl+C
        raise KeyboardInterrupt
    text = f"{result.get('error', '')}\n{result.get('log', '')}"
    for pattern, reason in (
        (r"UnresponsiveKernelError", "el código no termina y no se pudo interrumpir"),
        (r"DeadKernelError|Kernel died", "el código detuvo el kernel de Python (memoria, exit o un fallo grave)"),
        (r"OperationalError", "la base de datos de notas no responde: repite la orden"),
        (r"PermissionError", "no hay permiso para leer o escribir sus archivos"),
        (r"No notebooks were matched", "su nombre tiene caracteres que nbgrader no admite, como [ o ]"),
    ):
        if re.search(pattern, text):
            return reason
    return f"nbgrader no pudo corregirla ({last_words(result)})"


def save_marks(course: Course, assignment: str, path: Path, outcome: Outcome) -> int:
    """Write the marks; how many hand-ins wait for a person."""
    with course.api.gradebook as gradebook:
        write_marks(course.app.coursedir, gradebook, assignment, path)
        return sum(
            submission.needs_manual_grade
            for submission in gradebook.assignment_submissions(assignment)
            if submission.student.id not in outcome.failed
        )


def write_feedback(course: Course, assignment: str, outcome: Outcome) -> None:
    """Write the feedback of those whose marks or comments changed since it was last written."""
    for student in _progress("Escribiendo comentarios", sorted([*outcome.graded, *outcome.unchanged])):
        record = records.read(course.folder, assignment, student)
        digest = records.digest([record["graded"], grades_text(course, assignment, student)])
        folder = course.folder_of("feedback", assignment, student)
        if record.get("feedback") == digest and any(folder.glob("*.html")):
            continue
        result = course.api.generate_feedback(assignment, student, force=True)
        if result["success"]:
            records.write(course.folder, assignment, student, record=record | {"feedback": digest})
        else:
            outcome.without_feedback[student] = last_words(result)


def release(course: Course, assignment: str, outcome: Outcome) -> None:
    """Give the feedback back, student by student."""
    for student in sorted({*outcome.graded, *outcome.unchanged} - outcome.without_feedback.keys()):
        result = course.api.release_feedback(assignment, student)
        if not result["success"]:
            outcome.without_feedback[student] = f"no se pudieron publicar ({last_words(result)})"


def grades_text(course: Course, assignment: str, student: str) -> str:
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
    if outcome.without_feedback:
        print(f"Sin comentarios ({len(outcome.without_feedback)}):")
        for student, reason in outcome.without_feedback.items():
            print(f"✘ {student}: {reason}.")
    if pending:
        print(f"Con respuestas por corregir a mano (en Formgrader, «Manual Grading»): {pending}.")
    print(f"Notas: {marks}")
    if released:
        print("Los comentarios están publicados: cada estudiante puede descargar los suyos.")
    else:
        print("Los comentarios no se han publicado: cuando termines, repite la orden con --release-feedback.")


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
