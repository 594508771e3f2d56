"""Every assignment through the real chain, generate to feedback: all right, untouched, each function wrong."""

from __future__ import annotations

import re
from typing import NamedTuple

import nbformat
import pytest
from course import CourseCopy, model_answers, write_answers
from graders import graded_cells
from nbgrader.api import Gradebook


class Wrong(NamedTuple):
    """A wrong answer, the points of its visible and hidden checks, and part of the hint it deserves."""

    source: str
    marks: tuple[float, ...]
    hint: str


DCG = "sum((d in g) / math.log2(i + 2) for i, d in enumerate(r[:k]))"
WRONG = {
    "tarea1_conjuntos": {
        "recall_at_k": Wrong(
            "def recall_at_k(r, g, k):\n    return len(set(r[:k]) & set(g)) / len(g)",
            (1.0, 0.5),
            "¿Qué pasa en tu división cuando relevant está vacía?",
        ),
        "precision_at_k": Wrong(
            "def precision_at_k(r, g, k):\n    return len(set(r[:k]) & set(g)) / max(1, len(r[:k]))",
            (1.0, 0.5),
            "Tus resultados coinciden con dividir entre len(retrieved[:k]) en vez de k.",
        ),
        "f1_at_k": Wrong(
            "def f1_at_k(r, g, k):\n    h = len(set(r[:k]) & set(g))\n    return (h / k + h / max(1, len(g))) / 2",
            (0.0, 0.0),
            "Tus resultados coinciden con la media aritmética.",
        ),
        "ejercicio_1": Wrong(
            "recall_ejercicio_1 = 0.2", (0.0, 0.0), "Has dividido entre k, y eso es la precisión."
        ),
    },
    "tarea2_ranking": {
        "reciprocal_rank": Wrong(
            "def reciprocal_rank(r, g):\n    return sum(1 / i for i, d in enumerate(r, 1) if d in g)",
            (0.0, 0.5),
            "Sumas 1/posición de todos los relevantes",
        ),
        "mean_reciprocal_rank": Wrong(
            "def mean_reciprocal_rank(t):\n    for c in t:\n"
            "        return next((1 / i for i, d in enumerate(c['retrieved'], 1) if d in c['relevant']), 0.0)\n"
            "    return 0.0",
            (0.0, 0.0),
            "¿está tu return dentro del bucle?",
        ),
        "dcg_at_k": Wrong(
            "import math\ndef dcg_at_k(r, g, k):\n    return sum((d in g) / math.log(i + 2) for i, d in enumerate(r[:k]))",
            (0.0, 0.0),
            "Tus resultados coinciden con el logaritmo natural.",
        ),
        "ndcg_at_k": Wrong(
            f"import math\ndef ndcg_at_k(r, g, k):\n    n = sum(d in g for d in r[:k])\n    dcg = {DCG}\n"
            "    return dcg / sum(1 / math.log2(i + 2) for i in range(n)) if n else 0.0",
            (0.0, 0.0),
            "Tu ideal ordena solo lo que ha llegado.",
        ),
        "ejercicio_2": Wrong("ndcg_ejercicio_2 = 0.36", (0.0, 0.0), "Tu ideal llena las cinco posiciones."),
        "graded_ndcg_at_k": Wrong(
            "import math\ndef graded_ndcg_at_k(r, g, k):\n    e = lambda v: 2 ** max(v, 0) - 1\n"
            "    best = sorted(map(e, g.values()), reverse=True)[:k]\n"
            "    ideal = sum(v / math.log2(i + 2) for i, v in enumerate(best))\n"
            "    return sum(e(g.get(d, 0)) / math.log2(i + 2) for i, d in enumerate(r[:k])) / ideal if ideal else 0.0",
            (0.0, 0.0),
            "Es una convención publicada, pero no la de esta tarea: usas la ganancia exponencial",
        ),
    },
    "tarea3_evaluador": {
        "unique": Wrong(
            "def unique(r):\n    return sorted(set(r), key=str)",
            (0.0, 0.0),
            "Los ids salen ordenados por su nombre.",
        ),
        "RetrievalEvaluator": Wrong(
            model_answers("tarea3_evaluador")["RetrievalEvaluator"].replace(
                "return 2 * hits / (self.k + len(set(relevant)))",
                "return hits / self.k * hits / max(1, len(set(relevant)))",
            ),
            (2.0, 2.0),  # f1_at_k, and evaluate_all, which calls it
            "Tus resultados coinciden con multiplicar precisión y recall.",
        ),
        "evaluate_multiple_queries": Wrong(
            "def evaluate_multiple_queries(e, t):\n    rows = [e.evaluate_all(c['retrieved'], c['relevant']) for c in t]\n"
            "    m = {k: sum(r[k] for r in rows) / len(rows) for k in rows[0]}\n"
            "    p, r = m['precision@k'], m['recall@k']\n    m['f1@k'] = 2 * p * r / (p + r) if p + r else 0.0\n    return m",
            (0.0, 0.0),
            "Calculas el F1 con las medias de precisión y recall.",
        ),
    },
    "tarea4_proyecto": {
        "situacion_a": Wrong("metrica_a = 'recall'\nk_a = 10", (0.0, 0.0, 0.5), "Recall pide encontrarlos todos."),
        "situacion_b": Wrong("metrica_b = 'recall'\nk_b = 5", (0.0, 0.5, 0.0), "¿Cuántos resultados lee?"),
        "situacion_c": Wrong("metrica_c = 'ndcg'\nk_c = 5", (0.0, 0.0, 0.5), "¿Importa el orden en este prompt?"),
        "situacion_d": Wrong("metrica_d = 'mrr'\nk_d = 20", (0.0, 0.0, 0.0), "MRR solo mira el primer acierto."),
        "precision_ceiling": Wrong(
            "def precision_ceiling(sizes, k):\n    return sum(s / k for s in sizes) / len(sizes) if sizes else 0.0",
            (0.0, 0.0),
            "Con más relevantes que k te sale más de 1.",
        ),
        "meta_c": Wrong("meta_c = 0.8", (0.0, 0.0), "A esa meta no se puede llegar"),
        "mean_difference": Wrong(
            "def mean_difference(a, b):\n    return sum(y - x for x, y in zip(a, b)) / len(a)",
            (0.0, 0.0),
            "El signo sale al revés.",
        ),
        "wins_ties_losses": Wrong(
            "def wins_ties_losses(a, b):\n    w = sum(x >= y for x, y in zip(a, b))\n    return w, 0, len(a) - w",
            (0.0, 0.5),
            "Un empate te cuenta como ganada",
        ),
        "randomization_p": Wrong(
            "from itertools import product\ndef randomization_p(a, b):\n    d = [x - y for x, y in zip(a, b)]\n"
            "    s = [sum(i * j for i, j in zip(x, d)) for x in product((1, -1), repeat=len(d))]\n"
            "    return sum(v >= sum(d) - 1e-9 for v in s) / len(s)",
            (0.0, 0.0),
            "Solo cuentas los repartos a favor de a.",
        ),
        "comparacion": Wrong("p_valor = 0.02\nconclusion = 'bm25'", (0.0, 0.0, 0.0), "¿es raro que el azar dé"),
    },
}


