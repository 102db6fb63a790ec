"""The page *Try your own sentences* in Chromium: what it loads, and how fast cosines appear.

The page is built from the built-in data and served from 127.0.0.1 by a plain file server. A
keystroke changes one of twelve sentences; its time ends when a cosine has changed. Memory is the
sum over Chromium's processes, with shared memory counted in each.
"""

import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from statistics import median

import psutil  # type: ignore[import-untyped]

from bertflow_core.exhibits.site.live import make_live
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe

from .app import _CHROMIUM, _FLAGS
from .measure import Run

_SENTENCES = [f"The {noun} is older than the town." for noun in "dog bridge river oak".split()] * 3
_KEYS = 11


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder by a plain file server, and yield its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def live_page(folder: Path, path: str = ".") -> Iterator[str]:
    """Build the live page inside a folder, serve the folder, and yield the page's address."""
    page = make_live(Recipe(), Lab(), folder / path / "live")
    (folder / path / page.file).write_text(page.html, encoding="utf-8")
    with served(folder) as address:
        yield f"{address}/{path}/{page.file}"


def main() -> None:
    """Open the page, type twelve sentences, and change one of them again and again."""
    from playwright.sync_api import sync_playwright

    run = Run.asked("live", __doc__)
    with (
        tempfile.TemporaryDirectory() as name,
        live_page(Path(name)) as address,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=_CHROMIUM, args=_FLAGS) as browser,
    ):
        n_bytes = sum(each.stat().st_size for each in Path(name).rglob("*") if each.is_file())
        page = browser.new_page()
        begun = time.perf_counter()
        page.goto(address)
        page.locator(".live[data-state=ready]").wait_for()
        first = time.perf_counter() - begun
        lines = page.get_by_role("textbox")
        for number, sentence in enumerate(_SENTENCES):
            lines.nth(number).fill(f"{sentence[:-1]} {number}.")
        page.wait_for_timeout(3_000)
        cosines = page.locator(".live [data-pair]")
        keys = []
        for key in range(3 if run.quick else _KEYS):
            before, begun = cosines.all_inner_texts(), time.perf_counter()
            lines.first.fill(f"Sentence number {key} is new here.")
            while cosines.all_inner_texts() == before:
                page.wait_for_timeout(5)
            keys.append(time.perf_counter() - begun)
            page.wait_for_timeout(500)
        own = psutil.Process().children(recursive=True)
        mib = sum(each.memory_info().rss for each in own if "chrom" in each.name()) / (1 << 20)
        versions = {"chromium": browser.version, "onnxruntime": version("onnxruntime")}
    rows = [
        {"name": "from opening until typed sentences are scored", "seconds": round(first, 3)},
        {"name": "keystroke, one of twelve sentences", "seconds": round(median(keys), 3)},
        {"name": "the same, slowest", "seconds": round(max(keys), 3)},
        {"name": "what the page loads", "mib": round(n_bytes / (1 << 20), 1)},
        {"name": "Chromium's memory", "mib": round(mib)},
    ]
    run.finish(rows, **versions, keystrokes=len(keys))


if __name__ == "__main__":
    main()
