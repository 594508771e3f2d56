"""The nbgrader course that the commands work on: its configuration and its assignments."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path

from nbgrader.apps.api import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader
from nbgrader.preprocessors import Execute
from sqlalchemy.exc import SQLAlchemyError
from traitlets import TraitError

import ragmetrics
from ragmetrics.grading import records

CONFIG = "nbgrader_config.py"


class CourseError(Exception):
    """Something the user can put right; its text is all they need to read."""


def find_course(*starts: Path) -> Path:
    """Folder of the course: the first with a configuration at or above `starts`, else this copy's own."""
    own = Path(ragmetrics.__file__).resolve().parents[1]
    for folder in (*(f for start in starts for f in (start, *start.parents)), own):
        if (folder / CONFIG).is_file():
            return folder
    raise CourseError(
        f"No encuentro el curso: ni {starts[0]} ni las carpetas que la contienen tienen un {CONFIG}. "
        "Entra en la carpeta del curso y repite la orden."
    )


class Course:
    """A course folder as nbgrader sees it."""

    def __init__(self, folder: Path, options: list[str] | None = None) -> None:
        """Read the configuration; `options` are nbgrader's own, such as `--Execute.timeout=60`."""
        if any(sign in str(folder) for sign in "[]$"):
            raise CourseError(f"La carpeta del curso no puede tener [, ] ni $ en su ruta: {folder}. Muévela.")
        self.folder = folder
        os.chdir(folder)  # nbgrader looks for its configuration and resolves relative paths from here
        self.app = NbGrader()
        try:
            self.app.initialize(options or [], root=str(folder))
            Execute(parent=self.app)  # a wrong value shows only where it is used: now, not for each hand-in
        except (TraitError, SystemExit) as error:
            raise CourseError(f"Una opción de nbgrader no vale: {error}. Revísala: {options}.") from error
        # What nbgrader logs is captured step by step; on the terminal it would drown our own words.
        self.app.log.handlers.clear()
        self.app.log.addHandler(logging.NullHandler())
        self.app.log.propagate = False
        self.app.config.ExchangeReleaseAssignment.force = True  # a newer release replaces the older one
        self.api = NbGraderAPI(coursedir=self.app.coursedir, parent=self.app)
        try:
            self.knows("")
        except SQLAlchemyError as error:
            raise CourseError(f"La base de datos de notas no se puede leer: {error}") from error

    def folder_of(self, step: str, assignment: str, student: str = ".") -> Path:
        """Folder of an assignment in one of nbgrader's steps: source, release, submitted…"""
        pattern = getattr(self.app.coursedir, f"{step}_directory")
        return Path(self.app.coursedir.format_path(pattern, student, assignment)).resolve()

    @property
    def assignments(self) -> list[str]:
        """Names of the assignments that have a source, in order."""
        return sorted(self.api.get_source_assignments())

    def require_assignment(self, name: str) -> None:
        """Raise a CourseError that names the assignments there are, unless `name` is one of them."""
        if name not in self.assignments:
            raise CourseError(
                f"No hay ninguna tarea «{name}» en {self.folder_of('source', '.').name}/. "
                f"Las tareas del curso son: {', '.join(self.assignments) or 'ninguna'}."
            )

    def released_folder(self, assignment: str) -> Path:
        """Folder of the exchange from which students fetch the assignment."""
        return Path(self.api.exchange_root) / self.app.coursedir.course_id / "outbound" / assignment

    def prepare(self, assignment: str) -> bool:
        """Generate and release the assignment unless its release is up to date; say whether it was done."""
        source, release = self.folder_of("source", assignment), self.folder_of("release", assignment)
        digest = records.digest_of_files(source)
        made = newest(release) and newest(self.released_folder(assignment)) and self.knows(assignment)
        same = records.read(self.folder, "release", assignment).get("source") == digest
        if made and same and newest(source) <= newest(release):
            return False
        require_success("generar", assignment, self.api.generate_assignment(assignment, force=True, create=True))
        require_success("publicar", assignment, self.api.release_assignment(assignment))
        records.write(self.folder, "release", assignment, record={"source": digest})
        return True

    def knows(self, assignment: str) -> bool:
        """Whether the gradebook holds the assignment, which it does once it was generated."""
        with self.api.gradebook as gradebook:
            return any(known.name == assignment for known in gradebook.assignments)


def newest(folder: Path) -> float:
    """Time of the last change of a file below the folder; 0 when there is none."""
    return max((path.stat().st_mtime for path in folder.rglob("*") if path.is_file()), default=0.0)


def require_success(action: str, assignment: str, result: dict[str, object]) -> None:
    """Raise a CourseError with nbgrader's own words when one of its steps failed."""
    if not result["success"]:
        raise CourseError(f"No se pudo {action} la tarea «{assignment}»: {last_words(result)}")


def last_words(result: dict[str, object]) -> str:
    """The line of a failed nbgrader step that says what was wrong."""
    lines = [line.strip() for key in ("log", "error") for line in str(result.get(key) or "").splitlines()]
    named = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Entry)\b: ", line)]
    told = [line for line in named if "traceback" not in line]
    return (told or named or list(filter(None, lines)) or ["nbgrader no dio ningún motivo"])[-1]
