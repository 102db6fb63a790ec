"""How soon a page shows the result of its job, and what does not wait for it."""

import threading

import pytest
from app_pages import clear_server
from bertflow_app import services
from bertflow_app.jobs import Job, State
from bertflow_app.parts import work
from streamlit.testing.v1 import AppTest
from waiting import PATIENCE


def last_on_its_page():
    import streamlit as st
    from bertflow_app import services
    from bertflow_app.parts.components import PageEnd
    from bertflow_app.parts.work import result_of

    try:
        st.text(result_of(services.registry().get("held")))
    except PageEnd:
        st.text("not yet")


@pytest.fixture
def waits(monkeypatch):
    """Work that ends when a page begins its second wait for it; the waits of all pages."""
    released, waits, real = threading.Event(), [], Job.wait

    def wait(job, seconds):
        waits.append(seconds)
        if len(waits) > 1:
            released.set()
            seconds = PATIENCE
        real(job, seconds)

    def work():
        released.wait(PATIENCE)
        return "the result"

    clear_server()
    monkeypatch.setattr(Job, "wait", wait)
    services.registry().submit("held", work, "me")
    services.registry().submit("beside", work, "me")  # the second worker's
    yield waits
    released.set()


def texts(page):
    assert not page.exception
    return [each.value for each in page.text]


def test_a_run_in_which_a_job_ends_shows_its_result(waits):
    assert texts(AppTest.from_function(last_on_its_page).run(timeout=PATIENCE)) == ["the result"]
    assert waits[:2] == [work.UNNOTICED_SECONDS, work.LOOK_SECONDS]


def two_jobs():
    from bertflow_app import services
    from bertflow_app.parts.work import follow

    for key in ("held", "other"):
        follow(services.registry().get(key))


def test_two_jobs_of_a_page_are_stopped_each_by_its_own_button(waits):
    other = services.registry().submit("other", lambda: None, "me")
    page = AppTest.from_function(two_jobs, default_timeout=PATIENCE).run()
    other.leave("me")  # the page is left to wait for it
    page.button(key="stop other").click().run()
    assert not page.exception
    assert other.state is State.CANCELLED
    assert services.registry().get("held").state is State.RUNNING
