"""Where the assignments are handed out and in when the course runs on one machine for one user."""

from __future__ import annotations

import hashlib
from pathlib import Path

from jupyter_core.paths import jupyter_data_dir


def local_exchange(course: Path) -> Path:
    """Folder of this copy of the course in the user's data folder.

    Each copy has its own: nbgrader tells courses apart by their id only, so that in a shared folder the
    hand-ins of one copy would show up in another.
    """
    digest = hashlib.sha256(str(course).encode()).hexdigest()[:8]
    return Path(jupyter_data_dir()) / "ragmetrics" / f"{course.name}-{digest}"


def make_exchange(folder: Path) -> None:
    """Make the folders that nbgrader and its JupyterLab panels expect to find."""
    for name in ("exchange", "cache"):
        (folder / name).mkdir(parents=True, exist_ok=True)
