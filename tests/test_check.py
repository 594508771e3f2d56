"""`ragmetrics check` on notebooks that are not as they were handed out."""

from __future__ import annotations

import copy

import nbformat
import pytest
from course import ASSIGNMENT, CourseCopy, model_answers, write_answers


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> CourseCopy:
    """A course with its assignment released."""
    course = CourseCopy(tmp_path_factory.mktemp("check"))
    course.run("nbgrader", "generate_assignment", ASSIGNMENT)
    course.run("nbgrader", "release_assignment", ASSIGNMENT)
    return course


@pytest.fixture
def notebook(course: CourseCopy, tmp_path):
    """A student's copy with the right answers."""
    path = tmp_path / f"{ASSIGNMENT}.ipynb"
    path.write_bytes((course.folder / "release" / ASSIGNMENT / path.name).read_bytes())
    write_answers(path, model_answers())
    return path


def edit(path, change) -> None:
    nb = nbformat.read(path, as_version=4)
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in nb.cells}
    change(nb.cells, cells)
    nbformat.write(nb, path)


def test_missing_and_copied_cells_are_named_and_do_not_pass(course: CourseCopy, notebook) -> None:
    def change(order, cells):
        order.remove(cells["f1_at_k"])
        copied = copy.deepcopy(cells["recall_at_k"])
        copied.id = "copied"
        order.append(copied)
        order.remove(cells["precision_at_k-visible"])

    edit(notebook, change)
    said = course.run("ragmetrics", "check", str(notebook), status=1)
    assert "! La celda «recall_at_k» está copiada 2 veces (cuenta la última)." in said
    assert "! Falta la celda «f1_at_k»: se repone." in said
    assert "! Falta la celda «precision_at_k-visible»: se repone." in said
    assert "· f1_at_k: sin intentar" in said
    assert "✔ precision_at_k: bien" in said


def test_an_edited_check_changes_nothing(course: CourseCopy, notebook) -> None:
    def change(order, cells):
        cells["recall_at_k"].source = "def recall_at_k(retrieved, relevant, k):\n    return 1.0"
        cells["recall_at_k-visible"].source = "1.0"

    edit(notebook, change)
    said = course.run("ragmetrics", "check", str(notebook), status=1)
    assert "! La celda de comprobación «recall_at_k-visible» estaba cambiada: se usa la original." in said
    assert "✘ recall_at_k: mal" in said
    assert "devuelve 1 y debería devolver 0 " in said


def test_a_renamed_notebook_is_known_by_its_cells(course: CourseCopy, notebook) -> None:
    renamed = notebook.rename(notebook.with_name("mi tarea (copia).ipynb"))
    said = course.run("ragmetrics", "check", str(renamed), status=1)
    assert f"se llama «mi tarea (copia).ipynb» y debe llamarse «{ASSIGNMENT}.ipynb»" in said
    assert "5 de 5 apartados" in said


def test_a_loop_that_does_not_end_costs_its_own_task_only(course: CourseCopy, notebook) -> None:
    write_answers(notebook, {"recall_at_k": "def recall_at_k(retrieved, relevant, k):\n    while True: pass"})
    write_answers(notebook, {"ejercicio_1": "recall_ejercicio_1 = 1 / 3"})
    write_answers(
        notebook, {"f1_at_k": "def f1_at_k(r, g, k):\n    return 2 * len(set(r[:k]) & set(g)) / (k + len(g))"}
    )
    said = course.run("ragmetrics", "check", str(notebook), "--Execute.timeout=3", status=1)
    assert "✘ recall_at_k: mal\n    Tu código tarda demasiado: ¿tienes un bucle que no termina?" in said
    for name in ("precision_at_k: bien", "f1_at_k: bien", "ejercicio_1: respondido"):
        assert f"✔ {name}" in said


def test_code_that_ends_the_kernel_is_said(course: CourseCopy, notebook) -> None:
    write_answers(notebook, {"recall_at_k": "import os\nos._exit(0)"})
    said = course.run("ragmetrics", "check", str(notebook), status=1)
    assert "Tu código detiene el kernel de Python" in said


def test_a_syntax_error_is_a_task_that_is_wrong(course: CourseCopy, notebook) -> None:
    write_answers(notebook, {"recall_at_k": "def recall_at_k(retrieved, relevant, k)\n    return 0"})
    said = course.run("ragmetrics", "check", str(notebook), status=1)
    assert "✘ recall_at_k: mal\n    Python no puede leer la celda de `recall_at_k`" in said


def test_what_counts_as_not_attempted(course: CourseCopy, notebook) -> None:
    write_answers(
        notebook,
        {
            "recall_at_k": "# ya lo haré\n",
            "precision_at_k": "# una idea\ndef precision_at_k(r, g, k):\n    raise NotImplementedError()",
            "f1_at_k": "# la escribo debajo",
            "pregunta_escrita": "\n  \n",
        },
    )

    def change(order, cells):
        below = nbformat.v4.new_code_cell(model_answers()["f1_at_k"])
        order.insert(order.index(cells["f1_at_k"]) + 1, below)

    edit(notebook, change)
    write_answers(notebook, {"ejercicio_1": "recall_ejercicio_1 = 0,33"})
    said = course.run("ragmetrics", "check", str(notebook), status=1)
    for name in ("recall_at_k", "precision_at_k", "pregunta_escrita"):
        assert f"· {name}: sin intentar" in said
    assert "✔ f1_at_k: bien" in said
    assert "✘ ejercicio_1: mal\n    `recall_ejercicio_1` vale (0, 33): en Python los decimales" in said


def test_a_notebook_of_something_else_is_refused(course: CourseCopy, tmp_path) -> None:
    other = tmp_path / "otro.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")]), other)
    said = course.run("ragmetrics", "check", str(other), status=2)
    assert "no se parece a ninguna tarea publicada" in said
