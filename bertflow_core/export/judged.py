"""How well a calibrator does on the pairs of its recipe, before and after, with intervals."""

from dataclasses import dataclass

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.evaluation import Interval, pairwise_cosine
from bertflow_core.experiment import Lab
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.rho_changes import changes_of_rho
from bertflow_core.text_table import percent

__all__ = ["Judged", "judged"]


@dataclass(frozen=True)
class Judged:
    """The scores x 100 of a data set's split before and after calibration, with 95 % intervals.

    Attributes:
        data: The data set and split.
        metric: What the numbers are.
        before: Score and interval of the plain vectors.
        after: Of the calibrated ones.
        change: Of the difference.
        fitted_on_them: Whether sentences of these pairs were fitted on, without their scores.
    """

    data: str
    metric: str
    before: str
    after: str
    change: str
    fitted_on_them: bool


def judged(
    recipe: Recipe, lab: Lab, fitted: Calibrator, *, progress: Progress = silent
) -> Judged | None:
    """Score a recipe's pairs with and without a fitted calibrator; None where nobody judged them.

    Raises:
        InputError: Data or a model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    pairs = lab.pairs(recipe)
    if pairs.judged is None:
        return None
    prepared = lab.prepare(recipe, progress=progress)
    sides = (prepared.x_first, prepared.x_second)
    similarities = {
        "before": pairwise_cosine(*sides),
        "after": pairwise_cosine(*map(fitted.transform, sides)),
    }
    compared = changes_of_rho(similarities, pairs, recipe, baseline="before", progress=progress)
    before, after = (
        percent(compared.draws.rhos[i]) + _ends(compared.interval(name), sign="")
        for i, name in enumerate(compared.draws.names)
    )
    return Judged(
        data=f"{pairs.name} {pairs.split} ({len(pairs):,} pairs)",
        metric=compared.draws.metric.title,
        before=before,
        after=after,
        change=compared.change_text("after") + _ends(compared.to_baseline[0].interval, sign="+"),
        fitted_on_them=prepared.corpus.n_among((*pairs.first, *pairs.second)) > 0,
    )


def _ends(interval: Interval, *, sign: str) -> str:
    low, high = (format(100 * end, f"{sign}.2f") for end in (interval.low, interval.high))
    return f" ({low} to {high})"
