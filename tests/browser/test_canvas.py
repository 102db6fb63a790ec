"""The wall's canvas in Chromium, without a server: known rows at known places of a grid.

Row 10 r + c lies at (c, r) in the first pane and at (r, -c) in the second. The pixels that a test
presses follow from where the panes' frames stand and from what the canvas promises: all rows fit,
in the middle, on one scale for both axes, with 4 % free at each side of the tighter axis.
"""

import base64
import io
import struct

import numpy as np
import pytest
from lab_pages import drag, quiet_page

from bertflow_core.exhibits.wall.payload import PanePicture, encode
from bertflow_core.exhibits.wall.spaces import Axis
from bertflow_core.runtime.shipped import bundle

PIL_Image = pytest.importorskip("PIL.Image")

SIDE = 10
N = SIDE * SIDE
ROW = np.arange(N)
C, R = (ROW % SIDE).astype(float), (ROW // SIDE).astype(float)
HOSTILE = "<img src=x onerror='window.hacked=1'>"
TEXTS = [f"row {row} {'apple' if row % 7 == 0 else 'pear'}" for row in ROW]
TEXTS[99] = f"row 99 {'a' * 40}!"
FIT = 0.92
CORNER = {0, 1, 2, 10, 11, 12}
"""Rows with c <= 2 and r <= 1."""

HARNESS = """
async ({ script, style, payload }) => {
  document.body.innerHTML = `<div id="host" style="width: 1000px; --st-text-color: #0b0b0e;
    --st-background-color: #ffffff; --st-primary-color: #1f6feb"></div>`;
  const parentElement = document.getElementById("host").attachShadow({ mode: "open" });
  parentElement.innerHTML = '<div class="wall"></div><style></style>';
  parentElement.querySelector("style").textContent = style;
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const module = await import(url);
  window.reports = [];
  const setStateValue = (name, value) => window.reports.push([name, value]);
  const data = Uint8Array.from(atob(payload), (c) => c.charCodeAt(0));
  window.close_wall = module.default({ data, parentElement, setStateValue });
}
"""
TOLD = """() => {
  const [, report] = window.reports.at(-1) ?? [];
  const wall = document.getElementById("host").shadowRoot.querySelector(".wall");
  const bits = [...atob(report?.selected ?? "")].flatMap((sign) =>
    [...sign.charCodeAt(0).toString(2)].filter((bit) => bit === "1"),
  );
  const { selected, picked } = wall.dataset;
  return report && bits.length === Number(selected) && String(report.picked ?? "") === picked;
}"""
"""Whether a report tells of as many rows as the canvas shows, and of the row that it rings."""
COLUMNS = (
    Axis("column", C, unit="steps"),
    Axis("by pane", np.stack([C, 100 * R])),
    Axis("parity", C % 2, ("even", HOSTILE)),
)


def payload():
    panes = [
        PanePicture("raw", "distances in 384 dimensions", ("x", "y"), np.stack([C, R], axis=1)),
        PanePicture(
            HOSTILE, "distances in the latent space", ("x", "y"), np.stack([R, -C], axis=1)
        ),
    ]
    names = [f"rows {row}" for row in ROW]
    data = encode(panes, COLUMNS, TEXTS, ids=names)
    return base64.b64encode(data + b"wall" + struct.pack("<I", 4)).decode()


class Wall:
    """One wall and what a visitor does to it."""

    def __init__(self, page):
        self.page = page
        self.root = page.locator(".wall")
        self.panes = page.get_by_role("application")

    def data(self, name):
        return self.root.get_attribute(f"data-{name}")

    def at(self, pane, x, y):
        """Return the pixel of a place in a pane's coordinates, about the middle (4.5, 4.5)."""
        box = self.panes.nth(pane).bounding_box()
        scale = FIT * min(box["width"], box["height"]) / (SIDE - 1)
        return (
            box["x"] + box["width"] / 2 + scale * (x - 4.5),
            box["y"] + box["height"] / 2 - scale * (y - 4.5),
        )

    def wait_until_drawn(self):
        """Wait until what was done has been drawn."""
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    def drag(self, pane, *places):
        drag(self.page, *(self.at(pane, *place) for place in places))

    def lasso(self, left, bottom, right, top, pane=0):
        self.drag(pane, (left, bottom), (right, bottom), (right, top), (left, top))

    def told(self):
        """Return the next report of what is now selected and picked."""
        self.page.wait_for_function(TOLD)
        name, report = self.page.evaluate("window.reports.splice(0).at(-1)")
        assert name == "report"
        return report

    def selected(self):
        """Return the rows that the server is told of, decoded by whole-number arithmetic."""
        text = self.told()["selected"]
        number = int.from_bytes(base64.b64decode(text or ""), "little")
        rows = {row for row in range(number.bit_length()) if number >> row & 1}
        assert self.data("selected") == str(len(rows))
        return rows

    def pixels(self, pane):
        """Return the picture of a pane, shape (H, W, 3)."""
        box = self.panes.nth(pane).bounding_box()
        shot = self.page.screenshot(clip=box)
        return np.asarray(PIL_Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)

    def colour(self, pane, row):
        x, y = self.at(pane, *((C[row], R[row]) if pane == 0 else (R[row], 9 - C[row])))
        box = self.panes.nth(pane).bounding_box()
        return self.pixels(pane)[int(y - box["y"]), int(x - box["x"])]


@pytest.fixture(scope="module")
def page(browser):
    with quiet_page(browser) as page:
        page.set_viewport_size({"width": 1040, "height": 900})
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        yield page


SCRIPT, STYLE = bundle("wall.js"), bundle("wall.css")


def mount(page, *, forget=True):
    """Show a wall; `forget` what an earlier one left, as a page that was just opened."""
    if forget:
        page.evaluate("globalThis.bertflowWalls?.clear()")
    page.evaluate(HARNESS, {"script": SCRIPT, "style": STYLE, "payload": payload()})
    return Wall(page)


@pytest.fixture
def wall(page):
    return mount(page)


def test_a_lasso_around_a_corner_lights_those_rows_in_both_panes_and_stays(wall):
    before = wall.colour(1, 55)
    wall.lasso(-0.3, -0.3, 2.5, 1.5)
    wall.page.wait_for_function(TOLD)
    assert wall.page.evaluate("window.reports.length") == 1
    assert wall.selected() == CORNER
    assert wall.root.get_by_text(f"6 of {N} rows selected").is_visible()
    after = wall.colour(1, 55)
    assert max(before) - min(before) > 20 > 6 > max(after) - min(after)  # its colour is gone
    kept = wall.colour(1, 12)
    assert max(kept) - min(kept) > 20
    wall.page.evaluate("window.close_wall()")  # who comes back finds it, and so does the server
    assert mount(wall.page, forget=False).selected() == CORNER


def test_a_saved_picture_has_legend_and_panes_at_twice_their_size(wall, tmp_path):
    with wall.page.expect_download() as saved:
        wall.page.get_by_role("button", name="Save PNG").click()
    assert saved.value.suggested_filename == "wall.png"
    saved.value.save_as(tmp_path / "wall.png")
    picture = np.asarray(PIL_Image.open(tmp_path / "wall.png").convert("RGB")).astype(int)
    legend, panes = (
        wall.page.locator(part).bounding_box() for part in (".legend:visible", ".panes")
    )
    size = [2 * (legend["height"] + panes["height"]), 2 * panes["width"]]
    assert picture.shape[:2] == pytest.approx(size, abs=2)
    for pane, row in ((0, 9), (1, 9), (1, 55)):
        x, y = wall.at(pane, *((C[row], R[row]) if pane == 0 else (R[row], 9 - C[row])))
        at = round(2 * (y - panes["y"] + legend["height"])), round(2 * (x - panes["x"]))
        assert picture[at] == pytest.approx(wall.colour(pane, row), abs=12)


def test_shift_adds_alt_removes_and_escape_clears_in_either_pane(wall):
    wall.lasso(-0.3, 6.5, 1.5, 9.3, pane=1)  # r <= 1 and c <= 2, by its own places
    wall.page.keyboard.down("Shift")
    wall.lasso(7.5, 8.5, 9.3, 9.3)
    wall.page.keyboard.up("Shift")
    assert wall.selected() == CORNER | {98, 99}
    wall.page.keyboard.down("Alt")
    wall.lasso(-0.3, -0.3, 2.5, 0.5)
    wall.page.keyboard.up("Alt")
    assert wall.selected() == {10, 11, 12, 98, 99}
    wall.panes.first.focus()
    wall.page.keyboard.press("Escape")
    assert wall.told()["selected"] is None


def test_values_of_each_pane_have_its_own_scale_and_hover_tells_them_inside_the_canvas(wall):
    wall.page.get_by_label("Colour").select_option("by pane")
    first, last = wall.colour(0, 9), wall.colour(1, 9)  # c = 9, r = 0
    assert first[1] > 150 > last[1]  # the bright end of viridis, and its dark end
    assert wall.data("colour") == "by pane"
    wall.page.mouse.move(*wall.at(1, 9, 0))  # c = 9, r = 9: the lower right corner
    tooltip = wall.page.locator(".tooltip")
    assert tooltip.locator(".text").text_content() == TEXTS[99]
    assert tooltip.locator(".value").text_content() == "by pane: 900"
    box, canvas = tooltip.bounding_box(), wall.page.locator(".panes").bounding_box()
    assert box["x"] + box["width"] <= canvas["x"] + canvas["width"]
    assert box["y"] + box["height"] <= canvas["y"] + canvas["height"]
    wall.page.mouse.move(*wall.at(0, 4.5, 4.5))
    assert tooltip.is_hidden()


def test_a_click_picks_a_row_of_any_category_and_the_legend_selects_all_of_one(wall, faults):
    wall.page.get_by_label("Colour").select_option("parity")
    assert not faults(wall.page, schemes=["light"], part="#host")
    for pane, place in ((0, (7, 3)), (1, (3, 9 - 7))):
        wall.page.mouse.click(*wall.at(pane, *place))
        report = wall.told()
        assert (report["picked"], report["pane"]) == (37, pane)
        assert wall.data("picked") == "37"
    wall.page.get_by_role("button", name=HOSTILE).click()
    assert wall.selected() == {int(row) for row in ROW if C[row] % 2}
    wall.page.get_by_role("button", name="even").click(modifiers=["Shift"])
    assert wall.selected() == set(range(N))


def test_the_keys_alone_select_and_pick_known_rows(wall):
    wall.panes.first.focus()
    press = wall.page.keyboard.press
    box = wall.panes.first.bounding_box()
    step = FIT * min(box["width"], box["height"]) / (SIDE - 1)
    press("Space")  # 24 pixels hold no row yet
    assert 24 < step / np.sqrt(2) < 24 * 1.25 < step
    assert wall.selected() == set()
    press("]")  # and now the four about the middle
    press("Space")
    assert wall.selected() == {44, 45, 54, 55}
    for _ in range(5):
        press("[")
    press("ArrowLeft")
    press("Enter")
    assert wall.told()["picked"] in {44, 54}
    for _ in range(5):
        press("]")
    press("ArrowRight")
    press("Shift+Space")
    assert wall.selected() == set()
    press("n")
    assert wall.page.evaluate(
        "document.getElementById('host').shadowRoot.activeElement.ariaLabel"
    ).startswith(HOSTILE)
    press("Space")
    assert wall.selected() == {44, 45, 54, 55}


def test_panes_zoom_together_unless_unlinked_about_the_pointer_and_are_panned_and_reset(wall):
    before = [wall.pixels(pane) for pane in (0, 1)]
    wall.page.mouse.move(*wall.at(0, 4.5, 4.5))
    wall.page.mouse.wheel(0, -500)
    wall.wait_until_drawn()
    assert all((wall.pixels(pane) != before[pane]).any() for pane in (0, 1))
    wall.page.mouse.dblclick(*wall.at(0, 4.5, 4.5))
    wall.page.mouse.move(0, 0)
    wall.wait_until_drawn()
    assert all((wall.pixels(pane) == before[pane]).all() for pane in (0, 1))
    wall.page.get_by_label("Link zoom").uncheck()
    wall.page.mouse.move(*wall.at(0, 2, 3))
    wall.page.mouse.wheel(0, -800)
    wall.wait_until_drawn()
    assert (wall.pixels(0) != before[0]).any()
    assert (wall.pixels(1) == before[1]).all()
    wall.page.mouse.click(*wall.at(0, 2, 3))
    assert wall.told()["picked"] == 32
    wall.page.get_by_role("button", name="Pan").click()
    wall.drag(0, (2, 3), (6, 5))
    wall.wait_until_drawn()
    wall.page.mouse.click(*wall.at(0, 6, 5))
    assert wall.told()["picked"] == 32


def test_marks_ring_rows_until_they_go(wall):
    show = """async ([script, lit]) => {
      const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      window.close_marks = (await import(url)).default({ data: { wall: "wall", lit } });
    }"""
    before = wall.pixels(0)
    wall.page.evaluate(show, [bundle("marks.js"), [[44], [3, 10**6]]])
    assert wall.data("lit") == "1 2"
    changed = np.argwhere((wall.pixels(0) != before).any(axis=2))
    x, y = wall.at(0, 4, 4)
    box = wall.panes.first.bounding_box()
    centre = changed.mean(axis=0)
    assert np.allclose(centre, [y - box["y"], x - box["x"]], atol=1.5)
    wall.page.evaluate("window.close_marks()")
    assert wall.data("lit") == ""


def test_a_narrow_page_stacks_the_panes_and_nothing_sticks_out(wall):
    wall.page.evaluate("document.getElementById('host').style.width = '360px'")
    wall.wait_until_drawn()
    first, second = (wall.panes.nth(i).bounding_box() for i in (0, 1))
    assert second["x"] == first["x"] and second["y"] > first["y"] + first["height"]
    assert wall.root.evaluate("root => root.scrollWidth") <= 360
    wall.lasso(-0.3, -0.3, 2.5, 1.5)
    assert wall.selected() == CORNER
