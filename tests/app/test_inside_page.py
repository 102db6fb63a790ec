"""Inside the flow without a browser: what is fitted, sent and believed."""

import json
import math
import struct
import threading

import bertflow_app.parts.components
import numpy as np
import pytest
import torch
from app_pages import check, open_page, press, table, texts
from bertflow_app import services
from bertflow_app.browser.theatre.payload import LayerView, Scene, encode
from bertflow_app.browser.theatre.report import Report, decode
from bertflow_app.jobs import State
from bertflow_app.memory import holdings
from bertflow_app.views.inside import jobs as inside_jobs
from bertflow_app.views.inside.plane_panels import Sent
from waiting import PATIENCE, wait_for

from bertflow_core.errors import InputError
from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow
from bertflow_core.flows.plane import Box, PlaneState
from bertflow_core.flows.toy import draw_shape
from bertflow_core.recipe import Recipe

SMALL = {"toy_depth": "1", "toy_width": "8", "toy_n_steps": "250"}
SCENE = Scene(
    "run", Box(1.0, 2.0, 3.0), np.arange(6.0).reshape(3, 2), np.arange(16.0).reshape(2, 4, 2)
)


@pytest.fixture(scope="module")
def fitted():
    return press(open_page("inside", shape="ring", **SMALL), "Fit")


def test_nothing_is_fitted_before_it_is_asked_for():
    page = open_page("inside")
    assert not page.exception
    assert "press Fit" in texts(page).replace("*", "")
    assert not page.dataframe
    page = open_page("inside", inside="On sentences")
    assert not page.exception
    assert "press fit and watch" in texts(page).replace("*", "").lower()


def test_the_terms_are_those_of_a_flow_fitted_by_the_core(fitted):
    points = torch.from_numpy(draw_shape("ring", 1_000, seed=0))
    training = TrainingConfig(epochs=250.5 / 3, batch_size=256, lr=3e-3, initialization_rows=256)
    glow = GlowConfig(n_levels=1, depth=1, coupling_width=8)
    flow = fit_flow(points, glow=glow, training=training).flow
    shown = table(fitted, "nats").set_index("Term")["nats"].astype(float)
    # Before anybody clicks, the place is the first point.
    place = points[:1]
    z = flow.to_latent(place)[0].detach()
    base = -0.5 * float(z @ z) - math.log(2 * math.pi)
    assert shown["log N(z; 0, I)"] == pytest.approx(base, abs=1e-4)
    matrix = torch.autograd.functional.jacobian(lambda x: flow.to_latent(x[None])[0], place[0])
    log_det = torch.linalg.slogdet(matrix).logabsdet.item()
    layers = shown[[name for name in shown.index if name.startswith("flow step")]]
    assert list(layers.index) == [
        "flow step 1: ActNorm",
        "flow step 1: reversal",
        "flow step 1: additive coupling",
    ]
    assert layers.sum() == pytest.approx(log_det, abs=3e-4)
    assert shown["log p(x)"] == pytest.approx(base + log_det, abs=3e-4)


def test_the_page_is_complete(fitted):
    check(fitted, controls=9, pictures=1)


def test_the_address_holds_the_choices_and_joins_the_fit(fitted):
    page = open_page("inside", shape="ring", **SMALL)
    assert table(page, "nats").equals(table(fitted, "nats"))
    other = open_page("inside", shape="ring", toy_seed="1", **SMALL)
    assert not other.dataframe


def test_drawing_is_asked_for_in_one_sentence():
    page = open_page("inside", shape="drawn by you")
    assert not page.exception
    assert "Nothing is drawn yet: drag over the square" in texts(page)
    assert next(button for button in page.button if button.label == "Fit").disabled
    assert page.slider(key="toy_depth").value  # the flow can be chosen already


def test_a_report_that_no_picture_sends_gets_one_sentence(fitted):
    page = open_page("inside", shape="ring", **SMALL)
    header, _ = parsed(page.get("bidi_component")[0].proto.bytes)
    page.session_state["theatre"] = {"report": {"run": header["run"], "state": -1}}
    page.run()
    assert not page.exception
    assert texts(page).count("the picture's report could not be read: reload the page") == 1
    assert table(page, "nats").equals(table(fitted, "nats"))


def test_the_real_flow_shows_its_checkpoints():
    page = press(open_page("inside", inside="On sentences"), "Fit and watch")
    check(page, controls=6, pictures=3)
    live = inside_jobs.real_fit(Recipe(dataset="teaching"), 1, start=False)
    first, last = live.seen.checkpoints[1], live.seen.checkpoints[-1]
    assert numbers(page) == ("Step", f"{last.step:,}", f"{100 * last.measures.rho:.2f}")
    page = page.slider(key="checkpoint").set_value(1).run()
    assert not page.exception
    assert numbers(page) == ("Step", "1", f"{100 * first.measures.rho:.2f}")
    assert "74 others are held out" in texts(page)


def numbers(page):
    shown = {metric.label: metric.value for metric in page.metric}
    return "Step", shown["Step"], shown["rho x 100"]


def choice(**changes):
    options = {"coupling": "additive", "depth": 1, "width": 4, "lr": 1e-3, "n_steps": 5_000}
    return inside_jobs.ToyChoice(
        points=draw_shape("cone", 200, seed=0), seed=0, **{**options, **changes}
    )


def test_a_paused_fit_waits_and_goes_on():
    paused, told = threading.Event(), []
    paused.set()
    report = inside_jobs._gate(lambda *progress: told.append(progress), paused)
    fit = threading.Thread(target=report, args=(1, 2, "steps"), daemon=True)
    fit.start()
    wait_for(lambda: len(told) > 3)  # the page hears of it all the while
    assert fit.is_alive()
    paused.clear()
    fit.join(PATIENCE)
    assert not fit.is_alive()
    assert set(told) == {(1, 2, "steps")}


