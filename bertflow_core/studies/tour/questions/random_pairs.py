"""Question 2: how similar are two sentences that have nothing to do with each other?"""

import numpy as np

from bertflow_core.figures import cosine_histograms, mark_values
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import NO_CONE, RAW, Material
from bertflow_core.studies.tour.origin import origin

__all__ = ["ask"]

_COSINES = (0.0, 0.3, 0.6, 0.9)


def ask(material: Material) -> Content:
    """Ask how similar two random sentences are."""
    cosines = material.cosines(RAW)
    mean = float(cosines.mean())
    low, high = np.quantile(cosines, (0.025, 0.975))
    figure = cosine_histograms({RAW: cosines})
    mark_values(figure, {f"mean {mean:z.2f}": mean})
    mark_values(figure, material.own.cosines(), own=True)
    return Content(
        text="Two random sentences usually have nothing in common. If vectors pointed in all "
        "directions equally often, their mean cosine would be 0.",
        question="What is the mean cosine of two random sentences here, without calibration?",
        choices=tuple(f"About {each:g}" for each in _COSINES),
        right=int(np.argmin(np.abs(np.array(_COSINES) - mean))),
        takeaway=_takeaway(mean),
        explanation=f"It is {mean:z.2f}, over the {len(cosines):,} pairs of "
        f"{len(material.sample):,} scored sentences; 95 % of them lie between {low:z.2f} and "
        f"{high:z.2f}. A cosine above {high:z.2f} is rare among random pairs.",
        notes="Most people guess 0 or 0.3. Usual mistake: to set one threshold, such as 0.7, for "
        "all encoders. What a cosine means depends on where random pairs lie.",
        figure=figure,
        alt=f"Cosines of random pairs of sentences, straight from the encoder: mean {mean:z.2f}",
        origin=origin(material.recipe),
        own=material.own_change(RAW),
    )


def _takeaway(mean: float) -> str:
    if mean <= NO_CONE:
        return f"Random sentences have a mean cosine of {mean:z.2f}: here there is no cone to open."
    return (
        f"Two random sentences have a cosine of {mean:.2f}, so a cosine of {mean:.2f} does not "
        "mean that two sentences are similar."
    )
