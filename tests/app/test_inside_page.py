"""Inside the flow without a browser: what is fitted, shown and believed."""

from app_pages import check, open_page, press, texts
from bertflow_app.browser import pictures as component
from bertflow_app.jobs import State
from bertflow_app.pages.how import fit as watched
from waiting import wait_for

from bertflow_core.recipe import Recipe

LONG = 10
"""Epochs of a fit that is stopped before its end."""


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
    for sent in ("<b>", "ring-affine-2-8-0.001-7" * 9, 3):
        choose(sent)
        page.run()
        assert not page.exception
        assert "the picture's report could not be read: reload the page" in texts(page)


def test_the_real_flow_shows_its_checkpoints():
    page = press(open_page("fit", inside_epochs="1"), "Fit and watch")
    check(page, controls=6, pictures=5)
    seen = watched.real_fit(Recipe(dataset="teaching"), 1.0).find(start=False).result
    first, last = seen.checkpoints[1], seen.checkpoints[-1]
    assert numbers(page) == ("Step", f"{last.step:,}", f"{100 * last.measures.rho:.2f}")
    page = page.slider(key="checkpoint").set_value(1).run()
    assert not page.exception
    assert numbers(page) == ("Step", "1", f"{100 * first.measures.rho:.2f}")
    assert "74 others are held out" in texts(page)


def numbers(page):
    shown = {metric.label: metric.value for metric in page.metric}
    return "Step", shown["Step"], shown[f"rho x 100, {Recipe.split}"]


def live_fit(**options):
    return watched.real_fit(Recipe(dataset="teaching"), LONG).find(**options)


def test_a_fit_can_be_shared_and_stopped_and_what_was_seen_stays():
    live = live_fit(start=True)
    other = live_fit(start=True)
    assert live is other
    seen = live.result
    wait_for(lambda: seen.checkpoints)
    live.stop()
    wait_for(lambda: not live.is_live)
    assert live.state is State.CANCELLED
    assert seen.checkpoints
    assert len(seen.losses) < seen.n_steps
    again = live_fit(start=True)
    assert again is not live and again.result is not seen
    again.stop()
    wait_for(lambda: not again.is_live)
