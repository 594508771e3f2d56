"""The whole chain with nothing mocked: generate, release, fetch, solve, check, submit, grade, feedback, export."""

from __future__ import annotations

import csv
import fcntl
import re

import nbformat
import pytest
from course import ASSIGNMENT, CourseCopy, model_answers, write_answers
from nbgrader.api import Gradebook

WRONG = {
    "recall_at_k": (  # divides by k instead of by the relevant ones
        "def recall_at_k(retrieved, relevant, k):\n    return len(set(retrieved[:k]) & set(relevant)) / k"
    ),
    "precision_at_k": model_answers()["precision_at_k"],
    "f1_at_k": (  # right, and independent of the wrong recall
        "def f1_at_k(retrieved, relevant, k):\n"
        "    return 2 * len(set(retrieved[:k]) & set(relevant)) / (k + len(relevant))"
    ),
    "ejercicio_1": "recall_ejercicio_1 = 0.2",
    "pregunta_escrita": "Precision mide otra cosa.",
}
HINT = "Tus resultados coinciden con dividir los aciertos entre `k`"
# What each cell earns before the written answer is graded by hand (None: waits for a person).
CELLS = (
    "recall_at_k-visible", "recall_at_k-oculta", "precision_at_k-visible", "precision_at_k-oculta",
    "f1_at_k-visible", "f1_at_k-oculta", "ejercicio_1-visible", "ejercicio_1-oculta", "pregunta_escrita",
)  # fmt: skip
MARKS = {
    "ana": dict(zip(CELLS, (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, None), strict=True)),
    "berta": dict(zip(CELLS, (0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, None), strict=True)),
    "carla": dict(zip(CELLS, (0.0,) * 9, strict=True)),
}


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> CourseCopy:
    """A course in which ana (all right), berta (partly wrong), carla (untouched) and dani (broken) handed in."""
    course = CourseCopy(tmp_path_factory.mktemp("chain"))
    course.run("nbgrader", "generate_assignment", ASSIGNMENT)
    course.run("nbgrader", "release_assignment", ASSIGNMENT)
    for student in ("ana", "berta", "carla", "dani"):
        course.nbgrader(student, "fetch_assignment", ASSIGNMENT)
    write_answers(course.notebook("ana"), model_answers())
    write_answers(course.notebook("berta"), WRONG)
    course.checks = {
        student: course.run("ragmetrics", "check", str(course.notebook(student)), status=status)
        for student, status in (("ana", 0), ("berta", 1), ("carla", 1))
    }
    course.notebook("dani").write_text('{"cells": [')
    course.checks["dani"] = course.run("ragmetrics", "check", str(course.notebook("dani")), status=2)
    for student in ("ana", "berta", "carla", "dani"):
        course.nbgrader(student, "submit", ASSIGNMENT)
    course.graded = course.run("ragmetrics", "grade", ASSIGNMENT, status=1)
    course.marks = read_marks(course)
    return course


def read_marks(course: CourseCopy, path: str = f"notas/{ASSIGNMENT}.csv") -> dict[str, dict[str, str]]:
    with (course.folder / path).open(encoding="utf-8", newline="") as lines:
        return {row["estudiante"]: row for row in csv.DictReader(lines)}


def feedback(course: CourseCopy, student: str) -> str:
    return (course.folder / "feedback" / student / ASSIGNMENT / f"{ASSIGNMENT}.html").read_text(encoding="utf-8")


def gradebook(course: CourseCopy) -> Gradebook:
    return Gradebook(f"sqlite:///{course.folder / 'gradebook.db'}", "metricas-rag")


