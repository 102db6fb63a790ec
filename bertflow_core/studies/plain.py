"""The plain output beside the evaluations of a model, and the notes on fits."""

from collections.abc import Sequence
from dataclasses import replace

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.errors import InputError
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab


def plain_output(evaluations: Sequence[Evaluation], lab: Lab) -> Evaluation | str | None:
    """Return the plain output of the evaluations' model, or a sentence on why it has none.

    Given vectors have no model, so None is returned.
    """
    recipe, embedded = evaluations[0].recipe, evaluations[0].embedded
    for each in evaluations:
        if (each.recipe.plain, each.spec) == (each.recipe, BASELINE):
            return each
    if recipe.plain is None:
        return None
    read = {**lab.tables, recipe.dataset: (embedded.pairs, embedded.corpus)}
    try:
        return replace(lab, tables=read).plain(recipe)
    except InputError as error:
        return f"There is no plain output: {error}."


def notes_of(evaluations: Sequence[Evaluation]) -> tuple[str, ...]:
    """Return the notes on each fit."""
    several = len({evaluation.recipe.layers for evaluation in evaluations}) > 1
    return tuple(
        f"{f'{evaluation.recipe.layers} ' if several else ''}{evaluation.spec}: {note}."
        for evaluation in evaluations
        for note in evaluation.notes
    )
