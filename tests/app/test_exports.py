"""What leaves a page: a figure's file says what its numbers depend on and how to make them."""

import html
import shlex

import pytest
from app_pages import clear_server, open_page, press
from bertflow_app import show as exports
from bertflow_app.show import Origin

ORIGIN = Origin("minilm, <layer:4>; stsb & test", "bertflow-lab evaluate --dataset 'a <b>'")


@pytest.fixture
def files(monkeypatch):
    """The files that a page offers, by name, as functions that make them."""
    offered = {}
    real = exports.st.download_button

    def download_button(label, data, file_name, *args, **options):
        offered[file_name] = data
        return real(label, data, file_name, *args, **options)

    monkeypatch.setattr(exports.st, "download_button", download_button)
    return offered


def test_every_figure_of_a_page_leaves_with_its_caption_and_its_command(files, monkeypatch):
    monkeypatch.setenv("STREAMLIT_RUNNER_MAGIC_ENABLED", "false")
    clear_server()
    page = open_page("calibrate", calibrators=["standardize"])
    page = press(page, "Calibrate")
    figures = {name: make for name, make in files.items() if name.endswith(".html")}
    assert set(figures) == {"scores.html", "scatter.html", "histogram.html"}
    command = "bertflow-lab evaluate --dataset teaching --layers layer:4 --calibrator standardize"
    assert command in {block.value for block in page.code}
    for make in figures.values():
        text = html.unescape(make())
        assert command in text
        assert "370 pairs" in text
        assert shlex.split(command)[0] == "bertflow-lab"
