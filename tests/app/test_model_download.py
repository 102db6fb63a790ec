"""Take home packs encoder and calibrator as a model, once its vectors were found ours."""

import io
import zipfile

import numpy as np
import pytest
from app_pages import button, clear_server, open_page, press, table, texts
from bertflow_app.pages.tune import take_home
from scipy.stats import spearmanr

from bertflow_core.datasets import load_pairs
from bertflow_core.export import run
from bertflow_core.export.check import Agreement


@pytest.fixture
def files(monkeypatch):
    """The files that the panel offers, by name, as functions that make them."""
    offered = {}
    real = take_home.st.download_button

    def download_button(label, data, file_name, *args, **options):
        offered[file_name] = data
        return real(label, data, file_name, *args, **options)

    monkeypatch.setattr(take_home.st, "download_button", download_button)
    return offered


def taken(page):
    """Ask again for what scores less than the plain model."""
    assert "Leave it alone" in page.warning[0].value
    assert not any("Encoder with" in each.label for each in page.button)
    return page.toggle(key="take_anyway").set_value(True).run()


def agreeing(cosine):
    return lambda *_: Agreement(9, max_difference=1e-6, max_value=2.0, min_cosine=cosine)


def test_a_model_is_offered_with_the_result_of_its_check(files, monkeypatch):
    clear_server()
    monkeypatch.setattr(run, "compare_export", agreeing(0.5))
    page = taken(press(open_page("take_home", take="standardize"), "Fit it"))
    fit, export = next(each.value for each in page.code if "export" in each.value).splitlines()
    assert fit == (
        "bertflow-lab fit --dataset teaching --layers layer:4 --out calibrator "
        "--calibrator standardize"
    )
    assert export == "bertflow-lab export calibrator --out model --anyway"
    assert "model.zip" not in files
    page = press(page, "Encoder with standardize as one model")
    assert "expected at least 0.99999" in texts(page)
    assert "model.zip" not in files
    monkeypatch.setattr(run, "compare_export", agreeing(1.0))
    monkeypatch.setattr(take_home, "MOST_BYTES", 1000)
    page = press(page, "Encoder with standardize as one model")
    assert "packs at most" in texts(page)
    assert "model.zip" not in files


def test_the_zip_holds_a_model_that_scores_what_the_page_says(files, monkeypatch, minilm, tmp_path):
    clear_server()
    monkeypatch.setattr(run, "compare_export", agreeing(1.0))
    page = taken(press(open_page("take_home", take="standardize"), "Fit it"))
    page = press(page, "Encoder with standardize as one model")
    assert "the smallest cosine to our own vectors is 1.00000000" in texts(page)
    assert button(page, "Encoder with standardize as one model").proto.help
    with zipfile.ZipFile(io.BytesIO(files["model.zip"]())) as archive:
        archive.extractall(tmp_path)
    assert (tmp_path / "model" / "2_Dense" / "model.safetensors").exists()
    card = (tmp_path / "model" / "README.md").read_text()
    assert "`standardize`" in card and "teaching" in card
    shown = table(page, "Random cosine")["rho x 100"]
    for folder, rho in ((minilm, shown.iloc[0]), (tmp_path / "model", shown.iloc[-1])):
        assert score(folder) == pytest.approx(float(rho), abs=0.01)


def score(folder):
    """Return 100 rho of the cosines of a model, as anybody would measure it."""
    from sentence_transformers import SentenceTransformer

    model, pairs = SentenceTransformer(str(folder), device="cpu"), load_pairs("teaching")
    first, second = (
        model.encode(list(side), normalize_embeddings=True) for side in (pairs.first, pairs.second)
    )
    return 100 * spearmanr(np.sum(first * second, axis=1), pairs.gold).statistic
