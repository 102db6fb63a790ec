"""Question 6: what does each calibrator remove?"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bertflow_core.figures import length_shares
from bertflow_core.linalg import FloatArray, principal_directions
from bertflow_core.moments import covariance
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import CENTRED, FLOW, RAW, SPECS, WHITE, Material
from bertflow_core.studies.tour.origin import origin

__all__ = ["ask"]

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


@dataclass(frozen=True)
class _Shares:
    """Where the squared length of vectors lies, in shares that sum to 1."""

    mean: float
    largest: float

    @property
    def rest(self) -> float:
        return 1 - self.mean - self.largest


def ask(material: Material) -> Content:
    """Ask which calibrator is the simplest that removes the mean vector.

    Raises:
        InputError: No more sentences than features, which whitening would make orthogonal.
    """
    material.check_sentences()
    shares = {
        spec: _shares(material.results[spec].calibrator.transform(material.corpus))
        for spec in SPECS
    }
    enough = [spec for spec in SPECS if shares[spec].mean < _REMOVED_BELOW]
    n_features = material.corpus.shape[1]
    return Content(
        text="A calibrator is a map that is learnt from sentences without grades. The simplest "
        "subtracts the mean vector. The next also drops the few directions in which the sentences "
        "differ most. Whitening gives all directions the same variance. BERT-flow maps the vectors "
        f"to a Gaussian by an invertible network. Measured are the {len(material.corpus):,} "
        "different sentences that all of them are fitted on.",
        question="What is the simplest calibrator that leaves less than "
        f"{100 * _REMOVED_BELOW:.0f} % of the squared length to the mean vector?",
        choices=_NAMES,
        right=SPECS.index(enough[0]) if enough else len(SPECS),
        takeaway=_takeaway(enough),
        explanation=_explanation(shares, n_features),
        notes="Subtracting a mean is one line of code. Ask what the others are for, then: they "
        "also change how the remaining directions are weighed, and the agreement with people, two "
        "questions on, shows whether that is worth it. Usual mistake: to credit the flow with "
        "what the mean does.",
        figure=length_shares(
            {
                spec: {
                    "mean vector": each.mean,
                    f"{_K} largest directions": each.largest,
                    "all other directions": each.rest,
                }
                for spec, each in shares.items()
            }
        ),
        alt="Bars by calibrator: the share of the squared length that is the mean vector, the six "
        "largest directions, and all others",
        origin=origin(material.recipe, SPECS),
        own=material.own_change(RAW, CENTRED, WHITE, FLOW),
    )


def _shares(z: FloatArray) -> _Shares:
    """Split the mean squared length of vectors, shape (N, D), into mean and directions."""
    mean, spread = covariance(z)
    variances = principal_directions(spread * (len(z) - 1) / len(z))[0]
    total = float(np.square(mean).sum() + variances.sum())
    return _Shares(float(np.square(mean).sum()) / total, float(variances[:_K].sum()) / total)


def _takeaway(enough: list[str]) -> str:
    if not enough:
        return "None of these calibrators removes the mean vector here."
    name = _NAMES[SPECS.index(enough[0])]
    if enough[0] == SPECS[0]:
        return "The vectors have no mean vector to speak of: there is no cone to open."
    return (
        f"{name} ({enough[0]}) is enough to open the cone; the others also change how much each "
        "direction counts."
    )


def _explanation(shares: Mapping[str, _Shares], n_features: int) -> str:
    told = "; ".join(
        f"{spec}: {100 * each.mean:.0f} %, {100 * each.largest:.0f} % and {100 * each.rest:.0f} %"
        for spec, each in shares.items()
    )
    return (
        f"Of the squared length of the fitted sentences (step 3 has the scored ones), the mean "
        f"vector, the {_K} largest directions and all others hold, in this order: {told}. Were "
        f"all {n_features:,} directions alike, {_K} of them would hold {100 * _K / n_features:.1f} "
        "%."
    )
