"""Pages without a server, which ask for nothing: a site with its lesson, a wall, notebook cells."""

import base64
import csv
import os
import re
from pathlib import Path

import numpy as np
import pytest
from bertflow_benchmarks.live import served
from lab_pages import drag, follow, inside, moves, quiet_page, wait_for
from scipy.spatial.distance import cdist
from tiny_models import MAX_TOKENS
from tiny_pairs import write_pairs
from tiny_walls import tiny_wall

import bertflow_core as bf
from bertflow_core.cli import main
from bertflow_core.exhibits.site import run as site
from bertflow_core.exhibits.tour.lesson import CONTENTS, stored_lesson
from bertflow_core.exhibits.tour.page import lesson_page
from bertflow_core.exhibits.wall.drawing import draw_wall
from bertflow_core.exhibits.wall.page import wall_page
from bertflow_core.exhibits.wall.recipe import Picture
from bertflow_core.figures.pages import KEEP, Page

SHOWN_OFFLINE = "caches.match('index.html').then((answer) => answer?.text() ?? '')"
MANY = 4_000_000
"""Bytes of a page beside Plotly's script, which alone takes more."""


def run(*words):
    with pytest.raises(SystemExit) as left:
        main(["site", *map(str, words)])
    return left.value.code


@pytest.fixture(scope="module")
def made(tmp_path_factory, tiny_bert):
    """The folder of a site, and the command that made it."""
    folder = tmp_path_factory.mktemp("site")
    words = (
        *("--dataset", write_pairs(folder / "pairs.csv"), "--model", tiny_bert, "--device", "cpu"),
        *("--layers", "layer:2", "--max-length", MAX_TOKENS, "--out", folder / "pages"),
    )
    with pytest.MonkeyPatch.context() as patch:  # the tour's numbers have tests of their own
        patch.setattr(site, "compute_tour", lambda *_, **__: stored_lesson())
        patch.setattr(site, "versions", lambda: "wall-maker 9")
        assert run(*words) == 0
    return folder / "pages", words


@pytest.fixture
def page(browser):
    with quiet_page(browser) as page:
        yield page


def test_the_pages_live_without_a_server_and_ask_for_nothing(made, page, faults):
    address = made[0].as_uri()
    page.goto(f"{address}/index.html")
    assert page.get_by_role("listitem").count() == 7
    page.locator(".spheres").press("ArrowRight")
    marked = page.locator(".cone").get_attribute("data-pair")
    page.wait_for_url(f"**/index.html#{marked}")
    assert faults(page) == []

    page.get_by_role("listitem").get_by_role("link", name="A flow on the plane").click()
    canvas = page.locator(".flow-plane > canvas")
    moves(canvas, times=4)
    page.get_by_text("Other points, another flow").click()
    page.get_by_label("Shape").select_option("ring")
    page.wait_for_url("**#ring-additive-4-16-0.003-0")
    page.set_viewport_size({"width": 390, "height": 900})
    wait_for(lambda: canvas.bounding_box()["width"] < 390)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1280, "height": 900})

    page.get_by_role("link", name="All pages").click()
    page.get_by_role("listitem").get_by_role("link", name="The wall of sentences").click()
    page.locator(".wall[data-ready]").wait_for()
    assert page.get_by_role("application").count() == 4
    page.get_by_role("searchbox").fill("dog")
    page.get_by_text("found").wait_for()
    assert int(page.locator(".wall").get_attribute("data-selected")) > 0
    assert faults(page) == []

    page.goto(f"{address}/words.html")
    page.locator(".wall[data-ready]").wait_for()
    assert page.get_by_role("application").count() == 2
    page.goto(f"{address}/newborn.html")
    moves(page.locator(".newborn canvas.words"), times=3)
    page.get_by_role("button", name="Back").click()
    page.wait_for_url("**/newborn.html#*")


