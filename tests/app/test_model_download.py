"""Take home packs encoder and calibrator as a model, once its vectors were found ours."""

import io
import zipfile

import numpy as np
from app_pages import button, clear_server, open_page, press, table, texts
from bertflow_app.pages.tune import take_home

from bertflow_core.calibrators.registry import offered_specs
from bertflow_core.export import run
from bertflow_core.export.check import compare_export
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

PACK = "Encoder with standardize as one model"


READER = """
import numpy as np
class SentenceTransformer:
    def __init__(self, folder, **_):
        self.folder = folder
    def encode(self, sentences, **_):
        x = np.load(self.folder + "/expected.npy")
        assert len(x) == len(sentences)
        return x
"""
"""In place of sentence-transformers, whose import takes seconds; tests/export has the real one."""


def compared(folder, sentences, expected):
    """Compare the export in a new process that reads the expected vectors."""
    np.save(folder / "expected.npy", expected)
    return compare_export(folder, sentences, expected)


def test_a_model_is_offered_once_it_was_asked_for_twice_and_is_ours(files, monkeypatch, tmp_path):
    clear_server()
    page = press(open_page("take_home", take="standardize"), "Fit it")
    recipe = Recipe(dataset="teaching")
    plain, scored = Lab().plain(recipe), Lab().evaluate(recipe, ["identity", "standardize"])
    shown = [f"{100 * each.rho:.2f}" for each in (plain, *scored)]
    assert list(table(page, "Random cosine")["rho x 100"]) == shown
    assert {*page.selectbox(key="take").options} <= {*offered_specs()}
    assert f"What you would take scores {shown[-1]}" in page.warning[0].value
    assert not any("Encoder with" in each.label for each in page.button)
    page.toggle(key="take_anyway").set_value(True).run()
    fit, export = next(each.value for each in page.code if "export" in each.value).splitlines()
    assert fit == (
        "bertflow-lab fit --dataset teaching --layers layer:4 --out calibrator "
        "--calibrator standardize"
    )
    assert export == "bertflow-lab export calibrator --out model --anyway"
    with monkeypatch.context() as patched:
        patched.setattr(take_home, "MOST_BYTES", 1000)
        assert "packs at most" in texts(press(page, PACK))
    assert "model.zip" not in files
    (tmp_path / "sentence_transformers.py").write_text(READER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(run, "compare_export", compared)
    page = press(page, PACK)
    assert "the smallest cosine to our own vectors is 1.00000000" in texts(page)  # of a new process
    assert button(page, PACK).proto.help
    with zipfile.ZipFile(io.BytesIO(files["model.zip"]())) as archive:
        assert archive.testzip() is None
        parts = {"modules.json", "model.safetensors", "2_Dense/model.safetensors"}
        assert {f"model/{part}" for part in parts} <= {*archive.namelist()}
        card = archive.read("model/README.md").decode()
    assert "`standardize`" in card and "teaching" in card
