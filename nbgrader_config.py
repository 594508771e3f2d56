"""Makes this repository an nbgrader course; read by `nbgrader`, JupyterLab's panels and `ragmetrics`."""

import os
import sys
import warnings
from pathlib import Path

from sqlalchemy.exc import SAWarning

import ragmetrics.grading
from ragmetrics.grading.exchange import local_exchange, make_exchange
from ragmetrics.grading.validate import speak_spanish

c = get_config()  # type: ignore[name-defined]  # noqa: F821  (traitlets defines it)

COURSE = Path(__file__).resolve().parent

# nbgrader starts `alembic` by name to make the gradebook, also where nobody activated the environment.
PROGRAMS = str(Path(sys.executable).parent)
if PROGRAMS not in os.environ.get("PATH", "").split(os.pathsep):
    os.environ["PATH"] = os.pathsep.join([PROGRAMS, os.environ.get("PATH", "")])
warnings.filterwarnings("ignore", category=SAWarning)  # nbgrader's own queries raise them; not ours to mend

# The course: `solutions/` is the source, the other folders are generated beside it and git-ignored.
c.CourseDirectory.course_id = "metricas-rag"
c.CourseDirectory.root = str(COURSE)
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback"]

# One user, no server: an exchange in the user's own data folder, one for each copy of the course. For a class
# on one machine, set a folder that all can reach instead (mode 1777) and leave out make_exchange.
EXCHANGE = local_exchange(COURSE)
make_exchange(EXCHANGE)
c.Exchange.root = str(EXCHANGE / "exchange")
c.Exchange.cache = str(EXCHANGE / "cache")

# What students find where a solution was.
c.ClearSolutions.code_stub = {"python": "# ESCRIBE TU CÓDIGO AQUÍ\nraise NotImplementedError()"}
c.ClearSolutions.text_stub = "ESCRIBE TU RESPUESTA AQUÍ"
# The rubric stands in the locked question; the answer is a cell of its own that scores 0 when untouched.
c.ClearMarkScheme.enforce_metadata = False

# What students read when they validate.
speak_spanish()
c.Validator.type_changed_warning = (
    "¡HA CAMBIADO EL TIPO DE {num_changed} CELDA(S)! Devuélveles su tipo antes de entregar: "
    "aunque ahora todo pase, al corregir podría no pasar.\n"
)
c.Validator.changed_warning = (
    "¡HA CAMBIADO EL CONTENIDO DE {num_changed} CELDA(S) DE COMPROBACIÓN! Al corregir se usan las "
    "originales: aunque ahora todo pase, podría no pasar.\n"
)
c.Validator.failed_warning = (
    "{num_failed} COMPROBACIÓN(ES) SIN SUPERAR. Si entregas la tarea así, no tendrás todos los puntos.\n"
)

# An answer that hangs is stopped, and the rest of its notebook goes on.
c.Execute.timeout = 30
c.Execute.raise_on_iopub_timeout = False
# Without it ipykernel warns, on the terminal, that others on the machine could listen in.
c.KernelManager.transport_encryption = "auto"

# What the instructor exports: marks where "could not be graded" is not a 0.
c.ExportApp.plugin_class = "ragmetrics.grading.marks.MarksExport"
# Feedback shows the student's answers and the checks' reports, never the hidden checks or the rubric: others
# may still be working on the assignment.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbgrader.preprocessors.ClearMarkScheme",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
c.GenerateFeedback.HTMLExporter.template_name = "retroalimentacion"
c.GenerateFeedback.HTMLExporter.filters = {"latex_to_mathml": "ragmetrics.grading.formulas.latex_to_mathml"}
c.GenerateFeedback.HTMLExporter.extra_template_basedirs = [str(Path(ragmetrics.grading.__path__[0]) / "templates")]
# Each hand-in is graded on the frame of the released notebook: only the answers come from the student.
c.Autograde.sanitize_preprocessors = [
    "ragmetrics.grading.rebuild.Rebuild",
    "nbgrader.preprocessors.ClearOutput",
    "nbgrader.preprocessors.DeduplicateIds",
    "nbgrader.preprocessors.OverwriteKernelspec",
    "nbgrader.preprocessors.OverwriteCells",
    "nbgrader.preprocessors.CheckCellMetadata",
]
c.Autograde.autograde_preprocessors = [
    "nbgrader.preprocessors.Execute",
    "ragmetrics.grading.scrub.ScrubChecks",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
