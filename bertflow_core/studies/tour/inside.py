"""Step 8, inside the flow: sentences measured after each of its layers."""

import numpy as np
import torch

from bertflow_core.analysis.gaussianity import norms_test
from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.figures import Figure, measures_by_layer
from bertflow_core.flows.trace import Trace, trace
from bertflow_core.progress import Progress
from bertflow_core.studies.tour.material import FLOW, Material, cosines_of_all
from bertflow_core.studies.tour.step import Told, origin

__all__ = ["tell_flow"]


def tell_flow(material: Material, progress: Progress) -> Told:
    """Ask where on its way through the flow the cone opens."""
    calibrator = material.results[FLOW].calibrator
    assert isinstance(calibrator, FlowCalibrator)
    way = trace(calibrator.flow_, torch.from_numpy(np.array(material.sample, np.float32)))
    states = [state.numpy() for state in way.states]
    means = [float(cosines_of_all(state).mean()) for state in states]
    gaps = [norms_test(state).statistic for state in states]
    n_layers = len(way.names)
    half = next((i for i, mean in enumerate(means) if i and abs(mean) <= abs(means[0]) / 2), None)
    return Told(
        text=f"The flow is a chain of {n_layers} small invertible layers: ActNorm shifts and "
        "scales every coordinate, a permutation changes their order, a coupling bends some of them "
        f"by the others. Here {len(material.sample):,} sentences walk through, and are measured "
        "after every layer; 0 is where they start.",
        question="By which layer is the mean cosine of all pairs at most half of what it was?",
        choices=(
            "The very first",
            f"One up to layer {n_layers // 2}",
            f"A later one, up to layer {n_layers}",
            "None",
        ),
        right=_part_of(half, n_layers),
        explanation=_flow_said(way, means, gaps, half),
        figure=_by_layer(means, gaps),
        alt="Mean cosine, and how far norms are from a Gaussian's, after every layer of the flow",
        origin=origin(material.recipe, (FLOW,)),
    )


def _part_of(layer: int | None, n_layers: int) -> int:
    """Return whether a layer, from 1, is the first (0), of the first half (1) or later (2)."""
    ends = (1, n_layers // 2, n_layers)
    return len(ends) if layer is None else next(i for i, end in enumerate(ends) if layer <= end)


def _by_layer(means: list[float], gaps: list[float]) -> Figure:
    panels = {
        "mean cosine of all pairs": {FLOW: means},
        "distance of the norms from chi(D), 0 to 1": {FLOW: gaps},
    }
    return measures_by_layer(panels, [str(i) for i in range(len(means))]).update_xaxes(dtick=2)


def _flow_said(way: Trace, means: list[float], gaps: list[float], half: int | None) -> str:
    where = (
        "No layer does that. "
        if half is None
        else f"Layer {half} ({way.names[half - 1]}) leaves {means[half]:z.2f} of {means[0]:.2f}. "
    )
    first = (
        "A fit starts with that layer set to subtract the mean and to divide by the standard "
        "deviation of each coordinate. "
        if half == 1
        else ""
    )
    return (
        f"{where}{first}At the end the mean cosine is {means[-1]:z.2f}. The norms' distance from a "
        f"standard Gaussian's (Kolmogorov and Smirnov; 0 is a perfect fit) goes from {gaps[0]:.2f} "
        f"to {gaps[1]:.2f} by the first layer and {gaps[-1]:.2f} by the last."
    )