def test_release_holds_neither_solutions_nor_hidden_checks_nor_rubric(course: CourseCopy) -> None:
    released = (course.folder / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").read_text(encoding="utf-8")
    assert "raise NotImplementedError()" in released
    assert "ESCRIBE TU CÓDIGO AQUÍ" in released
    for secret in (
        "return len(found)",
        "BEGIN",
        "casos límite",
        '\\"q\\", \\"c\\"',
        "Rúbrica",
        "5/12",
        "YOUR CODE",
    ):
        assert secret not in released, secret


def test_check_says_how_each_task_stands(course: CourseCopy) -> None:
    assert "5 de 5 apartados" in course.checks["ana"]
    assert "Puedes entregar" in course.checks["ana"]
    berta = course.checks["berta"]
    assert "✘ recall_at_k: mal" in berta
    assert "recall_at_k(['a', 'b', 'c'], ['b', 'a'], 3) devuelve 0.6667 y debería devolver 1" in berta
    assert HINT in berta
    assert "✔ precision_at_k: bien" in berta
    assert "✔ pregunta_escrita: respondida" in berta
    assert "✔ ejercicio_1: respondido\n    `recall_ejercicio_1` es un número entre 0 y 1; su valor" in berta
    assert "4 de 5 apartados" in berta
    assert course.checks["carla"].count("sin intentar") == 5
    assert "tarea1_conjuntos.ipynb no se puede leer como notebook" in course.checks["dani"]


@pytest.mark.parametrize("student", MARKS)
def test_marks_are_exact(course: CourseCopy, student: str) -> None:
    with gradebook(course) as gb:
        notebook = gb.find_submission_notebook(ASSIGNMENT, ASSIGNMENT, student)
        assert {grade.name: grade.auto_score for grade in notebook.grades} == MARKS[student]
    row = course.marks[student]
    assert float(row["nota"]) == sum(score or 0.0 for score in MARKS[student].values())
    assert float(row["maximo"]) == 10.0
    waits = MARKS[student]["pregunta_escrita"] is None
    assert row["estado"] == ("falta corregir a mano" if waits else "corregida")
    assert row["pregunta_escrita"] == ("" if waits else "0.0")


def test_who_could_not_be_graded_is_named_and_has_no_mark(course: CourseCopy) -> None:
    assert "✘ dani: tarea1_conjuntos.ipynb no se puede leer como notebook" in course.graded
    assert re.search(r"Corrigiendo .*4/4", course.graded)  # the progress bar goes to the end all the same
    row = course.marks["dani"]
    assert row["estado"] == "sin corregir"
    assert row["nota"] == ""
    assert "no se puede leer" in row["motivo"]


def test_what_could_not_be_graded_is_not_a_0_for_nbgrader_either(course: CourseCopy) -> None:
    code = (
        "from ragmetrics.grading.course import Course; import sys; from pathlib import Path; "
        f"print(Course(Path(sys.argv[1])).api.get_submission('{ASSIGNMENT}', 'dani')['autograded'])"
    )
    assert course.run("python", "-c", code, str(course.folder)).strip() == "False"


def test_feedback_explains_without_showing_the_hidden_checks(course: CourseCopy) -> None:
    berta = feedback(course, "berta")
    assert "devuelve 0.6667 y debería devolver 1" in berta
    assert HINT.replace("`", "") in re.sub("<[^>]*>", "", berta)
    assert "falla en un caso oculto. Tipo de caso: el corte en los k primeros." in berta
    assert "un relevante justo después del corte" not in berta
    assert "BEGIN HIDDEN" not in berta
    assert "Rúbrica" not in berta
    assert not (course.folder / "feedback" / "dani").exists()


def test_grading_again_regrades_only_what_changed_and_keeps_marks_given_by_hand(course: CourseCopy) -> None:
    with gradebook(course) as gb:
        for student, points in (("ana", 3.0), ("berta", 0.5)):
            grade = gb.find_grade("pregunta_escrita", ASSIGNMENT, ASSIGNMENT, student)
            grade.manual_score, grade.needs_manual_grade = points, False
        gb.db.commit()
    write_answers(course.notebook("berta"), {"recall_at_k": model_answers()["recall_at_k"]})
    course.nbgrader("berta", "submit", ASSIGNMENT)
    ana = course.folder / "autograded" / "ana" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    before = ana.stat().st_mtime_ns

    output = course.run("ragmetrics", "grade", ASSIGNMENT, "--release-feedback", status=1)

    assert "Corregidas ahora: 1. Sin cambios desde la última vez: 2." in output
    assert ana.stat().st_mtime_ns == before
    marks = read_marks(course)
    assert float(marks["ana"]["nota"]) == 10.0
    assert marks["ana"]["estado"] == "corregida"
    assert float(marks["berta"]["nota"]) == 6.5
    assert marks["berta"]["estado"] == "corregida"  # the written answer did not change: its mark stands
    assert list(marks["berta"])[-9:] == list(CELLS)
    assert marks["dani"]["nota"] == ""
    # the feedback was written again, and each student gets their own
    course.nbgrader("ana", "fetch_feedback", ASSIGNMENT)
    [page] = (course.home("ana") / ASSIGNMENT / "feedback").rglob("*.html")
    assert "Puntos: 10 de 10" in page.read_text(encoding="utf-8")


def test_why_hand_ins_could_not_be_graded(course: CourseCopy) -> None:
    """Each kind is named, the others keep their marks, and one that fails loses the mark of an older hand-in."""
    kinds = {
        "berta": ("import os\nos._exit(1)", "el código detuvo el kernel de Python"),
        "carla": (None, "falta el notebook tarea1_conjuntos.ipynb (entregados: otro.ipynb)"),
    }
    for student, (code, _) in kinds.items():
        if code is None:
            course.notebook(student).rename(course.notebook(student).with_name("otro.ipynb"))
        else:
            write_answers(course.notebook(student), {"recall_at_k": code})
        course.nbgrader(student, "submit", ASSIGNMENT)
    said = course.run("ragmetrics", "grade", ASSIGNMENT, "--output=notas/otras.csv", status=1)
    marks = read_marks(course, "notas/otras.csv")
    for student, (_, reason) in kinds.items():
        assert f"✘ {student}: {reason}" in said
        assert marks[student]["nota"] == ""
        assert reason in marks[student]["motivo"]
    assert float(marks["ana"]["nota"]) == 10.0
    assert "Corregidas ahora: 0. Sin cambios desde la última vez: 1." in said


def test_what_was_settled_by_hand_survives_a_hand_in_that_failed(course: CourseCopy) -> None:
    write_answers(course.notebook("berta"), {"recall_at_k": model_answers()["recall_at_k"]})
    course.nbgrader("berta", "submit", ASSIGNMENT)
    course.run("ragmetrics", "grade", ASSIGNMENT, status=1)
    berta = read_marks(course)["berta"]
    assert float(berta["nota"]) == 6.5
    assert berta["estado"] == "corregida"


def test_marks_that_can_not_be_written_are_said_before_the_work(course: CourseCopy) -> None:
    (course.folder / "archivo").write_text("")
    said = course.run("ragmetrics", "grade", ASSIGNMENT, "--output=archivo/notas.csv", status=2)
    assert "No se puede escribir en" in said
    assert "Traceback" not in said


def test_a_wrong_option_of_nbgrader_is_one_line(course: CourseCopy) -> None:
    said = course.run("ragmetrics", "grade", ASSIGNMENT, "--Execute.timeout=abc", status=2)
    assert "Traceback" not in said


def test_export_agrees_with_the_marks(course: CourseCopy) -> None:
    course.run("nbgrader", "export", "--to=todas.csv")
    exported, marks = read_marks(course, "todas.csv"), read_marks(course)
    assert exported.keys() == marks.keys()
    for student in marks:
        assert exported[student]["nota"] == marks[student]["nota"]
        assert exported[student]["estado"] == marks[student]["estado"]


def test_report_refuses_what_was_not_graded(course: CourseCopy) -> None:
    said = course.run("ragmetrics", "report", "tarea2_ranking", status=2)
    assert "No hay ninguna entrega corregida de «tarea2_ranking»" in said
    assert "Traceback" not in said


def test_grade_refuses_what_is_not_an_assignment(course: CourseCopy) -> None:
    output = course.run("ragmetrics", "grade", "tarea9", status=2)
    assert "Las tareas del curso son: tarea1_conjuntos" in output


def test_honest_answers_that_log_or_hold_pictures_keep_their_points(course: CourseCopy) -> None:
    """stderr costs no points, a picture in the answer stops nobody, and a stuck check shows no hidden source."""
    noisy = "import logging, sys\nlogging.basicConfig(level=20)\n" + model_answers()["recall_at_k"].replace(
        "    if not relevant", "    logging.info('x'); print('y', file=sys.__stderr__)\n    if not relevant"
    )
    course.nbgrader("eva", "fetch_assignment", ASSIGNMENT)
    slow = "def precision_at_k(retrieved, relevant, k):\n    while True: pass"
    write_answers(course.notebook("eva"), model_answers() | {"recall_at_k": noisy, "precision_at_k": slow})
    nb = nbformat.read(course.notebook("eva"), as_version=4)
    written = next(c for c in nb.cells if c.metadata.get("nbgrader", {}).get("grade_id") == "pregunta_escrita")
    written.source, written["attachments"] = "![g](attachment:g.png)", {"g.png": {"image/png": "iVBORw0KGgo="}}
    nbformat.write(nb, course.notebook("eva"))
    course.nbgrader("eva", "submit", ASSIGNMENT)
    course.run("ragmetrics", "grade", ASSIGNMENT, "--Execute.timeout=3", status=1)
    marks = read_marks(course)["eva"]
    assert [marks[f"recall_at_k-{kind}"] for kind in ("visible", "oculta")] == ["1.0", "1.0"]
    assert [marks[f"precision_at_k-{kind}"] for kind in ("visible", "oculta")] == ["0.0", "0.0"]
    assert [marks[f"f1_at_k-{kind}"] for kind in ("visible", "oculta")] == ["1.0", "1.0"]
    page = feedback(course, "eva")
    assert "Tu código tarda demasiado: ¿tienes un bucle que no termina?" in page
    assert "un relevante justo después del corte" not in page  # a hidden case


def test_a_gradebook_that_was_deleted_is_made_again(course: CourseCopy) -> None:
    before = read_marks(course)["ana"]["recall_at_k-oculta"]
    (course.folder / "gradebook.db").unlink()
    course.run("ragmetrics", "grade", ASSIGNMENT, "--Execute.timeout=3", status=1)
    assert read_marks(course)["ana"]["recall_at_k-oculta"] == before == "1.0"


def test_one_malformed_hand_in_stops_nobody(course: CourseCopy) -> None:
    """What nobody foresaw is a reason of its own student."""
    folder = course.folder / "submitted" / "fide" / ASSIGNMENT
    (folder / f"{ASSIGNMENT}.ipynb").mkdir(parents=True)
    (folder / "bucle").symlink_to("bucle")
    said = course.run("ragmetrics", "grade", ASSIGNMENT, "--Execute.timeout=3", status=1)
    assert "✘ fide: " in said
    marks = read_marks(course)
    assert marks["fide"]["nota"] == ""
    assert marks["ana"]["recall_at_k-oculta"] == "1.0"


def test_two_runs_at_once_are_refused(course: CourseCopy) -> None:
    with (course.folder / ".ragmetrics" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        said = course.run("ragmetrics", "grade", ASSIGNMENT, status=2)
    assert "Ya hay otra corrección en marcha" in said
