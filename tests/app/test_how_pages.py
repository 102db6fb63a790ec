"""How a cone forms and Inside the flow without a browser: what is stored, trained and fitted."""

import json

import pytest
from app_pages import button, check, finish, jobs, metrics, open_page, press, texts
from bertflow_app import services
from bertflow_app.browser import pictures as component
from bertflow_app.pages.how import fit as watched
from bertflow_app.pages.how import newborn
from bertflow_app.work.jobs import State
from tiny_pairs import tiny_newborn
from waiting import wait_for

from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.report import Report
from bertflow_core.studies.newborn.recording import payload

pytestmark = pytest.mark.usefixtures("fresh_server")


def sent(page):
    """Return what the picture was sent."""
    return json.loads(page.get("bidi_component")[0].proto.json)


def spheres(page):
    """Return what the pictures of each calibrator were sent."""
    return [each.proto.spec for each in page.get("plotly_chart")[1:]]


def test_the_stored_training_is_shown_without_work():
    page = open_page("newborn")
    check(page, controls=6, pictures=8)
    stored = services.shipped("newborn")
    assert sent(page)["run"] == "stored" and not sent(page)["is_live"]
    assert len(sent(page)["recording"]["frames"]) == len(stored.rows)
    last = stored.rows[-1]  # where the slider of the picture ends
    assert f"After **{last['step']} steps**" in texts(page)
    assert f"mean cosine of two words is **{last['mean_cosine']:.2f}**" in texts(page)
    assert f"**{100 * stored.tables[0].rows[0]['rho']:.2f}** in the cone" in texts(page)
    assert jobs() == []
    assert page.code[-1].value.startswith("bertflow-lab analyse newborn")


def test_a_training_is_named_after_its_seed_and_shown_to_others_who_ask_for_it(
    monkeypatch, tmp_path
):
    tiny, training = tiny_newborn(tmp_path), newborn.training
    monkeypatch.setattr(newborn, "training", lambda asked: training(tiny.with_(seed=asked.seed)))
    page = open_page("newborn", newborn_seed="3")
    stored_spheres = spheres(page)
    button(page, "Train one now").click().run()
    finish(page)
    assert not set(spheres(page)) & set(stored_spheres)
    check(page, controls=6, pictures=8)
    assert "These numbers come from a run on this machine, seed 3." in texts(page)
    (job,) = jobs()
    assert isinstance(job.result, Report)
    assert job.result.params == tiny.with_(seed=3)
    assert sent(page)["run"] == job.key
    assert sent(page)["recording"] == payload(job.result.rows, job.result.facts)
    assert newborn.training(tiny.with_(seed=4)).find(start=False) is None
    assert sent(open_page("newborn", newborn_seed="3"))["run"] == job.key

    newcomer = open_page("newborn")
    assert sent(newcomer)["run"] == "stored" and spheres(newcomer) == stored_spheres
    stored = services.shipped("newborn").params.seed
    assert f"the stored run, seed {stored}" in texts(newcomer)
    assert newcomer.number_input(key="newborn_seed").value == 1 != stored
    newcomer.number_input(key="newborn_seed").set_value(3).run()
    button(newcomer, "Train one now").click().run()
    assert sent(newcomer)["run"] == job.key and len(jobs()) == 1


def test_the_address_holds_what_is_chosen_on_the_plane(monkeypatch):
    asked = []

    def choose(choice):
        def mounted(*, data, **_):
            asked.append(data["choice"])
            return {"choice": choice}

        monkeypatch.setattr(component, "_FLOW", mounted)

    choose(None)
    page = open_page("plane", plane="ring-affine-2-8-0.001-7")
    choose("cone-additive-4-16-0.003-0")
    page.run()
    assert page.query_params["plane"] == "cone-additive-4-16-0.003-0"
    page.run()
    assert asked == ["ring-affine-2-8-0.001-7"] * 2 + ["cone-additive-4-16-0.003-0"]
    for hostile in ("<b>", "ring-affine-2-8-0.001-7" * 9, 3):
        choose(hostile)
        page.run()
        assert not page.exception
        assert "the picture's report could not be read: reload the page" in texts(page)


def test_the_real_flow_shows_its_checkpoints():
    page = press(open_page("fit", inside_epochs="1"), "Fit and watch")
    check(page, controls=6, pictures=5)
    seen = watched.real_fit(Recipe(dataset="teaching"), 1.0).find(start=False).result
    first, last = seen.checkpoints[1], seen.checkpoints[-1]
    rho = f"rho x 100, {Recipe.split}"
    assert metrics(page)["Step"] == f"{last.step:,}"
    assert metrics(page)[rho] == f"{100 * last.measures.rho:.2f}"
    page.slider(key="checkpoint").set_value(1).run()
    assert not page.exception
    assert metrics(page)["Step"] == "1"
    assert metrics(page)[rho] == f"{100 * first.measures.rho:.2f}"
    assert "74 others are held out" in texts(page)


def test_a_fit_can_be_shared_and_stopped_and_what_was_seen_stays():
    def started():
        return watched.real_fit(Recipe(dataset="teaching"), 10_000.0).find(start=True)

    live = started()
    assert started() is live
    seen = live.result
    wait_for(lambda: seen.checkpoints)
    live.stop()
    wait_for(lambda: not live.is_live)
    assert live.state is State.CANCELLED
    assert seen.checkpoints
    assert len(seen.losses) < seen.n_steps
    again = started()
    assert again is not live and again.result is not seen
    again.stop()


def test_the_choices_with_the_button_open_over_a_fit_that_was_stopped():
    job = watched.real_fit(Recipe(dataset="teaching"), None).find(start=True)
    folds = open_page("fit").expander
    assert [each.proto.expanded for each in folds if "Choices" in each.label] == [False]
    job.stop()
    wait_for(lambda: not job.is_live)
    page = open_page("fit")
    assert "Stopped" in page.info[0].value
    assert [each.proto.expanded for each in page.expander if "Choices" in each.label] == [True]
