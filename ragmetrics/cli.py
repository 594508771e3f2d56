"""The command `ragmetrics`: it reads the arguments and hands over to the module that does the work."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
from pathlib import Path
from typing import NoReturn

# argparse's own messages, as they begin in English, and what we say instead
SPANISH = {
    r"the following arguments are required: (.*)": r"faltan argumentos: \1",
    r"argument (.*): invalid choice: (.*) \(choose from (.*)\)": r"\1: no existe \2 (elige entre \3)",
    r"argument (.*): invalid int value: (.*)": r"\1: se esperaba un número entero y llegó \2",
    r"argument (.*): expected (?:one|at least one) argument": r"\1: falta su valor",
    r"argument (.*): ignored explicit argument (.*)": r"\1: no admite valor y llegó \2",
    r"ambiguous option: (.*) could match (.*)": r"opción ambigua: \1 puede ser \2",
    r"unrecognized arguments: (.*)": r"no conozco estos argumentos: \1",
}
COURSE = ("lab", "check", "grade", "report")  # what they run underneath has options of its own, and needs nbgrader


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
        description=(
            "Métricas de retrieval para RAG: mide tu sistema (evaluate, compare) o trabaja con el curso (lab, "
            "check, grade, report)."
        ),
        epilog="Cada orden tiene su propia ayuda: ragmetrics evaluate --help",
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
    grade.add_argument(
        "--output", type=Path, metavar="CSV", help="archivo de notas (por defecto, notas/TAREA.csv)"
    )
    grade.add_argument(
        "--release-feedback", action="store_true", help="publica los comentarios para los estudiantes"
    )
    report = commands.add_parser(
        "report", help="resume cómo le ha ido a la clase en una tarea", description=(
            "Muestra las notas de la clase (reparto y por apartado) y qué errores de concepto hay, y escribe una "
            "página con figuras. No da nombres, salvo con --names. Antes hay que corregir: ragmetrics grade."),
    )  # fmt: skip
    report.add_argument(
        "--output", type=Path, metavar="HTML", help="la página (por defecto, notas/TAREA_informe.html)"
    )
    report.add_argument("--names", action="store_true", help="dice quién tiene cada error de concepto")
    lab.epilog = "Admite también opciones de JupyterLab, como --ServerApp.ip=0.0.0.0"
    for command in (grade, report):
        command.add_argument("assignment", metavar="TAREA", help="su nombre, por ejemplo tarea1_conjuntos")
    for command in (check, grade, report):
        command.epilog = "Admite también opciones de nbgrader, como --Execute.timeout=60"
    add_measuring(commands)
    return parser


def add_measuring(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the parsers of the commands that measure files."""
    formats = "Archivos: TREC, .csv, .json o .jsonl, también comprimidos (.gz); el formato lo dice el nombre."

    evaluate = commands.add_parser(
        "evaluate", usage="%(prog)s RUN QRELS [opciones]\n     %(prog)s CASOS.json [opciones]", epilog=formats,
        help="mide un sistema sobre muchas queries", description=(
            "Mide lo que recuperó un sistema (RUN) contra los juicios (QRELS): la media de cada métrica con su "
            "intervalo de confianza. Los casos de prueba de la lección, en JSON, van sin QRELS."),
    )  # fmt: skip
    evaluate.add_argument("run", metavar="RUN", help="lo que recuperó el sistema, o los casos de prueba")
    evaluate.add_argument("qrels", metavar="QRELS", nargs="?", help="los juicios: qué es relevante en cada query")

    compare = commands.add_parser(
        "compare", usage="%(prog)s QRELS RUN RUN… [opciones]", epilog=formats,
        help="compara dos o más sistemas en las mismas queries", description=(
            "Compara lo que recuperaron dos o más sistemas (RUN) en las mismas queries y dice qué diferencias "
            "caben en el azar. Cada sistema se llama como su archivo."),
    )  # fmt: skip
    compare.add_argument("qrels", metavar="QRELS", help="los juicios: qué es relevante en cada query")
    compare.add_argument("runs", metavar="RUN", nargs="+", help="lo que recuperó cada sistema")

    for command in (evaluate, compare):
        add = command.add_argument
        add("-k", type=int, nargs="+", default=[5], metavar="K", help="uno o varios cortes (por defecto, 5)")
        add("--metrics", nargs="+", metavar="MÉTRICA", help="cuáles, como recall@k o mrr; si no, las habituales")
        add("--gain", choices=("linear", "exponential"), default="linear", help="ganancia de DCG y nDCG")
        add(
            "--no-relevant",
            choices=("zero", "skip", "error"),
            default="zero",
            help="queries sin documentos relevantes: contarlas 0, dejarlas fuera o negarse",
        )
        add("--format", choices=("table", "csv", "json"), default="table", help="cómo se escribe el resultado")
        add(
            "--per-query",
            action="store_true",
            help="escribe el valor de cada query (en json, evaluate los da siempre)",
        )
        add("--seed", type=natural, default=0, metavar="S", help="semilla de los intervalos (por defecto, 0)")


