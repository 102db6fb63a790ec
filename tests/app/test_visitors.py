"""What visitors own is one for the process, whatever Streamlit empties or imports anew."""

import asyncio
import importlib
from concurrent.futures import ThreadPoolExecutor

import pytest
import streamlit as st
from app_pages import clear_server, open_page
from bertflow_app import services, visitors
from bertflow_app.jobs import State
from bertflow_app.upload_limits import UploadLimits
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from waiting import wait_for

from bertflow_core.errors import InputError


@pytest.fixture(autouse=True)
def fresh_server():
    clear_server()


def test_streamlits_caches_and_reloads_leave_visitors_what_they_own():
    table = services.uploads().add("mine.csv", b"sentence1,sentence2\na,b\n")
    job = services.registry().submit("a", lambda progress: 42, "me")
    wait_for(lambda: job.state is State.DONE)
    registry = services.registry()
    st.cache_data.clear()
    st.cache_resource.clear()
    importlib.reload(visitors)
    importlib.reload(services)
    assert services.registry() is registry
    assert services.registry().get("a").result == 42
    assert services.uploads().get(table).name == "mine.csv"


def test_the_bound_is_a_setting(monkeypatch):
    assert services.memory()[1] == 2 << 30
    clear_server()
    monkeypatch.setenv(visitors.MEMORY_VARIABLE, "0.5")
    assert services.memory() == (0, 1 << 29)
    services.uploads().add("mine.csv", bytes(3_000_000))
    bars = [bar.proto.text for bar in open_page("data").get("progress")]
    assert bars[-1] == "3.0 MB of at most 0.5 GB"


@pytest.mark.parametrize("named", ["much", "0", "-1", "nan", "1e9"])
def test_a_bound_that_is_none_is_one_sentence(monkeypatch, named):
    visitors._PROCESS.pop("belongings", None)
    monkeypatch.setenv(visitors.MEMORY_VARIABLE, named)
    with pytest.raises(InputError, match="BERTFLOW_MEMORY_GB must be a number of gigabytes"):
        services.memory()
    monkeypatch.undo()


class Server:
    """The parts of Streamlit's server that a visitor's end concerns."""

    def __init__(self):
        self.sessions = {"one", "two"}
        self.is_active_session = self.sessions.__contains__
        self.close_session = self.sessions.discard
        self.uploaded_file_mgr = MemoryUploadedFileManager("/upload")


@pytest.fixture
def server(monkeypatch):
    server = Server()
    monkeypatch.setattr(visitors.runtime, "exists", lambda: True)
    monkeypatch.setattr(visitors.runtime, "get_instance", lambda: server)
    return server


@pytest.fixture
def after_long(monkeypatch):
    """Return a function that frees what visitors hold who were not connected for long."""

    def after_long():
        with monkeypatch.context() as patch:
            patch.setattr(visitors.belongings().presence, "_clock", lambda: float("inf"))
            visitors.free_seats()

    return after_long


def test_who_left_gives_up_seat_and_session(server, after_long):
    here = visitors.belongings()
    jobs = {who: here.registry.submit(who, lambda progress: None, who) for who in ("one", "two")}
    for who in jobs:
        here.presence.note(who)
    server.sessions.remove("one")
    after_long()
    assert server.sessions == {"two"}
    assert jobs["one"].watchers == frozenset()
    assert "two" in jobs["two"].watchers or not jobs["two"].is_live


def test_a_file_that_comes_after_its_visitor_left_goes_too(server, after_long):
    files = server.uploaded_file_mgr

    async def slow(scope, receive, send):
        server.sessions.remove("one")
        after_long()
        files.add_file("one", UploadedFileRec("1", "late.csv", "text/csv", bytes(1_000)))

    path = "/_stcore/upload_file/one/1"
    scope = {"type": "http", "method": "PUT", "path": path, "headers": [(b"content-length", b"9")]}
    with ThreadPoolExecutor(1) as pool:  # of its own: the browser's loop may run in this one
        pool.submit(asyncio.run, UploadLimits(slow)(scope, None, None)).result()
    assert files.file_storage["one"]
    after_long()
    assert not files.file_storage


@pytest.mark.parametrize("length", ["", "-1", "1.5", "²", "9" * 5_000])
def test_a_file_of_unknown_length_is_refused(server, length):
    assert UploadLimits(None)._refusal("one", length).status_code == 411
