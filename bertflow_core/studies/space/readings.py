"""What the numbers of a space mean, in the sentences of the registry of measures."""

from collections.abc import Iterator, Sequence

from bertflow_core.analysis.gaussianity import N_DRAWS
from bertflow_core.analysis.measures import (
    JUDGED,
    SCALES,
    has_unit_scale,
    judged_value,
    sentence,
)
from bertflow_core.report import Row

_RATIOS = ("gaussian_distance_ratio", "sample_distance_ratio")


def readings(row: Row) -> Iterator[str]:
    """Yield a sentence for each question that the numbers of a space answer."""
    for name in (*JUDGED, *_RATIOS):
        value = judged_value(name, row)
        if value is not None:
            yield sentence(name, value)
    energy, floor = row.get("energy"), row.get("energy_floor")
    if energy is not None and floor is not None:
        yield (
            f"Not distinguishable from N(0, I): within the range of {N_DRAWS} Gaussian samples."
            if energy <= floor
            else f"Not N(0, I): further from it than each of {N_DRAWS} Gaussian samples."
        )


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
    held_out = "" if unseen is None else f", {unseen:z.2f} of held-out ones"
    return (
        f"{SCALES['mean_cosine'].word(value)} (mean cosine {value:z.2f} of all sentences{held_out})"
    )
