"""What the tour concludes, for numbers of every kind, by hand: no sentence outlives its answer."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from bertflow_core.calibrators import build_calibrator
from bertflow_core.datasets import Provenance, SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation.inference import Difference, Interval
from bertflow_core.evaluation.rank_matrix import RankMatrix
from bertflow_core.figures import score_bars
from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical.bias import DISTANCE
from bertflow_core.studies.tour import CONTENTS
from bertflow_core.studies.tour.lesson import Content, Lesson, Skipped, Step
from bertflow_core.studies.tour.material import FLOW, RAW, SPECS, Material
from bertflow_core.studies.tour.own_sentences import OwnSentences
from bertflow_core.studies.tour.questions import changes, encoder, fitted, space


class Hand(Material):
    """A tour's data as numbers written by hand."""

    recipe = Recipe(dataset="teaching")
    own = OwnSentences((), np.empty((0, 0)))

    def __init__(self, **given):
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def check_sentences(self, rows=None):
        """There are enough: they are written by hand."""

    def own_change(self, *specs):
        """Nobody typed a sentence."""
        return ""


def graded(n, gold, sides=("a b", "c d")):
    """Return n pairs with these grades from 0 to 5."""
    source = Provenance("Made by a test.", "none", "table", (), ())
    first, second = (sides[0],) * n, (sides[1],) * n
    return SentencePairs("toy", "test", first, second, gold, (0, 5), ["all"] * n, source)


@pytest.mark.parametrize(
    ("a", "b", "right"), [(0.9, 0.8, 0), (0.8, 0.9, 1), (0.851, 0.849, 2), (-0.2, 0.1, 1)]
)
def test_the_cosine_that_is_larger_as_printed_is_the_higher(a, b, right):
    """Pair A shares all its words and is graded 0; pair B shares none and is graded 5."""
    pairs = replace(graded(2, np.array([0.0, 5.0])), first=("a b", "a b"), second=("b a", "c d"))
    cosines = np.array([a, b])
    second = np.column_stack([cosines, np.sqrt(1 - cosines**2)])
    given = SimpleNamespace(pairs=pairs, x_first=np.eye(2)[[0, 0]], x_second=second)
    assert encoder.words(Hand(prepared=given)).right == right


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
    hand = Hand(cosines=lambda spec: np.array(cosines), sample=np.eye(3))
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
    bins = [
        {"low": low, "high": high, "n": 9, "norm": norm}
        for (low, high), norm in zip(edges, norms, strict=True)
    ]
    words = SimpleNamespace(x=np.eye(3), rows=np.arange(3), ranks=np.arange(3))
    monkeypatch.setattr(space, "prepare_words", lambda recipe: words)
    monkeypatch.setattr(space, "bin_means", lambda *given: bins)
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


@pytest.mark.parametrize(
    ("ratio", "words", "right"),
    [(0.9, "10 % nearer", 0), (1.1, "10 % farther", 2), (1.01, "no holes", 1)],
)
def test_holes_are_claimed_only_where_sentences_are_nearer(monkeypatch, ratio, words, right):
    distances = np.array([1.0, 2.0, 3.0])
    monkeypatch.setattr(space, "neighbour_distances", lambda *given: (ratio * distances, distances))
    results = {FLOW: SimpleNamespace(calibrator=SimpleNamespace(transform=lambda x: x))}
    found = space.holes(Hand(apart=np.eye(3), results=results))
    assert found.right == right
    assert words in found.takeaway
    assert ("clumps with holes" in found.takeaway) == (ratio < 0.97)


@pytest.mark.parametrize(
    ("change", "apart", "right", "corrects"),
    [
        (0.1, True, 0, "corrects some of that"),
        (-0.1, True, 1, "does not correct that"),
        (0.1, False, 2, "does not correct that"),
    ],
)
def test_a_gain_is_claimed_only_where_it_is_significant(
    monkeypatch, change, apart, right, corrects
):
    flow = Difference(FLOW, RAW, change, Interval(0.01, 0.2), 0.02, 0.06, apart)
    tested = SimpleNamespace(to_baseline=(flow,), change_text=lambda name: "+1.23")
    monkeypatch.setattr(changes, "changes_of_rho", lambda *given, **options: tested)
    results = {spec: SimpleNamespace(rho=0.3, similarity=None) for spec in SPECS}
    given = SimpleNamespace(pairs=graded(40, np.zeros(40)))
    hand = Hand(prepared=given, results=results)
    found = changes.agreement(hand)
    assert found.right == right
    assert ("may be chance" in found.takeaway) != apart
    assert "from 30.00 to 30.00: +1.23, 95 % interval +1.00 to +20.00" in found.explanation
    assert f"is {'' if apart else 'not '}significant" in found.explanation
    assert "4 calibrators: 0.060)" in found.explanation
    assert corrects in found.explanation
    object.__setattr__(hand, "recipe", Recipe(dataset="stsb"))
    assert "written so that" not in changes.agreement(hand).explanation


@pytest.mark.parametrize(("half", "right"), [(1, 0), (2, 1), (9, 1), (10, 2), (18, 2), (None, 3)])
def test_a_layer_of_the_flow_is_placed_and_only_the_first_is_set_before_training(
    monkeypatch, half, right
):
    """Of 18 layers the mean cosine goes from 0.6 to 0.2 at one of them, the distance to 0.05."""
    means = [0.6 if half is None or i < half else 0.2 for i in range(19)]
    gaps = [1.0, 0.4, *[0.3] * 16, 0.05]
    way = SimpleNamespace(names=("layer",) * 18, states=torch.arange(19.0)[:, None])
    monkeypatch.setattr(fitted, "_trace", lambda *given: way)
    monkeypatch.setattr(fitted, "cosines_of_all", lambda x: np.array([means[int(x[0])]]))
    monkeypatch.setattr(fitted, "norms_test", lambda x: SimpleNamespace(statistic=gaps[int(x[0])]))
    calibrator = build_calibrator("flow")
    calibrator.notes_ = ()
    results = {FLOW: SimpleNamespace(calibrator=calibrator)}
    found = fitted.flow(Hand(results=results, sample=np.eye(3)))
    assert found.right == right
    assert ("Before training" in found.explanation) == (half == 1)
    assert ("No layer" in found.explanation) == (half is None)
    assert re.findall(r"\b[01]\.\d\d\b", found.explanation)[-3:] == ["1.00", "0.40", "0.05"]


@pytest.mark.parametrize(
    ("gain", "by_layer", "verdict"),
    [
        (2.0, 5.0, "the choice of the layer matters more"),
        (5.0, 2.0, "the choice of a calibrator matters more"),
        (2.0, 2.0, "the two choices matter equally"),
        (-1.5, 5.0, "whiten improves no layer: at best it changes rho x 100 by -1.5."),
    ],
)
def test_a_calibrator_is_weighed_by_what_it_adds(gain, by_layer, verdict):
    text = encoder._weighed("whiten", {1: gain - 1, 3: gain}, by_layer)
    assert verdict in text
    assert ("at layer 3" in text) == (gain > 0)


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
