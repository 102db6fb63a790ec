"""Which answer of each step is right, for numbers of every kind, by hand."""

import csv
from types import SimpleNamespace

import numpy as np
import pytest

from bertflow_core.datasets import Pairs, Provenance
from bertflow_core.errors import InputError
from bertflow_core.evaluation import Comparison
from bertflow_core.exhibits.tour.answers import around, extremes
from bertflow_core.exhibits.tour.compute import content_of
from bertflow_core.exhibits.tour.lesson import CONTENTS
from bertflow_core.figures import score_bars
from bertflow_core.lab.recipe import Recipe
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Report, Table
from bertflow_core.runtime.shipped import resource

RAW, FLOW = "identity", "flow"
SPECS = (RAW, "null-top-k:k=0", "null-top-k:k=6", "whiten", FLOW)
CHAPTERS = {each.name: each for each in CONTENTS}


def said(name, rows, facts=None, live=None, remarks=(), tables=()):
    """Return what a step says of a report of these rows."""
    report = Report(
        *("by hand", Recipe(dataset="teaching"), (), rows),
        remarks=remarks,
        tables=tables,
        facts=facts or {},
        objects=live or {},
        draw=lambda _: dict.fromkeys(
            {each.picture for each in CONTENTS}, lambda: score_bars([RAW], [0.1])
        ),
    )
    return content_of(CHAPTERS[name], report, Recipe(dataset="teaching"))


def words(*cosines):
    """Return a report on pairs: A shares all words, with gold 0; B shares none, with gold 5."""
    source = Provenance("Made by a test.", "none", "table", (), ())
    pairs = Pairs(
        name="toy",
        first=("a b",) * 2,
        second=("b a", "c d"),
        targets=np.array([0.0, 5.0]),
        subsets=("all",) * 2,
        provenance=source,
    )
    found = SimpleNamespace(pairs=pairs, normalised=np.array([0.0, 1.0]))
    bias = SimpleNamespace(words=found, similarities={RAW: np.array(cosines)})
    row = {"similarity": RAW, "normalised_edit_distance": -0.3, "gold": 0.2}
    return [row], None, {"bias": bias}


def edits(*change):
    bias = SimpleNamespace(
        change_in_size=lambda *names: Comparison(*change), recipe=SimpleNamespace(unit="treebank")
    )
    said = remarks_of(Kind.ANSWER, "From identity to flow: so it goes.")
    return [], None, {"bias": bias}, [*remarks_of(Kind.METHOD, "Not this."), *said]


def opening(spec, cosine):
    shares = np.zeros(50)
    shares[25 + int(25 * cosine)] = 1.0
    return {
        **{"layers": "layer:4", "calibrator": spec, "random_cosine": cosine},
        **{"mean_length": np.sqrt(abs(cosine)), "random_shares": shares.tolist()},
        **{"angles": [40.0, 60.0], "azimuths": [0.0, 90.0], "pair_angles": [20.0]},
    }


PAIRS = {"pairs": [["a", "b", 3.0]]}


def cone(*cosines):
    return [opening(spec, cosine) for spec, cosine in zip(SPECS, cosines, strict=False)], PAIRS


def norms(*values):
    rows = [
        {"calibrator": RAW, "mean_norm": value, "low": i, "high": i + 1}
        for i, value in enumerate(values)
    ]
    return rows, None, None, remarks_of(Kind.ANSWER, "The norm goes its way.")


def holes(ratio):
    rows = [{"calibrator": spec, "gaussian_distance_ratio": ratio} for spec in (RAW, FLOW)]
    return rows, {"measured": {"neighbours": "9 sentences"}}


def gain(spec, after, verdict):
    return {
        **{"calibrator": spec, "before": 0.3, "after": after, "verdict": verdict},
        **{"finding": f"{spec} does this.", "n_pairs": 40},
    }


PLAIN = {"plain": 0.9, "finding": "The plain output scores more."}


def gains(verdict):
    return [PLAIN, gain("whiten", 0.2, "stop"), gain(FLOW, 0.35, verdict)], None


def last_gains(verdict):
    rows = [gain(FLOW, 0.35, verdict), gain("whiten", 0.2, "stop")]
    return [PLAIN, {"finding": "No cone.", "random_cosine": 0.02, "sources": ()}, *rows], None


