"""Pages in a browser, on one brought table full of markup, as one visitor walks through them."""

import csv
import io
import re
from urllib.parse import parse_qs, urlencode, urljoin, urlsplit

import numpy as np
from lab_pages import (
    download,
    go,
    press,
    sees,
    settle,
    shoot,
    table_with,
    upload,
    wait_until_stopped,
)

SPECS = ("null-top-k:k=6", "whiten")
EVIL = ("<img src=evil.png onerror=window.owned=1>", "![x](http://evil.example/evil.png)", "$x^2$")
WORDS = (*"cats dogs birds ships kings".split(), *EVIL)
OTHERS = {  # the pages behind the laboratory, and what begins their work
    "sentences": "Measure the sentences",
    "wall": "Build the spaces",
    "lexical": "Compare with edit distance",
    "playground": None,
    "words": None,
    "tour": None,
    "plane": None,
    "data": None,
}
N = 520  # more than what is measured without a press


def table():
    """Return scored pairs of a few short sentences, some of them markup, in such subsets."""
    rng = np.random.default_rng(0)
    lines = ["sentence1,sentence2,score,subset"]
    for i in range(N):
        a, b, c, d = rng.choice(WORDS, 4)
        score = (a == c) + (b == d) + rng.uniform()
        lines.append(f"{a} like {b},{c} like {d},{score:.2f},<b>s{i % 3}")
    return "\n".join(lines).encode()


def wait_for(page, heading):
    page.get_by_role("heading", name=heading, exact=True).wait_for()
    settle(page)


def press_inside(page, place, x, y):
    """Press a point of something drawn: a share of its width, pixels below its top."""
    place.scroll_into_view_if_needed()
    settle(page)
    box = place.bounding_box()
    page.mouse.click(box["x"] + x * box["width"], box["y"] + y)
    settle(page)


def drag(page, chart, start, end):
    """Draw a box over a chart, in shares of its width and height."""
    box = chart.bounding_box()
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=8)
    page.mouse.up()
    settle(page)


def take_out(page, spec):
    """Take a calibrator out of the page's box, and so out of those of the next pages."""
    settle(page)
    chip = page.get_by_test_id("stMultiSelect").get_by_role("button", name=spec)
    chip.click()
    chip.wait_for(state="detached")
    settle(page)


def test_every_page_of_the_laboratory(visit):
    page = visit("/data", scheme="dark")
    upload(page, f"{EVIL[0]}.csv", table())

    go(page, "compare")
    take_out(page, "flow")
    press(page, "Compare")
    wait_for(page, "Spearman's rho x 100")
    grid = table_with(page, "rank lost", 4)
    assert [row[1] for row in grid] == ["identity", "identity", *SPECS]
    press_inside(page, page.get_by_test_id("stDataFrame").first, 0.5, 123)
    sees(page, re.compile(r"null-top-k:k=6 fitted on target"))
    shoot(page, "compare.png")

    go(page, "significance")  # of the same grid: nothing is to be pressed
    wait_for(page, "Each row")
    tested = table_with(page, "letters", 4)
    rhos = [f"{float(row[2]):.2f}" for row in tested]
    assert rhos == [row[2].split()[0] for row in grid]
    shoot(page, "significance.png")

    go(page, "knobs")
    press(page, "Draw the curves")
    wait_for(page, "What they stand for")
    page.get_by_text("no dev split here").first.wait_for(state="attached")  # folded
    shoot(page, "knobs.png")

    go(page, "ledger")
    press(page, "Account for every pair")
    wait_for(page, "The two ends")
    chart = page.get_by_test_id("stPlotlyChart").first
    chart.scroll_into_view_if_needed()
    settle(page)
    chart.hover()
    chart.locator('[data-title="Box Select"]').click()
    drag(page, chart, (0.15, 0.75), (0.6, 0.4))
    page.get_by_role("heading", name="Selected pairs").wait_for()
    assert 0 < len(list(csv.DictReader(io.StringIO(download(page, "CSV"))))) < N
    shoot(page, "ledger.png")

    go(page, "advice")
    press(page, "Check")
    wait_for(page, "Evidence")
    shoot(page, "advice.png")

    go(page, "layers")
    press(page, "Map the layers")
    sees(page, "Press a cell to make")
    settle(page)
    chart = page.get_by_test_id("stPlotlyChart").first
    box = chart.locator("g.points path.point").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_role("button", name=re.compile("Make layer:0 with mean tokens")).click()
    settle(page)
    layers = page.get_by_test_id("stSidebar").get_by_role("combobox", name="Layers")
    assert layers.input_value() == "layer:0"
    assert "layers=layer%3A0" in page.url or "layers=layer:0" in page.url
    shoot(page, "layers.png")

    for name, label in OTHERS.items():
        go(page, name)
        if label is not None:
            press(page, label)
            wait_until_stopped(page)
        settle(page)
        assert page.get_by_text("Something went wrong").count() == 0, name
        assert page.locator("[src*='evil'], [href*='javascript:'], iframe").count() == 0, name
        assert page.evaluate("window.owned") is None, name
    assert not [url for url in visit.asked if "evil" in url]


def test_a_link_with_a_setting_carries_the_recipe_clicked_or_copied(visit):
    recipe = {"dataset": "teaching", "layers": "last", "tokens": "cls", "seed": "3"}
    page = visit(f"/knobs?{urlencode(recipe)}&turn_epochs=3")
    link = page.get_by_test_id("stMain").get_by_role("link", name="Which pairs?").first
    link.wait_for()
    copied = urljoin(page.url, link.get_attribute("href"))
    settle(page)
    link.click()
    page.get_by_role("tab", name="Which pairs?", selected=True).wait_for()
    settle(page)
    for address in (page.url, copied):  # as another visitor opens them
        opened = visit(address)
        opened.get_by_role("tab", name="Which pairs?", selected=True).wait_for()
        settle(opened)
        found = parse_qs(urlsplit(opened.url).query)
        assert {name: found[name] for name in recipe} == {name: [v] for name, v in recipe.items()}
        assert found["ledger_after"] == ["flow:epochs=3"]
        assert opened.get_by_role("combobox", name="Layers").input_value() == "last"
        assert opened.get_by_text("Not everything in the address").count() == 0
