"""What the numbers of a space mean for Gaussianity and holes, in sentences."""

import math

from bertflow_core.analysis.gaussianity import N_DRAWS, Likelihoods
from bertflow_core.analysis.measures import NATS_DIGITS, Values
from bertflow_core.analysis.space_rows import K_HUBS
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.sentences.judgement import has_unit_scale
from bertflow_core.studies.sentences.measure import SentenceSpace
from bertflow_core.text_table import shown_difference

__all__ = ["gaussian_reading", "hole_readings", "scale_reading", "where_samples_fall"]


def gaussian_reading(values: Values) -> str:
    """Say whether the energy distance distinguishes held-out rows from N(0, I).

    Args:
        values: Of one space; its held-out rows may be missing.
    """
    energy, floor = values["energy"], values["energy_floor"]
    if energy is None or floor is None:
        return "not measured"
    if energy <= floor:
        return f"not distinguishable from N(0, I): within the range of {N_DRAWS} Gaussian samples"
    return f"not N(0, I): further from it than each of {N_DRAWS} Gaussian samples"


def scale_reading(space: SentenceSpace) -> str:
    """Say why tests against N(0, I) tell nothing of a space on another scale; nothing elsewhere."""
    found, expected = (space.values[name] for name in ("norm_mean", "norm_mean_expected"))
    if found is None or expected is None or has_unit_scale(space.values):
        return ""
    return (
        f"{space.recipe.calibrator}: the mean norm is {found:.2f}, that of N(0, I) {expected:.2f}. "
        "Sentences that the fit did not see are on another scale, so that any test of norms or of "
        "distance against N(0, I) rejects them for this alone."
    )


def where_samples_fall(ratio: float) -> str:
    """Say where the typical sample falls, without a full stop.

    Args:
        ratio: How far samples are from sentences, over how far other sentences are.
    """
    place = "where sentences are sparser" if _against_one(ratio) > 0 else "among sentences"
    return f"the typical sample falls {place}"


def hole_readings(space: SentenceSpace) -> tuple[str, ...]:
    """Return one sentence per measured distance or density.

    Densities differ if their means, as the table of measures shows them, differ by more than two
    standard errors, with the rows taken as independent.
    """
    sentences = [_clumps(space.values), _samples(space.values)]
    likelihoods = space.curves.likelihoods
    if likelihoods is not None:
        sentences += [_densities(likelihoods), _midpoints(likelihoods)]
    return tuple(sentence for sentence in sentences if sentence)


def _clumps(values: Values) -> str:
    ratio = values["gaussian_distance_ratio"]
    if ratio is None:
        return ""
    meaning = {
        -1: "sentences form clumps with empty space between them",
        0: "sentences are spread as evenly",
        1: "sentences are further apart",
    }[_against_one(ratio)]
    return (
        f"The {K_HUBS}th nearest neighbour of a sentence is {ratio:.2f} times as far as in a "
        f"Gaussian cloud of the same covariance: {meaning}."
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
    """Return -1, 0 or 1 if a ratio, rounded to the two digits shown, is below, at or above 1."""
    shown = round(ratio, 2)
    return (shown > 1) - (shown < 1)


def _densities(densities: Likelihoods) -> str:
    difference = _change(densities.samples, densities.real)
    meaning = {
        -1: "it fits sentences that it did not see less well than its own samples",
        0: "not significant",
        1: "sentences lie at likelier places than its own samples",
    }[_beyond_noise(difference, densities.real, densities.samples)]
    more = "more" if difference >= 0 else "less"
    return (
        f"Under the density, real sentences are {abs(difference):.{NATS_DIGITS}f} nats {more} "
        f"likely than samples on average: {meaning}."
    )


def _midpoints(densities: Likelihoods) -> str:
    gain = _change(densities.real, densities.real_midpoints)
    expected = _change(densities.samples, densities.sample_midpoints)
    meaning = {
        -1: "between sentences the density is lower than its own shape explains, a sign of holes",
        0: "the difference is not significant, no sign of holes",
        1: "between sentences the density is no lower than its own shape explains",
    }[_beyond_noise(gain - expected, *densities.groups().values())]
    return (
        f"Midpoints change the log-density by {gain:+z.{NATS_DIGITS}f} nats between real sentences "
        f"and by {expected:+z.{NATS_DIGITS}f} between samples: {meaning}."
    )


def _change(before: FloatArray, after: FloatArray) -> float:
    """Return the difference of two means as the table of measures shows them."""
    return shown_difference(float(before.mean()), float(after.mean()), digits=NATS_DIGITS)


def _beyond_noise(difference: float, *groups: FloatArray) -> int:
    """Return the sign of a difference of means, or 0 within two standard errors of it."""
    variance = sum(float(each.var(ddof=1)) / len(each) for each in groups)
    return 0 if abs(difference) <= 2 * math.sqrt(variance) else (difference > 0) - (difference < 0)
