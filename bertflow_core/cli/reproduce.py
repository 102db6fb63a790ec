"""`bertflow-lab reproduce`: the paper's tables and figures made again, beside what was printed."""

from dataclasses import replace
from typing import Annotated

import typer

from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.figure_files import (
    FigureForm,
    Forms,
    Out,
    figure_folder,
    write_everything,
)
from bertflow_core.cli.options import Asked, Output, with_recipe
from bertflow_core.report import Form
from bertflow_core.studies.reproduce.items import ALL, ITEMS, PaperParams, items_called

PRINT = (FigureForm.PDF, FigureForm.SVG, FigureForm.PNG)


@with_recipe("item", kind=PaperParams)
def reproduce(
    asked: Asked,
    item: Annotated[
        list[str],
        typer.Argument(help=f"Tables and figures of the paper: {', '.join(ITEMS)}; or {ALL}."),
    ],
    output: Output = Form.TABLE,
    out: Out = None,
    figure_format: Forms = None,
) -> None:
    """Make tables and figures of the paper again, and set ours beside the published numbers.

    What is not here (data, weights) is named in a sentence each; the rest is measured.
    """
    chosen = items_called(item)
    drawn = out is not None and any(each.is_figure for each in chosen)
    into = figure_folder(out, figure_format or (PRINT if drawn else None))
    from bertflow_core.studies.reproduce.study import reproduce as make

    reports = []
    for each in chosen:
        with progress_bars():
            found = make(asked.recipe.with_(item=each.name), asked.lab)
        reports.append(replace(found, name=each.name))
        if into is not None:
            write_everything(reports[-1], into)
    emit("\n\n".join(report.write(output) for report in reports))
