"""What leaves a page: a figure's file says what its numbers depend on and how to make them."""

import html
import shlex

from app_pages import clear_server, open_page, press


def test_every_figure_of_a_page_leaves_with_its_caption_and_its_command(files):
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
