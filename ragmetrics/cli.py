"""The command `ragmetrics`: it reads the arguments and hands over to the module that does the work."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import NoReturn

# argparse's own messages, as they begin in English, and what we say instead
SPANISH = {
    r"the following arguments are required: (.*)": r"faltan argumentos: \1",
    r"argument (.*): invalid choice: (.*) \(choose from (.*)\)": r"\1: no existe \2 (elige entre \3)",
    r"argument (.*): invalid int value: (.*)": r"\1: se esperaba un número entero y llegó \2",
    r"argument (.*): expected one argument": r"\1: falta su valor",
    r"argument (.*): ignored explicit argument (.*)": r"\1: no admite valor y llegó \2",
    r"ambiguous option: (.*) could match (.*)": r"opción ambigua: \1 puede ser \2",
    r"unrecognized arguments: (.*)": r"no conozco estos argumentos: \1",
}


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks Spanish."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs, add_help=False, allow_abbrev=False)  # type: ignore[arg-type]
        self._positionals.title = "argumentos"
        self._optionals.title = "opciones"
        self.add_argument("-h", "--help", action="help", help="muestra esta ayuda y termina")

    def format_usage(self) -> str:
        """Usage line, for errors."""
        return super().format_usage().replace("usage:", "uso:", 1)

    def format_help(self) -> str:
        """Whole help."""
        return super().format_help().replace("usage:", "uso:", 1)

    def error(self, message: str) -> NoReturn:
        """Say in one line what is wrong and exit with status 2."""
        for pattern, spanish in SPANISH.items():
            message = re.sub(f"^{pattern}$", spanish, message, flags=re.DOTALL)
        self.print_usage(sys.stderr)
        self.exit(2, f"{self.prog}: {message}\n")


def build_parser() -> Parser:
    """The parser with all the commands."""
    parser = Parser(
        prog="ragmetrics",
        description="Curso de métricas de retrieval para RAG: lecciones, tareas y corrección.",
        epilog="Cada orden tiene su propia ayuda: ragmetrics lab --help",
    )
    commands = parser.add_subparsers(dest="command", metavar="ORDEN", title="órdenes", required=True)

    lab = commands.add_parser(
        "lab", help="prepara el curso en este equipo y abre JupyterLab", description=(
            "Deja el curso listo en este equipo (carpeta de intercambio, tareas generadas y publicadas) y abre "
            "JupyterLab en la primera lección. Puedes ejecutarla las veces que quieras: no toca tu trabajo."),
    )  # fmt: skip
    lab.add_argument("--no-browser", action="store_true", help="no abre el navegador: muestra la dirección")
    lab.add_argument("--port", type=int, metavar="PUERTO", help="puerto de JupyterLab (por defecto, 8888)")

    check = commands.add_parser(
        "check", help="comprueba tu tarea antes de entregarla", description=(
            "Ejecuta tu notebook de principio a fin y dice, tarea por tarea, si está bien, mal (y por qué) o "
            "sin intentar. Termina con estado 0 solo si todo pasa."),
    )  # fmt: skip
    check.add_argument("notebook", type=Path, metavar="NOTEBOOK", help="el notebook de la tarea (.ipynb)")

    grade = commands.add_parser(
        "grade", help="recoge y corrige las entregas de una tarea", description=(
            "Recoge las entregas, corrige las que han cambiado, escribe los comentarios y las notas (CSV). Las "
            "notas puestas a mano se conservan. Termina con estado 1 si alguna entrega no se pudo corregir."),
    )  # fmt: skip
    grade.add_argument("assignment", metavar="TAREA", help="nombre de la tarea, por ejemplo tarea1_conjuntos")
    grade.add_argument(
        "--output", type=Path, metavar="CSV", help="archivo de notas (por defecto, notas/TAREA.csv)"
    )
    grade.add_argument(
        "--release-feedback", action="store_true", help="publica los comentarios para los estudiantes"
    )
    lab.epilog = "Admite también opciones de JupyterLab, como --ServerApp.ip=0.0.0.0"
    for command in (check, grade):
        command.epilog = "Admite también opciones de nbgrader, como --Execute.timeout=60"
    return parser


def main(argv: list[str] | None = None) -> int:
    """Run the command; its exit status: 0 all well, 1 something did not pass, 2 wrong use."""
    parser = build_parser()
    args, others = parser.parse_known_args(argv)
    options = [option for option in others if re.match(r"--[A-Z]\w*\.\w+=", option)]
    if unknown := [option for option in others if option not in options]:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    try:
        from ragmetrics.grading.course import CourseError
    except ImportError as error:
        print(
            f"ragmetrics: falta {error.name}. Instala las dependencias del curso desde su carpeta: "
            'pip install -e ".[course]"',
            file=sys.stderr,
        )
        return 2
    try:
        return run(args, options)
    except CourseError as error:
        print(f"ragmetrics: {error}", file=sys.stderr)
        return 2


def run(args: argparse.Namespace, options: list[str]) -> int:
    """Hand over to the command; each is imported only when used, because nbgrader takes seconds to load."""
    if args.command == "lab":
        from ragmetrics.grading.lab import lab

        lab(options, browser=not args.no_browser, port=args.port)
    elif args.command == "check":
        from ragmetrics.grading.check import check

        return check(args.notebook, options)
    elif args.command == "grade":
        from ragmetrics.grading.grade import grade

        return grade(args.assignment, options, output=args.output, release_feedback=args.release_feedback)
    return 0


if __name__ == "__main__":
    sys.exit(main())
