"""What visitors own is one for the process, whatever Streamlit empties or imports anew."""

import importlib

import pytest
import streamlit as st
from app_pages import clear_server, open_page
from bertflow_app import services, visitors
from bertflow_app.jobs import State
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


def test_who_left_gives_up_seat_and_session(monkeypatch):
    closed = []
    here = visitors.belongings()
    job = here.registry.submit("a", lambda progress: None, "gone")
    monkeypatch.setattr(here.presence, "gone", lambda: ["gone"])
    monkeypatch.setattr(visitors.runtime, "get_instance", lambda: Closing(closed))
    visitors.free_seats()
    assert closed == ["gone"]
    assert job.watchers == frozenset()


class Closing:
    def __init__(self, closed):
        self.close_session = closed.append
