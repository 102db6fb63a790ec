"""A report on its way out: text on standard output, and `--figures FOLDER` as files."""

import re
from collections.abc import Awaitable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bertflow_core.cli.console import say
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.report.report import Form
from bertflow_core.runtime.files import SCRATCH, disk_errors, write_file
from bertflow_core.runtime.lazy import of_extra
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.lab.cells import CellFolder
    from bertflow_core.report.report import Report

_OURS = f"{SCRATCH}figures"
"""Stands in a folder that figures were written into."""

WIDTH, SCALE = 1000, 2
"""Of a picture: pixels across, and how many of PNG's stand for one of them."""

PICTURE_SECONDS, CLOSING_SECONDS = 60, 20
"""Time that a browser gets to open and for each picture, and to close once they are drawn."""


class FigureForm(StrEnum):
    """How a figure is written."""

    HTML = "html"
    PDF = "pdf"
    SVG = "svg"
    PNG = "png"


Figures = Annotated[
    Path | None,
    typer.Option(
        "--figures",
        help="Folder for the figures: a new one, or one that holds nothing but such figures, of "
        "which those of the same name are replaced.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        help="Folder for every form, the figures and the finished fits; run again to resume."
    ),
]
Forms = Annotated[
    list[FigureForm] | None,
    typer.Option(
        "--figure-format",
        help="Form of the figures, repeatable: html, which needs nothing; pdf, svg and png, which "
        "need the extra 'figures' of this package and a Chrome.",
    ),
]


@dataclass(frozen=True)
class FigureFolder:
    """Where figures go and in which forms."""

    path: Path
    forms: tuple[FigureForm, ...]

    def write_figures(self, report: "Report") -> None:
        """Write the figures of a report, if it has any."""
        if not (names := report.pictures()):
            return
        if FigureForm.HTML in self.forms:
            self._write(_pages(report))
        if pictures := [form for form in self.forms if form is not FigureForm.HTML]:
            self._write(_pictures(report, pictures))
        say(f"figures written: {len(names)} as {', '.join(self.forms)} in {self.path}")

    def write_everything(self, report: "Report") -> None:
        """Write a report in every form, and its figures."""
        from bertflow_core.text_table import to_csv

        texts = {f"{report.name}.{form.ending}": report.write(form) for form in Form}
        for table in report.tables:
            title = re.sub(r"[^\w.]+", "-", table.title)
            texts[f"{report.name}-{title}.csv"] = to_csv(table.rows)
        self._write((name, f"{text}\n".encode()) for name, text in texts.items())
        self.write_figures(report)
        say(f"written: {self.path}")

    def cells(self) -> "CellFolder":
        """Return the finished fits in it; it is ours from now on."""
        from bertflow_core.lab.cells import CellFolder

        self._write(())
        return CellFolder(self.path / "cells")

    def _write(self, contents: Iterable[tuple[str, bytes]]) -> None:
        """Write files, each whole or not at all."""
        with disk_errors(self.path, does="write"):
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / _OURS).touch()
            for name, content in contents:
                write_file(self.path / name, content)


def figure_folder(path: Path | None, forms: Sequence[FigureForm] | None) -> FigureFolder | None:
    """Return where figures go, or None; refuse before any work what could not be written."""
    if path is None:
        if forms:
            raise InputError("--figure-format needs --figures: name the folder for the figures")
        return None
    if path.exists() and not path.is_dir():
        raise InputError(f"{quoted(path)} is a file: name a folder for the figures")
    names = [entry.name for entry in path.iterdir()] if path.exists() else []
    strange = [name for name in names if not name.startswith(SCRATCH)]
    if strange and _OURS not in names:
        raise InputError(
            f"{quoted(path)} holds {quoted(min(strange))}, which is none of these figures: "
            "choose a new folder"
        )
    wanted = tuple(dict.fromkeys(forms or (FigureForm.HTML,)))
    if set(wanted) != {FigureForm.HTML}:
        _check_exporter()
    return FigureFolder(path, wanted)


def _check_exporter() -> None:
    """Refuse where kaleido or its browser is missing, before any work."""
    of_extra("figures", "kaleido", "pdf, svg and png need kaleido", otherwise=", or take html")
    from choreographer.browsers.chromium import Chromium

    browser = Chromium.find_browser(skip_local=False)
    if browser is None or not Path(browser).is_file():
        raise InputError(
            "pdf, svg and png need a Chrome or Chromium and none was found: install one, or name "
            "it in BROWSER_PATH, or take html"
        )


def _pages(report: "Report") -> Iterator[tuple[str, bytes]]:
    from bertflow_core.figures import figure_page

    told = {"caption": " ".join(report.remarks), "command": report.command}
    for name, figure in report.figures().items():
        page = figure_page(figure, title=name.replace("_", " "), **told)
        yield f"{name}.{FigureForm.HTML}", page.encode()


def _pictures(report: "Report", forms: Sequence[FigureForm]) -> Iterator[tuple[str, bytes]]:
    """Yield pictures, all drawn by one browser, which asks no other machine for anything."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    from choreographer.errors import BrowserClosedError, BrowserFailedError, ChannelClosedError

    from bertflow_core.figures import captioned

    wanted: dict[str, tuple[object, dict[str, object]]] = {}
    for name, figure in report.figures().items():
        whole = captioned(figure, " ".join([*report.remarks, report.command]))
        for form in forms:
            scale = SCALE if form is FigureForm.PNG else 1
            options = {"format": str(form), "scale": scale, "width": WIDTH}
            wanted[f"{name}.{form}"] = whole, options | {"height": whole.layout.height}
    try:
        with ThreadPoolExecutor(1) as apart:  # a notebook's thread has a loop of its own
            drawn = apart.submit(asyncio.run, _drawn([*wanted.values()])).result()
    except (BrowserClosedError, BrowserFailedError, ChannelClosedError, TimeoutError) as error:
        raise ResourceError(
            "the browser that draws pdf, svg and png failed or gave no picture in "
            f"{PICTURE_SECONDS} seconds: name another in BROWSER_PATH, or take html"
        ) from error
    yield from zip(wanted, drawn, strict=True)


async def _drawn(wanted: Sequence[tuple[object, dict[str, object]]]) -> list[bytes]:
    """Draw figures under their options."""
    import asyncio
    import logging

    from kaleido import Kaleido

    # A browser that breaks off in the middle of a message is told in our own sentence.
    logging.getLogger("choreographer").setLevel(logging.CRITICAL)

    async def in_time(work: Awaitable[Any]) -> Any:  # noqa: ANN401 - as it is awaited
        task = asyncio.ensure_future(work)
        task.add_done_callback(lambda late: late.cancelled() or late.exception())  # or it is logged
        # `wait_for` would wait on: kaleido reloads the page of a picture that is cancelled.
        await asyncio.wait([task], timeout=PICTURE_SECONDS)
        if not task.done() or task.cancelled():
            raise TimeoutError
        return task.result()

    browser = Kaleido(mathjax=False)
    try:
        await in_time(browser.open())
        return [await in_time(browser.calc_fig(figure, options)) for figure, options in wanted]
    finally:
        with suppress(TimeoutError):  # on a busy machine its answer to being closed can be lost
            await asyncio.wait_for(browser.close(), CLOSING_SECONDS)
