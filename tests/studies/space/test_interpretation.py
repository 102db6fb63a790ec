"""Sentences made from numbers: each way a number can fall, by hand."""

import pytest

from bertflow_core.analysis.judged import JUDGED, judged_value
from bertflow_core.analysis.measures import MEASURES
from bertflow_core.studies.space.measure import readings, scale_reading

EMPTY = dict.fromkeys(MEASURES)


def space(spec="flow", **values):
    return {**EMPTY, "layers": "layer:4", "calibrator": spec, **values}


@pytest.mark.parametrize(
    ("energy", "words"),
    [(0.03, "Not N(0, I)"), (0.01, "Not distinguishable"), (-0.01, "Not distinguishable")],
)
def test_an_energy_distance_is_read_against_its_floor(energy, words):
    (said,) = readings(space(energy=energy, energy_floor=0.02))
    assert said.startswith(words)


@pytest.mark.parametrize(
    ("norm", "told"), [(15.6, False), (15.8, True), (24.4, True), (24.6, False)]
)
def test_a_gap_of_norms_is_told_of_spaces_on_the_scale_of_a_gaussian_alone(norm, told):
    row = space(norm_ks=0.3, norm_mean=norm, norm_mean_expected=19.6)
    assert "norm_ks" in JUDGED
    assert (judged_value("norm_ks", row) == 0.3) is told
    reading = scale_reading(row)
    assert (reading == "") is told
    assert told or f"{norm:.2f}, that of N(0, I) 19.60" in reading
