"""The way of a student and their instructor through JupyterLab, in a real browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from course import ASSIGNMENT, CourseCopy, model_answers, write_answers
from lab_process import Lab
from nbgrader.api import Gradebook
from nbgrader.utils import get_username
from playwright.sync_api import FrameLocator, Locator, Page, expect, sync_playwright

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
PATIENCE = 30_000  # ms; nothing waits longer than it must

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"needs {CHROMIUM} (apt-get install chromium)"),
]

# What the student types; JupyterLab indents the lines.
TYPED = (
    "def recall_at_k(retrieved, relevant, k):",
    "found = set(retrieved[:k]) & set(relevant)",
    "return len(found) / len(relevant) if relevant else 0.0",
)
# What the others get: all right but the exercise, whose visible check takes any number between 0 and 1.
OTHERS = {
    **{name: text for name, text in model_answers().items() if name != "recall_at_k"},
    "ejercicio_1": "recall_ejercicio_1 = 0.2",
}
MARKS = {
    "recall_at_k-visible": 1.0, "recall_at_k-oculta": 1.0,
    "precision_at_k-visible": 1.0, "precision_at_k-oculta": 1.0,
    "f1_at_k-visible": 1.0, "f1_at_k-oculta": 1.0,
    "ejercicio_1-visible": 0.0, "ejercicio_1-oculta": 0.0,
}  # fmt: skip
COMMENT = "Bien razonado; en c) falta decir por qué no vale k = 5."


@pytest.fixture
def course(tmp_path: Path) -> CourseCopy:
    course = CourseCopy(tmp_path)
    path = course.folder / "notebooks" / "00_inicio.ipynb"
    lesson = nbformat.read(path, as_version=4)
    for cell in lesson.cells:
        if cell.cell_type == "code":
            cell.execution_count = 100  # tells the stored run from the one on the screen
    nbformat.write(lesson, path)
    return course


@pytest.fixture
def lab(course: CourseCopy) -> Iterator[Lab]:
    with Lab(course) as lab:
        yield lab


@pytest.fixture
def page(lab: Lab) -> Iterator[Page]:
    """JupyterLab in the browser, at the address that the command printed."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(PATIENCE)
        expect.set_options(timeout=PATIENCE)
        # The course works without the Internet; what nbgrader asks of it (MathJax) must not hold up the test.
        page.route(lambda url: not url.startswith(f"http://127.0.0.1:{lab.port}/"), lambda route: route.abort())
        page.goto(lab.url)
        yield page
        browser.close()


def shot(page: Page, name: str) -> None:
    """Keep a picture of the step, for people, when a folder is given for it."""
    if folder := os.environ.get("RAGMETRICS_SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")


def menu(page: Page, name: str, item: str) -> None:
    page.get_by_role("menuitem", name=name, exact=True).click()
    page.get_by_role("menuitem", name=item, exact=True).click()


def notebook(page: Page) -> Locator:
    """The notebook in front."""
    return page.locator(".jp-NotebookPanel:visible")


def saved(page: Page) -> None:
    """Wait until the notebook in front has nothing left to save."""
    expect(page.locator(".lm-DockPanel-tabBar .lm-mod-current.jp-mod-dirty")).to_have_count(0)


def accept(screen: Page | FrameLocator, dialog: str, button: str) -> str:
    """Close the dialog with the button; the text that was in it."""
    box = screen.locator(dialog).filter(visible=True)
    expect(box).to_have_count(1)
    text = box.inner_text()
    box.locator(button).click()
    expect(box).to_have_count(0)
    return text


def formgrader(page: Page) -> FrameLocator:
    return page.frame_locator("iframe[src*='formgrader']")


def row(page: Page) -> Locator:
    """The assignment's row in Formgrader's table of assignments."""
    return formgrader(page).locator("#main-table tr", has=page.locator(f"td.name:has-text('{ASSIGNMENT}')"))


