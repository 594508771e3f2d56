"""Self-check questions that need no JavaScript.

Each option is a native `<details>`: it opens with the mouse or the keyboard, reads well aloud, and works in a
notebook that is not trusted, on GitHub and in static HTML. (jupyterquiz was looked at and left aside: its
interface is English, its ids are random, and it needs trusted JavaScript.)
"""

import json
from pathlib import Path
from typing import Any

from ragmetrics._html import CARD, Html, rich
from ragmetrics.plots import GREEN, GREY, VERMILLION

_FORMAT = (
    'Se espera {"questions": [{"question": "…", "options": '
    '[{"text": "…", "correct": true, "feedback": "…"}, …]}, …]}.'
)


def quiz(path: str | Path) -> Html:
    """Muestra las preguntas de un archivo JSON. Al abrir una opción ves si acierta y por qué.

    Args:
        path: el archivo, visto desde la carpeta del notebook: `"preguntas/01_recall.json"`.

    Returns:
        Las preguntas; pon la llamada al final de la celda para que se vean.

    Raises:
        FileNotFoundError: si el archivo no está.
        ValueError: si lo que contiene no son preguntas con sus opciones.
    """
    return render(load(path))


def load(path: str | Path) -> list[dict[str, Any]]:
    """Read and validate the questions of a JSON file."""
    path = Path(path)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(
            f"No encuentro las preguntas «{path}»: abre el notebook desde su propia carpeta."
        ) from None
    except json.JSONDecodeError as error:
        raise ValueError(f"«{path}» no es JSON válido (línea {error.lineno}): {error.msg}.") from None
    questions = data.get("questions") if isinstance(data, dict) else None
    if not isinstance(questions, list) or not questions:
        raise ValueError(f"«{path}» no tiene preguntas. {_FORMAT}")
    for number, question in enumerate(questions, start=1):
        problem = _problem(question)
        if problem:
            raise ValueError(f"«{path}», pregunta {number}: {problem}")
    return questions


def render(questions: list[dict[str, Any]]) -> Html:
    """Build the output for valid questions. The plain version holds no answers."""
    intro = "Piensa tu respuesta y abre la opción: verás por qué acierta o por qué falla."
    items = [_question_html(number, question) for number, question in enumerate(questions, start=1)]
    plain = [_question_text(number, question) for number, question in enumerate(questions, start=1)]
    html = f'<div style="{CARD}"><p style="margin:0 0 4px 0">{intro}</p>{"".join(items)}</div>'
    return Html(html, "\n".join(plain))


def _problem(question: Any) -> str | None:
    if not isinstance(question, dict) or not _text(question.get("question")):
        return f'falta el texto en "question". {_FORMAT}'
    options = question.get("options")
    if not isinstance(options, list) or not 2 <= len(options) <= 10:
        return f'"options" debe tener entre dos y diez opciones. {_FORMAT}'
    for letter, option in _lettered(options):
        if not isinstance(option, dict) or not _text(option.get("text")):
            return f'a la opción {letter} le falta "text".'
        if not _text(option.get("feedback")):
            return f'a la opción {letter} le falta "feedback": cada opción explica por qué acierta o falla.'
    right = sum(option.get("correct") is True for option in options)
    if right != 1:
        return f'debe haber exactamente una opción con "correct": true, y hay {right}.'
    return None


def _lettered(options: list[Any]) -> list[tuple[str, Any]]:
    return list(zip("abcdefghij", options, strict=False))


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _question_text(number: int, question: dict[str, Any]) -> str:
    options = [f"   {letter}) {option['text']}" for letter, option in _lettered(question["options"])]
    return "\n".join([f"{number}. {question['question']}", *options])


def _question_html(number: int, question: dict[str, Any]) -> str:
    heading = f'<p style="margin:14px 0 6px 0"><strong>{number}. {rich(question["question"])}</strong></p>'
    return heading + "".join(_option_html(*pair) for pair in _lettered(question["options"]))


def _option_html(letter: str, option: dict[str, Any]) -> str:
    right = option.get("correct") is True
    color, verdict = (GREEN, "✓ Correcto.") if right else (VERMILLION, "✗ Todavía no.")
    return (
        f'<details style="margin:4px 0;border:1px solid {GREY};border-radius:4px;padding:4px 10px">'
        f'<summary style="cursor:pointer">{letter}) {rich(option["text"])}</summary>'
        f'<p style="margin:6px 0 4px 0;padding-left:10px;border-left:4px solid {color}">'
        f"<strong>{verdict}</strong> {rich(option['feedback'])}</p></details>"
    )
