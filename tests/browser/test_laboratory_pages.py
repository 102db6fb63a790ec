"""The laboratory's pages in a browser, with tables as large as STS-B's test split and larger."""

import itertools
import re

import numpy as np
from lab_pages import go, press, sees, settle, shoot, table_with, upload

CALIBRATORS = ("null-top-k:k=6", "whiten", "flow")
WORDS = ("cats", "dogs", "birds", "ships", "kings"), ("sleep", "sing", "run"), ("here", "at sea")


def table(n):
    """Return `n` scored pairs of a few sentences, which are embedded in a moment, in subsets."""
    sentences = [" ".join(words) for words in itertools.product(*WORDS)]
    rng = np.random.default_rng(0)
    chosen = rng.integers(len(sentences), size=(n, 2))
    lines = ["sentence1,sentence2,score,subset"]
    for i, (a, b) in enumerate(chosen):
        shared = len(set(sentences[a].split()) & set(sentences[b].split()))
        lines.append(f"{sentences[a]},{sentences[b]},{shared + rng.uniform():.2f},s{i % 3}")
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


def test_every_page_of_the_laboratory(visit):
    page = visit("/data")
    upload(page, "pairs.csv", table(1_379))

    go(page, "Compare")
    press(page, "Compare")
    wait_for(page, "Spearman's rho x 100")
    grid = table_with(page, "rank lost", 4)
    assert [row[1] for row in grid] == ["identity", *CALIBRATORS]
    press_inside(page, page.get_by_test_id("stDataFrame").first, 0.5, 88)
    sees(page, re.compile(r"null-top-k:k=6 fitted on target"))
    shoot(page, "compare.png")

    go(page, "Is it real?")
    press(page, "Test the differences")
    wait_for(page, "Each row")
    tested = table_with(page, "letters", 4)
    assert [row[0].split()[-1] for row in tested] == ["identity", *CALIBRATORS]
    assert [row[1] for row in tested] == [row[2].split()[0] for row in grid]
    shoot(page, "significance.png")

    go(page, "Turn the knobs")
    press(page, "Draw the curves")
    wait_for(page, "What they stand for")
    sees(page, "no dev split here")
    shoot(page, "knobs.png")

    go(page, "Which pairs?")
    press(page, "Account for every pair")
    wait_for(page, "The two ends")
    sees(page, "1,379 of 1,379 pairs")
    shoot(page, "ledger.png")

    go(page, "Should I calibrate?")
    press(page, "Check")
    wait_for(page, "Evidence")
    shoot(page, "advice.png")

    go(page, "Layers")
    settle(page)
    for spec in ("whiten", "flow"):  # 21 places each
        chip = page.get_by_test_id("stMultiSelect").get_by_role("button", name=spec)
        chip.click()
        chip.wait_for(state="detached")
        settle(page)
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


def test_a_press_on_a_word_shows_its_neighbours(visit):
    page = visit("/words?bins=0,20&calibrators=standardize")
    press(page, "Measure the words")
    wait_for(page, "Does the frequency bias go?")
    shown = table_with(page, "Token", 10)
    shoot(page, "words.png")
    chart = page.get_by_test_id("stPlotlyChart").first
    press_inside(page, chart, 0.5, 10)  # nothing there
    assert table_with(page, "Token", 10) == shown
    box = page.get_by_role("combobox", name="Word", exact=True)
    box.scroll_into_view_if_needed()  # options close when the page is scrolled
    settle(page)
    box.click()
    page.get_by_role("option").nth(3).click()
    settle(page)
    assert table_with(page, "Token", 10) != shown


def test_a_box_in_the_scatter_of_many_pairs_lists_its_own(visit):
    page = visit("/data", scheme="dark")
    upload(page, "pairs.csv", table(10_000))
    go(page, "Which pairs?")
    press(page, "Account for every pair")
    wait_for(page, "The two ends")
    sees(page, "10,000 of 10,000 pairs")
    chart = page.get_by_test_id("stPlotlyChart").first
    chart.scroll_into_view_if_needed()
    settle(page)
    chart.hover()
    chart.locator('[data-title="Box Select"]').click()
    drag(page, chart, (0.15, 0.75), (0.6, 0.4))
    page.get_by_role("heading", name="Selected pairs").wait_for()
    said = page.get_by_text(re.compile(r"^[\d,]+ pairs:$")).inner_text()
    n_chosen = int(said.split()[0].replace(",", ""))
    assert 0 < n_chosen < 10_000
    with page.expect_download() as found:
        page.get_by_role("button", name="CSV", exact=True).click()
    with open(found.value.path(), encoding="utf-8") as stream:
        assert len(stream.readlines()) == n_chosen + 1
    shoot(page, "ledger.png")