def act(page: Page, place: Locator, column: str, picture: str) -> None:
    """Press the button in a column of Formgrader's table and close the report."""
    screen = formgrader(page)
    place.locator(f"td.{column} a").click()
    expect(screen.locator(".modal-title")).to_have_text("Success")
    shot(page, picture)
    accept(screen, ".modal-dialog", ".modal-footer button")


def grades(course: CourseCopy) -> dict[str, float | None]:
    with Gradebook(f"sqlite:///{course.folder / 'gradebook.db'}", "metricas-rag") as gradebook:
        submission = gradebook.find_submission_notebook(ASSIGNMENT, ASSIGNMENT, get_username())
        return {grade.name: None if grade.needs_manual_grade else grade.score for grade in submission.grades}


def leave(page: Page, box: Locator, kind: str) -> None:
    """Leave a score or a comment as the instructor does, and wait until Formgrader has saved it."""
    with page.expect_response(lambda answer: f"/api/{kind}/" in answer.url and answer.request.method == "PUT"):
        box.press("Tab")


def test_from_the_first_lesson_to_the_feedback(page: Page, course: CourseCopy, lab: Lab) -> None:
    run_first_lesson(page)
    fetch(page, course)
    answer(page, course)
    validate(page)
    submit(page, course)
    collect(page, course)
    autograde(page, course)
    grade_by_hand(page, course)
    give_feedback(page, course)
    read_feedback(page, course)
    assert "WARNING" not in lab.output  # nothing in the terminal to worry about


def run_first_lesson(page: Page) -> None:
    """JupyterLab opens in Spanish on 00_inicio, without asking anything, and the lesson runs."""
    expect(page.get_by_role("menuitem", name="Archivo", exact=True)).to_be_visible()
    expect(page.get_by_role("tab", name="00_inicio.ipynb")).to_be_visible()
    expect(notebook(page)).to_contain_text("empieza aquí")
    expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle")  # the kernel is there
    expect(page.locator(".jp-Dialog, .Toastify__toast")).to_have_count(0)
    shot(page, "01-inicio")

    menu(page, "Run", "Ejecutar todas las celdas")
    cells = notebook(page).locator(".jp-CodeCell .jp-InputArea-prompt")
    expect(cells).to_have_text([f"[{n}]:" for n in range(1, cells.count() + 1)])
    expect(notebook(page).locator("[data-mime-type='application/vnd.jupyter.error']")).to_have_count(0)
    shot(page, "02-inicio-ejecutada")


