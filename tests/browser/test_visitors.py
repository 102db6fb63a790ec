"""What visitors do on the pages, and find there: by hand, by keyboard, by links that they share."""

import csv
import io
import json
import re
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import pytest
from lab_pages import (
    advanced,
    choose,
    download,
    drag,
    drawn,
    go,
    inside,
    press,
    sees,
    settle,
    table_with,
    upload,
    wait_for,
)

from bertflow_core.exhibits.tour.lesson import CONTENTS

EVIL = ("<img src=evil.png onerror=window.owned=1>", "![x](http://evil.example/evil.png)", "$x^2$")
NAME = f"{EVIL[0]}![](evil.png)**bold**.csv"
HEADER = [EVIL[0], EVIL[1], ":red[points]", "<b>part"]
ROWS = [
    ["<script>window.owned=1</script>", "[x](javascript:window.owned=1)", "1", "<b>a"],
    [EVIL[1], "<iframe src=http://evil.example/evil.png></iframe>", "4", EVIL[1]],
    ["=HYPERLINK(1;2)", "$x^2$ :material/flag:", "2", "<b>a"],
    ["-1+1", "<style>*{display:none}</style>", "3", EVIL[1]],
    ["a row without", "a score", EVIL[1], "<b>a"],
]
WORDS = ("cats", "dogs", "ships", *EVIL)
"""Of a table that is pressed in; tests/app/test_uploads.py brings one to every view."""
FOCUSED = """() => {
    const on = document.activeElement;
    return on.getAttribute("aria-label") || on.labels?.[0]?.innerText || on.innerText || "";
}"""


def is_harmless(page, visit):
    """Tell whether no markup that a visitor brought came alive."""
    live = page.locator("[src*='evil'], [href*='javascript:'], iframe").count()
    is_owned = page.evaluate("window.owned") is not None
    return not (live or is_owned or any("evil" in url.partition("?")[0] for url in visit.asked))


def reached_by_tab(page):
    """Return the names of what the keyboard reaches on its way to the button Score."""
    reached = [""]
    while not reached[-1].endswith("\nScore"):
        assert len(reached) < 90, reached
        page.keyboard.press("Tab")
        reached.append(page.evaluate(FOCUSED).strip())
    return reached


def rows_of(page):
    """Save a table of the page, and return its rows."""
    return list(csv.DictReader(io.StringIO(download(page, "CSV"))))


def test_the_first_numbers_of_a_visitor_who_uses_the_keyboard_and_mistypes(visit, faults):
    page = visit("/compare")
    sees(page, "Embeds the sentences")
    drawn(page)
    rest = iter(reached := reached_by_tab(page))  # each is sought after the one before it
    for wanted in ("Start", "Model", "Second model", "Data", "Score"):
        assert any(name.endswith(wanted) for name in rest), (wanted, reached)
    page.get_by_text("Choices: ").click()
    calibrators = page.get_by_test_id("stMultiSelect").first
    calibrators.get_by_role("button", name="flow").click()
    settle(page)
    calibrators.get_by_role("combobox").click()
    page.keyboard.type("flwo")
    page.keyboard.press("Enter")  # which adds it, and picks no other that has the same letters
    sees(page, "unknown calibrator 'flwo': did you mean flow?")
    page.keyboard.press("Escape")  # the list of options hides all else from assistive technology
    calibrators.get_by_role("button", name="flwo").click()
    settle(page)
    page.get_by_role("button", name="Score", exact=True).focus()
    page.keyboard.press("Enter")
    rows = table_with(page, "calibrator", 3)
    assert [row[1] for row in rows] == ["identity", "null-top-k:k=6", "whiten"]
    page.get_by_test_id("stMain").get_by_role("link", name="Take home").wait_for()
    drawn(page)
    assert faults(page, part="[data-testid=stMain]") == []

    as_csv = rows_of(page)
    as_json = json.loads(download(page, "JSON"))["rows"]
    for shown, row, result in zip(rows, as_csv, as_json, strict=True):
        assert shown[1] == row["calibrator"] == result["calibrator"]
        assert float(row["score"]) == result["score"]
        assert float(shown[2]) == pytest.approx(100 * result["score"], abs=0.005)


def test_markup_in_a_table_of_ones_own_stays_text_for_all_who_see_it(visit, faults, server, come):
    stream = io.StringIO()
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([HEADER, *ROWS])
    recipe = {"layers": "last", "tokens": "cls", "seed": "3"}
    page = visit(f"/check?{urlencode(recipe)}")
    upload(page, NAME, stream.getvalue().encode())
    sees(page, "Reproduce and cite")  # the check of so few rows begins by itself
    advanced(page)
    choose(page, "Gold scores", HEADER[2])
    sees(page, "Reproduce and cite")
    choose(page, "Subsets", HEADER[3])
    page.get_by_text("What was read").click()
    sees(page, f"Columns: {', '.join(HEADER)}; gold scale: 0 to 5", exact=True)
    data = page.get_by_test_id("stSidebar").get_by_role("combobox", name="Data")
    wait_for(lambda: data.input_value().startswith(f"{NAME} ("))
    assert table_with(page, "Why", 1) == [["6", f"{HEADER[2]} is not a number: {EVIL[1]!r}"]]
    shown = [row[:2] for row in table_with(page, "First", 4)]  # gold first
    firsts = (ROWS[0][0], EVIL[1], "'=HYPERLINK(1;2)", "'-1+1")
    assert shown == [[gold, first] for gold, first in zip("1423", firsts, strict=True)]
    page.keyboard.press("Escape")  # out of the popover
    drawn(page)
    assert faults(page, schemes=["light"]) == []
    go(page, "scores")
    sees(page, "Rows of the table that were refused: 1")  # so few are measured without a press
    table_with(page, "calibrator", 5)
    drawn(page)
    carried = parse_qs(urlsplit(page.url).query)  # by the menu
    assert recipe.items() <= {name: values[0] for name, values in carried.items()}.items()
    assert is_harmless(page, visit)

    other = come(page.url.removeprefix(server.url))
    assert "Rows of the table that were refused: 1" in other.texts
    assert other.errors == []


