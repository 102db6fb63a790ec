"""What a page makes of numbers by itself: a sentence about scores, rows from a selection."""

from types import SimpleNamespace

import numpy as np
import pytest
from bertflow_app.pages.compare.ledger import selected_rows
from bertflow_app.parts.scores import Differences, score_finding, too_little_data

from bertflow_core.calibrators import build_calibrator
from bertflow_core.evaluation import RHO
from bertflow_core.remarks import doubt_of_score
from bertflow_core.wording import FIT_ON_MORE, TooFew, with_remedy


class Pairs(list):
    """Pairs by their gold scores."""

    @property
    def judged(self):
        return np.array(self)


def results(*scores, n_pairs=400):
    """Return results of the plain vectors and of others, with these scores and a note each."""
    specs = ("identity", "whiten", "flow")
    return [
        SimpleNamespace(
            spec=spec,
            score=score,
            metric=RHO,
            random_cosine=cosine,
            recipe=SimpleNamespace(layers="last"),
            prepared=SimpleNamespace(pairs=Pairs(range(n_pairs))),
            notes=("noted", TooFew("too few")),
            doubt=doubt_of_score(score, Pairs(range(n_pairs)), RHO),
        )
        for spec, score, cosine in zip(specs, scores, (0.43, 0.01, 0.02), strict=False)
    ]


BEST = "`flow` agrees best with people: rho x 100 50.00 to 62.00, +12.00"
COSINES = "; two random sentences have a cosine of 0.02 in place of 0.43."


@pytest.mark.parametrize(
    ("scores", "significant", "said"),
    [
        ((0.5, 0.6, 0.62), None, BEST + COSINES),
        ((0.5, 0.6, 0.62), True, BEST + COSINES),
        ((0.5, 0.6, 0.62), False, f"{BEST}, which is not significant{COSINES}"),
        (
            (0.5, 0.45, 0.4),
            False,
            "Nothing here agrees better with people than the plain vectors do: "
            "rho x 100 50.00 to 45.00, -5.00 at best.",
        ),
        (
            (0.5, 0.4, 0.45),
            False,
            "Nothing here agrees better with people than the plain vectors do: "
            "rho x 100 50.00 to 45.00, -5.00 at best, which is not significant.",
        ),
        (
            (0.70814, 0.78736, 0.7),
            None,
            "`whiten` agrees best with people: rho x 100 70.81 to 78.74, +7.93; two random "
            "sentences have a cosine of 0.01 in place of 0.43.",
        ),
        (
            (0.70811, 0.70814, 0.7),
            None,
            "Nothing here agrees better with people than the plain vectors do: "
            "rho x 100 70.81 to 70.81, +0.00 at best.",
        ),
        ((0.5, None, None), None, ""),
        ((None, 0.6, 0.62), None, ""),
        ((0.5,), None, ""),
    ],
)
def test_the_best_is_named_with_its_gain_and_whether_it_is_proven(scores, significant, said):
    changes = {} if significant is None else {"flow": SimpleNamespace(significant=significant)}
    assert score_finding(results(*scores), Differences(changes, {})) == said


@pytest.mark.parametrize(
    ("letters", "said"),
    [
        (
            {"identity": "b", "whiten": "a", "flow": "a"},
            " (not significantly better than `whiten`)",
        ),
        ({"identity": "b", "whiten": "bc", "flow": "a"}, ""),
        ({"identity": "ab", "whiten": "b", "flow": "a"}, ""),
    ],
)
def test_those_that_the_best_does_not_differ_from_are_named(letters, said):
    changes = {"flow": SimpleNamespace(significant=True)}
    found = score_finding(results(0.5, 0.6, 0.62), Differences(changes, letters))
    assert found == BEST.replace("people:", f"people{said}:") + COSINES


FEW = "Only 29 pairs: a rho of so few is mostly chance."
WIDE = "Of these 30 pairs rho x 100 is known to about 30 points either way (95 % interval)."


@pytest.mark.parametrize(
    ("scores", "n_pairs", "doubts"),
    [
        ((0.5, 0.6, 0.62), 29, (FEW, "flow: too few.")),
        # atanh(0.5) = 0.549 +- 1.96 sqrt(1.125 / 27) = 0.400: rho from 0.148 to 0.740
        ((0.5, 0.6, 0.62), 30, (WIDE, "flow: too few.")),
        ((0.5, 0.6, 0.62), 400, ("flow: too few.",)),
        ((0.5, 0.45, 0.4), 400, ("whiten: too few.", "flow: too few.")),
        ((None, 0.6, 0.62), 29, ()),
        ((0.5,), 29, ()),
    ],
)
def test_the_finding_is_doubted_for_few_pairs_and_for_fits_on_few_sentences(
    scores, n_pairs, doubts
):
    assert too_little_data(results(*scores, n_pairs=n_pairs)) == doubts


@pytest.mark.parametrize("notes", [(), ("whiten: noted.",), ("whiten: fit on more sentences.",)])
def test_how_to_fit_on_more_sentences_is_said_once_where_a_note_asks_for_it(notes):
    said = with_remedy([*notes, *notes], "How.")
    assert said[: 2 * len(notes)] == notes * 2
    assert said.count("How.") == any("more sentences" in note for note in notes)


@pytest.mark.parametrize("spec", ["whiten", "flow", "standardize+whiten", "standardize+flow"])
def test_a_fit_on_few_rows_notes_it_as_such(spec):
    x = np.random.default_rng(0).normal(size=(200, 8)).astype(np.float32)
    few = build_calibrator(spec).fit(x[:8]).notes_
    assert any(isinstance(note, TooFew) and FIT_ON_MORE in note for note in few)
    enough = build_calibrator(spec.replace("flow", "flow:batch_size=4")).fit(x).notes_
    assert not any(isinstance(note, TooFew) for note in enough)


def test_points_of_a_figure_that_had_more_rows_are_left_out():
    event = {"selection": {"point_indices": [2, 0, 2, 3, 9]}}
    assert selected_rows(event, np.array([50, 40, 70])).tolist() == [50, 70]
