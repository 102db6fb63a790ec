"""The widgets' scripts in a browser, as anywidget calls them, with a model made by hand."""

import base64

import numpy as np
import pytest
from lab_pages import quiet_page, wait_for

import bertflow_core as bf

pytest.importorskip("anywidget", reason="anywidget is not installed")

SHOW = """
async ({ script, values, payload }) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const module = await import(address);
  const widget = module.default();  // as anywidget calls a function
  const bytes = Uint8Array.from(atob(payload ?? ""), (sign) => sign.charCodeAt(0));
  const known = { ...values, payload: new DataView(bytes.buffer) };
  window.saved = {};
  const model = {
    get: (name) => known[name],
    set: (name, value) => { known[name] = value; },
    save_changes: () => { window.saved = { ...known, payload: null, sheet: null }; },
    on: () => {},
    off: () => {},
  };
  const el = document.createElement("div");
  document.body.append(el);
  window.leave = widget.render({ model, el });
}
"""


@pytest.fixture
def page(browser):
    with quiet_page(browser) as page:
        yield page
        page.evaluate("window.leave()")


def test_a_wall_in_a_cell_tells_the_model_what_is_selected_and_picked(page):
    rng = np.random.default_rng(0)
    texts = [f"row {i} {'apple' if i % 7 == 0 else 'pear'}" for i in range(50)]
    widget = bf.wall_of({"a": rng.normal(size=(50, 4)), "b": rng.normal(size=(50, 3))}, texts)
    values = {"sheet": widget.sheet, "selected": [], "picked": None}
    payload = base64.b64encode(widget.payload).decode()
    page.evaluate(SHOW, {"script": widget._esm, "values": values, "payload": payload})
    page.locator(".wall[data-ready]").wait_for()
    page.get_by_role("searchbox").fill("apple")
    wait_for(lambda: page.evaluate("saved.selected?.length"))
    assert page.evaluate("saved.selected") == list(range(0, 50, 7))
    page.get_by_role("application").first.focus()
    page.keyboard.press("Enter")
    wait_for(lambda: page.evaluate("saved.picked ?? null") is not None)
    assert page.locator(".lists ol").count() == 2
    outside = "getComputedStyle(document.body.appendChild(document.createElement('button')))"
    assert page.evaluate(f"{outside}.minHeight") != "30px"  # the picture's own buttons have it


def test_a_flow_in_a_cell_tells_the_model_the_choice(page):
    widget = bf.inside("ring-additive-4-16-0.003-0")
    values = {"sheet": widget.sheet, "choice": widget.choice}
    page.evaluate(SHOW, {"script": widget._esm, "values": values})
    page.get_by_text("Other points, another flow").click()
    assert page.get_by_label("Shape").input_value() == "ring"
    page.get_by_label("Shape").select_option("moons")
    wait_for(lambda: page.evaluate("saved.choice") == "moons-additive-4-16-0.003-0")
