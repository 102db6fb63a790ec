"""The longer texts of findings, from their numbers and the shipped measurements."""

from collections.abc import Mapping, Sequence

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.studies.advice.finding import Recommendation
from bertflow_core.studies.advice.linear import LinearLoss
from bertflow_core.studies.advice.result import Gain
from bertflow_core.studies.advice.shift import Shift
from bertflow_core.studies.advice.size import HeldOut
from bertflow_core.studies.advice.thresholds import Fact, Threshold, fact

__all__ = ["held_out_text", "linear_text", "shift_text", "size_text", "training_hint"]

_SPARING = {"null-top-k:k=6": "size.null_top_k_gain", "ledoit-wolf": "size.ledoit_wolf_gain"}
"""Calibrators that need fewer sentences than whitening, with what they gained."""

_CAME_CLOSE = (
    "whitening on so many sentences cost at most 1 point of rho x 100 against whitening on more"
)


def training_hint(contrastive: bool | None, layers: str) -> str:
    """Say what the catalogue knows of a model's training: a sentence after a space."""
    if contrastive is None:
        return " The catalogue does not list this model; the thresholds were measured on another."
    if not contrastive:
        return " The catalogue does not know this model as trained contrastively."
    is_output = layers in ("last", DECLARED)
    where = "and this is its output" if is_output else f"but {layers} is not its output"
    return f" The model was trained contrastively, to compare sentences, {where}."


def held_out_text(held_out: HeldOut, n_features: int) -> str:
    """Say how sentences vary that whitening was not fitted on, and what that is worth."""
    if held_out.n_rows > n_features:
        return (
            "Whitening was fitted without some of them, and these then have a variance of "
            f"{held_out.variance:.3g} (1 is ideal)."
        )
    return (
        f"They vary along {held_out.rank:,} directions only. Whitening was fitted without some of "
        f"them, and along its directions these then have a variance of {held_out.variance:.3g}; "
        f"with no more sentences than features, even a value near 1 is no sign of a good fit."
    )


def size_text(
    recommendation: Recommendation,
    stop: Threshold,
    go: Threshold,
    enough: Threshold,
    gains: Sequence[Gain],
) -> str:
    """Say why this number of sentences gets its recommendation."""
    if recommendation is Recommendation.GO:
        return (
            f"In our measurements, with a variance of at most {go.value:.3g} and at least "
            f"{enough.value:.3g} sentences for each feature, {_CAME_CLOSE}."
        )
    if recommendation is Recommendation.STOP:
        text = (
            f"In our measurements, with a variance above {stop.value:.3g} whitening lost more "
            "often than it gained."
        )
    else:
        text = (
            f"In our measurements {_CAME_CLOSE} only with a variance of at most {go.value:.3g} "
            f"and at least {enough.value:.3g} sentences for each feature."
        )
    return f"{text} {_remedy(gains)}"


def _remedy(gains: Sequence[Gain]) -> str:
    """Name calibrators that need fewer sentences, except those that gained nothing here."""
    failed = {each.calibrator for each in gains if each.after <= each.before}
    left = [spec for spec in _SPARING if spec not in failed]
    tried = " and ".join(spec for spec in _SPARING if spec in failed)
    here = f" On your own pairs {tried} gained nothing." if tried else ""
    if not left:
        return f"Add sentences.{here}"
    gained = " and ".join(f"{spec} gained {_points(fact(_SPARING[spec]))}" for spec in left)
    return (
        "Add sentences, or use a calibrator that needs fewer: over all sizes measured, on other "
        f"data, {gained} of rho x 100.{here}"
    )


def shift_text(
    shift: Shift, recommendation: Recommendation, shared: float, stop: Threshold, go: Threshold
) -> str:
    """Say how well a classifier separates the corpora, and what that meant in measurements."""
    cost = fact("shift.cost")
    own = (
        ". Fitted on the scored kind of sentence instead, rho x 100 was higher by a median of "
        f"{cost.median:.1f} points"
    )
    zone = {
        Recommendation.GO: f"at most {go.value:.2f}, nine of ten calibrations still gained",
        Recommendation.CAUTION: (
            f"between {go.value:.2f} and {stop.value:.2f}, gains were likely but not certain{own}"
        ),
        Recommendation.STOP: f"above {stop.value:.2f}, most calibrations lost{own}",
    }[recommendation]
    chance = "no better than" if shift.auc <= shift.floor else "better than"
    left_out = (
        f" {100 * shared:.0f} % of the distinct scored sentences are in both and were left out."
        if shared
        else ""
    )
    return (
        "A linear classifier tells the sentences of the fit corpus from the scored ones with an "
        f"AUC of {shift.auc:.2f}: 0.5 is a guess, and this is {chance} chance, which reaches "
        f"{shift.floor:.2f}. In our measurements with other corpora, where the AUC was {zone}."
        f"{left_out}"
    )


def linear_text(losses: Mapping[str, LinearLoss], bad: Sequence[str], stop: Threshold) -> str:
    """Say what each calibrator loses, and that those in `bad` lose more than the threshold."""
    lost = "; ".join(
        f"{spec} loses {loss.rank_lost:,} directions and {loss.variance_lost:.1%} of the variance"
        for spec, loss in losses.items()
    )
    advice = (
        f"above {stop.value:.1%} accuracy in classifying genres fell by more than 1 point: "
        f"not {', '.join(bad)}"
        if bad
        else f"none is above {stop.value:.1%}, from where accuracy in classifying genres fell by "
        "more than 1 point"
    )
    return (
        "Yes: an invertible linear map changes nothing that a linear classifier can represent, "
        f"only how its penalty weighs the directions. Maps that lose nothing changed accuracy by "
        f"{_points(fact('linear.lossless_gain_genre'))} on one sentence and by "
        f"{_points(fact('linear.lossless_gain_snli'))} on pairs. Here {lost}; {advice}."
    )


def _points(change: Fact) -> str:
    return f"{change.median:+.1f} points ({change.smallest:+.1f} to {change.largest:+.1f})"
