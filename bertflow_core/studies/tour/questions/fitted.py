"""Questions 6, 7 and 11: what calibrators and a flow do, and how many sentences they need."""

from functools import partial

import numpy as np
import torch

from bertflow_core.analysis.gaussianity import norms_test
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.figures import (
    length_shares,
    mark_level,
    mark_lines,
    measures_by_layer,
    score_by_dataset,
)
from bertflow_core.flows.trace import Trace, trace
from bertflow_core.linalg import FloatArray, principal_directions
from bertflow_core.moments import covariance
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import (
    CENTRED,
    FLOW,
    NO_CONE,
    RAW,
    REMOVED,
    SPECS,
    WHITE,
    Material,
    cosines_of_all,
)
from bertflow_core.studies.tour.origin import origin
from bertflow_core.text_table import percent

__all__ = ["calibrators", "few", "flow"]

_K = 6
_REMOVED_BELOW = 0.05
_NAMES = (
    "No calibrator",
    "Subtracting the mean",
    f"Removing the mean and {_K} directions",
    "Whitening",
    "A flow",
    "None of these",
)
_COSINE = "mean cosine of all pairs"
_TRIED = (REMOVED, WHITE, FLOW)
_TIMES = (0.25, 0.5, 1, 2, 4, 8)
"""Sentences to fit on, in multiples of the dimension; then all."""

_OFFERED = (0, 2, 3, -1)
"""Which of the sizes are answers."""


def calibrators(material: Material) -> Content:
    """Ask which calibrator is the simplest that removes the mean vector."""
    material.check_sentences()
    shares = {
        spec: _shares(material.results[spec].calibrator.transform(material.corpus))
        for spec in SPECS
    }
    right = next((i for i, spec in enumerate(SPECS) if shares[spec][0] < _REMOVED_BELOW), -1)
    n_features = material.corpus.shape[1]
    takeaway = {
        -1: "None of these calibrators removes the mean vector here.",
        0: "The vectors have no mean vector to speak of: there is no cone to open.",
    }.get(
        right,
        f"{_NAMES[right]} ({SPECS[right]}) is enough to open the cone; the others also change how "
        "much each direction counts.",
    )
    told = "; ".join(
        f"{spec}: {100 * mean:.0f} %, {100 * largest:.0f} % and {100 * rest:.0f} %"
        for spec, (mean, largest, rest) in shares.items()
    )
    parts = ("mean vector", f"{_K} largest directions", "all other directions")
    return Content(
        text="A calibrator is a map that is learnt from sentences without grades. The simplest "
        "subtracts the mean vector. The next also drops the few directions in which the sentences "
        "differ most. Whitening gives all directions the same variance. BERT-flow maps the vectors "
        f"to a Gaussian by an invertible network. Measured are the {len(material.corpus):,} "
        "different sentences that all of them are fitted on.",
        question="What is the simplest calibrator that leaves less than "
        f"{100 * _REMOVED_BELOW:.0f} % of the squared length to the mean vector?",
        choices=_NAMES,
        right=right % len(_NAMES),
        takeaway=takeaway,
        explanation=f"Of the squared length of the fitted sentences (step 3 has the scored ones), "
        f"the mean vector, the {_K} largest directions and all others hold, in this order: {told}. "
        f"Were all {n_features:,} directions alike, {_K} of them would hold "
        f"{100 * _K / n_features:.1f} %.",
        notes="Subtracting a mean is one line of code. Ask what the others are for, then: they "
        "also change how the remaining directions are weighed, and the agreement with people, two "
        "questions on, shows whether that is worth it. Usual mistake: to credit the flow with "
        "what the mean does.",
        figure=length_shares(
            {spec: dict(zip(parts, each, strict=True)) for spec, each in shares.items()}
        ),
        alt="Bars by calibrator: the share of the squared length that is the mean vector, the six "
        "largest directions, and all others",
        origin=origin(material.recipe, SPECS),
        own=material.own_change(RAW, CENTRED, WHITE, FLOW),
    )


def _shares(z: FloatArray) -> tuple[float, float, float]:
    """Split the mean squared length of vectors, shape (N, D), into mean and directions."""
    mean, spread = covariance(z)
    variances = principal_directions(spread * (len(z) - 1) / len(z))[0]
    of_mean = float(np.square(mean).sum())
    total = of_mean + float(variances.sum())
    first, largest = of_mean / total, float(variances[:_K].sum()) / total
    return first, largest, 1 - first - largest


