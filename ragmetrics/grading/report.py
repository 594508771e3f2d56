"""`ragmetrics report`: how the class did in an assignment, and which misconceptions it holds."""

from __future__ import annotations

import statistics
import sys
from collections import Counter
from html import escape
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum, is_grade, is_solution

from ragmetrics._tables import decimal, html_table, percent, text_table
from ragmetrics.feedback.report import MIME, NOT_ATTEMPTED, STATES
from ragmetrics.grading import records
from ragmetrics.grading.course import Course, CourseError, find_course
from ragmetrics.grading.marks import marks
from ragmetrics.grading.rebuild import grade_id, read_notebook

BINS = 10
STYLE = (
    "body{font-family:sans-serif;max-width:860px;margin:24px auto;color:#1A1A1A;background:#FFFFFF}"
    "td,th{padding:3px 10px}"
)


class Task(NamedTuple):
    """One task of the assignment: what it is worth, and what each graded student earned."""

    name: str
    points: float
    earned: dict[str, float]


class Mistake(NamedTuple):
    """A misconception, the function it was seen in and who holds it."""

    function: str
    name: str
    students: list[str]


class ClassReport(NamedTuple):
    """What the report says of an assignment."""

    assignment: str
    totals: dict[str, float]
    maximum: float
    tasks: list[Task]
    mistakes: list[Mistake]
    untouched: Counter[str]
    states: Counter[str]


def report(assignment: str, options: list[str], output: Path | None, names: bool, out: TextIO = sys.stdout) -> int:
    """Print the report and write its page; 0 when there is anything to tell."""
    output = output.resolve() if output else None
    course = Course(find_course(Path.cwd()), options)
    course.require_assignment(assignment)
    found = read_class(course, assignment)
    print(as_text(found, names), file=out)
    path = output or course.folder / "notas" / f"{assignment}_informe.html"
    records.write_text(path, as_html(found, names))
    print(f"\nInforme con figuras: {path.relative_to(course.folder) if not output else path}", file=out)
    return 0


def read_class(course: Course, assignment: str) -> ClassReport:
    """Read the marks from the gradebook and the mistakes from the graded notebooks."""
    with course.api.gradebook as gradebook:
        rows = marks(course.app.coursedir, gradebook, assignment)
    graded = {str(row["estudiante"]): row for row in rows if row.get("nota") not in (None, "")}
    if not graded:
        raise CourseError(
            f"No hay ninguna entrega corregida de «{assignment}». Ejecuta antes: ragmetrics grade {assignment}"
        )
    earned: dict[str, dict[str, float]] = {}
    points: dict[str, float] = {}
    mistakes: dict[tuple[str, str], list[str]] = {}
    untouched: Counter[str] = Counter()
    for student, row in graded.items():
        cells = [c for path in _notebooks(course, assignment, student) for c in read_notebook(path).cells]
        owners = [grade_id(c) or "" for c in cells if is_solution(c)]
        seen: set[tuple[str, str]] = set()
        for cell in filter(is_grade, cells):
            name = grade_id(cell) or ""
            task = next((o for o in owners if name == o or name.startswith(f"{o}-")), name)
            if student == next(iter(graded)):
                points[task] = points.get(task, 0.0) + float(cell.metadata.nbgrader.points)
            score = row.get(name)
            earned.setdefault(task, {})
            if score not in (None, ""):
                earned[task][student] = earned[task].get(student, 0.0) + float(str(score))
            if is_solution(cell) and cell.metadata.nbgrader.get("checksum") == compute_checksum(cell):
                seen.add((name, ""))  # a written answer
            for data in _reports(cell):
                if data.get("state") == STATES[NOT_ATTEMPTED]:
                    seen.add((str(data.get("function")), ""))
                elif data.get("misconception"):
                    seen.add((str(data.get("function")), str(data["misconception"])))
        for function, mistake in sorted(seen):
            if mistake:
                mistakes.setdefault((function, mistake), []).append(student)
            else:
                untouched[function] += 1
    return ClassReport(
        assignment,
        {student: float(str(row["nota"])) for student, row in graded.items()},
        float(str(next(iter(graded.values()))["maximo"])),
        [Task(name, worth, earned.get(name, {})) for name, worth in points.items() if worth],
        sorted((Mistake(*key, students) for key, students in mistakes.items()), key=lambda m: -len(m.students)),
        untouched,
        Counter(str(row["estado"]) for row in rows),
    )


def _notebooks(course: Course, assignment: str, student: str) -> list[Path]:
    return sorted(course.folder_of("autograded", assignment, student).glob("*.ipynb"))


def _reports(cell: NotebookNode) -> list[dict[str, Any]]:
    outputs = cell.get("outputs", [])
    found = [o.data[MIME] for o in outputs if o.output_type == "display_data" and MIME in o.data]
    return [data for data in found if isinstance(data, dict)]


