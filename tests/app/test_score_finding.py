"""What a page says by itself: a sentence about scores, and what a word of the glossary means."""

from types import SimpleNamespace

import numpy as np
import pytest
from bertflow_app.widgets.scores import score_finding
from bertflow_app.widgets.terms import _TERMS, meaning
from project_tree import ROOT

from bertflow_core.calibrators import build_calibrator
from bertflow_core.evaluation import RHO, Comparison
from bertflow_core.wording import FIT_ON_MORE

LAYER, FEW = "layer:4", f"too few: {FIT_ON_MORE}"


def report(*scores, proven=True, doubt=None, plain=None, notes=()):
    """Return what is read of a report: rows of the uncalibrated and of others."""
    specs, cosines = ("identity", "whiten", "flow"), (0.43, 0.01, 0.02)
    rows = [
        {"layers": LAYER, "calibrator": spec, "score": score, "random_cosine": cosine}
        for spec, score, cosine in zip(specs, scores, cosines, strict=False)
    ]
    for row in rows[1:]:
        row |= {"change": Comparison(scores[0], row["score"]).shown, "change_significant": proven}
    spaces = [
        SimpleNamespace(
            spec=row["calibrator"],
            recipe=SimpleNamespace(layers=LAYER, vectors=LAYER, source=None),
            metric=RHO,
            embedded=SimpleNamespace(pairs=SimpleNamespace(name="mine")),
            doubt=doubt,
            notes=notes,
            score=row["score"],
        )
        for row in rows
    ]
    output = None if plain is None else SimpleNamespace(score=plain)
    return SimpleNamespace(rows=rows, objects={"evaluations": spaces, "plain": output})


BEST = "On mine, flow raises rho x 100 of layer:4 from 50.00 to 62.00 (+12.00"
COSINES = "). The cosine of two random sentences goes from 0.43 to 0.02."
NEXT = " The next best is whiten with 60.00; the tab “Is it real?” tests the difference."
NOTHING = "On mine, no calibrator beats layer:4. The best, whiten, changes rho x 100 by "


@pytest.mark.parametrize(
    ("scores", "options", "said"),
    [
        ((0.5, 0.6, 0.62), {}, BEST + COSINES + NEXT),
        ((0.5, 0.6, 0.62), {"proven": False}, f"{BEST}, not significant{COSINES}{NEXT}"),
        ((0.5, 0.45, 0.4), {}, f"{NOTHING}-5.00."),
        ((0.70811, 0.70814, 0.7), {}, f"{NOTHING}+0.00."),
        ((0.5, 0.6, 0.62), {"plain": 0.9}, "The model's plain output scores 90.00, so keep it."),
        ((0.5, 0.6, 0.62), {"plain": 0.6}, "The model's plain output scores 60.00."),
        ((0.62, 0.6, 0.5), {"plain": 0.61}, "The model's plain output scores 61.00."),
        ((0.5, None, None), {}, ""),
        ((None, 0.6, 0.62), {}, ""),
        ((0.5,), {}, ""),
    ],
)
def test_the_best_is_named_with_its_gain_and_what_the_plain_output_has(scores, options, said):
    found = score_finding(report(*scores, **options))
    assert "  " not in found
    assert found.endswith(said) if "plain" in options else found == said


def test_of_too_few_pairs_there_is_no_verdict():
    found = score_finding(report(0.5, 0.6, 0.62, doubt="Only 29 pairs.", notes=(FEW,)))
    assert found.startswith(f"Only 29 pairs. flow: {FEW}. To fit on more sentences, choose")
    assert "flow raises" not in found
    found = score_finding(report(0.5, 0.6, 0.62, notes=(FEW,)))
    assert found.startswith(f"flow: {FEW}. To fit on")
    assert ". On mine, flow raises" in found
    assert score_finding(report(0.5, None, None, notes=(FEW,))).startswith(f"whiten: {FEW}. flow:")


@pytest.mark.parametrize("spec", ["whiten", "flow", "standardize+whiten", "standardize+flow"])
def test_a_fit_on_few_rows_notes_it_as_such(spec):
    x = np.random.default_rng(0).normal(size=(200, 8)).astype(np.float32)
    few = build_calibrator(spec).fit(x[:8]).notes_
    assert any(FIT_ON_MORE in note for note in few)
    enough = build_calibrator(spec.replace("flow", "flow:batch_size=4")).fit(x).notes_
    assert not any(FIT_ON_MORE in note for note in enough)


def test_a_term_is_explained_as_in_the_glossary():
    page = " ".join((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split())
    assert all(f"- {meaning(term)}" in page for term in _TERMS)
