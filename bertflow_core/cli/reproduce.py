"""`bertflow-lab reproduce`: the paper's tables and figures made again, beside what was printed."""

from pathlib import Path
from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.figure_files import FigureForm, Forms, figure_folder, write_everything
from bertflow_core.cli.options import Output, with_params
from bertflow_core.report import Form
from bertflow_core.studies.reproduce.items import ALL, ITEMS, PaperParams, items_called
from bertflow_core.studies.reproduce.report import Style

PRINT = (FigureForm.PDF, FigureForm.SVG, FigureForm.PNG)


@with_params(PaperParams)
def reproduce(
    params: PaperParams,
    item: Annotated[
        list[str],
        typer.Argument(help=f"Tables and figures of the paper: {', '.join(ITEMS)}; or {ALL}."),
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="Encoder, repeatable; by default the paper's where its weights are on this "
            "machine, else the embedded one."
        ),
    ] = None,
    data_dir: options.DataDir = None,
    style: Annotated[
        Style, typer.Option(help="LaTeX as the paper prints it, or full: with our intervals.")
    ] = Style.PAPER,
    output: Output = Form.TABLE,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for every form of every table, and the figures."),
    ] = None,
    figure_format: Forms = None,
    device: options.Device = None,
) -> None:
    """Make tables and figures of the paper again, and set ours beside the published numbers.

    What is not here (data, weights) is named in a sentence each; the rest is measured.
    """
    chosen = items_called(item)
    drawn = out is not None and any(each.is_figure for each in chosen)
    into = figure_folder(out, figure_format or (PRINT if drawn else None))
    from bertflow_core.lab import Lab
    from bertflow_core.studies.reproduce.tables import reproduce as make

    lab = Lab(data_dir=data_dir, device=device)
    params = params.with_(models=tuple(model or ()))
    reports = []
    for each in chosen:
        with progress_bars():
            reports.append(make(each, params, lab, style=style))
        if into is not None:
            write_everything(reports[-1], into)
    emit("\n\n".join(report.write(output) for report in reports))