def as_text(found: ClassReport, names: bool) -> str:
    """The report for a terminal."""
    header, *rows = _task_rows(found)
    parts = [
        f"{found.assignment} · {_summary(found)}",
        _histogram(found),
        text_table(header, rows),
        "Errores de concepto, por número de estudiantes:",
        "\n".join(_mistake_lines(found, names)) or "  ninguno",
    ]
    return "\n\n".join(parts)


def as_html(found: ClassReport, names: bool) -> str:
    """The report as a page with figures, which needs nothing from the network."""
    header, *rows = _task_rows(found)
    items = "".join(f"<li>{escape(line.strip())}</li>" for line in _mistake_lines(found, names))
    name = escape(found.assignment)
    return (
        f'<!DOCTYPE html><html lang="es"><head><meta charset="utf-8"><title>Informe de {name}</title>'
        f"<style>{STYLE}</style></head><body><h1>{name}</h1><p>{escape(_summary(found))}</p>"
        f"<h2>Notas</h2>{_marks_figure(found)}"
        f"<h2>Apartados</h2>{html_table('Puntos por apartado', header, rows)}"
        f"<h2>Errores de concepto</h2>{_mistakes_figure(found)}<ul>{items or '<li>ninguno</li>'}</ul>"
        "</body></html>\n"
    )


def _summary(found: ClassReport) -> str:
    values = list(found.totals.values())
    states = "; ".join(f"{state}: {count}" for state, count in sorted(found.states.items()))
    return (
        f"{len(values)} con nota ({states}). "
        f"Media {decimal(statistics.fmean(values), 2)} de {found.maximum:g}, mediana "
        f"{decimal(statistics.median(values), 2)}, de {decimal(min(values), 2)} a {decimal(max(values), 2)}."
    )


def _bins(found: ClassReport) -> list[int]:
    """How many students are in each tenth of the mark."""
    counts = [0] * BINS
    for value in found.totals.values():
        counts[min(BINS - 1, max(0, int(BINS * value / (found.maximum or 1.0))))] += 1
    return counts


def _histogram(found: ClassReport) -> str:
    step, most = found.maximum / BINS, max(_bins(found))
    lines = []
    for i, count in enumerate(_bins(found)):
        bar = "█" * round(40 * count / most)
        lines.append(f"{decimal(i * step, 1):>5} a {decimal((i + 1) * step, 1):>5}  {bar} {count}".rstrip())
    return "\n".join(lines)


def _task_rows(found: ClassReport) -> list[list[str]]:
    rows = [["apartado", "puntos", "media", "todo", "nada", "sin intentar"]]
    for task in found.tasks:
        values = list(task.earned.values())
        mean = percent(round(100 * statistics.fmean(values) / task.points) / 100) if values else "—"
        full = sum(value >= task.points - 1e-9 for value in values)
        nothing = sum(value <= 1e-9 for value in values)
        blank = max((n for f, n in found.untouched.items() if f.split(".")[0] == task.name), default=0)
        rows.append([task.name, f"{task.points:g}", mean, str(full), str(nothing), str(blank)])
    return rows


def _mistake_lines(found: ClassReport, names: bool) -> list[str]:
    lines = []
    for mistake in found.mistakes:
        who = f": {', '.join(sorted(mistake.students))}" if names else ""
        lines.append(f"  {len(mistake.students):>3}  {mistake.function} · {mistake.name}{who}")
    return lines


def _marks_figure(found: ClassReport) -> str:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    from ragmetrics.lessons import show
    from ragmetrics.plots import BLUE

    ax = Figure(figsize=(7, 2.8), layout="constrained").add_subplot()
    step, counts = found.maximum / BINS, _bins(found)
    ax.bar([(i + 0.5) * step for i in range(BINS)], counts, width=0.9 * step, color=BLUE)
    ax.set_title("Cuántos estudiantes hay en cada tramo de nota", loc="left")
    ax.set_xlabel("nota")
    ax.set_ylabel("estudiantes")
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    told = "; ".join(
        f"de {decimal(i * step, 1)} a {decimal((i + 1) * step, 1)}, {n}" for i, n in enumerate(counts) if n
    )
    return str(show(ax, f"Estudiantes en cada tramo de nota: {told}.").html)


def _mistakes_figure(found: ClassReport) -> str:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    from ragmetrics.lessons import show
    from ragmetrics.plots import VERMILLION

    most = found.mistakes[:12][::-1]
    if not most:
        return ""
    ax = Figure(figsize=(8, 0.8 + 0.32 * len(most)), layout="constrained").add_subplot()
    labels = [f"{m.function} · {m.name}" for m in most]
    labels = [label if len(label) <= 60 else f"{label[:59]}…" for label in labels]
    ax.barh(range(len(most)), [len(m.students) for m in most], color=VERMILLION)
    ax.set_yticks(range(len(most)), labels, parse_math=False)
    ax.set_xlabel("estudiantes")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_title("Errores de concepto más frecuentes", loc="left")
    told = "; ".join(f"{label}, {len(m.students)}" for label, m in zip(labels[::-1], most[::-1], strict=True))
    return str(show(ax, f"Errores de concepto más frecuentes, con cuántos estudiantes: {told}.").html)
