"""What the last run did, so that the next one repeats only what changed.

One JSON file for each thing made, in `.ragmetrics/` beside the gradebook and not inside nbgrader's folders,
whose mere presence means something to nbgrader. A file is written as the last step of what it records.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

FOLDER = ".ragmetrics"
IGNORED = {".ipynb_checkpoints", "__pycache__"}


def read(course: Path, *names: str) -> dict[str, Any]:
    """The record of that name; empty when there is none or it can't be read."""
    try:
        record = json.loads(_path(course, names).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def write(course: Path, *names: str, record: dict[str, Any]) -> None:
    """Write the record, whole or not at all."""
    write_text(_path(course, names), json.dumps(record, ensure_ascii=False, indent=1))


def write_text(path: Path, text: str) -> None:
    """Write the file so that whoever reads it finds the old text or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def digest_of_files(*folders: Path) -> str:
    """A digest of the names and the content of all files below the folders."""
    parts = []
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.is_file() and not IGNORED & set(p.parts)):
            parts += [path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()]
    return digest(parts)


def digest(parts: Iterable[str]) -> str:
    """A digest of the texts, in order."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _path(course: Path, names: tuple[str, ...]) -> Path:
    return course.joinpath(FOLDER, *names[:-1], f"{names[-1]}.json")
