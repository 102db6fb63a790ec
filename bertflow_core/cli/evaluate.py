"""`bertflow-lab evaluate`: calibrators side by side on a data set of judged pairs."""

from collections.abc import Sequence
from typing import Annotated

import typer

from bertflow_core.calibrators.registry import DEFAULT_SPECS, baseline_first, check_spec
from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.options import Asked, Output, spec_option, with_recipe
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.report import Form


@with_recipe(several_layers=True)
def evaluate(
    asked: Asked,
    calibrator: Annotated[
        list[str] | None,
        spec_option(
            "Calibrator, repeatable: name[:key=value,...], steps joined by +; identity, the "
            "baseline, is always there."
        ),
    ] = None,
    output: Output = Form.TABLE,
    pairs: Annotated[bool, typer.Option("--pairs", help="Add each pair's cosine (JSON).")] = False,
    lexical: Annotated[
        bool,
        typer.Option(
            "--lexical",
            help="Add two rows without vectors: shared word pieces of the encoder's tokenizer "
            "(lexical-jaccard, lexical-coverage).",
        ),
    ] = False,
) -> None:
    """Score calibrators on pairs of sentences: Spearman's rho of cosine with gold, AUC of labels.

    Each calibrator is fitted on sentences alone; gold scores and labels are used for scoring only.
    """
    if pairs and output is not Form.JSON:
        raise InputError(f"--pairs needs --format json, got {output}")
    from bertflow_core.lexical_baselines import lexical_results
    from bertflow_core.studies.scores import scores_report

    specs = baseline_first(calibrator or DEFAULT_SPECS)
    for spec in specs:
        check_spec(spec)
    recipe, lab, names = asked.recipe, asked.lab, asked.layers or (Recipe.layers,)
    with progress_bars():
        found = lexical_results(recipe, lab) if lexical else ()
        results = lab.evaluate(recipe, specs, layers=names)
    emit(scores_report(results, found, pairs=pairs).write(output))
    are_changes = len(specs) > 1 and results[0].prepared.pairs.judged is not None
    if output is Form.TABLE and are_changes and recipe.revision is None:  # as `compare` takes it
        emit(_tested_by(recipe, names, specs))


def _tested_by(recipe: Recipe, layers: Sequence[str], specs: Sequence[str]) -> str:
    """Say which command tests the changes of a table, as the table alone does not."""
    from bertflow_core.studies.comparison import Grid

    grid = Grid(
        protocol=recipe,
        models=(recipe.model,),
        layers=tuple(layers),
        calibrators=tuple(specs),
        datasets=(recipe.dataset,),
        prompt=recipe.prompt,
        truncate_dim=recipe.truncate_dim,
    )
    return f"Whether these changes are significant is tested by: {grid.to_command()}"
