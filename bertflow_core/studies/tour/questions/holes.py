"""Question 5: is there empty space, are there holes, between the sentences?"""

import numpy as np

from bertflow_core.analysis.gaussianity import matched_gaussian
from bertflow_core.analysis.neighbours import knn
from bertflow_core.figures import distance_histograms, mark_values
from bertflow_core.linalg import FloatArray, sample_rows
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import FLOW, RAW, Material
from bertflow_core.studies.tour.origin import origin

__all__ = ["ask"]

_K = 10
_MOST_ROWS = 2_000
_ALIKE = 0.03
"""Medians that differ by less are called alike."""


def ask(material: Material) -> Content:
    """Ask whether sentences lie nearer to their neighbours than points of a Gaussian do.

    Raises:
        InputError: No more sentences, of one side of each pair, than features.
    """
    x = material.apart
    material.check_sentences(x)
    seed = material.recipe.seed
    rows = np.asarray(x[sample_rows(len(x), _MOST_ROWS, seed=seed)], np.float64)
    flow = material.results[FLOW].calibrator.transform(rows).astype(np.float64)
    near, even = _distances(rows, seed)
    ratio, after = _ratio(near, even), _ratio(*_distances(flow, seed))
    own = material.own
    figure = distance_histograms(
        {f"to the {_K}th nearest": {"sentences": near, "points of a Gaussian": even}}
    )
    figure.update_xaxes(title="L2 distance")
    if own:
        found, _ = knn(rows, _K, queries=np.asarray(own.x, np.float64))
        mark_values(figure, dict(zip(own.names, found[:, -1], strict=True)), own=True)
    return Content(
        text="Between sentences there may be places where no sentence is: holes. There similarity "
        "may mean little, the paper argues. Beside the sentences we draw as many points of a "
        "Gaussian with the same mean and the same covariance, which has no holes. Where sentences "
        f"form clumps with holes between them, the {_K}th nearest neighbour is nearer than in the "
        "Gaussian.",
        question="Are sentences nearer to their neighbours than the Gaussian's points to theirs?",
        choices=("Nearer: there are clumps and holes", "As near", "Farther"),
        right=1 if abs(ratio - 1) < _ALIKE else int(ratio > 1) * 2,
        takeaway=_takeaway(ratio),
        explanation=f"The median distance is {ratio:.2f} times that of the Gaussian's points, over "
        f"{len(rows):,} sentences, one side of each pair; under the flow it is {after:.2f} times, "
        f"against a Gaussian like the flow's vectors{_lasting(ratio, after)}. The paper finds "
        "holes around rare words.",
        notes="A picture in two dimensions cannot show this: in hundreds of dimensions everything "
        "is far from everything. Usual mistake: to think that the flow must have filled the holes "
        "because its target is a Gaussian.",
        figure=figure,
        alt=f"Distances to the {_K}th nearest neighbour: of sentences, and of points of a Gaussian "
        "with the same mean and covariance",
        origin=origin(material.recipe, (RAW, FLOW)),
        own=f"Marked: the distance of each of your sentences to its {_K}th nearest." if own else "",
    )


def _distances(rows: FloatArray, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return distances to the k-th other row, of rows and of a Gaussian like them, (N,) each."""
    near, _ = knn(rows, _K)
    even, _ = knn(matched_gaussian(rows, len(rows), seed=seed), _K)
    return near[:, -1], even[:, -1]


def _ratio(near: FloatArray, even: FloatArray) -> float:
    return float(np.median(near) / np.median(even))


def _lasting(before: float, after: float) -> str:
    is_clumped = max(before, after) < 1 - _ALIKE
    return ": opening the cone does not dissolve the clumps" if is_clumped else ""


def _takeaway(ratio: float) -> str:
    if abs(ratio - 1) < _ALIKE:
        return (
            f"Sentences are {ratio:.2f} times as far from their neighbours as a Gaussian's points: "
            "no holes are found here."
        )
    side = "nearer to" if ratio < 1 else "farther from"
    meaning = "they form clumps with holes between them" if ratio < 1 else "they form no clumps"
    return (
        f"Sentences lie {100 * abs(ratio - 1):.0f} % {side} their neighbours than a Gaussian's "
        f"points: {meaning}."
    )
