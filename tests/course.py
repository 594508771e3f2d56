"""A course of its own for each test: a copy of this one, with its exchange and users in a folder apart."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[1]
BIN = Path(sys.executable).parent
ASSIGNMENT = "tarea1_conjuntos"


class CourseCopy:
    """A copy of the course and the people who use it, driven through the real commands."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "curso"
        self.homes = folder / "homes"
        self.checks: dict[str, str] = {}
        self.folder.mkdir()
        shutil.copy(ROOT / "nbgrader_config.py", self.folder)
        for name in ("solutions", "notebooks"):
            shutil.copytree(ROOT / name, self.folder / name, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
        # One data folder, as on one machine; nothing of the user who runs the tests is read or written.
        data = folder / "data"
        # PATH is that of someone who never activated the environment, as in the README.
        path = [part for part in os.environ.get("PATH", "").split(os.pathsep) if Path(part) != BIN]
        self.env = {
            **os.environ,
            "PATH": os.pathsep.join(path),
            "HOME": str(folder / "home"),
            "JUPYTER_DATA_DIR": str(data),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "IPYTHONDIR": str(folder / "ipython"),
        }
        for name in ("home", "data", "config", "runtime", "ipython"):
            (folder / name).mkdir()

    def run(self, *command: str, cwd: Path | None = None, status: int | None = 0) -> str:
        """What the command prints, after checking its exit status."""
        program, *args = command
        done = subprocess.run(
            [str(BIN / program), *args],
            cwd=cwd or self.folder,
            env=self.env,
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )
        output = done.stdout + done.stderr
        assert status is None or done.returncode == status, f"{command}: {done.returncode}\n{output}"
        return output

    def home(self, student: str) -> Path:
        """Folder in which the student works."""
        home = self.homes / student
        home.mkdir(parents=True, exist_ok=True)
        return home

    def nbgrader(self, student: str, command: str, *args: str) -> str:
        """Run one of nbgrader's student commands as the student, who has a cache of their own."""
        options = (
            f"--course-dir={self.folder}",
            f"--student={student}",
            f"--Exchange.cache={self.home(student)}/.cache",
        )
        return self.run("nbgrader", command, *args, *options, cwd=self.home(student))

    def notebook(self, student: str, assignment: str = ASSIGNMENT) -> Path:
        """The student's own copy of the assignment."""
        return self.home(student) / assignment / f"{assignment}.ipynb"


def model_answers(assignment: str = ASSIGNMENT) -> dict[str, str]:
    """The solutions of the source, by grade_id."""
    source = nbformat.read(ROOT / "solutions" / assignment / f"{assignment}.ipynb", as_version=4)
    return {
        cell.metadata.nbgrader.grade_id: re.sub(r"^ *### (BEGIN|END) SOLUTION\n?", "", cell.source, flags=re.M)
        for cell in source.cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }


def write_answers(notebook: Path, answers: dict[str, str]) -> None:
    """Put the answers into the solution cells of the notebook, as a student would."""
    nb = nbformat.read(notebook, as_version=4)
    left = dict(answers)
    for cell in nb.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in left:
            cell.source = left.pop(name)
    assert not left, f"no such cells: {list(left)}"
    nbformat.write(nb, notebook)