def natural(text: str) -> int:
    """Return the number, for argparse."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"invalid int value: {text!r}")
    return int(text)


def main(argv: list[str] | None = None) -> int:
    """Run the command; its exit status: 0 all well, 1 something did not pass, 2 wrong use."""
    prepare_streams()
    parser = build_parser()
    args, others = parser.parse_known_args(argv)
    options = [option for option in others if args.command in COURSE and re.match(r"--[A-Z]\w*\.\w+=", option)]
    if unknown := [option for option in others if option not in options]:
        late = args.command not in COURSE and not any(option.startswith("-") for option in unknown)
        hint = " (los archivos van delante de las opciones)" if late else ""
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{hint}")
    try:
        return run_course(args, options) if args.command in COURSE else measure(args)
    except KeyboardInterrupt:
        again = " Repite la orden y seguirá por donde iba." if args.command in COURSE else ""
        print(f"\nragmetrics: interrumpido.{again}", file=sys.stderr)
        return 130


def prepare_streams() -> None:
    """A closed stream takes nothing, and a terminal without accents shows «?» for them instead of an error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  (until the end)
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def run_course(args: argparse.Namespace, options: list[str]) -> int:
    """Hand over to the command; each is imported only when used, because nbgrader takes seconds to load."""
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
        if args.command == "lab":
            from ragmetrics.grading.lab import lab

            lab(options, browser=not args.no_browser, port=args.port)
            return 0
        if args.command == "check":
            from ragmetrics.grading.check import check

            return check(args.notebook, options)
        if args.command == "report":
            from ragmetrics.grading.report import report

            return report(args.assignment, options, output=args.output, names=args.names)
        from ragmetrics.grading.grade import grade

        return grade(args.assignment, options, output=args.output, release_feedback=args.release_feedback)
    except (CourseError, OSError) as error:
        print(f"ragmetrics: {error}", file=sys.stderr)
        return 2


def measure(args: argparse.Namespace) -> int:
    """Hand over to the commands that measure files, and print what they return."""
    from ragmetrics import commands

    asked = {name: getattr(args, name) for name in ("k", "metrics", "gain", "no_relevant", "seed")}
    try:
        if args.command == "evaluate":
            text = commands.evaluate_files(args.run, args.qrels, args.format, args.per_query, **asked)
        else:
            text = commands.compare_files(args.qrels, args.runs, args.format, args.per_query, **asked)
        write_out(text)
    except OSError as error:
        print(f"ragmetrics: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except (TypeError, ValueError) as error:
        print(f"ragmetrics: {error}", file=sys.stderr)
        return 2
    return 0


def write_out(text: str) -> None:
    """Print the text, in UTF-8 wherever it goes; whoever reads it may stop before the end."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    from ragmetrics._storage import spanish_reasons

    with spanish_reasons("la salida"):
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left would fail again at exit
            if not isinstance(error, BrokenPipeError):
                raise


if __name__ == "__main__":
    sys.exit(main())
