"""What the tour concludes, for numbers of every kind, by hand: no sentence outlives its answer."""

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
from bertflow_core.studies.tour.step import Lesson, Passed, Step, Told


class Hand(Material):
    """A tour's data as numbers written by hand."""

    recipe = Recipe()
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
    material = SimpleNamespace(recipe=Recipe(), lexical=found, grades=lambda: gold)
    step = why.tell_sharing(material, silent)
    assert step.exhibits == (("Pair A", "1\n1"), ("Pair B", "5\n5"))
    assert step.right == 1
    assert "people grade them 0.1 and 4.9" in step.explanation
    assert "at most 4 edits apart, and graded by people below 2.5," in step.text
    assert "more than 5 edits apart, which is the median here, and graded above 2.5" in step.text


@pytest.mark.parametrize(
    ("cosines", "choice", "cone"),
    [([0.0, 0.1, -0.1], "About 0", False), ([0.5, 0.6, 0.7], "About 0.6", True)],
)
def test_random_cosines_are_no_sign_of_likeness_only_where_there_is_a_cone(cosines, choice, cone):
    found = why.tell_random(Hand({RAW: cosines}), silent)
    assert found.choices[found.right] == choice
    assert ("is no sign that two sentences are alike" in found.explanation) == cone
    assert ("there is no cone to speak of" in found.explanation) != cone
    high = np.quantile(cosines, 0.975)
    assert f"one above {high:.2f} is rare" in found.explanation


@pytest.mark.parametrize("shift", [0.0, 10.0])
def test_the_cone_is_said_by_the_share_of_the_mean_and_the_picture_by_its_count(shift):
    rows = shift + np.concatenate([np.eye(8), -np.eye(8)])  # variances alike: 4 of 8 hold half
    found = why.tell_cone(Hand(rows=rows), silent)
    share = 100 * 8 * shift**2 / (8 * shift**2 + 1)
    assert "It takes 4," in found.explanation
    assert f"carries {share:.0f} %" in found.explanation
    assert ("in common" in found.explanation) == (shift > 0)
    assert ("no more than the 15 %" in found.explanation) == (shift == 0)
    assert "steep" not in found.alt
    assert "first 4 of 8 hold half" in found.alt


@pytest.mark.parametrize(
    ("norms", "answer", "said", "change"),
    [
        ((1.0, 1.1, 1.2), "Longer", True, "+20.0 %"),
        ((1.0, 0.9, 0.8), "Shorter", True, "-20.0 %"),
        ((1.0, 1.5, 1.01), "Equally long, within 2 %", False, "+1.0 %"),
    ],
)
def test_frequency_is_in_the_vectors_only_where_their_lengths_differ(
    monkeypatch, norms, answer, said, change
):
    edges = ((0, 100), (100, 500), (500, 5000))
    bins = [Bin(*edge, 9, norm, {}, {}) for edge, norm in zip(edges, norms, strict=True)]
    words = SimpleNamespace(x=np.eye(3), rows=np.arange(3), ranks=np.arange(3))
    monkeypatch.setattr(why, "prepare_words", lambda recipe: words)
    monkeypatch.setattr(why, "frequency_bins", lambda *given: bins)
    found = why.tell_frequency(Hand(), silent)
    assert found.choices[found.right] == answer
    assert change in found.explanation
    assert ("is written into the length" in found.explanation) == said
    assert ("does not tell the rare from the frequent" in found.explanation) != said
    assert ("do not lie on a straight course" in found.explanation) == (norms[1] == 1.5)


