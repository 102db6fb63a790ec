"""Sentences made from numbers: each way a number can fall, by hand."""

import numpy as np
import pytest

from bertflow_core.analysis.gaussianity import Likelihoods
from bertflow_core.analysis.measures import JUDGED, MEASURES, judged_value
from bertflow_core.studies.space.readings import readings, scale_reading

EMPTY = dict.fromkeys(MEASURES)


def space(spec="flow", **values):
    return {**EMPTY, "layers": "layer:4", "calibrator": spec, **values}


def around(mean, spread=1.0):
    """Return 100 numbers of this mean, whose standard error is a tenth of `spread`."""
    half = np.repeat([-1.0, 1.0], 50)
    return mean + spread * half * np.sqrt(99 / 100)


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
    assert JUDGED[-1].name == "norm_ks"
    assert (judged_value(JUDGED[-1], row) == 0.3) is told
    reading = scale_reading(row)
    assert (reading == "") is told
    assert told or f"{norm:.2f}, that of N(0, I) 19.60" in reading


@pytest.mark.parametrize(
    ("means", "first", "second"),
    [
        ((10, 5, 30, 30), "5.0 nats more likely", "is lower than"),
        ((5, 10, 30, 30), "5.0 nats less likely", "no lower"),
        ((5, 5.1, 30, 30), "not significant", "not significant"),
        ((5, 5.5, 30, 30.7), "less well than its own samples", "not significant"),
        ((1012.6, 1013.4, 1020.4, 1020.6), "0.8 nats less likely", "no lower"),
        (
            (-99_999.8, -100_000.6, -99_990, -99_990),
            "0.8 nats more likely",
            "is lower than",
        ),
    ],
)
def test_densities_differ_by_more_than_two_standard_errors(means, first, second):
    found = list(readings(space(), Likelihoods(*map(around, means))))
    assert len(found) == 2
    assert first in found[0]
    assert second in found[1]
    gain, expected = means[2] - means[0], means[3] - means[1]
    assert f"{gain:+.1f} nats between real sentences and by {expected:+.1f}" in found[1]


def test_a_difference_that_is_not_to_be_seen_is_not_significant():
    means = (5.04, 5.0, 30.0, 30.04)  # to about 0.001
    found = readings(space(), Likelihoods(*(around(mean, spread=0.01) for mean in means)))
    assert ["not significant" in each for each in found] == [True, True]
