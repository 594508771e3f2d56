"""What nbgrader's Validate says of a cell that does not pass: the report of its check, in Spanish.

nbgrader has no option for it: its own words ("Partial credit; passed some but not all of the tests") are fixed,
so `nbgrader_config.py` replaces the method that says them.
"""

from __future__ import annotations

from nbformat import NotebookNode
from nbgrader.validator import Validator

from ragmetrics.grading.check import report


def speak_spanish() -> None:
    """Make the Validate button and `nbgrader validate` show the reports of the checks."""
    Validator._extract_error = extract_error


def extract_error(validator: Validator, cell: NotebookNode) -> str:
    """Why the cell does not pass."""
    said = report(cell) if cell.cell_type == "code" else []
    return "\n".join(f"{mark} {text}" if mark else text for mark, text in said) or "No has respondido."
