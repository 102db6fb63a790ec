"""What the numbers of a space mean, in sentences: those of the registry, and of the densities."""

import math
from collections.abc import Iterator, Sequence

from bertflow_core.analysis.gaussianity import N_DRAWS, Likelihoods
from bertflow_core.analysis.measures import (
    JUDGED,
    MEASURES,
    NATS_DIGITS,
    has_unit_scale,
    judged_value,
    sentence,
)
from bertflow_core.linalg import FloatArray
from bertflow_core.report import Row
from bertflow_core.text_table import shown_difference

_RATIOS = ("gaussian_distance_ratio", "sample_distance_ratio")


def readings(row: Row, likelihoods: Likelihoods | None = None) -> Iterator[str]:
    """Yield a sentence for each question that the numbers of a space answer."""
    for measure in (*JUDGED, *(MEASURES[name] for name in _RATIOS)):
        value = judged_value(measure, row)
        if value is not None:
            yield sentence(measure.name, value)
    energy, floor = row.get("energy"), row.get("energy_floor")
    if energy is not None and floor is not None:
        yield (
            f"Not distinguishable from N(0, I): within the range of {N_DRAWS} Gaussian samples."
            if energy <= floor
            else f"Not N(0, I): further from it than each of {N_DRAWS} Gaussian samples."
        )
    if likelihoods is not None:
        yield _densities(likelihoods)
        yield _midpoints(likelihoods)


def scale_reading(row: Row) -> str:
    """Say why tests against N(0, I) tell nothing of a space on another scale; nothing elsewhere."""
    found, expected = (row.get(name) for name in ("norm_mean", "norm_mean_expected"))
    if found is None or expected is None or has_unit_scale(row):
        return ""
    return (
        f"{row['calibrator']}: the mean norm is {found:.2f}, that of N(0, I) {expected:.2f}. "
        "Sentences that the fit did not see are on another scale, so that any test of norms or of "
        "distance against N(0, I) rejects them for this alone."
    )


def finding(rows: Sequence[Row]) -> str:
    """Say in one sentence what becomes of the cone at a layer set, the first row's the baseline."""
    base, *others = (row for row in rows if row.get("mean_cosine") is not None)
    said = f"Under {base['calibrator']} the directions of the sentences form {_cone(base)}"
    if not others:
        return f"{said}."
    best = min(others, key=lambda row: abs(row["mean_cosine"]))
    return f"{said}; under {best['calibrator']} they form {_cone(best)}."


def _cone(row: Row) -> str:
    value, unseen = row["mean_cosine"], row.get("held_out_mean_cosine")
    scale = MEASURES["mean_cosine"].scale
    assert scale is not None
    held_out = "" if unseen is None else f", {unseen:z.2f} of held-out ones"
    return f"{scale.word(value)} (mean cosine {value:z.2f} of all sentences{held_out})"


def _densities(densities: Likelihoods) -> str:
    """Compare sentences and samples: means differ beyond two standard errors, as they are shown."""
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
        -1: "between sentences the density is lower than its own shape explains",
        0: "the difference is not significant",
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