def way(half):
    """Of 18 layers the mean cosine goes from 0.6 to 0.2 at one of them."""
    rows = [
        {
            **{"calibrator": FLOW, "flow_layer": i, "kind": "ActNorm", "norm_gap": 0.3},
            "mean_cosine": 0.6 if half is None or i < half else 0.2,
        }
        for i in range(19)
    ]
    return [], None, None, (), (Table((), rows),)


def layers(*rhos):
    rows = [
        {"layers": f"layer:{layer}", "calibrator": spec, "score": rho + 0.2 * (spec != RAW)}
        for spec in (RAW, "null-top-k:k=6")
        for layer, rho in enumerate(rhos)
    ]
    return rows, None


def corners(swapped):
    after = {"many-same": 0.9, "negation": 0.4, "role-swap": swapped}
    with resource("teaching.tsv").open(encoding="utf-8") as table:
        lines = list(csv.DictReader(table, delimiter="\t"))
    rows = [
        {"pair": i, "first": "a", "second": "b", "cosine_before": 0.9}
        | {"cosine_after": after.get(line["corner"], after.get(line["phenomenon"], 0.1))}
        for i, line in enumerate(lines, 1)
    ]
    return rows, None


RIGHT = [
    *(("words", words(*each), n) for each, n in (((0.9, 0.8), 0), ((-0.2, 0.1), 1))),
    ("words", words(0.851, 0.849), 2),  # the same as printed
    ("edits", edits(0.4, 0.2, -0.3, -0.1), 0),
    ("edits", edits(0.2, 0.4, 0.1, 0.3), 1),
    ("edits", edits(0.2, 0.25, -0.1, 0.2), 2),
    ("frequency", norms(1.0, 1.1, 1.2), "It rises"),
    ("frequency", norms(1.0, 0.9, 0.8), "It falls"),
    ("frequency", norms(1.0, 1.5, 1.2), "It both rises and falls"),
    ("frequency", norms(1.0, 1.001, 1.002), "It hardly changes"),
    *(("random", cone(cosine), f"About {cosine:g}") for cosine in (0.0, 0.6, 0.9)),
    *(("cone", cone(s), f"About {n} %") for s, n in ((0.02, 0), (0.4, 40), (0.7, 70), (0.98, 100))),
    ("calibrators", cone(0.09, 0, 0, 0, 0), "No calibrator"),
    ("calibrators", cone(0.7, 0.01, 0, 0, 0), "Subtracting the mean"),
    ("calibrators", cone(0.7, 0.2, 0.4, 0.02, 0.3), "Whitening"),  # the simplest that is enough
    ("calibrators", cone(0.7, 0.2, 0.4, 0.3, 0.01), "A flow"),
    ("calibrators", cone(0.7, 0.2, 0.4, 0.3, 0.1), "None of these"),
    *(("holes", holes(ratio), right) for ratio, right in ((0.9, 0), (1.01, 1), (1.1, 2))),
    *(("agreement", gains(v), n) for n, v in enumerate(("go", "stop", "caution"))),
    *(("last", last_gains(v), n) for n, v in enumerate(("go", "caution", "stop"))),
    *(("flow", way(h), n) for h, n in ((1, 0), (2, 1), (9, 1), (10, 2), (18, 2), (None, 3))),
    ("layer", layers(0.5, 0.1, 0.2), 0),
    ("layer", layers(0.1, 0.2, 0.1), 1),
    ("layer", layers(0.01, 0.01, 0.4), 2),
    *(("negation", corners(swapped), right) for swapped, right in ((0.3, 0), (0.8, 0), (0.95, 2))),
]


@pytest.mark.parametrize(("name", "measured", "right"), RIGHT, ids=lambda each: str(each)[:20])
def test_the_right_answer_is_that_of_the_numbers(name, measured, right):
    found = said(name, *measured)
    assert right in (found.right, found.choices[found.right])