def test_one_way_leads_through_all_pages_and_back(made, page):
    page.emulate_media(reduced_motion="reduce")
    page.goto((made[0] / "index.html").as_uri())
    page.get_by_role("link", name="Begin").click()
    page.evaluate("location.hash = 'remember'")
    files = ["tour", "depth", "plane", "newborn", "wall", "words", "questions"]
    for file in files[1:]:
        page.get_by_role("link", name="Next").click()
        page.wait_for_url(f"**/{file}.html")
    assert page.get_by_role("link", name="Next").count() == 0
    for file in reversed(files[1:-1]):
        page.get_by_role("link", name="Back: ").click()
        page.wait_for_url(f"**/{file}.html")


def test_the_cone_by_layer_returns_to_the_layer_of_its_address(made, page, faults):
    page.emulate_media(reduced_motion="reduce")
    page.goto((made[0] / "depth.html").as_uri())
    assert page.locator(".depth").get_attribute("data-layer") == "15"
    page.get_by_role("button", name="Forward").click()
    page.wait_for_url("**/depth.html#16")
    page.goto("about:blank")
    page.goto((made[0] / "depth.html").as_uri() + "#3")
    assert page.locator(".depth").get_attribute("data-layer") == "3"
    assert faults(page) == []


def test_after_the_first_visit_the_site_needs_no_network(made, browser, faults):
    page = follow(browser.new_page())
    page.emulate_media(reduced_motion="reduce")
    with served(made[0]) as address:
        page.goto(f"{address}/")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    browser.set_offline(True)
    try:
        page.get_by_role("link", name="Begin").click()
        page.locator("section.current, header.current").wait_for()
        page.evaluate("location.hash = 'remember'")
        for root in (".depth[data-layer]", ".flow-plane[data-steps]", ".newborn[data-position]"):
            page.get_by_role("link", name="Next").click()
            page.locator(root).wait_for()
        for _ in ("wall", "words"):
            page.get_by_role("link", name="Next").click()
            page.locator(".wall[data-ready]").wait_for()
        page.get_by_role("link", name="Next").click()
        page.get_by_label("After the lesson").wait_for()
        page.get_by_role("link", name="All pages").click()
        page.locator(".cone[data-pair]").wait_for()
    finally:
        browser.set_offline(False)
        page.close()


def test_a_new_version_of_the_site_replaces_what_a_browser_keeps(tmp_path, browser):
    page = follow(browser.new_page())
    kept = "caches.keys().then((names) => names.filter((name) => name.startsWith(location.origin)))"
    with served(tmp_path) as address:
        for time, text in enumerate(("first", "second")):
            html = f"<!DOCTYPE html><title>{text}</title><script>{KEEP}</script>"
            site.write_site(tmp_path, [Page("index.html", "", "", html)])
            for file in tmp_path.iterdir():  # a server compares times in whole seconds
                os.utime(file, (time, time))
            page.goto(f"{address}/index.html")
            page.evaluate("navigator.serviceWorker.ready.then((each) => each.update())")
            wait_for(lambda text=text: text in page.evaluate(SHOWN_OFFLINE))
        wait_for(lambda: len(page.evaluate(kept)) == 1)
    page.close()


def test_a_figure_alone_fills_a_frame_of_another_page(made, browser, tmp_path):
    page = follow(browser.new_page())
    with served(made[0]) as address, served(tmp_path) as other:
        page.goto(f"{address}/depth.html#3")
        page.get_by_text("Embed this figure").click()
        line = wait_for(page.get_by_label("HTML that embeds the figure").input_value)
        host = tmp_path / "host.html"
        host.write_text(f"<!DOCTYPE html><body style='width: 700px'>{line}", encoding="utf-8")
        page.goto(f"{other}/host.html")
        frame = page.frame_locator("iframe")
        assert frame.locator(".depth").get_attribute("data-layer") == "3"
        assert not frame.get_by_role("heading", level=1).is_visible()
        assert not frame.get_by_role("link").first.is_visible()
        assert frame.get_by_role("button", name="Play").is_visible()
        assert frame.locator(".depth").bounding_box()["width"] > 650
        page.goto(f"{address}/tour.html?only=figure#random")
        page.locator(".current .picture .plot-container").wait_for()
        assert page.evaluate(FITS)
        shown = page.locator("h2, legend, .bar, .takeaway, .caption, .embed")
        assert not any(each.is_visible() for each in shown.all())
    page.close()


