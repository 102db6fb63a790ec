"""Output of a report: text on standard output, and files in the folder of `--figures`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bertflow_core.cli.console import say
from bertflow_core.errors import InputError
from bertflow_core.report.report import Form
from bertflow_core.runtime.files import SCRATCH, disk_errors, write_file
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.lab.cells import CellFolder
    from bertflow_core.report.report import Report

_OURS = f"{SCRATCH}figures"
"""The file that marks a folder of figures."""

_SCRIPT = "plotly.min.js"


class FigureForm(StrEnum):
    """The format of a figure's file."""

    HTML = "html"
    PDF = "pdf"
    SVG = "svg"
    PNG = "png"


Figures = Annotated[
    Path | None,
    typer.Option(
        "--figures",
        help="Folder for the figures, new or with earlier figures only; figures of the same name "
        "are replaced.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option(
        help="Folder for the report in every format, the figures and the finished fits; run "
        "again to resume."
    ),
]
Forms = Annotated[
    list[FigureForm] | None,
    typer.Option(
        "--figure-format",
        help="Format of the figures, repeatable: html, pdf, svg or png. All but html need Chrome "
        "and the extra 'figures' of this package.",
    ),
]


@dataclass(frozen=True)
class FigureFolder:
    """A folder for figures, and the formats to write."""

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
        """Mark the folder as a folder of figures, and return its subfolder for finished fits."""
        from bertflow_core.lab.cells import CellFolder

        self._write(())
        return CellFolder(self.path / "cells")

    def _write(self, contents: Iterable[tuple[str, bytes]]) -> None:
        with disk_errors(self.path, does="write"):
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / _OURS).touch()
            for name, content in contents:
                write_file(self.path / name, content)


def figure_folder(path: Path | None, forms: Sequence[FigureForm] | None) -> FigureFolder | None:
    """Return the folder for figures, or None; refuse, before any work, one that cannot be used."""
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
            f"{quoted(path)} holds {quoted(min(strange))}, which is not one of these figures: "
            "choose a new folder"
        )
    from bertflow_core.figures.images import check_exporter

    wanted = tuple(dict.fromkeys(forms or (FigureForm.HTML,)))
    if set(wanted) != {FigureForm.HTML}:
        check_exporter()
    return FigureFolder(path, wanted)


def _pages(report: "Report") -> Iterator[tuple[str, bytes]]:
    """Yield the drawing script once, then a page for each figure."""
    from bertflow_core.figures.pages import figure_page, plotly_script

    yield _SCRIPT, plotly_script().encode()
    about = {"caption": report.text(), "command": report.command}
    for name, figure in report.figures().items():
        page = figure_page(figure, title=name.replace("_", " "), script=_SCRIPT, **about)
        yield f"{name}.{FigureForm.HTML}", page.encode()


def _pictures(report: "Report", forms: Sequence[FigureForm]) -> Iterator[tuple[str, bytes]]:
    from bertflow_core.figures import captioned
    from bertflow_core.figures.images import draw_images

    caption = f"{report.text()} {report.command}"
    figures = {name: captioned(figure, caption) for name, figure in report.figures().items()}
    wanted = {f"{name}.{form}": (each, form) for name, each in figures.items() for form in forms}
    yield from zip(wanted, draw_images([*wanted.values()]), strict=True)
