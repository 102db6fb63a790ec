"""What the tour concludes, for numbers of every kind, by hand: no sentence outlives its answer."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from bertflow_app.memory import holdings

from bertflow_core.analysis.frequency import Bin
from bertflow_core.evaluation.rank_matrix import RankMatrix
from bertflow_core.evaluation.rho_draws import Difference, Interval
from bertflow_core.figures import rho_bars
from bertflow_core.progress import silent
from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical.measure import DISTANCE, Fooled
from bertflow_core.studies.tour import CONTENTS, effect, inside, when, why
from bertflow_core.studies.tour.material import CENTRED, FLOW, RAW, SPECS, WHITE, Material
from bertflow_core.studies.tour.step import Content, Lesson, Skipped, Step


class Hand(Material):
    """A tour's data as numbers written by hand."""

    recipe = Recipe(dataset="teaching")
    sample = np.eye(4, 25)

    def __init__(self, cosines=None, rows=None):
        object.__setattr__(self, "_cosines", cosines)
        object.__setattr__(self, "_rows", rows)

    def cosines(self, spec):
        return np.asarray(self._cosines[spec], float)

    def rows(self, at_most):
        return self._rows

    def check_sentences(self):
        """There are enough: they are written by hand."""


@pytest.mark.parametrize(
    ("a", "b", "right"), [(0.9, 0.8, 0), (0.8, 0.9, 1), (0.851, 0.849, 2), (-0.2, 0.1, 1)]
)
def test_the_cosine_that_is_larger_as_printed_is_the_nearer(a, b, right):
    assert why._nearer(a, b) == right
    meant = why._SHARING_MEANS[right]
    assert ("shared words above" in meant) == (right == 0)
    assert ("meaning above" in meant) == (right == 1)


def test_the_pairs_shown_are_of_the_half_with_the_clearest_grades():
    """The middle cosines of all such pairs, 0.8 and 0.6, would give the other answer."""
    gold = np.array([2.4, 0.1, 2.3, 0.3, 2.6, 4.9, 2.7, 4.8])
    cosine = np.array([0.9, 0.5, 0.8, 0.4, 0.3, 0.7, 0.45, 0.6])
    names = tuple(map(str, range(8)))
    found = SimpleNamespace(
        similarities={RAW: cosine},
        pairs=SimpleNamespace(first=names, second=names, scale=(0.0, 5.0)),
        threshold=4,
        unit="treebank",
        distances=np.array([1] * 4 + [9] * 4),
        fooled=lambda kind: np.arange(4) + 4 * (kind is Fooled.FAR_WORDS),
    )
    material = SimpleNamespace(
        recipe=Recipe(dataset="teaching"), lexical=found, grades=lambda: gold
    )
    step = why.sharing_step(material, silent)
    assert step.exhibits == (("Pair A", "1\n1"), ("Pair B", "5\n5"))
    assert step.right == 1
    assert "people grade them 0.1 and 4.9" in step.explanation
    assert re.search(r"at most 4 edits.* below 2\.5\b.*more than 5 edits.* above 2\.5\b", step.text)


@pytest.mark.parametrize(
    ("cosines", "choice", "cone"),
    [([0.0, 0.1, -0.1], "About 0", False), ([0.5, 0.6, 0.7], "About 0.6", True)],
)
def test_a_cone_is_named_only_where_there_is_one(cosines, choice, cone):
    found = why.random_step(Hand({RAW: cosines}), silent)
    assert found.choices[found.right] == choice
    assert ("does not mean" in found.explanation) == cone
    assert ("is no cone" in found.explanation) != cone
    high = np.quantile(cosines, 0.975)
    assert f"above {high:.2f} is rare" in found.explanation


@pytest.mark.parametrize("shift", [0.0, 10.0])
def test_the_cone_is_reported_by_the_share_of_the_mean_and_the_picture_by_its_count(shift):
    rows = shift + np.concatenate([np.eye(8), -np.eye(8)])  # variances alike: 4 of 8 hold half
    found = why.cone_step(Hand(rows=rows), silent)
    share = 100 * 8 * shift**2 / (8 * shift**2 + 1)
    assert "It takes 4," in found.explanation
    assert f"holds {share:.0f} %" in found.explanation
    assert ("that all sentences share" in found.explanation) == (shift > 0)
    assert ("no more than the 15 %" in found.explanation) == (shift == 0)
    assert "steep" not in found.alt
    assert "first 4 of 8 hold half" in found.alt


@pytest.mark.parametrize(
    ("norms", "answer", "is_readable", "change"),
    [
        ((1.0, 1.1, 1.2), "Longer", True, "+20.0 %"),
        ((1.0, 0.9, 0.8), "Shorter", True, "-20.0 %"),
        ((1.0, 1.5, 1.01), "Equally long, within 2 %", False, "+1.0 %"),
    ],
)
def test_frequency_is_in_the_vectors_only_where_their_lengths_differ(
    monkeypatch, norms, answer, is_readable, change
):
    edges = ((0, 100), (100, 500), (500, 5000))
    bins = [Bin(*edge, 9, norm, {}, {}) for edge, norm in zip(edges, norms, strict=True)]
    words = SimpleNamespace(x=np.eye(3), rows=np.arange(3), ranks=np.arange(3))
    monkeypatch.setattr(why, "prepare_words", lambda recipe: words)
    monkeypatch.setattr(why, "frequency_bins", lambda *given: bins)
    found = why.frequency_step(Hand(), silent)
    assert found.choices[found.right] == answer
    assert change in found.explanation
    assert ("can be read from the norm" in found.explanation) == is_readable
    assert ("does not separate" in found.explanation) != is_readable
    assert ("not monotonic" in found.explanation) == (norms[1] == 1.5)