def test_pages_are_small_made_again_and_nothing_else_is_replaced(made, capsys):
    folder, words = made
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert len(sizes) == 9
    index = (folder / "index.html").read_text(encoding="utf-8")
    assert f"Walls: wall-maker 9. Tour: {stored_lesson().versions}." in index
    assert all(size < MANY for name, size in sizes.items() if name != "tour.html")
    tour = lesson_page(stored_lesson(), ways=site._ways(site.START, site._DEPTH))
    assert (folder / "tour.html").read_text(encoding="utf-8") == tour
    (folder / "wall.html").write_text("<!DOCTYPE html><title>My thesis</title>", encoding="utf-8")
    assert run(*words) == 2
    assert "is not a page of this program: choose another folder" in capsys.readouterr().err
    assert run(*words[:-1], words[1]) == 2
    assert "is no folder" in capsys.readouterr().err


def test_a_lesson_asks_first_and_draws_offline(made, page, faults):
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.goto((made[0] / "tour.html").as_uri())
    assert not faults(page)
    for name in ("random", "flow"):
        find(page, name)
        section = page.locator(f"section#{name}")
        right = int(section.locator("fieldset").get_attribute("data-right"))
        section.get_by_text("Reveal", exact=True).click()
        assert not section.locator(".picture").is_visible()
        chosen = right if name == "random" else (right + 1) % 4
        section.get_by_role("radio").nth(chosen).check()
        assert not faults(page, schemes=["light"])
        section.get_by_text("Reveal", exact=True).press("Enter")
        section.locator(".picture .plot-container").wait_for()
        verdict = section.get_by_role("status").inner_text()
        assert verdict == ("Right." if name == "random" else "Not here.")
        assert section.locator(".picture").bounding_box()["width"] > 500
        assert not faults(page)


def find(page, name):
    """Open a step from the contents."""
    if page.locator("section.current").count():
        page.get_by_role("button", name="Contents").click()
    title = next(each.title for each in CONTENTS if each.name == name)
    page.get_by_role("link", name=title).click()


def test_a_lesson_is_presented_on_one_screen_a_step(made, page, faults):
    page.emulate_media(reduced_motion="reduce")
    page.goto((made[0] / "tour.html").as_uri())
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("button", name="Present", exact=True).click()
    step = page.locator("section.current")
    for i, chapter in enumerate(CONTENTS, start=1):
        assert step.get_attribute("id") == chapter.name
        assert page.evaluate(FITS) and page.evaluate(LETTERS) >= 28
        page.keyboard.press("2")
        page.keyboard.press("2")
        assert step.locator(".count").all_inner_texts()[1] == "2"
        page.keyboard.press("PageDown")
        step.locator(".picture .plot-container").wait_for()
        assert page.locator(".place").inner_text() == f"{i} of {len(CONTENTS)}"
        assert page.evaluate(FITS) and step.locator(".picture").bounding_box()["height"] > 300
        assert min(page.evaluate(DRAWN_LETTERS)) >= 28
        assert not SPECS.search(step.inner_text())
        assert not step.locator(".modebar").count()
        tick, hands = (step.locator(f"label.right {part}") for part in (".tick", ".hands"))
        ends = tick.bounding_box()
        assert ends["x"] + ends["width"] < hands.bounding_box()["x"]
        page.keyboard.press("PageDown")
    assert step.get_attribute("id") == "remember" and page.evaluate(FITS)
    page.keyboard.press("PageUp")
    assert step.get_attribute("id") == CONTENTS[-1].name
    assert not faults(page)
    page.get_by_role("button", name="Leave").click()
    assert step.locator(".explanation").is_visible()


