"""Run lessons from top to bottom and store their outputs, in the form that the tests expect.

    python -m ragmetrics.lessons.execute notebooks/01_recall.ipynb

Metadata that changes from run to run is dropped, and so are the views of widgets: without a kernel they would
show an error, whereas the HTML that comes with them shows the widget's first state.
"""

import sys
from pathlib import Path
from typing import Any

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def execute(path: Path) -> None:
    """Execute one lesson in place; a cell that fails leaves the file as it was."""
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=60,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        store_widget_state=False,
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    normalize(notebook)
    nbformat.write(notebook, path)


def normalize(notebook: Any) -> None:
    """Keep what the reader needs and nothing that differs between two runs."""
    notebook.metadata = METADATA
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    for cell in notebook.cells:
        cell.metadata = {key: value for key, value in cell.metadata.items() if key == "tags"}
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        execute(Path(name))
