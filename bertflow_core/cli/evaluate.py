"""`bertflow-lab evaluate`: calibrators side by side on a data set of scored pairs."""

from typing import Annotated

import typer

from bertflow_core.calibrators.catalog import DEFAULT_SPECS
from bertflow_core.calibrators.spec import baseline_first
from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.options import CALIBRATOR_NAMES, Asked, LayerSets, Output, with_recipe
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.report import Form


@with_recipe("layers")
def evaluate(
    asked: Asked,
    layers: LayerSets = None,
    calibrator: Annotated[
        list[str] | None,
        typer.Option(
            help="Calibrator, repeatable: name[:key=value,...], steps joined by +; identity, the "
            f"baseline, is always there. {CALIBRATOR_NAMES}"
        ),
    ] = None,
    output: Output = Form.TABLE,
    pairs: Annotated[bool, typer.Option("--pairs", help="Add each pair's cosine (JSON).")] = False,
) -> None:
    """Score calibrators on pairs of sentences: Spearman's rho of cosine with gold.

    Each calibrator is fitted on sentences alone; gold scores are used for the correlation only.
    """
    if pairs and output is not Form.JSON:
        raise InputError(f"--pairs needs --format json, got {output}")
    from bertflow_core.studies.scores import scores_report

    specs = baseline_first(calibrator or DEFAULT_SPECS)
    names = layers or (Recipe.layers,)
    with progress_bars() as progress:
        results = asked.lab.evaluate(asked.recipe, specs, layers=names, progress=progress)
    emit(scores_report(results, pairs=pairs).write(output))
