"""Question 11: how many sentences does a calibrator need?"""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.figures import score_by_dataset
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import FLOW, RAW, REMOVED, WHITE, Material
from bertflow_core.studies.tour.origin import origin
from bertflow_core.text_table import percent

__all__ = ["ask"]

_TRIED = (REMOVED, WHITE, FLOW)
_TIMES = (0.25, 0.5, 1, 2, 4, 8)
"""Sentences to fit on, in multiples of the dimension; then all."""

_OFFERED = (0, 2, 3, -1)
"""Which of the sizes are answers."""


def ask(material: Material) -> Content:
    """Ask on how many sentences whitening does worst.

    Raises:
        InputError: No gold scores, too few pairs, or too few sentences to fit on.
    """
    material.grades()
    material.check_pairs()
    sizes = _sizes(len(material.prepared.x_fit), material.prepared.x_fit.shape[1])
    rhos = {spec: _rhos(material, spec, sizes) for spec in _TRIED}
    raw = material.results[RAW].rho
    n_features = material.prepared.x_fit.shape[1]
    offered = [sizes[i] for i in _OFFERED]
    worst = sizes[int(np.argmin([_known(rho) for rho in rhos[WHITE]]))]
    names = [f"{size:,}" for size in sizes]
    return Content(
        text="A calibrator learns from sentences: how many does it need? Here each is fitted "
        f"on a random part of the corpus, from {sizes[0]:,} to {sizes[-1]:,} sentences, and scored "
        "on the same pairs. Whitening estimates the variance of each of the "
        f"{n_features:,} dimensions and of every two together.",
        question="Which number of sentences is worst for whitening?",
        choices=tuple(_choice(size, n_features) for size in offered),
        right=int(np.argmin([abs(np.log(size / worst)) for size in offered])),
        takeaway=_takeaway(worst, n_features, rhos, sizes, raw),
        explanation=_explanation(rhos, sizes, raw),
        notes="Few guess it: not the fewest, but about as many as there are dimensions, where "
        "the smallest variances are estimated as almost 0 and divided by. Usual mistake: to "
        "whiten a few hundred sentences and blame the encoder.",
        figure=score_by_dataset(
            {RAW: [raw] * len(sizes), **rhos}, names, [RAW, *_TRIED]
        ).update_xaxes(title="sentences that it was fitted on"),
        alt="Spearman's rho of three calibrators against the number of sentences they were fitted "
        "on, beside rho without calibration",
        origin=origin(
            material.recipe,
            (RAW, *_TRIED),
            also=[f"aggregation {material.recipe.aggregation}", "one random part of each size"],
        ),
    )


def _sizes(n: int, n_features: int) -> list[int]:
    found = [int(times * n_features) for times in _TIMES if int(times * n_features) < n]
    if len(found) < len(_OFFERED) or found[0] < 2:
        raise InputError(
            f"{n:,} sentences to fit on in {n_features:,} dimensions: this step needs more than "
            f"{int(_TIMES[len(_OFFERED) - 1] * n_features):,}"
        )
    return [*found, n]


def _rhos(material: Material, spec: str, sizes: Sequence[int]) -> list[float | None]:
    prepared, recipe = material.prepared, material.recipe
    order = np.random.default_rng(recipe.seed).permutation(len(prepared.x_fit))
    build = partial(
        build_calibrator,
        spec,
        seed=recipe.seed,
        device=material.lab.device,
        share=prepared.corpus.share,
    )
    rhos: list[float | None] = []
    for size in sizes[:-1]:
        calibrator = build().fit(prepared.x_fit[order[:size]])
        cosines = pairwise_cosine(
            calibrator.transform(prepared.x_first), calibrator.transform(prepared.x_second)
        )
        scores = score_pairs(cosines, material.grades(), prepared.pairs.subsets)
        rhos.append(getattr(scores.spearman, recipe.aggregation))
    return [*rhos, material.results[spec].rho]


def _known(rho: float | None) -> float:
    return np.inf if rho is None else rho


def _choice(size: int, n_features: int) -> str:
    return f"{size:,}, as many as dimensions" if size == n_features else f"{size:,}"


def _takeaway(
    worst: int,
    n_features: int,
    rhos: Mapping[str, Sequence[float | None]],
    sizes: Sequence[int],
    raw: float | None,
) -> str:
    low = rhos[WHITE][list(sizes).index(worst)]
    where = f"{worst:,} sentences" + (", as many as dimensions," if worst == n_features else "")
    if raw is not None and low is not None and low < raw:
        return (
            f"Whitening fitted on {where} takes rho x 100 from {percent(raw)} down to "
            f"{percent(low)}; fitted on {sizes[0]:,} it gives {percent(rhos[WHITE][0])}, on all "
            f"{sizes[-1]:,} {percent(rhos[WHITE][-1])}."
        )
    return (
        f"Whitening does worst on {where} with rho x 100 of {percent(low)}; without calibration "
        f"it is {percent(raw)}."
    )


def _explanation(
    rhos: Mapping[str, Sequence[float | None]], sizes: Sequence[int], raw: float | None
) -> str:
    told = "; ".join(
        f"{spec}: {', '.join(percent(rho) for rho in each)}" for spec, each in rhos.items()
    )
    return (
        f"Rho x 100 is {percent(raw)} without calibration. On "
        f"{', '.join(f'{size:,}' for size in sizes)} sentences, in this order, {told}. With about "
        "as many sentences as dimensions the smallest variances are estimated as almost 0, and "
        "whitening divides by their roots."
    )
