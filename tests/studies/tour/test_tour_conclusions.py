"""What the tour concludes, for numbers of every kind, by hand: no sentence outlives its answer."""

from types import SimpleNamespace

import numpy as np
import pytest

from bertflow_core.analysis.frequency import Bin
from bertflow_core.errors import InputError
from bertflow_core.evaluation.rank_matrix import RankMatrix
from bertflow_core.figures import score_bars
from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical.bias import DISTANCE
from bertflow_core.studies.tour import CONTENTS
from bertflow_core.studies.tour.lesson import Content, Lesson, Skipped, Step
from bertflow_core.studies.tour.material import FLOW, RAW, SPECS, Material
from bertflow_core.studies.tour.own_sentences import OwnSentences
from bertflow_core.studies.tour.questions import encoder, fitted, space


class Hand(Material):
    """A tour's data as numbers written by hand."""

    recipe = Recipe(dataset="teaching")
    own = OwnSentences((), np.empty((0, 0)))

    def __init__(self, **given):
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def check_sentences(self):
        """There are enough: they are written by hand."""


def test_word_overlap_is_the_shared_part_of_all_words():
    assert encoder.overlap("A dog ran, a dog!", "the dog ran") == pytest.approx(2 / 4)
    assert encoder.overlap("...", "?") == 0


def test_the_pairs_shown_are_chosen_by_word_overlap_alone():
    """Of the clear grades; the pair of largest overlap in all is graded in between."""
    overlaps = np.array([1.0, 0.2, 0.7, 0.5, 0.6, 0.1])
    gold = np.array([2.5, 0.0, 1.2, 4.0, 5.0, 3.0])
    assert encoder.extremes(overlaps, gold / 5) == (2, 3)
    with pytest.raises(InputError, match="the data lack one of the two"):
        encoder.extremes(overlaps, gold / 50)


@pytest.mark.parametrize(
    ("cosines", "choice", "cone"),
    [([0.0, 0.1, -0.1], "About 0", False), ([0.5, 0.6, 0.7], "About 0.6", True)],
)
def test_a_cone_is_named_only_where_there_is_one(cosines, choice, cone):
    hand = Hand(cosines=lambda spec: np.array(cosines), sample=np.eye(3), own_change=lambda *s: "")
    found = space.random(hand)
    assert found.choices[found.right] == choice
    assert ("does not mean" in found.takeaway) == cone
    assert ("no cone" in found.takeaway) != cone
    high = np.quantile(cosines, 0.975)
    assert f"above {high:.2f} is rare" in found.explanation


@pytest.mark.parametrize("shift", [0.1, 1.0, 10.0])
def test_the_cone_is_the_share_of_the_mean_of_unit_vectors(shift):
    """Rows of many lengths: only their directions count."""
    rows = 5 * (shift + np.concatenate([np.eye(8), -np.eye(8)])) + 1e-9 * np.eye(16, 8)
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    share = np.square(unit.mean(axis=0)).sum()
    found = space.cone(Hand(sample=rows))
    assert f"holds {100 * share:.0f} %" in found.takeaway
    assert ("that is the cone" in found.takeaway) == (share > 0.15)
    nearest = min((0.05, 0.35, 0.7, 0.95), key=lambda each: abs(each - share))
    assert found.choices[found.right] == f"About {100 * nearest:.0f} %"


@pytest.mark.parametrize(
    ("norms", "answer", "is_readable", "change"),
    [
        ((1.0, 1.1, 1.2), "Longer", True, "+20 %"),
        ((1.0, 0.9, 0.8), "Shorter", True, "-20 %"),
        ((1.0, 1.5, 1.01), "Equally long, within 2 %", False, "+1 %"),
    ],
)
def test_frequency_is_in_the_vectors_only_where_their_lengths_differ(
    monkeypatch, norms, answer, is_readable, change
):
    edges = ((0, 100), (100, 500), (500, 5000))
    bins = [Bin(*edge, 9, norm, {}, {}) for edge, norm in zip(edges, norms, strict=True)]
    words = SimpleNamespace(x=np.eye(3), rows=np.arange(3), ranks=np.arange(3))
    monkeypatch.setattr(space, "prepare_words", lambda recipe: words)
    monkeypatch.setattr(space, "frequency_bins", lambda *given: bins)
    found = space.frequency(Hand())
    assert found.choices[found.right] == answer
    assert change in found.explanation
    assert ("part of a vector tells frequency" in found.takeaway) == is_readable
    assert ("does not separate" in found.takeaway) != is_readable
    assert ("then falls" in found.explanation) == (norms[1] == 1.5)


