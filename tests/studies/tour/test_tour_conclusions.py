"""What the tour concludes, for numbers of every kind, by hand: no sentence outlives its answer."""

import csv
from types import SimpleNamespace

import numpy as np
import pytest

from bertflow_core.analysis.measures import sentence
from bertflow_core.change import Change
from bertflow_core.datasets import Provenance, SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation.rank_matrix import RankMatrix
from bertflow_core.figures import score_bars
from bertflow_core.files import resource
from bertflow_core.recipe import Recipe
from bertflow_core.report import Report
from bertflow_core.studies.lexical.bias import DISTANCE
from bertflow_core.studies.tour import CONTENTS
from bertflow_core.studies.tour.answers import ANSWERS, extremes, weighed
from bertflow_core.studies.tour.compute import content_of
from bertflow_core.studies.tour.lesson import Content, Lesson, Skipped, Step

RAW, FLOW = "identity", "flow"
SPECS = (RAW, "null-top-k:k=0", "null-top-k:k=6", "whiten", FLOW)
CHAPTERS = {each.name: each for each in CONTENTS}


def said(name, rows, facts=None, live=None, remarks=()):
    """Return what a step says of a report of these rows."""
    report = Report(
        *("by hand", Recipe(dataset="teaching"), (), rows),
        remarks=remarks,
        facts=facts or {},
        live=live or {},
        draw=lambda _: dict.fromkeys(
            {each.picture for each in CONTENTS}, lambda: score_bars([RAW], [0.1])
        ),
    )
    return content_of(CHAPTERS[name], report, Recipe(dataset="teaching"))


def test_every_step_has_an_answer_and_seven_are_core():
    assert list(ANSWERS.keys() - CHAPTERS.keys()) == [] and len(ANSWERS) == len(CONTENTS) == 13
    assert sum(each.core for each in CONTENTS) == 7
    assert [each.act for each in CONTENTS] == sorted(each.act for each in CONTENTS)
    for each in CONTENTS:
        assert each.text and each.takeaways and each.question.endswith("?")


def of_words(cosines):
    """Return a report on pairs: A shares all its words and is graded 0; B none and is graded 5."""
    source = Provenance("Made by a test.", "none", "table", (), ())
    pairs = SentencePairs(
        *("toy", "test", ("a b",) * 2, ("b a", "c d")),
        *(np.array([0.0, 5.0]), (0, 5), ["all"] * 2, source),
    )
    words = SimpleNamespace(pairs=pairs, normalised=np.array([0.0, 1.0]))
    bias = SimpleNamespace(words=words, similarities={RAW: np.array(cosines)})
    row = {"similarity": RAW, "normalised_edit_distance": -0.3, "gold": 0.2}
    return said("words", [row], live={"bias": bias})


@pytest.mark.parametrize(
    ("a", "b", "right"), [(0.9, 0.8, 0), (0.8, 0.9, 1), (0.851, 0.849, 2), (-0.2, 0.1, 1)]
)
def test_the_cosine_that_is_larger_as_printed_is_the_higher(a, b, right):
    assert of_words([a, b]).right == right


def test_the_pairs_shown_are_chosen_by_their_words_alone():
    """Of the clear grades; the pair of largest overlap in all is graded in between."""
    overlaps = np.array([1.0, 0.2, 0.7, 0.5, 0.6, 0.1])
    gold = np.array([2.5, 0.0, 1.2, 4.0, 5.0, 3.0])
    assert extremes(overlaps, gold / 5) == (2, 3)
    with pytest.raises(InputError, match="the data lack one of the two"):
        extremes(overlaps, gold / 50)


def opening(spec, cosine):
    shares = np.zeros(50)
    shares[25 + int(25 * cosine)] = 1.0
    return {
        **{"layers": "layer:4", "calibrator": spec, "random_cosine": cosine},
        **{"mean_length": np.sqrt(abs(cosine)), "random_shares": shares.tolist()},
        **{"angles": [40.0, 60.0], "azimuths": [0.0, 90.0], "pair_angles": [20.0]},
    }


PAIRS = {"pairs": [["a", "b", 3.0]]}


@pytest.mark.parametrize(
    ("cosine", "choice", "cone"),
    [(0.0, "About 0", False), (0.6, "About 0.6", True), (0.9, "About 0.9", True)],
)
def test_a_cone_is_named_only_where_there_is_one(cosine, choice, cone):
    found = said("random", [opening(RAW, cosine)], PAIRS)
    assert found.choices[found.right] == choice
    assert ("does not mean" in found.takeaway) == cone
    assert ("no cone" in found.takeaway) != cone
    edge = (np.floor(cosine * 25) + 1) / 25
    assert f"above {edge:.2f} is rare" in found.explanation


