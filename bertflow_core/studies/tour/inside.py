"""Step 8, inside the flow: sentences measured after each of its layers."""

import numpy as np
import torch

from bertflow_core.analysis.gaussianity import norms_test
from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.figures import Figure, measures_by_layer
from bertflow_core.flows.trace import Trace, trace
from bertflow_core.progress import Progress
from bertflow_core.studies.tour.material import FLOW, Material, cosines_of_all
from bertflow_core.studies.tour.step import Content, origin

__all__ = ["flow_step"]


def flow_step(material: Material, progress: Progress) -> Content:
    """Ask by which layer of the flow the cone opens."""
    calibrator = material.results[FLOW].calibrator
    assert isinstance(calibrator, FlowCalibrator)
    way = trace(calibrator.flow_, torch.from_numpy(np.array(material.sample, np.float32)))
    states = [state.numpy() for state in way.states]
    means = [float(cosines_of_all(state).mean()) for state in states]
    gaps = [norms_test(state).statistic for state in states]
    n_layers = len(way.names)
    half = next((i for i, mean in enumerate(means) if i and abs(mean) <= abs(means[0]) / 2), None)
    return Content(
        text=f"The flow is a chain of {n_layers} small invertible layers: ActNorm shifts and "
        "scales every coordinate, a permutation changes their order, a coupling shifts some of "
        f"them by a function of the others. {len(material.sample):,} sentences are measured after "
        "every layer; 0 is the embedding.",
        question="By which layer is the mean cosine of all pairs at most half of what it was?",
        choices=(
            "The first",
            f"Layers 2 to {n_layers // 2}",
            f"Layers {n_layers // 2 + 1} to {n_layers}",
            "None",
        ),
        right=_part_of(half, n_layers),
        explanation=_flow_text(way, means, gaps, half),
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


def _flow_text(way: Trace, means: list[float], gaps: list[float], half: int | None) -> str:
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
    return (
        f"{where}{first}After the last layer the mean cosine is {means[-1]:z.2f}. The "
        "Kolmogorov-Smirnov distance between the norms and those of a standard Gaussian (0 is a "
        f"perfect fit) is {gaps[0]:.2f} at first, {gaps[1]:.2f} after the first layer and "
        f"{gaps[-1]:.2f} after the last."
    )
