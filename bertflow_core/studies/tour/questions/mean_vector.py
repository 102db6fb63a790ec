"""Question 3: what is the cone? One vector that all sentences share, their mean."""

import numpy as np

from bertflow_core.analysis.isotropy import Directions, directions
from bertflow_core.figures import Figure, Sphere, mark_on_sphere, spheres
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import NO_CONE, RAW, Material
from bertflow_core.studies.tour.origin import origin

__all__ = ["ask"]

_SHARES = (0.05, 0.35, 0.7, 0.95)
_SHOWN = 200


def ask(material: Material) -> Content:
    """Ask how much of the squared length of the vectors is their mean vector."""
    own, x = material.own, material.sample
    n = len(x)
    found = directions(np.concatenate([x, own.x]) if own else x)
    drawn = np.random.default_rng(material.recipe.seed).standard_normal(x.shape)
    even = directions(drawn)
    share, angle = found.mean_length**2, float(np.median(found.angles[:n]))
    figure = _figure(found, even, min(n, _SHOWN))
    if own:
        mark_on_sphere(figure, found.angles[n:], found.azimuths[n:], own.names)
    return Content(
        text="Give every vector length 1, so that only its direction counts. The mean of all "
        "vectors is then what they share: its length is 0 where directions cancel, and 1 where all "
        "point the same way. Squared, it says how much of an average vector is common to all: 0 % "
        "is nothing, 100 % everything.",
        question="What share of the squared length is the mean vector?",
        choices=tuple(f"About {100 * each:.0f} %" for each in _SHARES),
        right=int(np.argmin(np.abs(np.array(_SHARES) - share))),
        takeaway=_takeaway(share),
        explanation=f"The arrow is the mean vector of {n:,} scored sentences, "
        f"{found.mean_length:.2f} long: "
        f"{100 * share:.0f} % of the squared length. Half of the sentences lie within "
        f"{angle:.0f} degrees of it. On the right {n:,} random directions of the same dimension "
        f"{x.shape[1]:,}: their mean vector is {even.mean_length:.2f} long. The share is also the "
        "mean cosine of all pairs, each vector with itself included: the two questions are one.",
        notes="Draw it on the board: every vector is the same arrow plus a small difference, and "
        "only the difference is about the sentence. Usual mistake: to take the cone for a few "
        "directions of large variance; variance is measured around the mean, so it cannot see it.",
        figure=figure,
        alt=f"Sentences on a sphere around their mean vector, {found.mean_length:.2f} long; beside "
        f"it random directions, whose mean vector is {even.mean_length:.2f} long",
        origin=origin(material.recipe),
    )


def _takeaway(share: float) -> str:
    held = f"The mean vector holds {100 * share:.0f} % of the squared length"
    if share <= NO_CONE:
        return f"{held}, at most {100 * NO_CONE:.0f} %: the sentences form no cone."
    return f"{held}: all sentences point roughly the same way, and that is the cone."


def _figure(found: Directions, even: Directions, n: int) -> Figure:
    panels = {"sentences": (found, RAW), "random directions": (even, "ledoit-wolf")}
    return spheres(
        [
            Sphere(
                title=f"{name}: the mean is {100 * each.mean_length**2:.0f} %",
                spec=spec,
                angles=_rounded(each.angles[:n]),
                azimuths=_rounded(each.azimuths[:n]),
                mean_length=each.mean_length,
                texts=[name] * n,
            )
            for name, (each, spec) in panels.items()
        ]
    ).update_layout(height=420)


def _rounded(degrees: FloatArray) -> FloatArray:
    rounded: FloatArray = np.round(degrees, 2)
    return rounded
