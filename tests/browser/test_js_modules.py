"""Every case of unit/**/*.js, run on the modules of app/browser as they are, in one page."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
UNIT = Path(__file__).parent / "unit"
HARNESS = UNIT / "harness.js"
FILES = [str(path.relative_to(UNIT)) for path in sorted(UNIT.glob("*/*.js"))]
ORIGIN = "http://modules.test"
RUN = "async ([harness, path]) => (await import(harness)).outcomesOf(path)"


def answer(route):
    """Answer a request from the source tree; nothing is asked over a network."""
    path = ROOT / route.request.url.removeprefix(f"{ORIGIN}/")
    if path.is_file():
        route.fulfill(path=path)
    else:
        route.fulfill(body="", content_type="text/html")


@pytest.fixture(scope="module")
def page(browser):
    page = browser.new_page()
    page.route("**/*", answer)
    page.goto(f"{ORIGIN}/")
    yield page
    page.close()


@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_holds(page, name):
    addresses = [f"/{path.relative_to(ROOT)}" for path in (HARNESS, UNIT / name)]
    outcomes = page.evaluate(RUN, addresses)
    assert outcomes
    assert {case: error for case, error in outcomes.items() if error} == {}
