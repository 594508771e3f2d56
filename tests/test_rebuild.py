"""Rebuilding a hand-in on the released notebook: the answers are found, all else is the release's."""

from __future__ import annotations

import copy

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.utils import compute_checksum

from ragmetrics.grading.rebuild import grade_id, read_notebook, rebuild


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
        (no_answer, "# Esta celda se borró: se repone vacía.", "falta la celda «f»"),
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


def solution(source: str, name: str = "f"):
    return new_code_cell(source, metadata=nbgrader(name, solution=True))


def test_a_cell_that_was_split_keeps_both_parts_in_order(student, released) -> None:
    student.cells[1:2] = [solution("def helper(): return 1"), solution("def f(): return helper()"), solution("  ")]
    rebuilt, repairs = rebuild(student, released)
    assert sources(rebuilt)[1:3] == ["def helper(): return 1", "def f(): return helper()"]
    assert [grade_id(cell) for cell in rebuilt.cells][1:3] == [None, "f"]
    assert repairs == ["la celda «f» está copiada 3 veces (cuenta la última)"]


def test_a_written_answer_that_was_split_is_joined(student, released) -> None:
    second = new_markdown_cell("b) dos", metadata=nbgrader("escrita", solution=True, points=2))
    student.cells[3].source = "a) uno"
    student.cells.insert(4, second)
    assert rebuild(student, released)[0].cells[3].source == "a) uno\n\nb) dos"


def test_what_was_written_in_place_of_a_deleted_cell_is_not_undone(student, released) -> None:
    student.cells[1] = new_code_cell("def f(): return 5")
    rebuilt, _ = rebuild(student, released)
    code = "\n".join(
        cell.source for cell in rebuilt.cells if cell.cell_type == "code" and "check" not in cell.source
    )
    namespace: dict = {}
    exec(code, namespace)
    assert namespace["f"]() == 5


def test_pictures_in_answers_stay(student, released) -> None:
    student.cells[3]["attachments"] = {"g.png": {"image/png": "AAAA"}}
    assert rebuild(student, released)[0].cells[3].attachments == {"g.png": {"image/png": "AAAA"}}


def test_a_check_of_an_earlier_release_is_not_the_students_edit(student, released) -> None:
    student.cells[2].metadata.nbgrader.checksum = compute_checksum(student.cells[2])
    released.cells[2].source = "check(f, more=True)"
    rebuilt, repairs = rebuild(student, released)
    assert rebuilt.cells[2].source == "check(f, more=True)"
    assert repairs == []


def test_line_endings_do_not_count_as_edits(student, released) -> None:
    released.cells[2].source = "a\nb"
    student.cells[2].source = "a\r\nb"
    assert rebuild(student, released)[1] == []


@pytest.mark.parametrize(
    "text",
    ['{"cells": [', "[]", '{"cells": 3, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
     '{"cells": [{"source": "", "metadata": {}}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}',
     '{"cells": [{"cell_type": "code", "source": "", "metadata": null}], "metadata": {}, "nbformat": 4}', ""],
)  # fmt: skip
def test_what_is_not_a_notebook_is_a_clear_error(text, tmp_path) -> None:
    path = tmp_path / "tarea.ipynb"
    path.write_text(text)
    with pytest.raises(ValueError, match="no se puede leer como notebook"):
        read_notebook(path)


@pytest.mark.parametrize("meta", [None, "x", [], {"grade_id": 3}, {}])
def test_odd_metadata_is_not_a_name(meta) -> None:
    assert grade_id(new_code_cell("", metadata={"nbgrader": meta})) is None
