"""`ragmetrics lab` makes the course ready, opens JupyterLab on it, and leaves a student's work alone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

import psutil
import pytest
from course import ASSIGNMENT, CourseCopy, model_answers, write_answers
from lab_process import Lab
from nbgrader.api import Gradebook
from nbgrader.utils import get_username

from ragmetrics.grading.exchange import local_exchange

# nbgrader's own, when a submission is first written to the gradebook
pytestmark = pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning")

COURSE_ID = "metricas-rag"
NOTEBOOK = f"{ASSIGNMENT}/{ASSIGNMENT}.ipynb"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> CourseCopy:
    return CourseCopy(tmp_path_factory.mktemp("lab"))


@pytest.fixture(scope="module")
def lab(course: CourseCopy) -> Iterator[Lab]:
    with Lab(course) as lab:
        yield lab


@dataclass
class Worked:
    """A course in which somebody worked in JupyterLab, and how that JupyterLab ended."""

    course: CourseCopy
    listed: list[dict[str, object]]  # by Assignment List, before any work
    status: int
    survivors: list[psutil.Process]


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory, course: CourseCopy, lab: Lab) -> Worked:
    """Another copy of the course on the same machine: fetched, edited, handed in, marked by hand."""
    lab.post("/assignments/fetch", course_id=COURSE_ID, assignment_id=ASSIGNMENT)
    lab.post("/assignments/submit", course_id=COURSE_ID, assignment_id=ASSIGNMENT)
    copy = CourseCopy(tmp_path_factory.mktemp("worked"))
    copy.env["JUPYTER_DATA_DIR"] = course.env["JUPYTER_DATA_DIR"]
    with Lab(copy) as second:
        listed = second.get_json("/assignments", course_id=COURSE_ID)["value"]
        second.post("/assignments/fetch", course_id=COURSE_ID, assignment_id=ASSIGNMENT)
        write_answers(copy.folder / NOTEBOOK, model_answers())
        second.post("/assignments/submit", course_id=COURSE_ID, assignment_id=ASSIGNMENT)
        with gradebook(copy) as gb:
            gb.update_or_create_submission(ASSIGNMENT, get_username())
            grade = gb.find_grade("pregunta_escrita", ASSIGNMENT, ASSIGNMENT, get_username())
            grade.manual_score, grade.needs_manual_grade = 2.5, False
            gb.db.commit()
        second.post("/api/kernels", name="python3")
        status, survivors = second.stop()
    return Worked(copy, listed, status, survivors)


def gradebook(course: CourseCopy) -> Gradebook:
    return Gradebook(f"sqlite:///{course.folder / 'gradebook.db'}", COURSE_ID)


def manual_score(course: CourseCopy) -> float:
    with gradebook(course) as gb:
        return gb.find_grade("pregunta_escrita", ASSIGNMENT, ASSIGNMENT, get_username()).manual_score


def exchange(course: CourseCopy) -> Path:
    """The folder of this copy of the course in the user's data folder."""
    with mock.patch.dict(os.environ, JUPYTER_DATA_DIR=course.env["JUPYTER_DATA_DIR"]):
        return local_exchange(course.folder.resolve()) / "exchange" / COURSE_ID


def contents(*folders: Path) -> dict[Path, tuple[int, bytes]]:
    """When each file below the folders was last written and what it holds."""
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert files, folders
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def handed_in(course: CourseCopy) -> list[Path]:
    """The folders that hold what the student did."""
    own = exchange(course)
    return [course.folder / ASSIGNMENT, own / "inbound", own.parents[1] / "cache"]


def test_opens_on_the_first_lesson_with_the_printed_address(lab: Lab) -> None:
    assert f"http://127.0.0.1:{lab.port}/lab/tree/notebooks/00_inicio.ipynb?token=" in lab.url
    address, page = lab.get("/")
    assert address == "/lab/tree/notebooks/00_inicio.ipynb"
    assert "jupyter-config-data" in page


def test_says_what_it_did_in_spanish(lab: Lab) -> None:
    assert f"Tarea «{ASSIGNMENT}»: generada y publicada." in lab.output
    assert "Ctrl+C" in lab.output