class Run(NamedTuple):
    """A course in which ana (all right), berta (all wrong) and carla (untouched) handed in the assignment."""

    assignment: str
    course: CourseCopy
    checks: dict[str, str]

    def marks(self, student: str) -> dict[str, float | None]:
        with Gradebook(f"sqlite:///{self.course.folder / 'gradebook.db'}", "metricas-rag") as gb:
            notebook = gb.find_submission_notebook(self.assignment, self.assignment, student)
            return {grade.name: grade.auto_score for grade in notebook.grades}

    def released(self) -> nbformat.NotebookNode:
        folder = self.course.folder / "release" / self.assignment
        return nbformat.read(folder / f"{self.assignment}.ipynb", as_version=4)

    def page(self, student: str) -> str:
        folder = self.course.folder / "feedback" / student / self.assignment
        return (folder / f"{self.assignment}.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module", params=WRONG)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    assignment = request.param
    course = CourseCopy(tmp_path_factory.mktemp(assignment))
    course.run("nbgrader", "generate_assignment", assignment)
    course.run("nbgrader", "release_assignment", assignment)
    checks = {}
    answers = {
        "ana": model_answers(assignment),
        "berta": {name: wrong.source for name, wrong in WRONG[assignment].items()},
        "carla": {},
    }
    for student, given in answers.items():
        course.nbgrader(student, "fetch_assignment", assignment)
        write_answers(course.notebook(student, assignment), given)
        notebook = str(course.notebook(student, assignment))
        checks[student] = course.run("ragmetrics", "check", notebook, status=0 if student == "ana" else 1)
        course.nbgrader(student, "submit", assignment)
    course.run("ragmetrics", "grade", assignment)
    return Run(assignment, course, checks)


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", html))


def test_the_release_holds_no_solution_and_no_hidden_check(run: Run) -> None:
    released = run.released()
    text = "\n".join(cell.source for cell in released.cells)
    for secret in ("BEGIN", "END HIDDEN", "hidden=True", "MustRaise", "Rúbrica", "YOUR CODE", "YOUR ANSWER"):
        assert secret not in text, secret
    for name, source in model_answers(run.assignment).items():
        [cell] = [c for c in released.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name]
        stub = "ESCRIBE TU RESPUESTA AQUÍ" if cell.cell_type == "markdown" else "# ESCRIBE TU CÓDIGO AQUÍ"
        assert stub in cell.source
        left = set(map(str.strip, cell.source.splitlines())) - {"", "raise NotImplementedError()", stub}
        solution = [line.strip() for line in source.splitlines() if line.strip()]
        assert len(left) < len(solution)
    shown, hidden = set(), set()
    for cell in graded_cells(run.assignment):
        before, _, inside = cell.source.partition("### BEGIN HIDDEN TESTS\n")
        shown |= set(before.splitlines())
        hidden |= set(inside.splitlines())
    assert hidden
    assert not [line for line in hidden - shown if len(line) > 20 and line in text]


