"""Every control explains itself, every picture has words, on every page and in every state."""

import time
from pathlib import Path

import bertflow_app
import pytest
from app_pages import check
from bertflow_app import services
from bertflow_app.parts.scores import evaluation
from streamlit.testing.v1 import AppTest

MAIN = Path(bertflow_app.__file__).with_name("main.py")
CSV = b"sentence1,sentence2,score\na cat,a dog,1\nthe sun,the moon,2\nx y,x z,nine\nred,blue,4\n"


@pytest.fixture(autouse=True)
def fresh_server(monkeypatch):
    monkeypatch.setenv("STREAMLIT_RUNNER_MAGIC_ENABLED", "false")
    services.registry.clear()
    services.uploads.clear()
    services.data_sets.clear()


@pytest.fixture
def app():
    return AppTest.from_file(str(MAIN), default_timeout=60).run()


def test_the_start_page_and_the_sidebar(app):
    check(app, controls=9, pictures=5)


def test_the_page_of_an_uploaded_table(app):
    app.switch_page("views/data/page.py").run()
    app.get("file_uploader")[0].upload("mine.csv", CSV).run()
    check(app, controls=10)
    next(b for b in app.button if b.label == "Use this table").click().run()
    check(app, controls=13, pictures=4)


def test_the_page_of_a_computation_and_of_its_result(app):
    app.switch_page("views/calibrate/page.py").run()
    check(app, controls=9)
    app.multiselect(key="calibrators").set_value(["standardize"])
    next(b for b in app.button if b.label == "Calibrate").click().run()
    recipe = app.session_state["recipe"]
    job = evaluation(recipe, ("identity", "standardize"), start=True)
    end = time.monotonic() + 60
    while job.is_live:
        assert time.monotonic() < end
        time.sleep(0.05)
    app.run()
    check(app, controls=16, pictures=4)
