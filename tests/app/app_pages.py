"""The pages without a browser: open one, press a button and wait, and read what is there."""

import time
from pathlib import Path
from urllib.parse import parse_qs

import bertflow_app
from bertflow_app import services
from bertflow_app.navigation import VIEWS, page_of, tab_of
from bertflow_app.work import registry
from bertflow_app.work.jobs import Job
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash
from waiting import PATIENCE, wait_for

from bertflow_core.report.report import Report
from bertflow_core.runtime import context

MAIN = Path(bertflow_app.__file__).parent / "pages" / "frame.py"
CONTROLS = (
    *("button", "download_button", "file_uploader", "multiselect", "number_input", "radio"),
    *("select_slider", "selectbox", "slider", "text_input", "toggle"),
)


def clear_server():
    """Stop all work and forget what was computed and brought, as a server that just started."""
    registry.registry().shutdown()
    registry._REGISTRY = registry.new_registry()
    services.data_sets.clear()


def new_page(**query):
    """Return the dashboard before its first run, with the parameters of an address."""
    page = AppTest.from_file(str(MAIN), default_timeout=PATIENCE)
    for key, value in query.items():
        page.query_params[key] = value
    return page


def at_address(address, **query):
    """Return a page as an address opens it, on the small data set unless it names another."""
    page = new_page(**{"dataset": "teaching", "layers": "layer:4", **query})
    page._page_hash = calc_hash(address)
    return page.run()


def open_page(view, **query):
    """Return a view, on layer 4 of the small data set unless the query names others."""
    return go(new_page(**{"dataset": "teaching", "layers": "layer:4", **query}), view)


def go(page, view):
    """Open a view, a page or a tab of one, and run it."""
    address = page_of(view)
    page._page_hash = calc_hash("" if address == "start" else address)  # as an address opens it
    for key, title in tab_of(view).items():
        page.query_params[key] = title
        if key in page.session_state:
            page.session_state[key] = title
    return page.run()


def press(page, label):
    """Press a button and run the page until it shows no live job."""
    finish(button(page, label).click().run())
    assert not page.exception
    return page


def finish(page):
    """Wait until no job is live, and run the page where it has not shown the end of its own."""
    wait_for(lambda: not any(each.is_live for each in jobs()))
    while any(each.label == "Stop" for each in page.button):
        page.run()
        wait_for(lambda: not any(each.is_live for each in jobs()))
    return page


def button(page, label):
    return next(each for each in page.button if each.label == label)


def jobs():
    """Return the jobs of this process: those that ended, and those that wait or run."""
    every = registry.registry()
    ended = [each for each in every.kept.values() if isinstance(each, Job)]
    live = list(every._live.values())  # at once: other threads begin and end jobs
    return [*ended, *(each for each in live if each not in ended)]


def endless(*_, **__):
    """Work until it is told to stop."""
    while True:
        context.report(1, 4, "steps")
        time.sleep(0.01)


def use_table(page, name, content):
    """Bring a table on the page Check your model, which uses it."""
    page.get("file_uploader")[0].upload(name, content).run()
    assert not page.exception
    return page


def paste(page, text):
    """Paste sentences on the page Check your model, which uses them."""
    page.text_area(key="typed_pairs").set_value(text).run()
    button(page, "Use these sentences").click().run()
    assert not page.exception
    return page


def calibrate(page, *specs):
    """Go to the tab Scores, fit calibrators there, and return the report that it shows."""
    page.query_params["calibrators"] = list(specs)  # chosen before a page of few data begins
    if "calibrators" in page.session_state:
        page.session_state["calibrators"] = list(specs)
    press(go(page, "scores"), "Score")
    reports = [job.result for job in jobs() if isinstance(job.result, Report)]
    return next(each for each in reports if each.command == command_of(page))


def cells_of(report):
    """Return the first fit of each row on the report's only data set."""
    board = report.objects["board"]
    return [board.cells(row, *board.datasets)[0] for row in board.rows.every]


def texts(page):
    return " ".join(
        element.value
        for kind in ("text", "markdown", "caption", "info")
        for element in page.get(kind)
    )


def command_of(page):
    """Return the last command of a page."""
    return [each.value for each in page.code if each.value.startswith("bertflow-lab ")][-1]


def linked_pages(page):
    """Return the parameters of each link that takes settings along, by the view it leads to."""
    links = [parse_qs(each.proto.query_string) for each in page.get("page_link")]
    tabs = {tuple(tab_of(view).items()): view for view in VIEWS}
    opened = [
        tuple((key, value[0]) for key, value in each.items() if "_tab" in key) for each in links
    ]
    return {tabs[tab]: each for tab, each in zip(opened, links, strict=True) if tab in tabs}


def pick_row(page, place):
    """Pick a row of the table of scores."""
    page.session_state[f"rows {command_of(page)}"] = {"selection": {"rows": [place]}}
    return page.run()


def metrics(page):
    return {each.label: each.value for each in page.metric}


def table(page, column):
    return next(found.value for found in page.dataframe if column in found.value)


def check(app, *, controls=0, pictures=0):
    """Check all there is, and that at least as much was found as the page is known to hold."""
    assert not app.exception
    found = [element for kind in CONTROLS for element in app.get(kind)]
    assert all(each.proto.label for each in found)
    assert len(found) >= controls
    shown = [*app.get("plotly_chart"), *app.dataframe]
    assert all(len(element.proto.alt) > 15 for element in shown)
    assert len(shown) >= pictures
