"""What the numbers of a space say about Gaussianity and holes, in sentences made from them."""

import math

from bertflow_core.analysis.energy import N_DRAWS
from bertflow_core.analysis.holes import Likelihoods
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.sentences.measure import SentenceSpace
from bertflow_core.studies.sentences.space_measures import K_HUBS, Values

__all__ = ["gaussian_reading", "hole_readings", "where_samples_fall"]


def gaussian_reading(values: Values) -> str:
    """Say whether held-out rows can be told from N(0, I) by their energy distance.

    Args:
        values: Of one space; its held-out rows may be missing.
    """
    energy, floor = values["energy"], values["energy_floor"]
    if energy is None or floor is None:
        return "not measured"
    if energy <= floor:
        return f"not told from N(0, I): within the range of {N_DRAWS} Gaussian samples"
    return f"not N(0, I): further from it than each of {N_DRAWS} Gaussian samples"


def where_samples_fall(ratio: float) -> str:
    """Say where the typical sample falls, without a full stop.

    Args:
        ratio: How far samples are from sentences, over how far other sentences are.
    """
    place = "where sentences are sparser" if _against_one(ratio) > 0 else "among sentences"
    return f"the typical sample falls {place}"


def hole_readings(space: SentenceSpace) -> tuple[str, ...]:
    """Say what follows from distances and densities, a sentence each for what was measured.

    Densities are told apart by two standard errors of the difference, rows taken as independent.
    """
    found = [_clumps(space.values), _samples(space.values)]
    likelihoods = space.curves.likelihoods
    if likelihoods is not None:
        found += [_densities(likelihoods), _midpoints(likelihoods)]
    return tuple(sentence for sentence in found if sentence)


def _clumps(values: Values) -> str:
    ratio = values["gaussian_distance_ratio"]
    if ratio is None:
        return ""
    meaning = {
        -1: "sentences gather in clumps and leave more room empty",
        0: "sentences are as evenly spread",
        1: "sentences keep further apart",
    }[_against_one(ratio)]
    return (
        f"The {K_HUBS}th neighbour of a sentence is at {ratio:.2f} times the distance that it has "
        f"in a Gaussian cloud of the same covariance: {meaning}."
    )


def _samples(values: Values) -> str:
    ratio = values["sample_distance_ratio"]
    if ratio is None:
        return ""
    return (
        f"Samples lie {ratio:.2f} times as far from sentences as other sentences do: "
        f"{where_samples_fall(ratio)}."
    )


def _against_one(ratio: float) -> int:
    """Return -1, 0 or 1 as a ratio is below, at or above 1 with the two digits that are shown."""
    shown = round(ratio, 2)
    return (shown > 1) - (shown < 1)


def _densities(found: Likelihoods) -> str:
    difference = float(found.real.mean() - found.samples.mean())
    meaning = {
        -1: "what it did not see surprises it more than its own draws do",
        0: "which is within the noise",
        1: "sentences keep to likelier places than its own draws do",
    }[_beyond_noise(difference, found.real, found.samples)]
    more = "more" if difference >= 0 else "less"
    return (
        f"To the density, real sentences are {abs(difference):.1f} nats {more} likely than samples "
        f"on average: {meaning}."
    )


def _midpoints(found: Likelihoods) -> str:
    gain = float(found.real_midpoints.mean() - found.real.mean())
    expected = float(found.sample_midpoints.mean() - found.samples.mean())
    meaning = {
        -1: "halfway between sentences it is thinner than its own shape makes it, a sign of holes",
        0: "the difference is within the noise, and no sign of holes",
        1: "halfway between sentences it is no thinner than its own shape makes it",
    }[_beyond_noise(gain - expected, *found.groups().values())]
    return (
        f"Midpoints change the log-density by {gain:+.1f} nats between real sentences and by "
        f"{expected:+.1f} between samples: {meaning}."
    )


def _beyond_noise(difference: float, *groups: FloatArray) -> int:
    """Return the sign of a difference of means, or 0 within two standard errors of it."""
    variance = sum(float(each.var(ddof=1)) / len(each) for each in groups)
    return 0 if abs(difference) <= 2 * math.sqrt(variance) else (difference > 0) - (difference < 0)
