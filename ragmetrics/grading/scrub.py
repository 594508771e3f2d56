"""After running a hand-in: leave in the graded cells only what the checks say."""

from __future__ import annotations

from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade

# What may happen to a check from outside, and what the student reads instead of a traceback.
SPANISH = {
    "CellTimeoutError": "Tu código tarda demasiado: ¿tienes un bucle que no termina?",
    "KeyboardInterrupt": "Tu código tarda demasiado: ¿tienes un bucle que no termina?",
}


class ScrubChecks(NbGraderPreprocessor):
    """Clean the outputs of graded cells before they are marked and shown.

    nbgrader gives 0 points to a cell with anything on stderr, where a right answer may well log; and the
    traceback of a check that was stopped shows its source, which may be hidden.
    """

    def preprocess_cell(self, cell: NotebookNode, resources: Any, index: int) -> tuple[NotebookNode, Any]:
        """Make stderr of a graded cell stdout, and its tracebacks one line."""
        if is_grade(cell) and cell.cell_type == "code":
            for output in cell.outputs:
                if output.output_type == "stream":
                    output.name = "stdout"
                elif output.output_type == "error" and output.ename != "CheckError":
                    output.evalue = SPANISH.get(output.ename, f"La comprobación se detiene con {output.ename}.")
                    output.traceback = [f"✘ {output.evalue}"]
        return cell, resources
