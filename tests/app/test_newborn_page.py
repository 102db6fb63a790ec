"""How a cone forms without a browser: what is stored, and what is trained."""

import json

from app_pages import button, check, clear_server, finish, jobs, open_page, texts
from bertflow_app import services
from bertflow_app.pages.how import newborn
from tiny_pairs import tiny_newborn

from bertflow_core.report import Report
from bertflow_core.studies.newborn.recording import payload


def sent(page):
    """Return what the picture was sent."""
    return json.loads(page.get("bidi_component")[0].proto.json)


def spheres(page):
    """Return what the pictures of each calibrator were sent."""
    return [each.proto.spec for each in page.get("plotly_chart")[1:]]


def trained_small(monkeypatch, folder):
    """Let the page train a small model, and return its recipe."""
    tiny, training = tiny_newborn(folder), newborn.training
    monkeypatch.setattr(newborn, "training", lambda asked: training(tiny.with_(seed=asked.seed)))
    return tiny


def test_the_stored_training_is_shown_without_work():
    clear_server()
    page = open_page("newborn")
    check(page, controls=6, pictures=8)
    stored = services.shipped("newborn")
    assert sent(page)["run"] == "stored" and not sent(page)["is_live"]
    assert len(sent(page)["recording"]["frames"]) == len(stored.rows)
    last = stored.rows[-1]  # where the slider of the picture ends
    assert f"after **{last['step']} steps**" in texts(page)
    assert f"mean cosine of two words is **{last['mean_cosine']:.2f}**" in texts(page)
    assert f"**{100 * stored.tables[0].rows[0]['rho']:.2f}** in the cone" in texts(page)
    assert jobs() == []
    assert page.code[-1].value.startswith("bertflow-lab analyse newborn")


def test_a_training_is_named_after_its_seed_and_shown_to_others_who_ask_for_it(
    monkeypatch, tmp_path
):
    clear_server()
    tiny = trained_small(monkeypatch, tmp_path)
    page = open_page("newborn", newborn_seed="3")
    stored_spheres = spheres(page)
    button(page, "Train one now").click().run()
    finish(page)
    assert not set(spheres(page)) & set(stored_spheres)
    check(page, controls=6, pictures=8)
    assert "These numbers are of a run on this machine, seed 3." in texts(page)
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