def placed(mean):
    """Return rows that lie at +-1 on each of 8 axes around a mean of this squared length."""
    rows = np.concatenate([np.eye(8), -np.eye(8)]) * np.sqrt(8)
    return rows + np.sqrt(mean / 8)


@pytest.mark.parametrize(
    ("means", "answer"),
    [
        ((0.1, 0, 0, 0, 0), "No calibrator"),
        ((8, 0.1, 0, 0, 0), "Subtracting the mean"),
        ((8, 2, 4, 0.2, 3), "Whitening"),
        ((8, 2, 4, 3, 0.1), "A flow"),
        ((8, 2, 4, 3, 1), "None of these"),
    ],
)
def test_what_removes_the_mean_is_the_least_that_is_enough(means, answer):
    """The variances sum to 8 and are alike: a mean of squared length m is m / (m + 8)."""
    results = {
        spec: SimpleNamespace(calibrator=SimpleNamespace(transform=lambda x, m=mean: placed(m)))
        for spec, mean in zip(SPECS, means, strict=True)
    }
    found = fitted.calibrators(Hand(results=results, corpus=np.eye(8)))
    assert found.choices[found.right] == answer
    first = 100 * means[0] / (means[0] + 8)
    others = 100 * 6 / 8 * (1 - first / 100)
    assert f"identity: {first:.0f} %, {others:.0f} % and" in found.explanation


def changed(before, after, noise):
    """Return ranks in which rho with edit distance goes from `before` to `after` in every draw."""
    names = (RAW, FLOW, DISTANCE)
    rhos = np.eye(3)
    rhos[2, :2] = rhos[:2, 2] = before, after
    draws = np.repeat(rhos[None], 101, axis=0)
    draws[:, 2, 1] = draws[:, 1, 2] = after + noise * np.linspace(-1, 1, 101)
    return RankMatrix(names, 50, 0.95, rhos, draws)


@pytest.mark.parametrize(
    ("before", "after", "noise", "low", "high"),
    [
        (-0.4, 0.4, 0.1, -0.095, 0.095),  # the sign turns, the size does not change
        (-0.4, 0.1, 0.0, -0.3, -0.3),
        (0.1, -0.4, 0.1, 0.205, 0.395),
        (-0.2, -0.6, 0.0, 0.4, 0.4),
    ],
)
def test_lexical_bias_is_tested_by_its_size(before, after, noise, low, high):
    found = changed(before, after, noise).change_in_size(FLOW, RAW, DISTANCE)
    assert found.value == pytest.approx(abs(after) - abs(before))
    assert (found.low, found.high) == pytest.approx((low, high))


def test_lexical_bias_is_undefined_without_a_rho():
    undefined = changed(np.nan, 0.1, 0.0).change_in_size(FLOW, RAW, DISTANCE)
    assert undefined.value is None


@pytest.mark.parametrize(
    ("right", "words"), [(0, "agrees better"), (1, "agrees worse"), (2, "not measurably change")]
)
def test_the_conclusion_is_of_what_was_measured(right, words):
    content = Content("", "", ("a", "b", "c"), right, "", "", "", score_bars([RAW], [0.1]), "", "")
    chapter = next(each for each in CONTENTS if each.name == "agreement")
    assert words in Lesson(Recipe(), (Step(chapter, content),)).conclusion
    assert words not in Lesson(Recipe(), (Skipped(chapter, "no gold"),)).conclusion