FITS = "document.documentElement.scrollHeight <= innerHeight"
LETTERS = "parseFloat(getComputedStyle(document.body).fontSize)"
DRAWN_LETTERS = """[...document.querySelectorAll("section.current .picture text")]
  .map((text) => parseFloat(getComputedStyle(text).fontSize))"""
SPECS = re.compile(r"identity|null-top-k|layer:|whiten\b|norms against")
"""What only readers of commands know."""


def test_a_lesson_is_swiped_on_a_phone(made, page):
    page.goto(f"{(made[0] / 'tour.html').as_uri()}#cone")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.locator(".place").inner_text() == f"3 of {len(CONTENTS)}"
    for start, end, step in ((300, 100, "language"), (100, 300, "cone"), (200, 190, "cone")):
        for kind, x in (("touchstart", start), ("touchend", end)):
            page.evaluate(TOUCH, [kind, x])
        assert page.locator("section.current").get_attribute("id") == step
    assert page.evaluate(IS_NARROW)


IS_NARROW = "document.documentElement.scrollWidth <= innerWidth"


def test_a_question_its_picture_and_its_answer_are_on_the_screen_of_a_phone(made, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{(made[0] / 'tour.html').as_uri()}#{CONTENTS[0].name}")
    step, bar = page.locator("section.current"), page.locator(".bar")
    onward = page.get_by_role("button", name="Next step")
    for chapter in CONTENTS:
        assert step.get_attribute("id") == chapter.name
        reveal = step.get_by_text("Reveal", exact=True)
        edge = bar.bounding_box()["y"]
        assert edge > 844 - 80 and onward.bounding_box()["height"] >= 44
        assert bottom_of(reveal) < edge and page.evaluate(IS_NARROW)
        step.locator("label").first.click()
        reveal.click()
        step.locator(".picture .plot-container").wait_for()
        assert bottom_of(step.locator(".takeaway")) < edge
        assert bottom_of(step.locator(".picture")) <= edge and page.evaluate(IS_NARROW)
        onward.click()


def bottom_of(part):
    box = part.bounding_box()
    return box["y"] + box["height"]


TOUCH = """([kind, clientX]) => {
  const touch = new Touch({ identifier: 1, target: document.body, clientX, clientY: 300 });
  document.dispatchEvent(new TouchEvent(kind, { changedTouches: [touch] }));
}"""


def test_a_lesson_is_readable_without_script(made, page, browser):
    forbidden = {"value": True}
    browser.new_cdp_session(page).send("Emulation.setScriptExecutionDisabled", forbidden)
    page.goto((made[0] / "tour.html").as_uri())
    section = page.locator("section#cone")
    assert section.get_by_role("radio").count() >= 2
    section.get_by_text("Reveal", exact=True).click()
    assert section.get_by_text("Answer: ").is_visible()
    assert section.get_by_text("The picture needs JavaScript").is_visible()


N = 40
RNG = np.random.default_rng(3)
SPACES = [RNG.normal(size=(N, 5)), RNG.normal(size=(N, 4))]
HOSTILE = "<img src=x onerror='window.hacked=1'>"


@pytest.fixture
def wall(page, tmp_path):
    """A wall, opened on the page from its file."""
    wall = tiny_wall(SPACES, texts=[*map(str, range(N - 1)), HOSTILE])
    file = tmp_path / "wall.html"
    file.write_text(wall_page(draw_wall(wall, Picture(metric="l2"))).html, encoding="utf-8")
    page.goto(file.as_uri())
    page.locator(".wall[data-ready]").wait_for()
    return wall


def picked(page):
    return int(page.locator(".wall").get_attribute("data-picked"))


def listed(page):
    """Return the texts listed as neighbours, a list per pane."""
    lists = page.locator(".lists ol").all()
    return [each.locator("button").all_text_contents() for each in lists]


def expected(wall, row):
    distances = [cdist(z[[row]], z)[0] for z in SPACES]
    return [[wall.texts[i] for i in np.argsort(each)[1:11]] for each in distances]


def test_a_picked_row_has_its_neighbours_of_the_full_space_and_a_click_goes_on(page, wall, faults):
    page.get_by_role("application").first.focus()
    page.keyboard.press("Enter")
    wait_for(lambda: page.locator(".lists ol").count() == 2)
    first = picked(page)
    assert listed(page) == expected(wall, first)
    near, far = expected(wall, first)
    assert page.locator(".lists strong").count() == len(set(far) - set(near))
    page.locator(".lists ol").nth(1).get_by_role("button").first.click()
    wait_for(lambda: picked(page) != first)
    assert wall.texts[picked(page)] == far[0]
    assert listed(page) == expected(wall, picked(page))
    assert page.locator(".wall").get_attribute("data-lit") == "10 10"
    assert faults(page, schemes=["light"]) == []


def test_a_lasso_lists_its_rows_and_saves_them(page, wall):
    page.get_by_role("searchbox").fill("onerror")
    page.get_by_text("1 found").wait_for()
    assert page.locator(".rows li").all_text_contents() == [HOSTILE]
    pane = page.get_by_role("application").first
    corners = [(0.01, 0.01), (0.9, 0.01), (0.9, 0.99), (0.01, 0.99)]
    drag(page, *(inside(pane, x, y) for x, y in corners))
    wait_for(lambda: page.locator(".rows li").count() > 1)
    texts = page.locator(".rows li").all_text_contents()
    with page.expect_download() as found:
        page.get_by_role("button", name="Save the rows (CSV)").click()
    text = Path(found.value.path()).read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["text"] for row in rows] == texts
    norms = np.linalg.norm(SPACES[1].astype(np.float32), axis=1)
    for row in rows:
        assert float(row["norm (L2), layer:1, identity"]) == pytest.approx(norms[int(row["row"])])
    page.get_by_role("button", name="Clear").click()
    page.get_by_text("Draw a lasso, search").wait_for()