@pytest.mark.parametrize(
    ("means", "answer", "enough"),
    [
        ((0.03, 0, 0, 0), "Nothing", "identity, null-top-k:k=0, whiten, flow"),
        ((0.5, 0.01, 0, 0), "Subtracting the mean", "null-top-k:k=0, whiten, flow"),
        ((0.5, 0.2, -0.04, 0.3), "Whitening", "whiten"),
        ((0.5, -0.2, 0.3, 0.01), "A flow", "flow"),
        ((0.5, -0.2, 0.3, 0.1), "None of these does", "none"),
    ],
)
def test_what_opens_the_cone_is_the_least_that_is_enough(means, answer, enough):
    spread = np.array([-0.3, 0.3])
    cosines = {spec: mean + spread for spec, mean in zip(SPECS, means, strict=True)}
    found = effect.tell_opening(Hand(cosines), silent)
    assert found.choices[found.right] == answer
    assert f"Within 0.05 of 0: {enough}. " in found.explanation
    assert "0.300, 0.300, 0.300, 0.300" in found.explanation
    assert "would have 0.200" in found.explanation  # 25 dimensions
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
def test_the_hold_of_words_is_tested_by_its_size(before, after, noise, low, high):
    found = changed(before, after, noise).change_in_size(FLOW, RAW, DISTANCE)
    assert found.value == pytest.approx(abs(after) - abs(before))
    assert (found.low, found.high) == pytest.approx((low, high))


def test_the_hold_of_words_is_undefined_without_a_rho():
    undefined = changed(np.nan, 0.1, 0.0).change_in_size(FLOW, RAW, DISTANCE)
    assert undefined.value is None


@pytest.mark.parametrize(
    ("change", "apart", "told", "mended"),
    [
        (0.1, True, "it can be told", "mends some of that"),
        (-0.1, True, "it can be told", "is not seen to mend that"),
        (0.1, False, "it cannot be told", "is not seen to mend that"),
    ],
)
def test_a_gain_is_called_so_only_where_it_is_told_from_chance(change, apart, told, mended):
    results = {spec: SimpleNamespace(rho=0.3) for spec in SPECS}
    flow = Difference(FLOW, RAW, change, Interval(0.01, 0.2), 0.02, 0.06, apart, settled=True)
    material = SimpleNamespace(results=results, recipe=Recipe())
    said = effect._gain_said(material, flow)
    assert told in said
    assert "p-value is 0.06" in said
    assert mended in said
    other = SimpleNamespace(results=results, recipe=Recipe(dataset="stsb"))
    assert "written so that" not in effect._gain_said(other, flow)


@pytest.mark.parametrize("half", [1, 2, None])
def test_where_a_fit_starts_is_said_of_the_first_layer_only(half):
    way = SimpleNamespace(names=("ActNorm", "coupling"))
    said = inside._flow_said(way, [0.6, 0.3, 0.1], [1.0, 0.4, 0.2], half)
    assert ("A fit starts" in said) == (half == 1)
    assert ("No layer does that" in said) == (half is None)
    assert "goes from 1.00 to 0.40 by the first layer and 0.20 by the last" in said


@pytest.mark.parametrize(
    ("gain", "by_layer", "said"),
    [
        (2.0, 5.0, "the choice of the layer matters more"),
        (5.0, 2.0, "the choice of a calibrator matters more"),
        (2.0, 2.0, "matters as much as that of the other"),
        (-1.5, 5.0, "whiten adds to no layer: at best it changes rho x 100 by -1.5."),
    ],
)
def test_a_calibrator_is_weighed_by_what_it_adds(gain, by_layer, said):
    found = when._calibrator_said("whiten", 3, gain, by_layer)
    assert said in found
    assert ("to layer 3" in found) == (gain > 0)


def lesson_of(*figures):
    told = [Told("", "", ("a", "b"), 0, "", figure, "", "") for figure in figures]
    steps = [Step(chapter, each) for chapter, each in zip(CONTENTS, told, strict=False)]
    return Lesson(Recipe(), (*steps, Passed(CONTENTS[-1], "no gold")))


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
    said = effect._opening_said(
        {spec: np.array([mean]) for spec, mean in reversed(means.items())}, n_features=4
    )
    assert "0.500 as they are, 0.125 after the mean is subtracted (null-top-k:k=0), " in said
    assert ", -0.250 white and 0.375 under the flow" in said
