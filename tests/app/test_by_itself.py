"""Work that begins without a press: where every choice is the default, once, while it is shown."""

import threading

import pytest
from app_pages import button, clear_server, go, jobs, new_page, texts
from bertflow_app import first_data
from bertflow_app.jobs import State
from waiting import wait_for

from bertflow_core import context
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe


@pytest.fixture(autouse=True)
def fresh_server():
    yield
    clear_server()


@pytest.fixture
def held(monkeypatch):
    """A server whose evaluation goes on until it is told to stop."""

    def hold(_lab, *_):
        while True:
            context.report(1, 4, "sentences")
            threading.Event().wait(0.01)

    monkeypatch.setattr(Lab, "spaces", hold)


def test_a_page_of_defaults_begins_by_itself_and_ends_where_its_visitor_goes_on(held):
    page = go(new_page(), "calibrate")
    assert not page.exception
    assert "Stored results: minilm, layer:4" in texts(page)
    (job,) = jobs()
    assert job.is_live

    go(page, "plane")
    wait_for(lambda: not job.is_live)
    assert job.state is State.CANCELLED

    go(page, "calibrate")
    (again,) = [each for each in jobs() if each.is_live]
    button(page, "Stop").click().run()
    wait_for(lambda: not again.is_live)
    page.run()
    assert "Stopped." in texts(page)
    assert not any(each.is_live for each in jobs())  # it was the visitor who ended it
    button(page, "Calibrate").click().run()
    assert any(each.is_live for each in jobs())


def test_other_choices_wait_for_the_button(held):
    page = go(new_page(seed="3"), "calibrate")
    assert "Press **Calibrate**" in texts(page)


def test_the_default_data_is_embedded_in_portions(own_cache, tiny_bert, monkeypatch):
    monkeypatch.setattr(first_data, "PORTION", 100)
    recipe = Recipe(dataset="teaching", model=str(tiny_bert), max_length=20, layers="last")
    first_data.embed_portions(recipe)
    lab = Lab()
    sentences = lab.corpus(recipe).sentences
    assert lab.store.missing(lab.encoder(recipe), sentences) == 0