def test_all_right_earns_all_points(run: Run) -> None:
    full = {c.metadata.nbgrader.grade_id: float(c.metadata.nbgrader.points) for c in graded_cells(run.assignment)}
    assert run.marks("ana") == full | {"pregunta_escrita": None}
    assert "Puedes entregar" in run.checks["ana"]


def test_untouched_earns_nothing_and_reads_not_attempted(run: Run) -> None:
    assert set(run.marks("carla").values()) == {0.0}
    tasks = model_answers(run.assignment)
    assert run.checks["carla"].count(": sin intentar") == len(tasks)
    assert "✘" not in run.checks["carla"]


def test_each_wrong_answer_earns_what_it_deserves_and_its_mistake_is_named(run: Run) -> None:
    marks, page = run.marks("berta"), text_of(run.page("berta"))
    for name, wrong in WRONG[run.assignment].items():
        assert tuple(mark for check, mark in marks.items() if check.startswith(f"{name}-")) == wrong.marks, name
        assert wrong.hint in page, name


def test_the_report_tells_marks_and_misconceptions_without_names(run: Run) -> None:
    said = run.course.run("ragmetrics", "report", run.assignment)
    page = (run.course.folder / "notas" / f"{run.assignment}_informe.html").read_text(encoding="utf-8")
    total = sum(run.marks("ana")[c] or 0.0 for c in run.marks("ana"))
    assert "3 con nota (corregida: 2; falta corregir a mano: 1)" in said
    assert f"de 0,00 a {total:.2f}".replace(".", ",") in said
    for name in WRONG[run.assignment]:
        assert re.search(rf"^{name} +\d+ +\d+ %  +1 ", said, re.MULTILINE), name  # ana has it all
    mistakes = {name for name in WRONG[run.assignment] if re.search(rf"^ +1  {name}[. ]", said, re.MULTILINE)}
    assert mistakes >= {
        name for name in WRONG[run.assignment] if f"def {name}(" in WRONG[run.assignment][name].source
    }
    assert page.count("<img alt=") == 2
    for text in (said, page):
        assert not re.search(r"\b(ana|berta|carla)\b", text)
    named = run.course.run("ragmetrics", "report", run.assignment, "--names", "--output=informe.html")
    assert ": berta" in named
    assert "berta" in (run.course.folder / "informe.html").read_text(encoding="utf-8")


def test_validate_says_what_the_check_says(run: Run) -> None:
    said = run.course.run("nbgrader", "validate", str(run.course.notebook("berta", run.assignment)))
    assert "COMPROBACIÓN(ES) SIN SUPERAR" in said
    assert "✘" in said
    assert "→" in said
    assert "Partial credit" not in said
    failed = said.count("# Comprobación visible")
    full = {c.metadata.nbgrader.grade_id: c.metadata.nbgrader.points for c in graded_cells(run.assignment)}
    marks = run.marks("berta")
    assert failed == sum(c.endswith("-visible") and (marks[c] or 0.0) < full[c] for c in full)


def test_feedback_is_spanish_and_shows_no_hidden_source(run: Run) -> None:
    page = run.page("berta")
    text = text_of(page)
    earned = sum(mark or 0.0 for mark in run.marks("berta").values())
    assert f"Puntos: {earned:g} de ".replace(".", ",") in text
    for name in model_answers(run.assignment):
        assert f'<th scope="row"><a href="#{name}">{name}</a></th>' in page
        assert page.count(f'id="{name}"') == 1
    for english in ("Score", "Student", "Grade cell", "Test cell", "Written response", "Comments", "Top)"):
        assert english not in text, english
    assert (
        re.search(r"\d de \d relevantes? en el", text) or run.assignment == "tarea4_proyecto"
    )  # the ranking is drawn
    assert "MustRaise" not in page
    assert "HIDDEN" not in page
    assert "Rúbrica" not in page


def test_feedback_loads_nothing_and_shows_formulas(run: Run) -> None:
    page = run.page("berta")
    assert not re.findall(r"<(?:script|link|img|iframe)\b[^>]*(?:src|href)=[\"']?(?!data:)[^>]*>", page)
    formulas = [cell for cell in run.released().cells if cell.cell_type == "markdown" and "$" in cell.source]
    assert page.count("<math ") >= len(formulas)
    assert not re.search(r"\$\\", page)
