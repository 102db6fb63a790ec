"""Figures as PDF, SVG and PNG, drawn by kaleido in a browser without network."""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from bertflow_core.errors import InputError, ResourceError
from bertflow_core.figures.style import Figure
from bertflow_core.runtime.lazy import of_extra

WIDTH, SCALE = 1000, 2
"""Width of a picture in pixels, and the scale of a PNG."""

PICTURE_SECONDS, CLOSING_SECONDS = 60, 20
"""Time limits in seconds: to open the browser or draw a picture, and to close the browser."""


def check_exporter() -> None:
    """Refuse, before any work, if kaleido or its browser is missing."""
    of_extra("figures", "kaleido", "pdf, svg and png need kaleido", otherwise=", or choose html")
    from choreographer.browsers.chromium import Chromium

    browser = Chromium.find_browser(skip_local=False)
    if browser is None or not Path(browser).is_file():
        raise InputError(
            "pdf, svg and png need Chrome or Chromium, and neither was found: install one, set "
            "BROWSER_PATH to it, or choose html"
        )


def draw_images(wanted: Sequence[tuple[Figure, str]]) -> list[bytes]:
    """Draw figures, each in its format (`pdf`, `svg` or `png`), all in one browser."""
    from choreographer.errors import BrowserClosedError, BrowserFailedError, ChannelClosedError

    try:
        with ThreadPoolExecutor(1) as apart:  # a notebook's own thread runs an event loop already
            return apart.submit(asyncio.run, _drawn(wanted)).result()
    except (BrowserClosedError, BrowserFailedError, ChannelClosedError, TimeoutError) as error:
        raise ResourceError(
            f"the browser that draws pdf, svg and png failed or took more than {PICTURE_SECONDS} "
            "seconds: set BROWSER_PATH to another, or choose html"
        ) from error


async def _drawn(wanted: Sequence[tuple[Figure, str]]) -> list[bytes]:
    from kaleido import Kaleido

    # If the browser breaks off in the middle of a message, our own error reports it.
    logging.getLogger("choreographer").setLevel(logging.CRITICAL)

    async def in_time(work: Awaitable[Any]) -> Any:  # noqa: ANN401 - as it is awaited
        task = asyncio.ensure_future(work)
        # Fetching a late error keeps asyncio from logging it.
        task.add_done_callback(lambda late: late.cancelled() or late.exception())
        # `wait_for` would wait on, since kaleido reloads the page of a cancelled picture.
        await asyncio.wait([task], timeout=PICTURE_SECONDS)
        if not task.done() or task.cancelled():
            raise TimeoutError
        return task.result()

    browser = Kaleido(mathjax=False)
    try:
        await in_time(browser.open())
        return [
            await in_time(browser.calc_fig(each, _options(each, form))) for each, form in wanted
        ]
    finally:
        with suppress(TimeoutError):  # on a busy machine the reply to its closing can be lost
            await asyncio.wait_for(browser.close(), CLOSING_SECONDS)


def _options(figure: Figure, form: str) -> dict[str, Any]:
    scale = SCALE if form == "png" else 1
    return {"format": form, "scale": scale, "width": WIDTH, "height": figure.layout.height}
