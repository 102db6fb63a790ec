"""How a cone forms and Inside the flow without a browser: what is stored and fitted."""

import json

import pytest
from app_pages import button, check, jobs, metrics, open_page, press, texts
from bertflow_app.browser import pictures as component
from bertflow_app.pages.how import fit as watched
from bertflow_app.work.jobs import State
from waiting import wait_for

from bertflow_core.exhibits.newborn import stored_recording
from bertflow_core.lab.recipe import Recipe

pytestmark = pytest.mark.usefixtures("fresh_server")


def test_the_stored_recording_is_shown_without_work():
    page = open_page("newborn")
    check(page, controls=4, pictures=8)
    stored = stored_recording()
    sent = json.loads(page.get("bidi_component")[0].proto.json)
    assert sent == json.loads(json.dumps(stored.picture()))
    last = stored.frames[-1]  # where the slider of the picture ends
    assert f"After **{last['step']} steps**" in texts(page)
    assert f"mean cosine of two words is **{last['mean_cosine']:.2f}**" in texts(page)
    assert f"**{100 * stored.spaces[0]['rho']:.2f}** in the cone" in texts(page)
    assert jobs() == []
    assert page.code[0].value.startswith("python examples/newborn.py ")


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


def test_a_fit_that_was_stopped_says_so_and_can_be_started_again():
    job = watched.real_fit(Recipe(dataset="teaching"), None).find(start=True)
    job.stop()
    wait_for(lambda: not job.is_live)
    page = open_page("fit")
    assert "Stopped" in page.info[0].value
    assert button(page, "Fit and watch")
