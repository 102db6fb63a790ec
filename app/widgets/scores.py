"""Calibrators compared on one data set: the job that scores them, and its headline."""

from collections.abc import Sequence

import streamlit as st
from bertflow_app.shared import Shared

from bertflow_core.calibrators.spec import BASELINE, Spec
from bertflow_core.evaluation import AUC
from bertflow_core.figures import Figure, score_bars
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.report.remark import Kind, texts_of
from bertflow_core.report.report import Report, Row
from bertflow_core.report.study import fit_remarks
from bertflow_core.studies.published import TrackedResult
from bertflow_core.studies.scores import ScoresRecipe, evaluate, notes_of
from bertflow_core.wording import percent


def scored(recipe: Recipe, specs: Sequence[Spec]) -> Shared:
    """Return the job that makes a `Report` of these calibrators next to the plain output."""
    return Shared(_scored, recipe, specs)


def _scored(recipe: Recipe, lab: Lab, specs: Sequence[Spec]) -> Report:
    # Shared word pieces are the baseline for labelled pairs; counting them needs a tokenizer.
    lexical = recipe.source.has_layers and lab.pairs(recipe).metric == AUC.name
    return evaluate(ScoresRecipe(**recipe.to_dict(), lexical=lexical), lab, specs, ())


def score_finding(report: Report) -> str:
    """Say in one sentence which calibrator scores best, in another what the plain output scores.

    If pairs or fit sentences are too few, say so instead.
    """
    evaluations: Sequence[Evaluation] = report.objects["evaluations"]
    layers = evaluations[0].recipe.layers  # other rows: plain output, word overlap
    base, *others = [row for row in report.rows if row["layers"] == layers]
    known = [row for row in others if row["score"] is not None]
    if base["score"] is None or not others:
        return ""
    best = max(known, key=lambda row: row["score"], default={"change": None})
    is_better = (best["change"] or 0) > 0
    meant = [each for each in evaluations if not is_better or each.spec == best["calibrator"]]
    notes = notes_of([each for each in meant if each.spec != BASELINE])
    few = texts_of(fit_remarks(notes, evaluations[0].recipe), Kind.DOUBT)
    doubts = [*filter(None, [evaluations[0].doubt]), *few]
    if evaluations[0].doubt or not known:
        return " ".join(doubts)
    highest = max(base["score"], best["score"])
    verdict = _verdict(base, best, evaluations[0])
    more = _of_the_next(known, best), _of_the_output(report, highest)
    return " ".join(filter(None, (*doubts, verdict, *more)))


def _verdict(base: Row, best: Row, first: Evaluation) -> str:
    change, name, metric = best["change"], first.embedded.pairs.name, first.metric.header
    sure = "" if best.get("change_significant", True) else ", not significant"
    if change <= 0:
        return (
            f"On {name}, no calibrator beats {first.recipe.vectors}. The best, "
            f"{best['calibrator']}, changes {metric} by {100 * change:+z.2f}{sure}."
        )
    return (
        f"On {name}, {best['calibrator']} raises {metric} of {first.recipe.vectors} from "
        f"{percent(base['score'])} to {percent(best['score'])} ({100 * change:+z.2f}{sure}). The "
        f"cosine of two random sentences goes from {base['random_cosine']:z.2f} to "
        f"{best['random_cosine']:z.2f}."
    )


def _of_the_next(known: Sequence[Row], best: Row) -> str:
    """If the best calibrator raises the score, name the next best and the tab with the test."""
    others = [row for row in known if row is not best]
    if not others or best["change"] <= 0:
        return ""
    following = max(others, key=lambda row: row["score"])
    return (
        f"The next best is {following['calibrator']} with {percent(following['score'])}; the tab "
        "“Is it real?” tests the difference."
    )


def _of_the_output(report: Report, highest: float) -> str:
    """Say what the plain output scores, and advise to keep it if nothing here scores more."""
    plain: Evaluation | None = report.objects["plain"]
    if plain is None or plain.score is None or plain in report.objects["evaluations"]:
        return ""
    advice = ", so keep it" if plain.score >= highest else ""
    return f"The model's {PLAIN} scores {percent(plain.score)}{advice}."


def stored_bars(tracked: Sequence[TrackedResult]) -> Figure:
    """Draw the rho of stored results."""
    rhos, labels = [each.rho for each in tracked], [each.label for each in tracked]
    return score_bars([each.spec for each in tracked], rhos, labels=labels)


def say_how_scored(result: Evaluation) -> None:
    """Say why there is no score, or that it is based on few pairs, if so."""
    pairs = result.embedded.pairs
    if pairs.targets is None:
        st.text(why_unscored(pairs))
    elif doubt := result.doubt:
        st.text(doubt)