def flow(material: Material) -> Content:
    """Ask by which layer of the flow the cone opens."""
    calibrator, own = material.results[FLOW].calibrator, material.own
    assert isinstance(calibrator, FlowCalibrator)
    way = _trace(calibrator, material.sample)
    states = [state.numpy() for state in way.states]
    means = [float(cosines_of_all(state).mean()) for state in states]
    gaps = [norms_test(state).statistic for state in states]
    n_layers = len(way.names)
    half = next((i for i, mean in enumerate(means) if i and abs(mean) <= abs(means[0]) / 2), None)
    ends = (1, n_layers // 2, n_layers)
    lines = {FLOW: means}
    if own:
        after = [own.cosines(state.numpy()) for state in _trace(calibrator, own.x).states]
        lines |= {pair: [each[pair] for each in after] for pair in own.pair_names()}
    figure = measures_by_layer(
        {_COSINE: lines, "distance of the norms from chi(D), 0 to 1": {FLOW: gaps}},
        [str(i) for i in range(len(means))],
    ).update_xaxes(dtick=2, title="layer of the flow; 0 is the embedding")
    where = "No layer does."
    takeaway = f"No layer of the flow halves the mean cosine: it ends at {means[-1]:z.2f}."
    if half is not None:
        where = f"Layer {half} ({way.names[half - 1]}): from {means[0]:.2f} to {means[half]:z.2f}."
        takeaway = (
            f"Layer {half} of {n_layers} takes the mean cosine from {means[half - 1]:.2f} to "
            f"{means[half]:z.2f}; the other layers reshape the cloud."
        )
    if abs(means[0]) <= NO_CONE:
        takeaway = f"There was no cone: the mean cosine is {means[0]:z.2f} before the flow."
    if half == 1:
        where += (
            " Before training, that layer is set to subtract the mean and divide by the standard "
            "deviation of each coordinate."
        )
    said = (
        f"{where} After the last layer the mean cosine is {means[-1]:z.2f}. The "
        "Kolmogorov-Smirnov distance between the norms and those of a standard Gaussian (0 is a "
        f"perfect fit) is {gaps[0]:.2f} at first, {gaps[1]:.2f} after the first layer and "
        f"{gaps[-1]:.2f} after the last."
    )
    return Content(
        text=f"A flow is a chain of small invertible layers, here {n_layers}: ActNorm shifts and "
        "scales every coordinate, a permutation changes their order, a coupling shifts some of "
        f"them by a function of the others. {len(material.sample):,} sentences are measured after "
        "every layer; 0 is the embedding. The dashed line is half of the first value.",
        question="After which layer is the mean cosine at most half of what it was?",
        choices=(
            "The first",
            f"Layers 2 to {n_layers // 2}",
            f"Layers {n_layers // 2 + 1} to {n_layers}",
            "None",
        ),
        right=3 if half is None else next(i for i, end in enumerate(ends) if half <= end),
        takeaway=takeaway,
        explanation=" ".join((said, *calibrator.notes_)),
        notes="The dashed line is half of the first value. Have the room find the layer, then say "
        "what it does. Usual mistake: to think that a deep network opens the cone; its first "
        "layer, a shift and a scale, does most of it.",
        figure=mark_level(mark_lines(figure, own.pair_names()), means[0] / 2, "half"),
        alt="Mean cosine, and how far norms are from a Gaussian's, after every layer of the flow",
        origin=origin(material.recipe, (FLOW,)),
        own="Lines of your pairs are drawn beside the mean." if own else "",
    )


def _trace(calibrator: FlowCalibrator, x: FloatArray) -> Trace:
    return trace(calibrator.flow_, torch.from_numpy(np.array(x, np.float32)))


def few(material: Material) -> Content:
    """Ask on how many sentences whitening does worst."""
    material.grades()
    material.check_pairs()
    n, n_features = material.prepared.x_fit.shape
    sizes = _sizes(n, n_features)
    names = [f"{size:,}" for size in sizes]
    rhos = {spec: _rhos(material, spec, sizes) for spec in _TRIED}
    raw, white = material.results[RAW].rho, rhos[WHITE]
    at = int(np.argmin([np.inf if rho is None else rho for rho in white]))
    worst, low, offered = sizes[at], white[at], [sizes[i] for i in _OFFERED]
    where = f"{worst:,} sentences" + (", as many as dimensions," if worst == n_features else "")
    takeaway = (
        f"Whitening does worst on {where} with rho x 100 of {percent(low)}; without calibration "
        f"it is {percent(raw)}."
    )
    if raw is not None and low is not None and low < raw:
        takeaway = (
            f"Whitening fitted on {where} takes rho x 100 from {percent(raw)} down to "
            f"{percent(low)}; fitted on {names[0]} it gives {percent(white[0])}, on all "
            f"{names[-1]} {percent(white[-1])}."
        )
    told = "; ".join(f"{spec}: {', '.join(map(percent, each))}" for spec, each in rhos.items())
    return Content(
        text="A calibrator learns from sentences: how many does it need? Here each is fitted "
        f"on a random part of the corpus, from {names[0]} to {names[-1]} sentences, and scored "
        "on the same pairs. Whitening estimates the variance of each of the "
        f"{n_features:,} dimensions and of every two together.",
        question="Which number of sentences is worst for whitening?",
        choices=tuple(
            f"{size:,}" + (", as many as dimensions" if size == n_features else "")
            for size in offered
        ),
        right=int(np.argmin([abs(np.log(size / worst)) for size in offered])),
        takeaway=takeaway,
        explanation=f"Rho x 100 is {percent(raw)} without calibration. On {', '.join(names)} "
        f"sentences, in this order, {told}. With about as many sentences as dimensions the "
        "smallest variances are estimated as almost 0, and whitening divides by their roots.",
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


def _rhos(material: Material, spec: str, sizes: list[int]) -> list[float | None]:
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