@pytest.mark.parametrize(
    ("norms", "where"),
    [
        ((1, 2, 3, 4), ""),
        ((1, 3, 2, 2), "peak at ranks 100 to 500."),
        ((3, 2, 1, 2), "are lowest at ranks 500 to 5,000."),
        ((1, 3, 2, 4), "The trend is not monotonic."),
    ],
)
def test_a_trend_that_turns_is_reported_with_its_ranks(norms, where):
    edges = ((0, 100), (100, 500), (500, 5_000), (5_000, 10_000))
    assert why._turn_text(dict(zip(edges, norms, strict=True))).strip().endswith(where)


@pytest.mark.parametrize(
    ("means", "answer", "enough"),
    [
        ((0.03, 0, 0, 0), "No calibrator", "identity, null-top-k:k=0, whiten, flow"),
        ((0.5, 0.01, 0, 0), "Subtracting the mean", "null-top-k:k=0, whiten, flow"),
        ((0.5, 0.2, -0.04, 0.3), "Whitening", "whiten"),
        ((0.5, -0.2, 0.3, 0.01), "A flow", "flow"),
        ((0.5, -0.2, 0.3, 0.1), "None of these", "none"),
    ],
)
def test_what_opens_the_cone_is_the_least_that_is_enough(means, answer, enough):
    spread = np.array([-0.3, 0.3])
    cosines = {spec: mean + spread for spec, mean in zip(SPECS, means, strict=True)}
    found = effect.opening_step(Hand(cosines), silent)
    assert found.choices[found.right] == answer
    assert f"Within 0.05 of 0: {enough}. " in found.explanation
    assert "0.300, 0.300, 0.300, 0.300" in found.explanation
    assert " 0.200," in found.explanation  # 25 dimensions
    assert "What differs" not in found.explanation


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
    ("change", "apart", "significance", "corrects"),
    [
        (0.1, True, ": significant", "corrects some of that"),
        (-0.1, True, ": significant", "does not correct that"),
        (0.1, False, ": not significant", "does not correct that"),
    ],
)
def test_a_gain_is_claimed_only_where_it_is_significant(change, apart, significance, corrects):
    results = {spec: SimpleNamespace(rho=0.3) for spec in SPECS}
    flow = Difference(FLOW, RAW, change, Interval(0.01, 0.2), 0.02, 0.06, apart, settled=True)
    material = SimpleNamespace(results=results, recipe=Recipe(dataset="teaching"))
    text = effect._gain_text(material, flow)
    assert significance in text
    assert "p = 0.06" in text
    assert corrects in text
    other = SimpleNamespace(results=results, recipe=Recipe(dataset="stsb"))
    assert "written so that" not in effect._gain_text(other, flow)


@pytest.mark.parametrize("half", [1, 2, None])
def test_how_a_fit_starts_is_reported_of_the_first_layer_only(half):
    way = SimpleNamespace(names=("ActNorm", "coupling"))
    text = inside._flow_text(way, [0.6, 0.3, 0.1], [1.0, 0.4, 0.2], half)
    assert ("Before training" in text) == (half == 1)
    assert ("No layer" in text) == (half is None)
    assert re.findall(r"\b[01]\.\d\d\b", text)[-3:] == ["1.00", "0.40", "0.20"]


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
    text = when._calibrator_text("whiten", 3, gain, by_layer)
    assert verdict in text
    assert ("at layer 3" in text) == (gain > 0)


def lesson_of(*figures):
    contents = [Content("", "", ("a", "b"), 0, "", figure, "", "") for figure in figures]
    steps = [Step(chapter, each) for chapter, each in zip(CONTENTS, contents, strict=False)]
    return Lesson(Recipe(dataset="teaching"), (*steps, Skipped(CONTENTS[-1], "no gold")))


def test_a_lesson_counts_what_its_figures_hold():
    few, more = rho_bars([RAW], [0.1]), rho_bars([RAW], [0.1])
    more.add_scatter(y=np.zeros(10_000))
    worded = rho_bars([RAW], [0.1]).add_scatter(text=["x" * 500])
    bare = holdings(lesson_of(few)).nbytes
    assert 80_000 <= holdings(lesson_of(more)).nbytes - bare <= 107_000
    assert 500 <= holdings(lesson_of(worded)).nbytes - bare <= 25_000
    assert holdings(lesson_of(few, few)).nbytes - bare < 5_000  # the same figure
    assert holdings(lesson_of()).nbytes < bare


def test_every_mean_is_named_beside_its_calibrator():
    means = {RAW: 0.5, CENTRED: 0.125, WHITE: -0.25, FLOW: 0.375}
    text = effect._opening_text(
        {spec: np.array([mean]) for spec, mean in reversed(means.items())}, n_features=4
    )
    assert re.search(r"0\.500 .* 0\.125 .*null-top-k:k=0.* -0\.250 .* 0\.375 .*flow", text)
