"""How many sentences does a calibrator need? Rho under fits on parts of the corpus."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bertflow_core.errors import InputError, NothingLeftError
from bertflow_core.figures import Figure, score_by_dataset
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.report.report import Column, Pictures, Report
from bertflow_core.report.study import Facts, Specs, StudyItem, study
from bertflow_core.runtime import context
from bertflow_core.wording import counted

__all__ = ["fit_size"]

_TIMES = (0.25, 0.5, 1, 2, 4, 8)
"""Sentences to fit on, in multiples of the dimension; then all."""

_FEWEST_SIZES = 3


def _figure(report: Report) -> Figure:
    found = report.by("calibrator")
    rhos = {spec: [row["rho"] for row in rows] for spec, rows in found.items()}
    names = [f"{size:,}" for size in report.by("n_fitted")]
    return score_by_dataset(rhos, names, [*found]).update_xaxes(title="sentences fitted on")


def _pictures(report: Report) -> Pictures:
    return {"fit_size": lambda: _figure(report)}


@study(
    "fit-size",
    Recipe,
    (
        Column("calibrator"),
        Column("n_fitted", "sentences fitted on", ","),
        Column("rho", "rho x 100", ".2f", times=100),
    ),
    title="How many sentences does a calibrator need?",
    figures=_pictures,
    calibrators=("identity", "null-top-k:k=6", "whiten", "flow"),
    baseline=True,
)
def fit_size(recipe: Recipe, lab: Lab, calibrators: Specs) -> Iterator[StudyItem]:
    """Fit each calibrator on random parts of the corpus and score the same pairs."""
    embedded = lab.embedded(recipe)
    yield embedded.recipe
    if embedded.pairs.gold is None:
        raise InputError(why_unscored(embedded.pairs))
    n, n_features = embedded.x_fit.shape
    sizes = _sizes(n, n_features)
    order = np.random.default_rng(recipe.seed).permutation(n)
    total = len(calibrators) * len(sizes)
    for place, spec in enumerate(calibrators):
        for number, size in enumerate(sizes):
            part = embedded.x_fit if size == n else embedded.x_fit[order[:size]]
            rho = None
            try:
                with context.repeating(place * len(sizes) + number, total, "fits"):
                    rho = replace(embedded, x_fit=part).under(spec, device=lab.device).score
            except NothingLeftError as error:
                yield f"On {counted(size, 'sentence')} there is no score: {error}."
            yield {"calibrator": spec, "n_fitted": size, "rho": rho}
    yield "One random part of the fit corpus for each size; the same pairs are scored."
    yield Facts(n_features=n_features)


def _sizes(n: int, n_features: int) -> list[int]:
    found = [int(times * n_features) for times in _TIMES if int(times * n_features) < n]
    if len(found) < _FEWEST_SIZES or found[0] < 2:
        least = int(_TIMES[_FEWEST_SIZES - 1] * n_features)
        raise InputError(
            f"{n:,} sentences to fit on in {n_features:,} dimensions: this needs more than "
            f"{least:,}"
        )
    return [*found, n]
