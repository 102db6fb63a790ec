"""A report on its way out: text on standard output, and `--figures FOLDER` as files."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bertflow_core.cli.console import emit, say
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.files import SCRATCH, disk_errors, write_file
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.cells import CellFolder
    from bertflow_core.figures import Figure
    from bertflow_core.report import Report


_OURS = f"{SCRATCH}figures"
"""Stands in a folder that figures were written into."""

WIDTH, SCALE = 1000, 2
"""Of a picture: pixels across, and how many of PNG's stand for one of them."""


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


def figure_folder(path: Path | None, forms: Sequence[FigureForm] | None) -> FigureFolder | None:
    """Return where figures go, or None; refuse before any work what could not be written."""
    if path is None:
        if forms:
            raise InputError("--figure-format needs --figures: name the folder for the figures")
        return None
    _check_folder(path)
    wanted = tuple(dict.fromkeys(forms or (FigureForm.HTML,)))
    if set(wanted) != {FigureForm.HTML}:
        _check_exporter()
    return FigureFolder(path, wanted)


def write_report(report: "Report", form: str, into: FigureFolder | None) -> None:
    """Write a report in a `Form` to standard output, and its figures into a folder, if any."""
    if into is not None:
        _write_figures(report, into)
    emit(report.write(form))


def write_everything(report: "Report", into: FigureFolder) -> None:
    """Write a report in every form, and its figures, into one folder."""
    from bertflow_core.report import Form
    from bertflow_core.text_table import to_csv

    texts = {f"{report.name}.{form.ending}": report.write(form) for form in Form}
    for table in report.tables:
        title = re.sub(r"[^\w.]+", "-", table.title)
        texts[f"{report.name}-{title}.csv"] = to_csv(table.rows)
    _write(into.path, ((name, f"{text}\n".encode()) for name, text in texts.items()))
    _write_figures(report, into)
    say(f"written: {into.path}")


def cells_in(into: FigureFolder) -> "CellFolder":
    """Return the finished fits in a folder that is ours from now on."""
    from bertflow_core.cells import CellFolder

    _write(into.path, ())
    return CellFolder(into.path / "cells")


def _write_figures(report: "Report", into: FigureFolder) -> None:
    figures = report.figures()
    if not figures:
        return
    caption, command = " ".join(report.remarks), report.command
    pictures = [form for form in into.forms if form is not FigureForm.HTML]
    if FigureForm.HTML in into.forms:
        _write(into.path, _pages(figures, caption, command))
    if pictures:
        _write(into.path, _pictures(figures, pictures, f"{caption} {command}"))
    say(f"figures written: {len(figures)} as {', '.join(into.forms)} in {into.path}")


def _write(folder: Path, contents: Iterable[tuple[str, bytes]]) -> None:
    """Write files, each whole or not at all, into a folder that is ours from now on."""
    with disk_errors(folder, does="write"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _OURS).touch()
        for name, content in contents:
            write_file(folder / name, content)


def _check_folder(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{quoted(folder)} is a file: name a folder for the figures")
    names = [entry.name for entry in folder.iterdir()]
    strange = [name for name in names if not name.startswith(SCRATCH)]
    if strange and _OURS not in names:
        raise InputError(
            f"{quoted(folder)} holds {quoted(min(strange))}, which is none of these figures: "
            "choose a new folder"
        )


def _check_exporter() -> None:
    """Refuse where kaleido or its browser is missing, before any work."""
    try:
        import kaleido  # noqa: F401 - only whether it is there
        from choreographer.browsers.chromium import Chromium
    except ImportError:
        raise InputError(
            'pdf, svg and png need kaleido: pip install "bertflow-lab[figures]", or take html'
        ) from None
    browser = Chromium.find_browser(skip_local=False)
    if browser is None or not Path(browser).is_file():
        raise InputError(
            "pdf, svg and png need a Chrome or Chromium and none was found: install one, or name "
            "it in BROWSER_PATH, or take html"
        )


def _pages(
    figures: "Mapping[str, Figure]", caption: str, command: str
) -> Iterator[tuple[str, bytes]]:
    from bertflow_core.figures import figure_page

    for name, figure in figures.items():
        title = name.replace("_", " ")
        page = figure_page(figure, title=title, caption=caption, command=command)
        yield f"{name}.{FigureForm.HTML}", page.encode()


def _pictures(
    figures: "Mapping[str, Figure]", forms: Sequence[FigureForm], caption: str
) -> Iterator[tuple[str, bytes]]:
    """Yield pictures, all drawn by one browser, which asks no other machine for anything."""
    import kaleido
    from kaleido.errors import BrowserClosedError, BrowserFailedError, ChromeNotFoundError

    from bertflow_core.figures import captioned

    kaleido.start_sync_server(mathjax=False)
    try:
        for name, figure in figures.items():
            whole = captioned(figure, caption)
            size = {"width": WIDTH, "height": whole.layout.height}
            for form in forms:
                scale = SCALE if form is FigureForm.PNG else 1
                options = {"format": str(form), "scale": scale, **size}
                yield f"{name}.{form}", kaleido.calc_fig_sync(whole, options)
    except (BrowserClosedError, BrowserFailedError, ChromeNotFoundError) as error:
        raise ResourceError(
            "the browser that draws pdf, svg and png failed: name another in BROWSER_PATH, or take "
            "html"
        ) from error
    finally:
        kaleido.stop_sync_server()
