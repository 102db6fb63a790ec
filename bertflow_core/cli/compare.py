"""`bertflow-lab compare`: encoders and calibrators by data sets, differences tested."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bertflow_core.calibrators.registry import DEFAULT_SPECS
from bertflow_core.cli.console import emit, progress_bars, say
from bertflow_core.cli.options import (
    Asked,
    Gold,
    Output,
    Vectors,
    own_vectors,
    spec_option,
    with_recipe,
)
from bertflow_core.errors import InputError, nearest
from bertflow_core.files import SCRATCH, disk_errors, write_file
from bertflow_core.recipe import Recipe
from bertflow_core.report import Form
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.report import Report
    from bertflow_core.studies.comparison import Comparison, Grid, Row

_CELLS = "cells"
_FORMS = {
    "comparison": (Form.CSV, Form.JSON, Form.LATEX, Form.MARKDOWN),
    "significance": (Form.CSV, Form.LATEX, Form.MARKDOWN),
}
_FILES = {f"{name}.{form.ending}" for name, forms in _FORMS.items() for form in forms}


@with_recipe("model", "revision", "dataset", "vectors", "gold", several_layers=True)
def compare(
    asked: Asked,
    model: Annotated[list[str] | None, typer.Option(help="Encoder, repeatable.")] = None,
    dataset: Annotated[
        list[str] | None, typer.Option(help="Data set or table of pairs, repeatable.")
    ] = None,
    vectors: Vectors = None,
    gold: Gold = None,
    calibrator: Annotated[
        list[str] | None,
        spec_option("Calibrator, repeatable; identity, the baseline, is always there."),
    ] = None,
    seeds: Annotated[
        int, typer.Option(help="Fits of a random calibrator; the table shows their mean.")
    ] = 1,
    bootstrap: Annotated[
        int,
        typer.Option(
            help="Resamples of the pairs to test differences with, such as 10000; 0 for no test.",
            min=0,
        ),
    ] = 0,
    baseline: Annotated[
        str | None,
        typer.Option(help="Row that differences are taken to, as printed: 'minilm last whiten'."),
    ] = None,
    output: Output = Form.TABLE,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for every form and the finished fits; run again to resume."),
    ] = None,
) -> None:
    """Score many recipes under one protocol; with --out a stopped run is resumed.

    Options that name the columns of a table refer to the first --dataset.
    """
    from bertflow_core.studies import comparison as core
    from bertflow_core.studies.comparison.report import comparison_report

    own = own_vectors(vectors, gold)
    if own is not None:
        model, dataset = [own[0], *(model or ())], [own[1], *(dataset or ())]
    datasets = tuple(dataset or [Recipe.dataset])
    grid = core.Grid(
        protocol=asked.recipe.with_(dataset=datasets[0]),
        models=tuple(model or [Recipe.model]),
        layers=asked.layers or (Recipe.layers,),
        calibrators=tuple(calibrator or DEFAULT_SPECS),
        datasets=datasets,
        n_seeds=seeds,
        prompt=asked.recipe.prompt,
        truncate_dim=asked.recipe.truncate_dim,
    )
    if bootstrap and len(grid.rows) < 2:
        raise InputError("--bootstrap needs two rows: name a --calibrator beside identity")
    reference = _row(grid, baseline)
    if out is not None:
        _check_folder(out)
    cells = None if out is None else core.CellFolder(out / _CELLS)
    with progress_bars():
        comparison = core.compare(grid, asked.lab, cells=cells)
        arrows = core.arrows_of(comparison)
        tests = _tests(comparison, reference, bootstrap) if bootstrap else []
    reports = [comparison_report(comparison, arrows)]
    reports += [core.joined(tests)] if tests else []
    if out is not None:
        _write_folder(out, reports)
        say(f"written: {out}")
    emit(_text(reports, output))


def _tests(comparison: "Comparison", baseline: "Row", n_draws: int) -> "list[Report]":
    """Test each data set where that is possible, and say why it is not on the others."""
    from bertflow_core.studies.comparison import significance

    tests = []
    for name in comparison.grid.datasets:
        try:
            test = significance(comparison, name, baseline=baseline, n_draws=n_draws)
        except InputError as error:
            say(f"not tested: {error}")
        else:
            tests.append(test)
    return tests


def _row(grid: "Grid", label: str | None) -> "Row":
    """Return the row of that label, or the first.

    Raises:
        InputError: No row has it.
    """
    rows = {str(row): row for row in grid.rows}
    if label is not None and label not in rows:
        raise InputError(f"no row is called {quoted(label)}: {nearest(label, rows)}")
    return grid.rows[0] if label is None else rows[label]


def _text(reports: "list[Report]", form: Form) -> str:
    """Return the comparison, and its tests below it where the form is one for people."""
    if form in (Form.TABLE, Form.MARKDOWN, Form.LATEX):
        return "\n\n".join(report.write(form) for report in reports)
    if len(reports) > 1:
        say("the tests are written by --out, and in the formats table, markdown and latex")
    return reports[0].write(form)


def _check_folder(folder: Path) -> None:
    """Refuse, before any work, a folder that holds anything but an earlier comparison."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{quoted(folder)} is a file: name a folder")
    names = {entry.name for entry in folder.iterdir()}
    strange = {name for name in names if not name.startswith(SCRATCH)} - {_CELLS, *_FILES}
    if strange:
        raise InputError(
            f"{quoted(folder)} holds {quoted(min(strange))}, which no comparison wrote: "
            "choose a new folder, or that of an earlier comparison to resume it"
        )


def _write_folder(folder: Path, reports: "list[Report]") -> None:
    """Write reports, each file whole or not at all, and drop those of an earlier run."""
    texts = {
        f"{report.name}.{form.ending}": report.write(form)
        for report in reports
        for form in _FORMS[report.name]
    }
    with disk_errors(folder, does="write"):
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES - texts.keys():
            (folder / name).unlink(missing_ok=True)
        for name, text in texts.items():
            write_file(folder / name, f"{text}\n".encode())