@pytest.fixture
def typed(come):
    """The name of a table of 40 scored pairs that somebody typed, some of them markup."""
    lines = (
        f"{WORDS[i % 6]} like {WORDS[i % 5]} | {WORDS[i % 4]} like {WORDS[i % 3]} | {i % 5}"
        for i in range(40)
    )
    visitor = come("/check?dataset=teaching")
    visitor.type("\n".join(lines))
    said = visitor.run("Use these sentences")
    return re.search(r"[\w-]+\.csv \([a-z2-7]{12}\)", said)[0]


def test_what_is_pressed_in_tables_and_charts_is_heard(visit, typed):
    asked = urlencode({"dataset": typed, "calibrators": "whiten"})
    page = visit(f"/compare?{asked}", scheme="dark")
    rows = table_with(page, "calibrator", 2)
    assert [row[1] for row in rows] == ["identity", "whiten"]
    go(page, "ledger")
    page.get_by_role("heading", name="Cosines before and after").wait_for()
    chart = page.get_by_test_id("stPlotlyChart").first
    chart.scroll_into_view_if_needed()
    settle(page)
    chart.hover()
    chart.locator('[data-title="Box Select"]').click()
    drag(page, inside(chart, 0.15, 0.75), inside(chart, 0.6, 0.4))
    page.get_by_role("heading", name="Selected pairs").wait_for()
    assert 0 < len(rows_of(page)) < 40

    go(page, "layers")
    choices = page.get_by_test_id("stMain").get_by_test_id("stRadio").first
    choices.locator("label:has(input)").nth(1).click()
    sees(page, "Press a cell to use")
    settle(page)
    cell = page.get_by_test_id("stPlotlyChart").first.locator("g.points path.point").first
    page.mouse.click(*inside(cell, 0.5, 0.5))
    page.get_by_role("button", name=re.compile("Use layer:0 with mean pooling")).click()
    settle(page)
    wait_for(lambda: "layers=layer:0" in unquote(page.url))
    assert is_harmless(page, visit)


def held(page, name):
    return page.locator("[data-ready]").get_attribute(f"data-{name}")


def wait_until(page, name, pattern):
    """Wait until the canvas says so, and the page has followed."""
    wait_for(lambda: re.search(pattern, held(page, name) or ""))
    settle(page)


def test_one_brush_through_every_pane(visit):
    page = visit("/space?space_tab=The+wall&layers=layer:4&wall_calibrators=whiten")
    page.get_by_role("tab", name="The wall", exact=True).wait_for()
    press(page, "Build the spaces")
    page.locator("[data-ready]").wait_for()
    drawn(page)
    canvas = page.locator(".wall canvas").first
    canvas.scroll_into_view_if_needed()
    corners = [(0.04, 0.2), (0.25, 0.2), (0.25, 0.9), (0.04, 0.9), (0.04, 0.2)]
    drag(page, *(inside(canvas, x, y) for x, y in corners))
    wait_until(page, "selected", r"^[1-9]")
    some = int(held(page, "selected"))
    assert 0 < some < int(held(page, "ready"))
    rows = rows_of(page)
    assert len(rows) == some
    assert {"id", "text", "recipe", "norm (L2), layer:4, whiten"} <= set(rows[0])

    page.get_by_placeholder("Words in the text").fill("dog")
    wait_until(page, "selected", f"^(?!{some}$)")
    rows = rows_of(page)
    assert len(rows) == int(held(page, "selected")) > 0
    assert all("dog" in row["text"].lower() for row in rows)

    page.locator(".wall").get_by_role("application").first.focus()
    page.keyboard.press("Enter")  # the row nearest to the cross-hair
    wait_until(page, "picked", r"^\d")
    sees(page, "nearest by cosine in the full space")


def test_a_tour_is_asked_revealed_turned_and_taken_home(visit):
    page = visit("/tour?dataset=captions")
    page.set_viewport_size({"width": 1280, "height": 720})
    drawn(page)
    tour = page.frame_locator("iframe")
    step, place = tour.locator("section.current"), tour.locator(".place")
    wait_for(lambda: place.inner_text() == f"1 of {len(CONTENTS)}")

    def is_in_view(part):
        box = part.bounding_box()
        return 0 <= box["y"] <= box["y"] + box["height"] <= 720

    assert is_in_view(step.locator("fieldset")) and is_in_view(step.get_by_text("Reveal"))
    step.get_by_role("radio").first.check()
    page.keyboard.press("PageDown")
    step.locator(".picture .plot-container").wait_for()
    assert step.get_by_role("status").inner_text() in ("Right.", "Not here.")
    assert is_in_view(step.locator("fieldset")) and is_in_view(step.locator(".picture"))
    page.keyboard.press("PageDown")
    wait_for(lambda: step.get_attribute("id") == CONTENTS[1].name)
    tour.get_by_role("button", name="Previous step").click()
    assert step.locator(".picture").is_visible()  # what was revealed stays so
    with page.expect_download() as found:
        press(page, "This tour as a page, to keep or to present")
    assert found.value.suggested_filename == "lesson.html"