@pytest.mark.parametrize("share", [0.02, 0.4, 0.69, 0.99])
def test_the_cone_is_the_share_of_the_mean_of_unit_vectors(share):
    found = said("cone", [opening(RAW, share)], PAIRS)
    assert f"holds {100 * share:.0f} %" in found.takeaway
    assert ("that is the cone" in found.takeaway) == (share > 0.2)
    nearest = min((0.05, 0.35, 0.7, 0.95), key=lambda each: abs(each - share))
    assert found.choices[found.right] == f"About {100 * nearest:.0f} %"
    assert "within 50 degrees" in found.explanation


@pytest.mark.parametrize(
    ("norms", "answer", "tells"),
    [
        ((1.0, 1.1, 1.2), "It rises", True),
        ((1.0, 0.9, 0.8), "It falls", True),
        ((1.0, 1.5, 1.2), "It both rises and falls", True),
        ((1.0, 1.001, 1.002), "It hardly changes", False),
    ],
)
def test_the_norm_of_words_goes_as_the_study_says(norms, answer, tells):
    rows = [{"calibrator": RAW, "mean_norm": norm} for norm in norms]
    found = said("frequency", rows, {"finding": "The norm goes its way."})
    assert found.choices[found.right] == answer
    assert found.takeaway.startswith("The norm goes its way.")
    assert ("part of a vector tells" in found.takeaway.lower()) == tells


@pytest.mark.parametrize(
    ("cosines", "answer"),
    [
        ((0.09, 0, 0, 0, 0), "No calibrator"),
        ((0.7, 0.01, 0, 0, 0), "Subtracting the mean"),
        ((0.7, 0.2, 0.4, 0.02, 0.3), "Whitening"),
        ((0.7, 0.2, 0.4, 0.3, 0.01), "A flow"),
        ((0.7, 0.2, 0.4, 0.3, 0.1), "None of these"),
    ],
)
def test_what_opens_the_cone_is_the_least_that_is_enough(cosines, answer):
    rows = [opening(spec, cosine) for spec, cosine in zip(SPECS, cosines, strict=True)]
    found = said("calibrators", rows, PAIRS)
    assert found.choices[found.right] == answer
    assert f"identity {cosines[0]:.2f}" in found.explanation


@pytest.mark.parametrize(("ratio", "right"), [(0.9, 0), (1.01, 1), (1.1, 2)])
def test_holes_are_told_in_the_sentence_of_their_measure(ratio, right):
    name = "gaussian_distance_ratio"
    rows = [{"calibrator": spec, name: ratio} for spec in (RAW, FLOW)]
    found = said("holes", rows, {"measured": {"neighbours": "9 sentences"}})
    assert found.right == right
    assert found.takeaway == sentence(name, ratio)
    assert ("clumps with empty space" in found.takeaway) == (ratio < 0.97)


def gain(spec, after, verdict):
    return {
        **{"calibrator": spec, "before": 0.3, "after": after, "verdict": verdict},
        **{"finding": f"{spec} does this.", "n_pairs": 40},
    }


@pytest.mark.parametrize(
    ("verdict", "right", "words"),
    [("go", 0, "agrees better"), ("stop", 1, "agrees worse"), ("caution", 2, "may be chance")],
)
def test_a_gain_is_claimed_only_where_it_is_significant(verdict, right, words):
    plain = {"plain": 0.9, "finding": "The plain output scores more."}
    gains = [gain("whiten", 0.2, "stop"), gain(FLOW, 0.35, verdict)]
    found = said("agreement", [plain, *gains])
    assert found.right == right
    assert words in found.takeaway
    assert "from 30.00 to 35.00" in found.takeaway
    assert found.explanation.startswith("flow does this.")
    assert found.explanation.endswith("whiten does this. The plain output scores more.")


@pytest.mark.parametrize(
    ("verdict", "right", "words"),
    [("go", 0, "helps there too"), ("caution", 1, "may be chance"), ("stop", 2, "even the best")],
)
def test_an_output_is_left_alone_where_nothing_raises_rho(verdict, right, words):
    rows = [gain(FLOW, 0.35, verdict), gain("whiten", 0.2, "stop")]
    plain = {"plain": 0.9, "finding": "The plain output scores more."}
    found = said("last", [plain, {"finding": "No cone.", "sources": ()}, *rows])
    assert found.explanation.endswith("No cone.")
    assert found.right == right and words in found.takeaway
    assert "flow, takes rho x 100 from 30.00 to 35.00" in found.takeaway or verdict == "go"
    n_lower = 1 + (verdict == "stop")
    assert (f"{n_lower} of the 2 lower" in found.takeaway) == (verdict == "caution")


