"""Rebuilding a hand-in on the released notebook: the answers are found, all else is the release's."""

from __future__ import annotations

import copy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ragmetrics.grading.rebuild import grade_id, rebuild


def nbgrader(name: str, *, solution: bool = False, points: float | None = None) -> dict:
    grade = points is not None
    meta = {"grade_id": name, "grade": grade, "solution": solution, "locked": not solution, "task": False}
    return {"nbgrader": meta | ({"points": points} if grade else {}) | {"schema_version": 3}}


@pytest.fixture
def released():
    return new_notebook(
        cells=[
            new_markdown_cell("Enunciado", metadata=nbgrader("enunciado")),
            new_code_cell("raise NotImplementedError()", metadata=nbgrader("f", solution=True)),
            new_code_cell("check(f)", metadata=nbgrader("f-visible", points=1)),
            new_markdown_cell("ESCRIBE", metadata=nbgrader("escrita", solution=True, points=2)),
            new_markdown_cell("Fin"),
        ]
    )


@pytest.fixture
def student(released):
    nb = copy.deepcopy(released)
    nb.cells[1].source = "def f(): return 1"
    nb.cells[3].source = "Porque sí"
    return nb


def sources(nb):
    return [cell.source for cell in nb.cells]


RIGHT = ["Enunciado", "def f(): return 1", "check(f)", "Porque sí", "Fin"]


def test_an_honest_hand_in_comes_back_as_it_was(student, released) -> None:
    rebuilt, repairs = rebuild(student, released)
    assert sources(rebuilt) == RIGHT
    assert repairs == []


def test_the_students_notebook_and_the_release_are_not_modified(student, released) -> None:
    before = copy.deepcopy((student, released))
    rebuild(student, released)
    assert (student, released) == before


def test_extra_cells_stay_after_the_cell_they_followed_without_their_metadata(student, released) -> None:
    student.cells.insert(2, new_code_cell("helper = 1", metadata={"tags": ["skip-execution"]}))
    student.cells.insert(0, new_code_cell("import numpy"))
    rebuilt, repairs = rebuild(student, released)
    assert sources(rebuilt) == ["import numpy", "Enunciado", "def f(): return 1", "helper = 1", *RIGHT[2:]]
    assert all("tags" not in cell.metadata for cell in rebuilt.cells)
    assert repairs == []


def edited_check(nb):
    nb.cells[2].source = "1.0"


def no_check(nb):
    del nb.cells[2]


def no_answer(nb):
    del nb.cells[1]


def copied_answer(nb):
    nb.cells.insert(2, copy.deepcopy(nb.cells[1]))
    nb.cells[1].source = "def f(): return 0"


def copied_check(nb):
    nb.cells.append(copy.deepcopy(nb.cells[2]))


def retyped_answer(nb):
    nb.cells[1] = new_markdown_cell(nb.cells[1].source, metadata=nb.cells[1].metadata)


def moved(nb):
    nb.cells.reverse()


def more_points(nb):
    nb.cells[2].metadata.nbgrader.points = 100
    nb.cells[2].metadata.tags = ["skip-execution"]


@pytest.mark.parametrize(
    ("edit", "answer", "repair"),
    [
        (edited_check, "def f(): return 1", "la celda de comprobación «f-visible» estaba cambiada"),
        (no_check, "def f(): return 1", "falta la celda «f-visible»"),
        (no_answer, "raise NotImplementedError()", "falta la celda «f»"),
        (copied_answer, "def f(): return 1", "la celda «f» está copiada 2 veces (cuenta la última)"),
        (copied_check, "def f(): return 1", "la celda «f-visible» está copiada 2 veces"),
        (retyped_answer, "def f(): return 1", "la celda «f» había cambiado de tipo"),
        (moved, "def f(): return 1", None),
        (more_points, "def f(): return 1", None),
    ],
)
def test_edited_cells_are_repaired_and_named(edit, answer, repair, student, released) -> None:
    edit(student)
    rebuilt, repairs = rebuild(student, released)
    assert sources(rebuilt) == ["Enunciado", answer, "check(f)", "Porque sí", "Fin"]
    assert [grade_id(cell) for cell in rebuilt.cells] == [grade_id(cell) for cell in released.cells]
    assert [cell.metadata for cell in rebuilt.cells] == [cell.metadata for cell in released.cells]
    assert [cell.cell_type for cell in rebuilt.cells] == [cell.cell_type for cell in released.cells]
    assert len(repairs) == (repair is not None)
    assert all(text.startswith(repair) for text in repairs)
