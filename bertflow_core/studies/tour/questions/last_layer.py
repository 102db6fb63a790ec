"""Question 13: should the output of an encoder that was trained to compare be calibrated?"""

from collections.abc import Sequence

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.studies.advice import CALIBRATORS, Gain, Recommendation, check
from bertflow_core.studies.advice.figures import gains_figure
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import DRAWS, FLOW, RAW, Material
from bertflow_core.studies.tour.origin import of_change, origin
from bertflow_core.studies.tour.own_sentences import OwnSentences
from bertflow_core.text_table import change_text, percent

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
    prepared = material.lab.prepare(recipe)
    advice = check(
        prepared,
        calibrators=_TRIED,
        n_draws=DRAWS,
        device=material.lab.device,
    )
    if not advice.gains:
        raise InputError(advice.note or "these pairs give no change of rho")
    risen = [gain for gain in advice.gains if gain.recommendation is Recommendation.GO]
    best = (risen or list(advice.gains))[0]
    right = list(Recommendation).index(best.recommendation)
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
        takeaway=_takeaway(best, advice.gains),
        explanation=f"The change of {best.calibrator} is "
        f"{change_text(best.before, best.after)}, 95 % interval {100 * best.low:+.2f} to "
        f"{100 * best.high:+.2f}, on {best.n_pairs:,} pairs. Hollow marks are not significant. "
        f"{advice.findings[0].sentence}",
        notes="This is the answer to the question people come with: should I calibrate my model? "
        "If it was trained on pairs, most likely not. Usual mistake: to calibrate because a paper "
        "of 2020 did so with another kind of model. The page Should I calibrate? checks own data.",
        figure=gains_figure(advice.gains),
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


def _takeaway(best: Gain, gains: Sequence[Gain]) -> str:
    change = f"rho x 100 from {percent(best.before)} to {percent(best.after)}"
    if best.recommendation is Recommendation.GO:
        return f"At the last layer {best.calibrator} takes {change}: calibration helps there too."
    if best.recommendation is Recommendation.STOP:
        return (
            f"Leave this output alone: even the best calibrator, {best.calibrator}, takes {change}."
        )
    lower = [gain for gain in gains if gain.recommendation is Recommendation.STOP]
    others = f"; {len(lower)} of the {len(gains)} lower it significantly" if lower else ""
    return (
        f"Leave this output alone: the best calibrator, {best.calibrator}, takes {change}, which "
        f"may be chance{others}."
    )
