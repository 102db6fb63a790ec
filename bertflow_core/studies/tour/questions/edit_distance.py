"""Question 9: does cosine follow shared words less closely after calibration? See Figure 2."""

from collections.abc import Mapping

from bertflow_core.errors import InputError
from bertflow_core.evaluation.rank_matrix import Estimate
from bertflow_core.figures import Figure, interval_forest
from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical.bias import DISTANCE, GOLD, NORMALISED, LexicalBias
from bertflow_core.studies.lexical.estimates import ends_text, estimate_text, size_change_text
from bertflow_core.studies.lexical.measure import lexical_bias
from bertflow_core.studies.lexical.paper_table6 import printed_rows
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
    bias = lexical_bias(results)
    changes = {
        spec: bias.every.change_in_size(spec, RAW, DISTANCE) for spec in bias.specs if spec != RAW
    }
    change = changes[FLOW]
    if change.value is None or change.low is None or change.high is None:
        raise InputError("too few pairs, or all have one edit distance: no correlation exists")
    right = 2 if change.low <= 0 <= change.high else int(change.value > 0)
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
        takeaway=_takeaway(right, _change_text(bias, FLOW)),
        explanation=_explanation(bias, change),
        notes="The paper reports a large fall on STS-B with BERT. Ask what else could explain a "
        "correlation with edit distance: people's grades follow it too, since sentences that "
        "share words often share meaning. Usual mistake: to expect 0.",
        figure=_forest(bias, changes),
        alt="The change of how closely cosine follows edit distance under each calibrator, with "
        "its interval, beside no change",
        origin=origin(
            material.recipe,
            bias.specs,
            also=(f"edits of {bias.unit} units", f"{bias.n_draws:,} resamples"),
        ),
        own=material.own_change(RAW, FLOW),
    )


def _change_text(bias: LexicalBias, spec: str) -> str:
    """Write by how much more closely cosine follows the words than before, x 100."""
    return size_change_text(*(bias.every.rho(each, DISTANCE) for each in (RAW, spec)))


def _takeaway(right: int, change: str) -> str:
    if right == 2:
        return (
            "These pairs do not show whether the flow loosens the pull of shared words: "
            f"{change} points, not significant."
        )
    side = ("less", "more")[right]
    return f"Under the flow cosine follows shared words {side} closely, {change} points."


def _forest(bias: LexicalBias, changes: Mapping[str, Estimate]) -> Figure:
    known = {
        spec: (each.value, each.low, each.high)
        for spec, each in changes.items()
        if each.value is not None and each.low is not None and each.high is not None
    }
    return interval_forest(
        list(known),
        [value for value, _, _ in known.values()],
        [low for _, low, _ in known.values()],
        [high for _, _, high in known.values()],
        title="change of |rho x 100| of cosine with edit distance; left of 0: less closely",
        reference=0.0,
        apart=[not low <= 0 <= high for _, low, high in known.values()],
        shown=[_change_text(bias, spec) for spec in known],
    )


def _explanation(bias: LexicalBias, change: Estimate) -> str:
    raw, flow = (estimate_text(bias.every.rho(spec, DISTANCE)) for spec in (RAW, FLOW))
    text = (
        f"Rho x 100 of cosine with edit distance, with its 95 % interval, is {raw} before and "
        f"{flow} under the flow; 0 means no relation. Its absolute value changes by "
        f"{_change_text(bias, FLOW)}{ends_text(change)}. Hollow marks are not significant. "
    )
    if bias.pairs.gold is not None:
        text += f"For people's grades it is {estimate_text(bias.every.rho(GOLD, DISTANCE))}. "
        share = {
            name: percent(bias.every.rho(name, NORMALISED).value) for name in (GOLD, RAW, FLOW)
        }
        text += (
            "Long pairs can differ in more words. Divided by the longer sentence's words, rho is "
            f"{share[GOLD]} for people's grades, {share[RAW]} before and {share[FLOW]} under the "
            "flow. "
        )
    printed = printed_rows(Recipe(dataset="stsb", split="dev"), bias.unit)
    named = "; ".join(f"{row.label} {row.edit_distance:.2f}" for row in printed)
    return f"{text}On STS-B the paper reports: {named} ({printed[0].citation})."