def bytes_of(live):
    """What the arrays of the states take; every fit has some."""
    return sum(
        array.nbytes
        for state in live.seen.states
        for array in (state.density, state.latent, state.lines, *state.weights.values())
    )


def test_a_paused_fit_can_be_stopped_and_what_was_seen_stays():
    live = inside_jobs.toy_fit(choice(), start=True)
    wait_for(lambda: live.seen.states)
    live.paused.set()
    live.job.stop()
    wait_for(lambda: not live.job.is_live)
    assert live.job.state is State.CANCELLED
    assert 0 < len(live.seen.states) < inside_jobs.MAX_STATES
    assert holdings(live.job).nbytes >= bytes_of(live)  # the registry bounds what it still shows
    again = inside_jobs.toy_fit(choice(), start=True)
    assert again.job is not live.job and again.seen is not live.seen
    again.job.stop()


def test_a_stop_that_stops_nothing_is_reported(monkeypatch):
    told = []
    monkeypatch.setattr(bertflow_app.parts.components.st, "toast", told.append)
    page = open_page("inside", shape="cone", toy_n_steps="5000")
    next(button for button in page.button if button.label == "Fit").click().run()
    live = next(job for job in services.registry()._live.values() if job.is_live)
    live.watch("another visitor")
    page.button(key="toy_stop").click().run()
    assert live.is_wanted
    assert told == ["Somebody else waits for the same computation, so it goes on."]
    live.stop()
    wait_for(lambda: not live.is_live)


@pytest.mark.parametrize(
    "change", [{"depth": 13}, {"width": 65}, {"lr": float("nan")}, {"n_steps": 10**9}]
)
def test_work_beyond_the_sliders_is_refused(change):
    with pytest.raises(InputError, match=next(iter(change))):
        choice(**change)


def test_visitors_share_a_fit_and_what_it_shows():
    first = inside_jobs.toy_fit(choice(n_steps=250), start=True)
    second = inside_jobs.toy_fit(choice(n_steps=250), start=True)
    assert first.job is second.job
    assert first.seen is second.seen and first.paused is second.paused
    wait_for(lambda: not first.job.is_live)
    assert bytes_of(first) <= holdings(first.job).nbytes <= 2 * bytes_of(first)
    assert inside_jobs.toy_fit(choice(n_steps=250, depth=2), start=False) is None


def test_a_pause_ends_by_itself(monkeypatch):
    monkeypatch.setattr(inside_jobs, "LONGEST_PAUSE", 0.1)
    paused, told = threading.Event(), []
    paused.set()
    report = inside_jobs._gate(lambda *progress: told.append(progress), paused)
    report(1, 2, "steps")
    assert not paused.is_set()
    assert len(told) > 1 and set(told) == {(1, 2, "steps")}


def state(step):
    ones = np.ones((2, 2))
    return PlaneState(step, 1.5, ones * step, np.full((5, 2), step), np.zeros((2, 4, 2)), {}, {})


def parsed(message):
    """Read a message by the format's description alone."""
    (length,) = struct.unpack_from("<I", message)
    header = json.loads(message[4 : 4 + length])
    body = message[4 + length :]
    assert length % 4 == 0
    return header, lambda place: struct.unpack_from(f"<{place[1]}f", body, place[0])


def test_a_message_holds_the_new_states_and_the_layers():
    view = LayerView(4, ("a", "b"), np.ones((3, 3, 2)), np.zeros((3, 2, 4, 2)), np.eye(3, 2))
    message = encode(SCENE, [state(7), state(9)], first=3, is_live=True, layers=view, at=(1.0, 2.5))
    header, floats = parsed(message)
    assert (header["run"], header["first"], header["is_live"]) == ("run", 3, True)
    assert header["box"] == [1, 2, 3]
    assert [each["step"] for each in header["states"]] == [7, 9]
    assert floats(header["points"]) == (0, 1, 2, 3, 4, 5)
    assert floats(header["states"][1]["density"]) == (9, 9, 9, 9)
    assert floats(header["states"][0]["latent"]) == (7,) * 6  # only the points that are drawn
    assert header["layers"]["state"] == 4 and header["layers"]["names"] == ["a", "b"]
    assert floats(header["layers"]["way"]) == (1, 0, 0, 1, 0, 0)
    assert header["line_length"] == 4


def test_reports_are_read():
    assert decode(None, SCENE) == Report()
    report = {"run": "run", "state": 2, "at": [0.5, 4], "asked": 1, "from": 12}
    assert decode(report, SCENE) == Report(2, (0.5, 4.0), 1, 12)
    assert decode({**report, "run": "another fit"}, SCENE) == Report()


@pytest.mark.parametrize(
    "change",
    [
        {"run": 3},
        {"state": -1},
        {"state": True},
        {"state": "2"},
        {"state": 10**9},
        {"at": [1]},
        {"at": [1, float("nan")]},
        {"at": [1, True]},
        {"at": [99, 2]},
        {"at": "1,2"},
        {"asked": None},
        {"from": -5},
    ],
)
def test_reports_that_no_picture_sends_are_refused(change):
    with pytest.raises(InputError, match="reload"):
        decode({"run": "run", "state": 2, "at": None, "asked": 0, "from": 0, **change}, SCENE)


def test_states_go_out_once_and_again_where_the_browser_misses_some():
    sent = Sent()
    assert sent.first(Report(asked=2, start=9)) == 0  # a page drawn anew sends all
    sent.n = 20
    assert sent.first(Report(asked=2, start=9)) == 20
    assert sent.first(Report(asked=3, start=12)) == 12
    sent.n = 25
    assert sent.first(Report(asked=3, start=12)) == 25
