"""Work of pages: begun by a press or by itself, shown when it ends, after the heavy imports."""

import subprocess
import sys
import threading

import pytest
from app_pages import button, check, endless, go, jobs, new_page, open_page, press, table, texts
from bertflow_app import first_data, uploads
from bertflow_app.shared import Shared
from bertflow_app.widgets import scores, work
from bertflow_app.work import warmup
from bertflow_app.work.jobs import Job, Registry, State
from bertflow_app.work.kept import Kept
from bertflow_app.work.registry import registry
from streamlit.testing.v1 import AppTest
from waiting import PATIENCE, wait_for

from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.studies.advice.study import stored_advice


@pytest.mark.usefixtures("fresh_server")
def test_a_page_of_defaults_shows_stored_results_and_works_only_when_asked(monkeypatch):
    monkeypatch.setattr(Lab, "evaluations", endless)
    page = go(new_page(), "scores")
    assert not page.exception
    assert "BERT-flow raises the raw language model" in texts(page)
    assert len(page.get("plotly_chart")) == 1
    assert jobs() == []
    button(page, "Score").click().run()
    (job,) = jobs()
    assert job.is_live
    button(page, "Stop").click().run()
    wait_for(lambda: not job.is_live)
    assert "Stopped." in texts(page.run())
    button(page, "Score").click().run()
    assert any(each.is_live for each in jobs())


@pytest.mark.usefixtures("fresh_server")
def test_before_their_work_tabs_show_stored_or_printed_numbers():
    layers = go(new_page(), "layers")
    check(layers, pictures=2)
    stored = stored_advice().tables[-1].rows
    assert [*table(layers, "vectors")["score"]] == pytest.approx(
        [100 * row["score"] for row in stored]
    )
    words = go(new_page(), "words")
    norms = table(words, "label").set_index("label").loc["Mean l2-norm"]
    assert [*norms] == [0.95, 1.04, 1.22, 1.45]


def test_quick_work_begins_by_itself_on_the_default_data_once_they_are_embedded(monkeypatch):
    begun = []
    monkeypatch.setattr(
        Shared, "find_or_begin", lambda *_, pressed, wanted=None: begun.append(wanted)
    )
    for is_embedded in (False, True):
        monkeypatch.setattr(first_data, "is_embedded", lambda is_it=is_embedded: is_it)
        for view, query in (("export", {}), ("export", {"take": "whiten"}), ("size", {})):
            page = go(new_page(**query), view)
            assert not page.exception
            assert page.button[-1].label in ("Fit it", "Measure")
    assert begun == [None, None, None, True, None, None]


def test_work_that_began_by_itself_ends_where_its_visitor_goes_on(monkeypatch):
    lines = [f"a cat {i},a dog {i % 7},{i % 6}" for i in range(24)]
    few = uploads.add("few.csv", "\n".join(["sentence1,sentence2,score", *lines]).encode())
    monkeypatch.setattr(scores, "_scored", endless)
    page = go(new_page(dataset=few), "scores")
    (job,) = jobs()
    assert job.is_live
    go(page, "plane")
    wait_for(lambda: not job.is_live)
    assert job.state is State.CANCELLED


def test_the_last_picture_stays_while_a_new_one_is_made(monkeypatch):
    page = press(open_page("scores", calibrators="standardize"), "Score")
    before = table(page, "letters")
    monkeypatch.setattr(Lab, "evaluations", endless)
    page.number_input(key="seed").set_value(5).run()
    assert "previous choices" in texts(page)
    button(page, "Score").click().run()
    assert "previous choices" in texts(page)
    assert table(page, "letters").equals(before)


def test_the_default_data_is_embedded_in_portions(own_cache, tiny_bert, monkeypatch):
    monkeypatch.setattr(first_data, "PORTION", 100)
    recipe = Recipe(dataset="teaching", model=str(tiny_bert), max_length=20, layers="last")
    first_data.embed_portions(recipe)
    lab = Lab()
    sentences = lab.corpus(recipe).sentences
    assert lab.store.missing(lab.encoder(recipe), sentences) == 0


def last_on_its_page():
    import streamlit as st
    from bertflow_app.widgets.components import PageEnd
    from bertflow_app.widgets.work import result_of
    from bertflow_app.work.registry import registry

    try:
        st.text(result_of(registry().get("held")))
    except PageEnd:
        st.text("not yet")


@pytest.fixture
def waits(fresh_server, monkeypatch):
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

    monkeypatch.setattr(Job, "wait", wait)
    registry().submit("held", work, "me")
    registry().submit("beside", work, "me")  # the second worker's
    yield waits
    released.set()


def test_a_run_in_which_a_job_ends_shows_its_result(waits):
    page = AppTest.from_function(last_on_its_page).run(timeout=PATIENCE)
    assert not page.exception
    assert texts(page) == "the result"
    assert waits[:2] == [work.UNNOTICED_SECONDS, work.LOOK_SECONDS]


def two_jobs():
    from bertflow_app.widgets.work import follow
    from bertflow_app.work.registry import registry

    for key in ("held", "other"):
        follow(registry().get(key))


def test_two_jobs_of_a_page_are_stopped_each_by_its_own_button(waits):
    other = registry().submit("other", lambda: None, "me")
    page = AppTest.from_function(two_jobs, default_timeout=PATIENCE).run()
    other.leave("me")  # the page is left to wait for it
    page.button(key="stop other").click().run()
    assert not page.exception
    assert other.state is State.CANCELLED
    assert registry().get("held").state is State.RUNNING


def test_no_page_waits_for_a_heavy_import():
    code = f"""
import sys
sys.path[:0] = {[*sys.path]!r}
from app_pages import go, new_page
page = new_page(dataset="teaching")  # of data where nothing begins by itself
for view in ("start", "scores", "check"):
    go(page, view)
    assert not page.exception
    print(view, sorted({{"torch", "transformers", "umap"}} & sys.modules.keys()))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split("\n")[:3] == ["start []", "scores []", "check []"]


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
    open_page("scores", dataset="gone.csv (aaaaaaaaaaaa)")  # its page stops half-way
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


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, ""),
        (16.4, ", about 16 s left"),
        (89, ", about 89 s left"),
        (1799, ", about 30 min left"),
    ],
)
def test_the_time_left_is_in_minutes_where_it_is_long(seconds, said):
    assert work._left_text(seconds) == said