SHOW = """
async ({ script, values, payload }) => {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const module = await import(address);
  const widget = module.default();  // as anywidget calls a function
  const bytes = Uint8Array.from(atob(payload), (sign) => sign.charCodeAt(0));
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
def show(page):
    """Return a function that shows a widget on the page, as anywidget does."""
    pytest.importorskip("anywidget", reason="anywidget is not installed")

    def show(widget, payload=b"", **values):
        given = {"script": widget._esm, "values": {"sheet": widget.sheet, **values}}
        page.evaluate(SHOW, {**given, "payload": base64.b64encode(payload).decode()})

    yield show
    page.evaluate("window.leave()")


def test_a_wall_in_a_cell_tells_the_model_what_is_selected_and_picked(page, show):
    texts = [f"row {i} {'apple' if i % 7 == 0 else 'pear'}" for i in range(N)]
    widget = bf.wall_of({"a": SPACES[0], "b": SPACES[1]}, texts)
    show(widget, widget.payload, selected=[], picked=None)
    page.locator(".wall[data-ready]").wait_for()
    page.get_by_role("searchbox").fill("apple")
    wait_for(lambda: page.evaluate("saved.selected?.length"))
    assert page.evaluate("saved.selected") == list(range(0, N, 7))
    page.get_by_role("application").first.focus()
    page.keyboard.press("Enter")
    wait_for(lambda: page.evaluate("saved.picked ?? null") is not None)
    assert page.locator(".lists ol").count() == 2
    outside = "getComputedStyle(document.body.appendChild(document.createElement('button')))"
    assert page.evaluate(f"{outside}.minHeight") != "30px"  # the picture's own buttons have it


def test_a_flow_in_a_cell_tells_the_model_the_choice(page, show):
    widget = bf.flow_plane("ring-additive-4-16-0.003-0")
    show(widget, choice=widget.choice)
    page.get_by_text("Other points, another flow").click()
    assert page.get_by_label("Shape").input_value() == "ring"
    page.get_by_label("Shape").select_option("moons")
    wait_for(lambda: page.evaluate("saved.choice") == "moons-additive-4-16-0.003-0")
