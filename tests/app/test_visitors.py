"""What visitors own is one for the process, whatever Streamlit empties or imports anew."""

import importlib

import pytest
import streamlit as st
from app_pages import clear_server
from bertflow_app import services, visitors
from bertflow_app.jobs import State
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