def fetch(page: Page, course: CourseCopy) -> None:
    menu(page, "Nbgrader", "Assignment List")
    shot(page, "03-lista-de-tareas")
    released = page.locator("#released_assignments_list .list_item", has_text=ASSIGNMENT)
    released.get_by_role("button", name="Fetch", exact=True).click()
    expect(page.locator("#fetched_assignments_list")).to_contain_text(ASSIGNMENT)
    shot(page, "04-tarea-descargada")
    assert (course.folder / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").is_file()


def answer(page: Page, course: CourseCopy) -> None:
    """One answer is typed; the others were written on an earlier day."""
    path = course.folder / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    write_answers(path, OTHERS)
    page.locator("#fetched_assignments_list").get_by_role("button", name=ASSIGNMENT).click()
    page.locator("#fetched_assignments_list .nested_list_item a").click()
    expect(page.get_by_role("tab", name=f"{ASSIGNMENT}.ipynb")).to_be_visible()
    cell = notebook(page).locator(".jp-CodeCell", has_text="NotImplementedError")
    expect(cell).to_have_count(1)
    shot(page, "05-tarea-abierta")

    cell.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type("\n".join(TYPED))
    shot(page, "06-respuesta-escrita")
    page.keyboard.press("ControlOrMeta+S")
    saved(page)
    [source] = [
        cell.source
        for cell in nbformat.read(path, as_version=4).cells
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "recall_at_k"
    ]
    assert source == "\n    ".join(TYPED)


def validate(page: Page) -> None:
    notebook(page).get_by_role("button", name="Validate", exact=True).click()
    expect(page.locator(".jp-Dialog")).to_be_visible()
    shot(page, "07-validar")
    assert "Success! Your notebook passes all the tests." in accept(page, ".jp-Dialog", ".jp-mod-accept")


def submit(page: Page, course: CourseCopy) -> None:
    menu(page, "Nbgrader", "Assignment List")
    page.locator("#fetched_assignments_list").get_by_role("button", name="Submit", exact=True).click()
    expect(page.locator("#submitted_assignments_list")).to_contain_text(ASSIGNMENT)
    shot(page, "08-entregada")
    data = Path(course.env["JUPYTER_DATA_DIR"])
    assert len(list(data.glob(f"ragmetrics/*/exchange/metricas-rag/inbound/{get_username()}+{ASSIGNMENT}+*"))) == 1


def collect(page: Page, course: CourseCopy) -> None:
    menu(page, "Nbgrader", "Formgrader")
    expect(row(page)).to_have_count(1)
    shot(page, "09-formgrader")
    act(page, row(page), "collect", "10-recogida")
    expect(row(page).locator("td.num-submissions")).to_have_text("1")
    assert (course.folder / "submitted" / get_username() / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").is_file()


def autograde(page: Page, course: CourseCopy) -> None:
    screen = formgrader(page)
    row(page).locator("td.num-submissions a").click()
    act(page, screen.locator("#main-table"), "autograde", "11-autocorregida")
    expect(screen.locator("#main-table td.status")).to_have_text("needs manual grading")
    expect(screen.locator("#main-table td.score")).to_have_text("6 / 10")
    shot(page, "12-nota-automatica")
    assert grades(course) == {**MARKS, "pregunta_escrita": None}


def grade_by_hand(page: Page, course: CourseCopy) -> None:
    screen = formgrader(page)
    screen.get_by_role("link", name="Manual Grading").first.click()
    screen.locator("#main-table").get_by_role("link", name=ASSIGNMENT).click()
    screen.locator("#main-table").get_by_role("link", name=ASSIGNMENT).click()
    submission = screen.locator("#main-table").get_by_role("link", name="Submission #1")
    expect(submission).to_be_visible()
    shot(page, "13-entregas-por-corregir")
    submission.click()
    points = screen.locator("input#pregunta_escrita")
    expect(points).to_be_editable()
    points.scroll_into_view_if_needed()
    points.fill("2.5")
    leave(page, points, "grade")
    comment = screen.locator("#pregunta_escrita-comment")
    comment.fill(COMMENT)
    leave(page, comment, "comment")
    shot(page, "14-correccion-a-mano")
    assert grades(course) == {**MARKS, "pregunta_escrita": 2.5}


def give_feedback(page: Page, course: CourseCopy) -> None:
    screen = formgrader(page)
    screen.get_by_role("link", name="Manual Grading").first.click()
    screen.get_by_role("link", name="Manage Assignments").click()
    act(page, row(page), "generate-feedback", "15-comentarios")
    html = course.folder / "feedback" / get_username() / ASSIGNMENT / f"{ASSIGNMENT}.html"
    assert COMMENT in html.read_text(encoding="utf-8")
    act(page, row(page), "release-feedback", "16-comentarios-publicados")


def read_feedback(page: Page, course: CourseCopy) -> None:
    menu(page, "Nbgrader", "Assignment List")
    page.locator("#refresh_assignments_list").click()
    submitted = page.locator("#submitted_assignments_list")
    expect(submitted).to_contain_text("feedback available to fetch")
    submitted.get_by_role("button", name="Fetch Feedback", exact=True).click()
    submitted.get_by_text("(view feedback)").click()
    shot(page, "17-comentarios-recibidos")
    file = page.locator(".jp-DirListing-item", has_text=f"{ASSIGNMENT}.html")
    file.dblclick()
    [path] = (course.folder / ASSIGNMENT / "feedback").rglob(f"{ASSIGNMENT}.html")
    text = path.read_text(encoding="utf-8")
    assert COMMENT in text
    feedback = page.frame_locator(".jp-HTMLViewer iframe")
    expect(feedback.get_by_text("Puntos: 8,5 de 10")).to_be_visible()
    shot(page, "18-comentarios-abiertos")