def test_jupyterlab_is_in_spanish_and_asks_for_no_news(lab: Lab) -> None:
    language = lab.get_json("/lab/api/settings/@jupyterlab/translation-extension:plugin")
    assert language["schema"]["properties"]["locale"]["default"] == "es_ES"
    assert language["settings"] == {}  # a default: whoever chooses another language keeps it
    assert lab.get_json("/lab/api/translations/es_ES")["data"]["jupyterlab"]["menu\u0004File"] == ["Archivo"]
    news = lab.get_json("/lab/api/settings/@jupyterlab/apputils-extension:notification")["schema"]["properties"]
    assert news["fetchNews"]["default"] == "false"
    assert news["checkForUpdates"]["default"] is False


def test_the_assignment_is_in_the_exchange_of_the_data_folder(course: CourseCopy, lab: Lab) -> None:
    assert exchange(course).is_relative_to(course.env["JUPYTER_DATA_DIR"])
    released = exchange(course) / "outbound" / NOTEBOOK
    assert released.read_bytes() == (course.folder / "release" / NOTEBOOK).read_bytes()
    answer = lab.get_json("/assignments", course_id=COURSE_ID)
    assert answer["success"]
    there = {each["assignment_id"] for each in answer["value"] if each["status"] in ("released", "fetched")}
    assert there == {folder.name for folder in (course.folder / "solutions").iterdir()}


def test_validate_answers(lab: Lab) -> None:
    answer = lab.post("/assignments/validate", path=f"release/{NOTEBOOK}")
    assert answer["success"]
    failed = json.dumps(answer["value"]["failed"], ensure_ascii=False)
    for task in ("recall_at_k", "precision_at_k", "f1_at_k"):
        assert f"Comprobación visible de {task}" in failed
        assert f"Sin intentar: `{task}` todavía ejecuta" in failed
    assert "Partial credit" not in failed


def test_formgrader_answers(lab: Lab) -> None:
    address, page = lab.get("/formgrader")
    assert address == "/formgrader/manage_assignments"
    assert "Manage Assignments" in page
    listed = lab.get_json("/formgrader/api/assignments")
    assert {each["status"] for each in listed} == {"released"}
    [assignment] = [each for each in listed if each["name"] == ASSIGNMENT]
    assert (assignment["max_score"], assignment["max_written_score"]) == (10.0, 3.0)
    [student] = lab.get_json("/formgrader/api/students")
    assert student["id"] == get_username()
    assert student["first_name"]  # else Formgrader shows «None, None»


def test_sigterm_ends_it_with_its_kernels(worked: Worked) -> None:
    assert worked.status == 0
    assert worked.survivors == []


def test_two_copies_of_the_course_do_not_share_an_exchange(course: CourseCopy, worked: Worked) -> None:
    assert {each["status"] for each in worked.listed} == {"released"}  # nothing of what was done in `course`
    assert exchange(course) != exchange(worked.course)
    for copy in (course, worked.course):
        assert len(list((exchange(copy) / "inbound").iterdir())) == 1


def test_running_again_changes_nothing(worked: Worked) -> None:
    copy = worked.course
    folders = (*handed_in(copy), copy.folder / "release", exchange(copy) / "outbound")
    before = contents(*folders)
    with Lab(copy) as again:
        assert f"Tarea «{ASSIGNMENT}»: al día." in again.output
        submissions = again.get_json("/assignments", course_id=COURSE_ID)["value"]
        own = [each["status"] for each in submissions if each["assignment_id"] == ASSIGNMENT]
        assert own == ["fetched", "submitted"]
    assert contents(*folders) == before
    assert manual_score(copy) == 2.5


def test_a_newer_source_is_released_anew_and_the_students_copy_stays(worked: Worked) -> None:
    copy = worked.course
    outputs = (copy.folder / "release" / ASSIGNMENT, exchange(copy) / "outbound" / ASSIGNMENT)
    before, work = contents(*outputs), contents(*handed_in(copy))
    newer = max(time for time, _ in before.values()) + 1_000_000  # a millisecond
    os.utime(copy.folder / "solutions" / NOTEBOOK, ns=(newer, newer))
    with Lab(copy) as again:
        assert f"Tarea «{ASSIGNMENT}»: generada y publicada." in again.output
    after = contents(*outputs)
    assert after.keys() == before.keys()
    assert all(after[path][0] > before[path][0] for path in after)
    assert contents(*handed_in(copy)) == work
    assert manual_score(copy) == 2.5
