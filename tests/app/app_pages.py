"""The pages without a browser: open one, press a button and wait, and read what is there."""

import time
from pathlib import Path

import bertflow_app
from bertflow_app.navigation import page_file
from streamlit.testing.v1 import AppTest

MAIN = Path(bertflow_app.__file__).with_name("main.py")
SECONDS = 120
CONTROLS = (
    "button",
    "download_button",
    "file_uploader",
    "multiselect",
    "number_input",
    "radio",
    "select_slider",
    "selectbox",
    "slider",
    "text_input",
    "toggle",
)


def open_page(name, **query):
    page = AppTest.from_file(str(MAIN), default_timeout=60)
    for key, value in query.items():
        page.query_params[key] = value
    page.run()
    return page.switch_page(page_file(name)).run()


def press(page, label):
    """Press a button and run the page until no job is live."""
    next(button for button in page.button if button.label == label).click().run()
    end = time.monotonic() + SECONDS
    while any(button.label == "Stop" for button in page.button):
        assert time.monotonic() < end
        time.sleep(0.2)
        page.run()
    assert not page.exception
    return page


def texts(page):
    return " ".join(
        element.value
        for kind in ("text", "markdown", "caption", "info")
        for element in page.get(kind)
    )


def table(page, column):
    return next(found.value for found in page.dataframe if column in found.value)


def check(app, *, controls=0, pictures=0):
    """Check all there is, and that at least as much was found as the page is known to hold."""
    assert not app.exception
    found = [element for kind in CONTROLS for element in app.get(kind)]
    assert [each.proto.label for each in found if not each.proto.help] == []
    assert len(found) >= controls
    shown = [*app.get("plotly_chart"), *app.dataframe]
    assert all(len(element.proto.alt) > 15 for element in shown)
    assert len(shown) >= pictures