TOLD = [
    ("edits", edits(0.4, 0.2, -0.3, -0.1), "points. From identity to flow: so it goes."),
    ("words", words(0.9, 0.8), "0.90; pair B, other words and the same meaning, has 0.80"),
    ("random", cone(0.6), "It is 0.60, over 10,000 random pairs"),
    ("frequency", norms(1.0, 1.5, 1.2), "rises from 1.00 (ranks 1 to 1) to 1.50 (2 to 2), then f"),
    ("cone", cone(0.36), "The mean vector holds 36 % of the squared length"),
    ("calibrators", cone(0.7, 0.01, 0.02), "none 0.70, mean subtracted 0.01, mean and 6 dir"),
    ("agreement", gains("go"), "rho x 100 from 30.00 to 35.00"),
    ("flow", way(2), "After layer 2 of 18 the mean cosine has fallen from 0.60 to 0.20."),
    ("holes", holes(0.9), "10 % closer to their 10th neighbour"),
    ("holes", holes(1.1), "10 % further from their 10th neighbour"),
    ("last", last_gains("caution"), "may be chance; 1 of the 2 lowers it significantly"),
    ("layer", layers(0.1, 0.2, 0.15), "Layer 1 has the highest rho x 100, 20.0; layer 0 the"),
    ("negation", corners(0.3), "is 0.90 for the same meaning, 0.40 for negations and 0.30 for"),
]


def test_both_pairs_are_marked_at_their_gold_scores_and_cosines():
    notes = said("words", *words(0.9, 0.8)).figure.layout.annotations
    places = {(note.text, note.xref): (note.x, note.y) for note in notes}
    assert (places["Pair A", "x"], places["Pair A", "x2"]) == ((0, 0), (0.9, 0))
    assert (places["Pair B", "x"], places["Pair B", "x2"]) == ((5, 1), (0.8, 1))


@pytest.mark.parametrize(("name", "measured", "told"), TOLD, ids=lambda each: str(each)[:20])
def test_the_numbers_that_are_told_are_those_of_the_report(name, measured, told):
    found = said(name, *measured)
    assert told in f"{found.takeaway} {found.explanation}"


@pytest.mark.parametrize("value", [*np.linspace(0, 0.999, 41), -0.04])
def test_one_choice_is_near_a_value_and_all_others_are_far(value):
    choices, right = around(value)
    away = [abs(each / 10 - value) for each in choices]
    assert len(away) >= 3
    assert [each < 0.06 for each in away].index(True) == right
    assert sorted(away)[1] > 0.24


@pytest.mark.parametrize("mean", [0.0, 0.44, 0.999])
@pytest.mark.parametrize("name", ["random", "cone", "language"])
def test_the_answers_of_a_step_are_the_choices_around_its_number(name, mean):
    rows, facts = cone(mean)
    if name == "language":
        output = {"layers": "model", "rho": 0.5}
        rows = [*(opening(spec, 0.4) | output for spec in (RAW, FLOW)), *rows]
    found = said(name, rows, facts)
    told = [float(each.split()[1]) / (10 if "%" in each else 0.1) for each in found.choices]
    choices, right = around(mean)  # of `cone` the squared length of the mean, which is the cosine
    assert (told, found.right) == (pytest.approx([*choices]), right)


def test_a_flow_that_was_hardly_trained_is_called_so_where_it_is_remembered():
    rows, facts = gains("go")
    few = remarks_of(Kind.WARNING, "flow: 9 steps: hardly trained.")
    warned = said("agreement", rows, remarks=few)
    assert warned.takeaway.endswith("agrees better with people. flow: 9 steps: hardly trained.")
    assert "hardly" not in said("agreement", rows, facts).takeaway


def test_without_gains_the_reason_of_the_study_is_the_reason_of_the_tour():
    with pytest.raises(InputError, match="all alike"):
        why = remarks_of(Kind.MISSING, "all alike")
        said("last", [{"finding": "No cone."}], remarks=why)


def test_the_pairs_shown_are_chosen_by_their_words_alone():
    """Pairs with gold scores between the quarters are ignored, even the one of largest overlap."""
    overlaps = np.array([1.0, 0.2, 0.7, 0.5, 0.6, 0.1])
    gold = np.array([2.5, 0.0, 1.25, 3.75, 5.0, 3.0])
    assert extremes(overlaps, gold / 5) == (2, 3)
    with pytest.raises(InputError, match="the data lack one of the two"):
        extremes(overlaps, gold / 50)
