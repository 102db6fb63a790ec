"""What visitors own is one for the process, whatever Streamlit empties or imports anew."""

import importlib

import pytest
import streamlit as st
from app_pages import clear_server
from bertflow_app import services, upload_limits, visitors
from bertflow_app.jobs import State
from bertflow_app.upload_limits import UploadLimits
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from waiting import wait_for


@pytest.fixture(autouse=True)
def fresh_server():
    clear_server()


def test_streamlits_caches_and_reloads_leave_visitors_what_they_own():
    table = services.uploads().add("mine.csv", b"sentence1,sentence2\na,b\n")
    job = services.registry().submit("a", lambda: 42, "me")
    wait_for(lambda: job.state is State.DONE)
    registry = services.registry()
    st.cache_data.clear()
    st.cache_resource.clear()
    importlib.reload(visitors)
    importlib.reload(services)
    assert services.registry() is registry
    assert services.registry().get("a").result == 42
    assert services.uploads().get(table).name == "mine.csv"


class Server:
    """The parts of Streamlit's server that an upload concerns."""

    def __init__(self):
        self.is_active_session = {"one"}.__contains__
        self.uploaded_file_mgr = MemoryUploadedFileManager("/upload")


@pytest.fixture
def server(monkeypatch):
    server = Server()
    monkeypatch.setattr(upload_limits.runtime, "get_instance", lambda: server)
    return server


@pytest.mark.parametrize("length", ["", "-1", "1.5", "²", "9" * 5_000])
def test_a_file_of_unknown_length_is_refused(server, length):
    assert UploadLimits(None)._refusal("one", length).status_code == 411
