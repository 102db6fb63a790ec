"""What an error shows, what the first page waits for, and who is let in."""

import re
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import bertflow_app
import pytest
from app_pages import open_page
from bertflow_app import guard, warmup
from bertflow_app.jobs import Registry, State
from bertflow_app.kept import Kept
from starlette.datastructures import Headers
from streamlit.testing.v1 import AppTest
from waiting import PATIENCE, wait_for

APP = Path(bertflow_app.__file__).parent
HEAVY = {"torch", "transformers", "umap"}


def failing_page():
    import errno

    import streamlit as st
    from bertflow_app.lab import on_error

    from bertflow_core.errors import InputError

    errors = {
        "expected": InputError("the table <b>is</b> ![](x.png) upside down: turn it"),
        "known": OSError(errno.ENOSPC, "the disk is full", "/home/me/x.npy"),
        "unexpected": RuntimeError("password=hunter2"),
    }
    assert on_error(errors[st.session_state["kind"]]) is True  # so Streamlit shows nothing itself


@pytest.fixture
def fail(caplog):
    """Return a function that shows an error on a page; it gives the page, and what was logged."""

    def fail(kind):
        page = AppTest.from_function(failing_page)
        page.session_state["kind"] = kind
        page.run()
        assert not page.exception
        return page, [record for record in caplog.records if record.name == "bertflow_app"]

    return fail


def test_an_unexpected_error_is_a_reference_in_page_and_log(fail):
    page, (record,) = fail("unexpected")
    (said,) = [error.value for error in page.error]
    reference = re.search(r"\(reference ([0-9a-f]{8})\)", said)[1]
    assert "hunter2" not in str(page)
    assert reference in record.getMessage()
    assert "hunter2" not in record.getMessage()
    assert str(record.exc_info[1]) == "password=hunter2"


def test_an_expected_error_is_its_sentence_as_plain_text(fail):
    page, _ = fail("expected")
    (said,) = [text.value for text in page.text]
    assert said == "the table <b>is</b> ![](x.png) upside down: turn it"
    assert not any("upside" in error.value for error in page.error)


def test_what_the_system_raises_is_a_sentence_and_the_log_has_the_rest(fail):
    page, (record,) = fail("known")
    (said,) = [text.value for text in page.text]
    assert "x.npy" in said and "the disk is full" in said
    assert "/home/me" not in said
    assert record.exc_info[1].filename == "/home/me/x.npy"


def test_no_page_waits_for_a_heavy_import():
    code = f"""
import sys
sys.path[:0] = {[*sys.path]!r}
from app_pages import go, new_page
page = new_page(dataset="teaching")  # of data where nothing begins by itself
for view in ("start", "calibrate", "data"):
    go(page, view)
    assert not page.exception
    print(view, sorted({HEAVY!r} & sys.modules.keys()))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:3] == ["start []", "calibrate []", "data []"]


@pytest.fixture
def unready(monkeypatch):
    """A process that has shown no page and imported nothing."""
    for event in ("_page_shown", "_loaded"):
        monkeypatch.setattr(warmup, event, threading.Event())


def test_the_heavy_imports_begin_after_the_first_page(unready, monkeypatch):
    monkeypatch.setattr(warmup, "FIRST_PAINT_SECONDS", 0)
    monkeypatch.setattr(warmup, "UNVISITED_SECONDS", PATIENCE)
    shown_before = []
    monkeypatch.setattr(warmup, "_load", lambda: shown_before.append(warmup._page_shown.is_set()))
    warmup.start()
    open_page("calibrate", dataset="gone.csv (aaaaaaaaaaaa)")  # its page stops half-way
    wait_for(lambda: shown_before)
    assert shown_before == [True]


def test_a_job_waits_for_the_imports_that_have_begun(unready, monkeypatch):
    begun, go_on, course = threading.Event(), threading.Event(), []

    def load():
        begun.set()
        go_on.wait(PATIENCE)
        course.append("loaded")

    monkeypatch.setattr(warmup, "_load", load)
    threading.Thread(target=warmup.ready, daemon=True).start()
    assert begun.wait(PATIENCE)
    registry = Registry(Kept(), prepare=warmup.ready)
    job = registry.submit("a", lambda: course.append("worked"), "me")
    wait_for(lambda: job.state is State.RUNNING)
    assert course == []
    go_on.set()
    wait_for(lambda: not job.is_live)
    assert course == ["loaded", "worked"]
    registry.shutdown()


def test_every_promise_names_tests_that_are_there():
    root = Path(__file__).parents[2]
    promises, _, rest = (root / "SECURITY.md").read_text(encoding="utf-8").partition("Their tests")
    lines = [line for line in rest.partition("##")[0].splitlines() if line.startswith("- ")]
    assert len(lines) == promises.count("\n- **")
    for line in lines:
        named = re.findall(r"`(tests/[^`]+)`", line)
        assert named and all((root / name).is_file() for name in named), line


def test_no_page_reads_markup_or_writes_html():
    for path in APP.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for call in ("unsafe_allow_html", "st.html", "components.v1", "st.iframe"):
            assert call not in text, path


def test_the_configuration_is_closed():
    settings = tomllib.loads((APP / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    server = settings["server"]
    closed = {
        "address": "127.0.0.1",
        "allowedHosts": ["localhost", "127.0.0.1"],
        "maxUploadSize": 20,
        "maxWidgetStateSize": 1,
    }
    assert closed.items() <= server.items()
    assert all(server.get(name, True) for name in ("enableCORS", "enableXsrfProtection"))
    assert not any(server.get(name) for name in ("enableStaticServing", "enableAgentApi"))
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorDetails"] == "none"


@pytest.fixture
def welcome(monkeypatch):
    """Return a function that asks the guard about headers, under some settings."""

    def welcome(*, hosts=("localhost", "127.0.0.1"), origins=(), **headers):
        settings = {"server.allowedHosts": hosts, "server.corsAllowedOrigins": origins}
        monkeypatch.setattr(guard.st, "get_option", settings.get)
        return guard._is_welcome(Headers(headers))

    return welcome


def test_the_origin_is_the_server_itself_or_one_that_was_trusted(welcome):
    assert welcome(host="LOCALHOST:80", origin="https://LOCALHOST:80")
    assert welcome(host="evil", hosts=["*"])
    assert not welcome(host="localhost:1", origin="http://localhost:2")
    assert not welcome(host="localhost", origin="null")
    assert not welcome(host="localhost", origin="")
    assert not welcome(host="lab.example", origin="http://evil.example", hosts=["*"])
    assert not welcome(host="lab.example", origin="http://lab.example.evil", hosts=["*"])
    trusted = ["https://lab.example"]
    assert welcome(host="localhost", origin="https://lab.example", origins=trusted)
    assert not welcome(host="localhost", origin="https://lab.example.evil", origins=trusted)


def test_a_run_of_the_page_takes_nothing_off_the_import_path():
    """A thread that reads the path meanwhile would skip a place, and miss what lies there."""
    from bertflow_app.lab import SCRIPT
    from streamlit.runtime.scriptrunner.exec_code import modified_sys_path

    assert SCRIPT.is_file()
    before = sys.path.copy()
    with modified_sys_path(str(SCRIPT)):
        assert sys.path == before
    assert sys.path == before
