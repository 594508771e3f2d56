"""Who may import whom: numpy alone for the metrics, nothing upward, nbgrader only where it grades."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

import ragmetrics

PACKAGE = Path(ragmetrics.__file__).parent


class Layer(NamedTuple):
    """A module or sub-package and the libraries it may use besides the standard one."""

    names: str
    libraries: str = ""
    inside_functions: str = ""


# From the bottom up: a layer may import itself and the ones before it. "*" is any library.
LAYERS = [
    Layer("_inputs", "numpy"),
    Layer("rankings", "numpy"),
    Layer("metrics", "numpy"),
    Layer("evaluator", "numpy"),
    Layer("statistics _tables _batch", "numpy"),
    Layer("evaluation", "numpy", inside_functions="pandas"),
    Layer("comparison", "numpy"),
    Layer("_storage _documents", "numpy"),
    Layer("_rows _json", "numpy"),
    Layer("files", "numpy"),
    Layer("__init__", "numpy"),
    Layer("plots", "numpy", inside_functions="matplotlib"),
    Layer("_html", "numpy"),
    Layer("feedback", "numpy", inside_functions="IPython"),
    Layer("lessons", "numpy IPython ipywidgets", inside_functions="matplotlib nbclient nbformat"),
    Layer("grading", "*"),
    Layer("commands", "numpy"),
    Layer("cli __main__", "numpy", inside_functions="rich"),
]
LEVEL = {name: level for level, layer in enumerate(LAYERS) for name in layer.names.split()}


class Import(NamedTuple):
    module: str
    at_module_level: bool


def imports_of(source, module):
    """Return what a module imports; `module` is its dotted name, to resolve relative imports."""
    found = []

    def visit(node, at_module_level):
        match node:
            case ast.Import():
                found.extend(Import(alias.name, at_module_level) for alias in node.names)
            case ast.ImportFrom():
                base = node.module or ""
                if node.level:
                    base = ".".join([*module.split(".")[: -node.level], *filter(None, [base])])
                found.extend(Import(f"{base}.{alias.name}", at_module_level) for alias in node.names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                at_module_level = False
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                at_module_level = False
        for child in ast.iter_child_nodes(node):
            visit(child, at_module_level)

    visit(ast.parse(source), at_module_level=True)
    return found


def layer_of(imported):
    """Return the layer's name: `ragmetrics.lessons.quiz` is in lessons, `ragmetrics.unique` in __init__."""
    name = imported.split(".")[1] if "." in imported else "__init__"
    is_module = name in LEVEL or (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").exists()
    return name if is_module else "__init__"


def violations(source, module):
    """Return, in words, the imports that the table forbids."""
    here = module.split(".")[1]
    if here not in LEVEL:
        return [f"{module} is not in LAYERS"]
    layer, wrong = LAYERS[LEVEL[here]], []
    for name, at_module_level in imports_of(source, module):
        library = name.split(".")[0]
        allowed = layer.libraries.split() + ("" if at_module_level else layer.inside_functions).split()
        if library == "ragmetrics":
            if LEVEL.get(layer_of(name), len(LAYERS)) > LEVEL[here]:
                wrong.append(f"{module} imports upward: {name}")
        elif library not in sys.stdlib_module_names and library not in allowed and "*" not in allowed:
            wrong.append(f"{module} may not import {name}" + " at module level" * at_module_level)
    return wrong


MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


@pytest.mark.parametrize("module", list(MODULES))
def test_modules_import_only_what_their_layer_may(module):
    assert violations(MODULES[module].read_text(encoding="utf-8"), module) == []


@pytest.mark.parametrize(
    ("module", "source", "words"),
    [
        ("ragmetrics.metrics", "import pandas", "may not import pandas"),
        ("ragmetrics.metrics", "def f():\n    import pandas", "may not import pandas"),
        ("ragmetrics.metrics", "from ragmetrics.evaluator import RetrievalEvaluator", "upward"),
        ("ragmetrics.metrics", "from ragmetrics import evaluator", "upward"),
        ("ragmetrics.metrics", "from ragmetrics import unique", "upward"),
        ("ragmetrics.metrics", "import ragmetrics", "upward"),
        ("ragmetrics.metrics", "from . import evaluator", "upward"),
        ("ragmetrics.metrics", "from .evaluator import x", "upward"),
        ("ragmetrics.lessons.quiz", "from ..grading import grade", "upward"),
        ("ragmetrics._inputs", "from ragmetrics.rankings import unique", "upward"),
        ("ragmetrics.plots", "import matplotlib.pyplot as plt", "at module level"),
        ("ragmetrics.plots", "if True:\n    from matplotlib import pyplot", "at module level"),
        ("ragmetrics.plots", "class A:\n    import matplotlib", "at module level"),
        ("ragmetrics.feedback.check", "def f():\n    import nbgrader.api", "may not import nbgrader"),
        ("ragmetrics.feedback.check", "from ragmetrics.grading import grade", "upward"),
        ("ragmetrics.lessons.quiz", "from nbgrader import api", "may not import nbgrader"),
        ("ragmetrics.cli", "def f():\n    import nbgrader", "may not import nbgrader"),
        ("ragmetrics.newcomer", "import math", "not in LAYERS"),
    ],
)
def test_forbidden_imports_are_noticed(module, source, words):
    (wrong,) = violations(source, module)
    assert words in wrong


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("ragmetrics.metrics", "import math\nimport numpy as np\nfrom ragmetrics._inputs import as_query"),
        ("ragmetrics.evaluator", "from ragmetrics import metrics\nfrom . import rankings"),
        ("ragmetrics.plots", "def f():\n    import matplotlib.pyplot"),
        ("ragmetrics.plots", "if TYPE_CHECKING:\n    from matplotlib.axes import Axes"),
        ("ragmetrics.plots", "from ragmetrics import ndcg_at_k"),
        ("ragmetrics.grading.grade", "import nbgrader\nfrom ragmetrics.feedback import check"),
        ("ragmetrics.cli", "def f():\n    from ragmetrics.grading.grade import grade"),
    ],
)
def test_allowed_imports_pass(module, source):
    assert violations(source, module) == []


# --- what importing really loads ------------------------------------------------------------------


def loaded_by(statement):
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.parametrize("module", ["ragmetrics", "ragmetrics.plots", "ragmetrics.feedback", "ragmetrics.cli"])
def test_heavy_libraries_are_not_loaded(module):
    heavy = {"matplotlib", "nbgrader", "IPython", "pandas", "scipy", "sklearn", "nbformat", "jupyterlab"}
    assert loaded_by(f"import {module}") & heavy == set()


def test_importing_ragmetrics_costs_little_more_than_numpy():
    """Counted in modules rather than seconds: its own, and nothing of the standard library that costs."""
    added = loaded_by("import numpy, ragmetrics") - loaded_by("import numpy")
    assert {name for name in added if name.split(".")[0] != "ragmetrics"} <= {"__future__"}


# --- what the package says of itself --------------------------------------------------------------


def test_version_is_the_one_of_pyproject():
    project = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert ragmetrics.__version__ == project["version"]


def test_public_names_are_sorted_and_complete():
    contract = {
        "recall_at_k",
        "precision_at_k",
        "f1_at_k",
        "hit_rate_at_k",
        "reciprocal_rank",
        "average_precision",
        "dcg_at_k",
        "ndcg_at_k",
        "unique",
        "chunks_to_documents",
        "RetrievalEvaluator",
        "evaluate_multiple_queries",
    }
    assert contract <= set(ragmetrics.__all__)
    assert len(ragmetrics.__all__) == len(set(ragmetrics.__all__))