def test_without_gains_the_reason_of_the_study_is_the_reason_of_the_tour():
    with pytest.raises(InputError, match="all alike"):
        said("last", [{"finding": "No cone."}], {"why_no_gains": "all alike"})


@pytest.mark.parametrize(("half", "right"), [(1, 0), (2, 1), (9, 1), (10, 2), (18, 2), (None, 3)])
def test_a_layer_of_the_flow_is_placed(half, right):
    """Of 18 layers the mean cosine goes from 0.6 to 0.2 at one of them, the distance to 0.05."""
    gaps = [1.0, 0.4, *[0.3] * 16, 0.05]
    rows = [
        {
            **{"flow_layer": i, "kind": "ActNorm", "norm_ks": gaps[i]},
            "mean_cosine": 0.6 if half is None or i < half else 0.2,
        }
        for i in range(19)
    ]
    found = said("flow", rows, {"n_rows": 400})
    assert found.right == right
    assert ("No layer" in found.takeaway) == (half is None)
    assert (f"Layer {half}" in found.takeaway) == (half is not None)
    assert found.choices[1:3] == ("Layers 2 to 9", "Layers 10 to 18")


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
    text = weighed("whiten", {1: gain - 1, 3: gain}, by_layer)
    assert verdict in text
    assert ("at layer 3" in text) == (gain > 0)


@pytest.mark.parametrize(
    ("rhos", "right", "matters"),
    [
        ((0.5, 0.1, 0.2), 0, "the layer"),
        ((0.1, 0.2, 0.1), 1, "a calibrator"),
        ((0.01, 0.01, 0.4), 2, "the layer"),
    ],
)
def test_the_choice_of_a_layer_against_that_of_a_calibrator(rhos, right, matters):
    rows = [
        {"layer": layer, "calibrator": spec, "rho": rho + 0.2 * (spec != RAW)}
        for spec in (RAW, "null-top-k:k=6")
        for layer, rho in enumerate(rhos)
    ]
    found = said("layer", rows)
    assert found.right == right
    assert f"{matters} matters more" in found.explanation
    assert " +20.0," in found.explanation


@pytest.mark.parametrize(
    ("change", "answer"),
    [
        (Change(0.4, 0.2, -0.3, -0.1), "less closely"),
        (Change(0.2, 0.4, 0.1, 0.3), "more closely"),
        (Change(0.2, 0.25, -0.1, 0.2), "not significant"),
    ],
)
def test_the_hold_of_words_is_judged_by_its_interval(change, answer):
    bias = SimpleNamespace(
        change_in_size=lambda *names: change, recipe=SimpleNamespace(unit="treebank")
    )
    remarks = ("Not this.", "flow against identity: so it goes.")
    found = said("edits", [], live={"bias": bias}, remarks=remarks)
    assert found.choices[found.right].endswith(answer)
    assert f"{change.text(times=100)} points" in found.takeaway
    assert found.explanation.startswith("flow against identity: so it goes. On STS-B")
    assert "-28.01" in found.explanation


@pytest.mark.parametrize(
    ("swapped", "right", "knows"), [(0.3, 0, True), (0.8, 0, False), (0.95, 2, False)]
)
def test_meaning_is_told_from_words_only_where_cosine_does(swapped, right, knows):
    after = {"many-same": 0.9, "negation": 0.4, "role-swap": swapped}
    with resource("teaching.tsv").open(encoding="utf-8") as table:
        lines = list(csv.DictReader(table, delimiter="\t"))
    rows = [
        {"pair": i, "first": "a", "second": "b", "cosine_before": 0.9}
        | {"cosine_after": after.get(line["corner"], after.get(line["phenomenon"], 0.1))}
        for i, line in enumerate(lines, 1)
    ]
    found = said("negation", rows)
    assert found.right == right
    assert ("adds no knowledge" in found.takeaway) != knows
    assert f"swapped roles have a median cosine of {swapped:.2f}" in found.takeaway


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
    chapter = CHAPTERS["agreement"]
    assert words in Lesson(Recipe(), (Step(chapter, content),)).conclusion
    assert words not in Lesson(Recipe(), (Skipped(chapter, "no gold"),)).conclusion
