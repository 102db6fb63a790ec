"""Question 13: should the output of an encoder that was trained to compare be calibrated?"""

from collections.abc import Sequence

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.report import Row
from bertflow_core.studies.advice.rules import Verdict
from bertflow_core.studies.advice.study import (
    CALIBRATORS,
    AdviceRecipe,
    advice,
    gains_figure,
    gains_of,
)
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import DRAWS, FLOW, RAW, Material
from bertflow_core.studies.tour.origin import of_change, origin
from bertflow_core.studies.tour.own_sentences import OwnSentences
from bertflow_core.text_table import percent

__all__ = ["ask"]

_LAST = "last"
_TRIED = ("standardize", *CALIBRATORS, FLOW)


def ask(material: Material) -> Content:
    """Ask whether any calibrator raises rho at the last layer.

    Raises:
        InputError: No gold scores, too few pairs, or a tour of the last layer itself.
    """
    material.grades()
    material.check_pairs()
    if material.recipe.layers == _LAST:
        raise InputError("this tour is of the last layer already: see the change of rho above")
    recipe = material.recipe.with_(layers=_LAST)
    report = advice(AdviceRecipe(**recipe.to_dict(), n_draws=DRAWS), material.lab, _TRIED)
    gains = gains_of(report)
    if not gains:
        raise InputError(report.facts["why_no_gains"] or "these pairs give no change of rho")
    best = next((row for row in gains if row["verdict"] == Verdict.GO), gains[0])
    right = (Verdict.GO, Verdict.CAUTION, Verdict.STOP).index(best["verdict"])
    return Content(
        text="Calibration helps vectors that all point roughly the same way. An encoder that was "
        "trained to compare sentences (contrastive training) has learnt to spread them: in its "
        "last layer similar sentences lie close together and all others far apart. Here are the "
        f"vectors of the last layer of the same encoder, under {len(_TRIED)} calibrators: "
        f"{', '.join(_TRIED)}.",
        question="Does any of these calibrators raise rho at the last layer?",
        choices=(
            "Yes, significantly",
            "No: the change of the best may be chance",
            "No: even the best lowers it",
        ),
        right=right,
        takeaway=_takeaway(best, gains),
        explanation=f"{best['finding']} Hollow marks are not significant. "
        f"{report.rows[0]['finding']}",
        notes="This is the answer to the question people come with: should I calibrate my model? "
        "If it was trained on pairs, most likely not. Usual mistake: to calibrate because a paper "
        "of 2020 did so with another kind of model. The page Should I calibrate? checks own data.",
        figure=gains_figure(gains),
        alt="The change of rho at the last layer under each calibrator, with its interval",
        origin=origin(recipe, (RAW, *_TRIED), also=of_change(recipe, DRAWS)),
        own=_own(material, recipe),
    )


def _own(material: Material, recipe: Recipe) -> str:
    texts = material.own.texts
    if not texts:
        return ""
    at_last = OwnSentences(texts, material.lab.vectors(recipe, texts).x)
    return at_last.change({"last layer, not calibrated": lambda x: x})


def _takeaway(best: Row, gains: Sequence[Row]) -> str:
    spec = best["calibrator"]
    change = f"rho x 100 from {percent(best['before'])} to {percent(best['after'])}"
    if best["verdict"] == Verdict.GO:
        return f"At the last layer {spec} takes {change}: calibration helps there too."
    if best["verdict"] == Verdict.STOP:
        return f"Leave this output alone: even the best calibrator, {spec}, takes {change}."
    n_lower = sum(row["verdict"] == Verdict.STOP for row in gains)
    others = f"; {n_lower} of the {len(gains)} lower it significantly" if n_lower else ""
    return (
        f"Leave this output alone: the best calibrator, {spec}, takes {change}, which may be "
        f"chance{others}."
    )
