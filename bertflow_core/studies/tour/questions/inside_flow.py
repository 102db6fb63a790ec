"""Question 7: what does a flow do? Sentences measured after each of its layers."""

import numpy as np
import torch

from bertflow_core.analysis.gaussianity import norms_test
from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.figures import Figure, mark_level, mark_lines, measures_by_layer
from bertflow_core.flows.trace import Trace, trace
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import FLOW, NO_CONE, Material, cosines_of_all
from bertflow_core.studies.tour.origin import origin
from bertflow_core.studies.tour.own_sentences import OwnSentences

__all__ = ["ask"]

_COSINE = "mean cosine of all pairs"


def ask(material: Material) -> Content:
    """Ask by which layer of the flow the cone opens."""
    calibrator = material.results[FLOW].calibrator
    assert isinstance(calibrator, FlowCalibrator)
    way = _trace(calibrator, material.sample)
    states = [state.numpy() for state in way.states]
    means = [float(cosines_of_all(state).mean()) for state in states]
    gaps = [norms_test(state).statistic for state in states]
    n_layers = len(way.names)
    half = next((i for i, mean in enumerate(means) if i and abs(mean) <= abs(means[0]) / 2), None)
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
        right=_part_of(half, n_layers),
        takeaway=_takeaway(way, means, half),
        explanation=_explanation(way, means, gaps, half, calibrator.notes_),
        notes="The dashed line is half of the first value. Have the room find the layer, then say "
        "what it does. Usual mistake: to think that a deep network opens the cone; its first "
        "layer, a shift and a scale, does most of it.",
        figure=_figure(means, gaps, material.own, calibrator),
        alt="Mean cosine, and how far norms are from a Gaussian's, after every layer of the flow",
        origin=origin(material.recipe, (FLOW,)),
        own="Lines of your pairs are drawn beside the mean." if material.own else "",
    )


def _figure(
    means: list[float], gaps: list[float], own: OwnSentences, calibrator: FlowCalibrator
) -> Figure:
    """Draw both measures after every layer, with lines for the learner's own pairs."""
    lines = {FLOW: means}
    if own:
        after = [own.cosines(state.numpy()) for state in _trace(calibrator, own.x).states]
        lines |= {pair: [each[pair] for each in after] for pair in own.pair_names()}
    figure = measures_by_layer(
        {_COSINE: lines, "distance of the norms from chi(D), 0 to 1": {FLOW: gaps}},
        [str(i) for i in range(len(means))],
    ).update_xaxes(dtick=2, title="layer of the flow; 0 is the embedding")
    return mark_level(mark_lines(figure, own.pair_names()), means[0] / 2, "half")


def _trace(calibrator: FlowCalibrator, x: FloatArray) -> Trace:
    return trace(calibrator.flow_, torch.from_numpy(np.array(x, np.float32)))


def _part_of(layer: int | None, n_layers: int) -> int:
    """Return whether a layer, from 1, is the first (0), of the first half (1) or later (2)."""
    ends = (1, n_layers // 2, n_layers)
    return len(ends) if layer is None else next(i for i, end in enumerate(ends) if layer <= end)


def _takeaway(way: Trace, means: list[float], half: int | None) -> str:
    if abs(means[0]) <= NO_CONE:
        return f"There was no cone: the mean cosine is {means[0]:z.2f} before the flow."
    if half is None:
        return f"No layer of the flow halves the mean cosine: it ends at {means[-1]:z.2f}."
    return (
        f"Layer {half} of {len(way.names)} takes the mean cosine from {means[half - 1]:.2f} to "
        f"{means[half]:z.2f}; the other layers reshape the cloud."
    )


def _explanation(
    way: Trace, means: list[float], gaps: list[float], half: int | None, fit: tuple[str, ...]
) -> str:
    where = (
        "No layer does. "
        if half is None
        else f"Layer {half} ({way.names[half - 1]}): from {means[0]:.2f} to {means[half]:z.2f}. "
    )
    first = (
        "Before training, that layer is set to subtract the mean and divide by the standard "
        "deviation of each coordinate. "
        if half == 1
        else ""
    )
    return " ".join(
        (
            f"{where}{first}After the last layer the mean cosine is {means[-1]:z.2f}. The "
            "Kolmogorov-Smirnov distance between the norms and those of a standard Gaussian (0 is "
            f"a perfect fit) is {gaps[0]:.2f} at first, {gaps[1]:.2f} after the first layer and "
            f"{gaps[-1]:.2f} after the last.",
            *fit,
        )
    )
