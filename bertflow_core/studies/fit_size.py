"""How many sentences does a calibrator need? Scores after fitting on parts of the corpus."""

from dataclasses import replace

import numpy as np

from bertflow_core.datasets.texts import need_targets
from bertflow_core.errors import InputError, NothingLeftError
from bertflow_core.evaluation import metric_of
from bertflow_core.figures import Figure, score_by_dataset
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind, Remark
from bertflow_core.report.report import Column, Report, Row
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, study
from bertflow_core.runtime import context
from bertflow_core.wording import counted

_TIMES = (0.25, 0.5, 1, 2, 4, 8)
"""Sizes of the parts to fit on, in multiples of the dimension; the last fit uses all sentences."""

_FEWEST_SIZES = 3


def _figure(report: Report) -> Figure:
    found = report.by("calibrator")
    scores = {spec: [row["score"] for row in rows] for spec, rows in found.items()}
    names = [f"{size:,}" for size in report.by("n_fitted")]
    figure = score_by_dataset(scores, names, [*found], title=report.column("score").header)
    return figure.update_xaxes(title="sentences fitted on")


@study(
    "fit-size",
    Recipe,
    (),
    title="How many sentences does a calibrator need?",
    figures=lambda report: {"fit_size": lambda: _figure(report)},
    calibrators=("identity", "null-top-k:k=6", "whiten", "flow"),
    baseline=True,
)
def fit_size(recipe: Recipe, lab: Lab, calibrators: Specs) -> Result:
    """Fit each calibrator on random parts of the corpus and score the same pairs."""
    (embedded,) = lab.embedded([recipe])
    pairs, corpus = embedded.pairs, embedded.corpus
    need_targets(pairs)
    metric = metric_of(pairs.metric)
    columns = (
        Column("calibrator"),
        Column("n_fitted", "sentences fitted on", ","),
        Column("score", metric.header, ".2f", times=100),
    )
    rows: list[Row] = []
    remarks: list[Remark] = []
    n, n_features = embedded.x_fit.shape
    sizes = _sizes(n, n_features)
    order = np.random.default_rng(recipe.seed).permutation(n)
    total = len(calibrators) * len(sizes)
    for place, spec in enumerate(calibrators):
        for number, size in enumerate(sizes):
            kept = np.arange(n) if size == n else order[:size]
            texts = tuple(corpus.sentences[row] for row in kept.tolist())
            fitted = replace(corpus, sentences=texts)
            part, score = replace(embedded, x_fit=embedded.x_fit[kept], corpus=fitted), None
            try:
                with context.repeating(place * len(sizes) + number, total, "fits"):
                    score = part.under(spec, device=lab.device).score
            except NothingLeftError as error:
                text = f"On {counted(size, 'sentence')} there is no score: {error}."
                remarks.append(Remark(Kind.MISSING, text))
            rows.append({"calibrator": spec, "n_fitted": size, "score": score})
    about = (
        "Each fit uses a random part of the fit corpus. All fits are scored on the same "
        f"{metric.unit}."
    )
    return Result(
        rows,
        [*remarks, Remark(Kind.METHOD, about)],
        recipes=[embedded.recipe],
        columns=columns,
        facts={"n_features": n_features},
    )


def _sizes(n: int, n_features: int) -> list[int]:
    found = [int(times * n_features) for times in _TIMES if int(times * n_features) < n]
    if len(found) < _FEWEST_SIZES or found[0] < 2:
        least = int(_TIMES[_FEWEST_SIZES - 1] * n_features)
        raise InputError(
            f"{n:,} sentences are too few to fit on in {n_features:,} dimensions: this needs more "
            f"than {least:,}"
        )
    return [*found, n]
