"""The modules of app/browser as they are, in a page that asks nothing of a network."""

from pathlib import Path

__all__ = ["ROOT", "modules_page"]

ROOT = Path(__file__).parent.parent.parent
ORIGIN = "http://modules.test"


def modules_page(browser):
    """Return a page in which `import("/app/browser/...")` answers from the source tree."""
    page = browser.new_page()
    page.route("**/*", _answer)
    page.goto(f"{ORIGIN}/")
    return page


def _answer(route):
    path = ROOT / route.request.url.removeprefix(f"{ORIGIN}/")
    if path.is_file():
        route.fulfill(path=path)
    else:
        route.fulfill(body="", content_type="text/html")
