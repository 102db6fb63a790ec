"""Question 9: does cosine follow shared words less closely after calibration? See Figure 2."""

from collections.abc import Mapping

from bertflow_core.change import Change, Verdict
from bertflow_core.errors import InputError
from bertflow_core.figures import Figure, interval_forest
from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical.bias import (
    DISTANCE,
    GOLD,
    NORMALISED,
    LexicalBias,
    LexicalRecipe,
    lexical_bias,
)
from bertflow_core.studies.lexical.published import printed_rows
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import FLOW, RAW, REMOVED, Material
from bertflow_core.studies.tour.origin import origin
from bertflow_core.text_table import percent

__all__ = ["ask"]


def ask(material: Material) -> Content:
    """Ask whether cosine follows the words less closely under the flow.

    Raises:
        InputError: Single sentences, too few pairs, or all equally far apart.
    """
    results = [material.results[spec] for spec in (RAW, REMOVED, FLOW)]
    material.check_pairs()
    bias = lexical_bias(results, LexicalRecipe(**material.recipe.to_dict()))
    changes = {spec: bias.change_in_size(spec, RAW, DISTANCE) for spec in bias.specs if spec != RAW}
    change = changes[FLOW]
    if change.difference is None or change.low is None:
        raise InputError("too few pairs, or all have one edit distance: no correlation exists")
    right = {Verdict.FELL: 0, Verdict.ROSE: 1}.get(change.verdict, 2)
    return Content(
        text="Edit distance counts the words that must change to turn one sentence into the other. "
        "A measure of meaning should depend little on it. How closely cosine follows it is the "
        "absolute value of their rank correlation, rho.",
        question="Does cosine follow the words less closely under the flow?",
        choices=(
            "It follows the words less closely",
            "It follows the words more closely",
            "The change is not significant",
        ),
        right=right,
        takeaway=_takeaway(right, change.text(times=100)),
        explanation=_explanation(bias, change),
        notes="The paper reports a large fall on STS-B with BERT. Ask what else could explain a "
        "correlation with edit distance: people's grades follow it too, since sentences that "
        "share words often share meaning. Usual mistake: to expect 0.",
        figure=_forest(changes),
        alt="The change of how closely cosine follows edit distance under each calibrator, with "
        "its interval, beside no change",
        origin=origin(
            material.recipe,
            bias.specs,
            also=(f"edits of {bias.recipe.unit} units", f"{bias.recipe.n_draws:,} resamples"),
        ),
        own=material.own_change(RAW, FLOW),
    )


def _takeaway(right: int, change: str) -> str:
    if right == 2:
        return (
            "These pairs do not show whether the flow loosens the pull of shared words: "
            f"{change} points, not significant."
        )
    side = ("less", "more")[right]
    return f"Under the flow cosine follows shared words {side} closely, {change} points."


def _forest(changes: Mapping[str, Change]) -> Figure:
    known = {
        spec: (each.difference, each.low, each.high)
        for spec, each in changes.items()
        if each.difference is not None and each.low is not None and each.high is not None
    }
    return interval_forest(
        list(known),
        [value for value, _, _ in known.values()],
        [low for _, low, _ in known.values()],
        [high for _, _, high in known.values()],
        title="change of |rho x 100| of cosine with edit distance; left of 0: less closely",
        reference=0.0,
        apart=[not low <= 0 <= high for _, low, high in known.values()],
        shown=[changes[spec].text(times=100) for spec in known],
    )


def _explanation(bias: LexicalBias, change: Change) -> str:
    raw, flow = (_rho_text(bias, spec) for spec in (RAW, FLOW))
    text = (
        f"Rho x 100 of cosine with edit distance, with its 95 % interval, is {raw} before and "
        f"{flow} under the flow; 0 means no relation. Its absolute value changes by "
        f"{change.text(times=100)} [{change.interval_text(times=100)}]. Hollow marks are not "
        "significant. "
    )
    if bias.gold is not None:
        text += f"For people's grades it is {_rho_text(bias, GOLD)}. "
        share = {
            name: percent(bias.every.rho(name, NORMALISED).value) for name in (GOLD, RAW, FLOW)
        }
        text += (
            "Long pairs can differ in more words. Divided by the longer sentence's words, rho is "
            f"{share[GOLD]} for people's grades, {share[RAW]} before and {share[FLOW]} under the "
            "flow. "
        )
    printed = printed_rows(Recipe(dataset="stsb", split="dev"), bias.recipe.unit)
    named = "; ".join(f"{row.label} {row.edit_distance:.2f}" for row in printed)
    return f"{text}On STS-B the paper reports: {named} ({printed[0].citation})."


def _rho_text(bias: LexicalBias, name: str) -> str:
    """Write rho x 100 with edit distance and the ends of its interval."""
    rho = bias.every.rho(name, DISTANCE)
    if rho.low is None or rho.high is None:
        return percent(rho.value)
    return f"{percent(rho.value)} [{100 * rho.low:.2f}, {100 * rho.high:.2f}]"
