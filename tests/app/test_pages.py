"""Each page without a browser: what it shows before, during and after the work."""

import time
from pathlib import Path

import bertflow_app
import numpy as np
import pytest
from bertflow_app import services
from streamlit.testing.v1 import AppTest

from bertflow_core import experiment

MAIN = Path(bertflow_app.__file__).with_name("main.py")


@pytest.fixture(autouse=True)
def fresh_jobs(monkeypatch):
    monkeypatch.setenv("STREAMLIT_RUNNER_MAGIC_ENABLED", "false")
    services.registry.clear()
    services.data_sets.clear()


@pytest.fixture
def page():
    return AppTest.from_file(str(MAIN), default_timeout=60)


def finish(page):
    """Wait for the job the page started and run the page once more."""
    registry = services.registry()
    end = time.monotonic() + 60
    while any(job.is_live for job in registry._jobs.values()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return page.run()


def calibrate(page, specs):
    page.run()
    page.multiselect(key="calibrators").set_value(list(specs))
    button = next(b for b in page.button if b.label == "Calibrate")
    button.click().run()
    return finish(page)


def test_nothing_is_computed_before_the_button_is_pressed(page, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("computed without being asked")

    monkeypatch.setattr(experiment, "evaluate", refuse)
    page.run()
    assert not page.exception
    assert "Press **Calibrate**" in page.info[0].value


def test_the_table_shows_the_numbers_of_the_core_with_their_recipe(page):
    calibrate(page, ["standardize", "null-top-k:k=6"])
    assert not page.exception
    shown = page.dataframe[0].value
    assert list(shown["Calibrator"]) == ["identity", "standardize", "null-top-k:k=6"]
    (job,) = services.registry()._jobs.values()
    for text, result in zip(shown["rho x 100"], job.result, strict=True):
        assert float(text) == pytest.approx(100 * result.rho, abs=0.005)
    change = 100 * (job.result[1].rho - job.result[0].rho)
    assert shown["Change"][1] == f"{'▲' if change > 0 else '▼'} {change:+.2f}"
    caption = page.caption[0].value
    assert "minilm, layer:4, mean tokens" in caption
    assert "370 pairs; 0 of 740" in caption


def test_the_command_below_the_numbers_is_their_recipe(page):
    calibrate(page, ["standardize"])
    assert page.code[-1].value == (
        "bertflow-lab evaluate --calibrator identity --calibrator standardize"
    )


def test_a_wrong_calibrator_in_the_url_is_a_sentence_not_a_traceback(page):
    page.query_params["calibrators"] = "whitening"
    page.run()
    assert not page.exception


def test_the_url_chooses_the_recipe(page):
    page.query_params["layers"] = "last"
    page.query_params["seed"] = "7"
    page.run()
    assert page.selectbox(key="layers").value == "last"
    assert page.session_state["recipe"].seed == 7


def test_a_failure_of_the_work_is_a_sentence(page, monkeypatch):
    from bertflow_core.errors import InputError

    def refuse(*_, **__):
        raise InputError("the disk is made of <b>cheese</b>: buy another")

    monkeypatch.setattr(experiment, "evaluate", refuse)
    calibrate(page, ["standardize"])
    assert not page.exception
    assert page.text[0].value == "the disk is made of <b>cheese</b>: buy another"


def test_the_pictures_hold_every_pair_and_calibrator(page):
    calibrate(page, ["standardize"])
    (job,) = services.registry()._jobs.values()
    bars, scatter, histogram = page.get("plotly_chart")
    assert '"standardize"' in bars.proto.spec
    assert scatter.proto.spec.count('"scattergl"') == 2
    assert "pairs in %" in histogram.proto.spec
    assert np.isfinite(job.result[1].similarity).all()
