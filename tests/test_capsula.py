"""What the lesson's text (the cápsula) says has its place in the course: data/capsula.json lists where."""

from __future__ import annotations

import json
from functools import cache
from itertools import zip_longest
from pathlib import Path

import nbformat
import pytest
from course import ROOT

DATA = Path(__file__).parent / "data"
NAVIGATION = "← Anterior"  # the page's links to its neighbours
ENTRIES = json.loads((DATA / "capsula.json").read_text(encoding="utf-8"))
PLACED = [entry for entry in ENTRIES if entry["where"]]
PENDING = [entry for entry in ENTRIES if not entry["where"]]


def notebook(name: str) -> Path:
    """A lesson or, failing that, the source of an assignment."""
    lesson = ROOT / "notebooks" / f"{name}.ipynb"
    return lesson if lesson.exists() else ROOT / "solutions" / name / f"{name}.ipynb"


def outputs(cell) -> list[str]:
    texts = []
    for output in cell.get("outputs", []):
        texts += [output["text"]] if "text" in output else output.get("data", {}).values()
    return [text for text in texts if isinstance(text, str)]


@cache
def cells(name: str) -> dict[str, list[str]]:
    """Source and stored outputs of each cell, by its id (in an assignment, its grade_id)."""
    return {
        cell.metadata.get("nbgrader", {}).get("grade_id", cell.id): [cell.source, *outputs(cell)]
        for cell in nbformat.read(notebook(name), as_version=4).cells
    }


def test_the_entries_are_the_whole_text_in_order():
    lines = (DATA / "capsula.txt").read_text(encoding="utf-8").split("\n")
    expected = [
        (word, number)
        for number, line in enumerate(lines, start=1)
        if not line.startswith(NAVIGATION)
        for word in line.split()
    ]
    listed = [word for entry in ENTRIES for word in entry["text"].split()]
    for (word, number), found in zip_longest(expected, listed, fillvalue=("", len(lines))):
        assert word == found, f"capsula.txt, line {number}: {word!r} in the text and {found!r} in capsula.json"


@pytest.mark.parametrize("entry", PLACED, ids=lambda entry: entry["cell"])
def test_the_cell_says_it(entry):
    name, cell = entry["where"], entry["cell"]
    assert notebook(name).exists(), f"there is no {name}"
    assert cell in cells(name), f"{name} has no cell {cell}"
    assert entry["found"].strip(), entry["text"]
    assert any(entry["found"] in text for text in cells(name)[cell]), f"{name}, {cell}: {entry['found']!r}"


def test_only_what_is_not_written_yet_is_pending():
    late = [entry["text"] for entry in PENDING if notebook(entry["pending"]).exists()]
    assert not late, f"written by now; say in capsula.json where: {late}"
