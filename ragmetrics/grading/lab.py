"""`ragmetrics lab`: make the course ready on this machine and open JupyterLab on the first lesson."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from nbgrader.utils import get_username

from ragmetrics.grading.course import Course, find_course

FIRST_LESSON = "notebooks/00_inicio.ipynb"
LAB_CONFIG = Path(__file__).with_name("labconfig")  # language, no news


def lab(options: list[str], browser: bool = True, port: int | None = None) -> None:
    """Prepare the course, then become JupyterLab: it gets this process and with it Ctrl+C and signals.

    `options` are JupyterLab's own, such as `--ServerApp.ip=0.0.0.0`.
    """
    course = Course(find_course(Path.cwd()))
    for assignment in course.assignments:
        if course.prepare(assignment):
            print(f"Tarea «{assignment}»: generada y publicada.")
        else:
            print(f"Tarea «{assignment}»: al día.")
    register_user(course)
    print("Abriendo JupyterLab. Para cerrarlo, pulsa Ctrl+C en esta terminal.", flush=True)
    command = [*lab_command(course.folder, browser, port), *options]
    os.execve(sys.executable, command, lab_environment())


def register_user(course: Course) -> None:
    """Give the user a name in the gradebook, where Formgrader would show «None, None»."""
    user = get_username()
    with course.api.gradebook as gradebook:
        if user not in {student.id for student in gradebook.students}:
            gradebook.add_student(user, first_name=user, last_name="Estudiante")


def lab_command(folder: Path, browser: bool, port: int | None) -> list[str]:
    """The command that starts JupyterLab on the course."""
    command = [
        sys.executable, "-m", "jupyterlab",
        f"--ServerApp.root_dir={folder}",
        f"--LabApp.default_url=/lab/tree/{FIRST_LESSON}",
        "--Application.log_level=ERROR",  # the address is shown all the same
        "-y",  # Ctrl+C closes it, without a question in English
        "--KernelManager.transport_encryption=auto",  # without it each kernel warns in this terminal
    ]  # fmt: skip
    if not browser:
        command.append("--no-browser")
    if port is not None:
        command.append(f"--port={port}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")
    return command


def lab_environment() -> dict[str, str]:
    """The environment of JupyterLab: our settings come after the user's own configuration folders."""
    paths = [path for path in os.environ.get("JUPYTER_CONFIG_PATH", "").split(os.pathsep) if path]
    return {**os.environ, "JUPYTER_CONFIG_PATH": os.pathsep.join([*paths, str(LAB_CONFIG)])}
