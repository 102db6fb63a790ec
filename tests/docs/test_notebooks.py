"""The notebooks of docs/notebooks: stored without outputs, and run from top to bottom offline."""

import json
import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
LONGEST_CELL_SECONDS = 300
WIDGET = "application/vnd.jupyter.widget-view+json"
PICTURES = ("WallWidget", "InsideWidget")
N_WIDGETS = {"ten-minutes": 2, "your-own-corpus": 1, "export-and-serve": 1}


def of_each(function):
    return pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)(function)


@pytest.fixture(scope="module")
def shared_cache(tmp_path_factory):
    """A cache for all notebooks, as a user's: the second compiles no flow."""
    return tmp_path_factory.mktemp("notebooks") / "cache"


@of_each
def test_a_notebook_is_stored_without_outputs(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in code)


@pytest.mark.campaign
@of_each
def test_a_notebook_runs_offline(path, tmp_path, shared_cache, monkeypatch):
    nbformat = pytest.importorskip("nbformat", reason="nbclient is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("BERTFLOW_CACHE", str(shared_cache))
    monkeypatch.delenv("BERTFLOW_DATA", raising=False)
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook,
        timeout=LONGEST_CELL_SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": tmp_path}},
    ).execute()
    outputs = [each for cell in notebook.cells for each in cell.get("outputs", [])]
    shown = [each["data"] for each in outputs if WIDGET in each.get("data", {})]
    found = [each for each in shown if any(name in each["text/plain"] for name in PICTURES)]
    assert len(found) == N_WIDGETS[path.stem]
    text = "".join(each.get("text", "") for each in outputs if each.output_type == "stream")
    assert "Warning" not in text
    if path.stem == "export-and-serve":
        (difference,) = re.findall(r"largest difference: (\S+)", text)
        (cosine,) = re.findall(r"smallest cosine: +(\S+)", text)
        assert float(difference) < 1e-4
        assert float(cosine) > 0.999999
