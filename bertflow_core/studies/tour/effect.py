"""Steps 5 to 7, what calibration changes: the cone, agreement with people, lexical bias."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.evaluation.rank_matrix import Estimate
from bertflow_core.evaluation.rho_draws import Difference
from bertflow_core.figures import (
    Figure,
    cosine_histograms,
    interval_forest,
)
from bertflow_core.files import resource
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe
from bertflow_core.rho_changes import changes_of_rho
from bertflow_core.studies.lexical.figures import panels
from bertflow_core.studies.lexical.measure import DISTANCE, GOLD, LexicalBias
from bertflow_core.studies.lexical.paper_table6 import printed_rows
from bertflow_core.studies.lexical.report import estimate_text
from bertflow_core.studies.tour.material import CENTRED, DRAWS, FLOW, RAW, SPECS, WHITE, Material
from bertflow_core.studies.tour.step import Content, of_change, origin
from bertflow_core.text_table import percent

__all__ = ["gain_step", "meaning_step", "opening_step"]

_NEAR_ZERO = 0.05
_MOST_MARKS = 1_500
_ADVERSARIAL = "teaching"
_SPACE = ("model", "revision", "layers", "tokens", "max_length", "dtype")


def opening_step(material: Material, progress: Progress) -> Content:
    """Ask which calibrator is the simplest that opens the cone.

    Raises:
        InputError: No more sentences than features, which whitening would make orthogonal.
    """
    material.check_sentences()
    cosines = {spec: material.cosines(spec) for spec in SPECS}
    enough = _enough(cosines)
    return Content(
        text="A calibrator is a map learnt from sentences without grades. The simplest subtracts "
        "the mean vector. Whitening also gives all directions the same variance. BERT-flow maps "
        "the vectors to a Gaussian by an invertible network.",
        question="What is the simplest calibrator that brings the mean cosine of random sentences "
        f"to within {_NEAR_ZERO:g} of 0?",
        choices=("No calibrator", "Subtracting the mean", "Whitening", "A flow", "None of these"),
        right=SPECS.index(enough[0]) if enough else len(SPECS),
        explanation=_opening_text(cosines, n_features=material.sample.shape[1]),
        figure=cosine_histograms(cosines),
        alt="Cosines of random pairs without calibration, less the mean, whitened, under the flow",
        origin=origin(material.recipe, SPECS),
    )


def _enough(cosines: Mapping[str, FloatArray]) -> list[str]:
    """Return the calibrators that leave a mean cosine of about 0, the simplest first."""
    return [spec for spec in SPECS if abs(cosines[spec].mean()) <= _NEAR_ZERO]


def _opening_text(cosines: Mapping[str, FloatArray], *, n_features: int) -> str:
    means = {spec: f"{each.mean():z.3f}" for spec, each in cosines.items()}
    spreads = ", ".join(f"{cosines[spec].std():.3f}" for spec in SPECS)
    enough = ", ".join(_enough(cosines)) or "none"
    return (
        f"The mean cosine is {means[RAW]} without calibration, {means[CENTRED]} with the mean "
        f"subtracted ({CENTRED}), {means[WHITE]} whitened and {means[FLOW]} under the flow. "
        f"Within {_NEAR_ZERO:g} of 0: {enough}. The standard deviations, in the same order, are "
        f"{spreads}; for uniformly distributed directions it is {n_features**-0.5:.3f}, one over "
        "the square root of the dimension."
    )


def gain_step(material: Material, progress: Progress) -> Content:
    """Ask whether rho rises under the flow.

    Raises:
        InputError: No gold scores, or too few pairs for an interval.
    """
    pairs, recipe = material.prepared.pairs, material.recipe
    material.check_pairs()
    material.grades()  # refuses in the words of the tour
    comparison = changes_of_rho(
        {spec: result.similarity for spec, result in material.results.items()},
        pairs,
        recipe,
        baseline=RAW,
        progress=progress,
    )
    flow = next(each for each in comparison.to_baseline if each.name == FLOW)
    return Content(
        text="Does cosine now rank the pairs more as people do? Spearman's rho compares the two "
        "rankings: rho x 100 is 100 for the same ranking and 0 for no relation. The bootstrap, "
        "which resamples the pairs with replacement, shows how much of a change is chance.",
        question=f"How does the flow change rho on these {len(pairs):,} pairs?",
        choices=("It rises", "It falls", "The change is not significant"),
        right=(0 if flow.rho > 0 else 1) if flow.significant else 2,
        explanation=_gain_text(material, flow),
        figure=_forest(comparison.to_baseline),
        alt="The change of rho under each calibrator, with its interval, beside no change",
        origin=origin(recipe, SPECS, also=of_change(recipe, DRAWS)),
    )


def _gain_text(material: Material, flow: Difference) -> str:
    before, after = (percent(material.results[spec].rho) for spec in (RAW, FLOW))
    low, high = flow.interval.low, flow.interval.high
    return (
        f"Rho x 100 goes from {before} to {after}: {100 * flow.rho:+.2f}, 95 % interval "
        f"{100 * low:+.2f} to {100 * high:+.2f}. With Holm's correction for {len(SPECS) - 1} "
        f"calibrators p = {flow.p_adjusted:.2g}: {'' if flow.significant else 'not '}significant "
        "at 5 %. Hollow marks are not significant. "
        f"{_teaching_text(material.recipe, flow)}{_on_natural_pairs(material.recipe)}"
    ).strip()


def _forest(changes: Sequence[Difference]) -> Figure:
    return interval_forest(
        [each.name for each in changes],
        [each.rho for each in changes],
        [each.interval.low for each in changes],
        [each.interval.high for each in changes],
        title=f"change of Spearman's rho x 100 against {RAW}",
        reference=0.0,
        apart=[each.significant for each in changes],
    )


def _teaching_text(recipe: Recipe, flow: Difference) -> str:
    if recipe.dataset != _ADVERSARIAL:
        return ""
    is_risen = flow.significant and flow.rho > 0
    corrects = "corrects some of that" if is_risen else "does not correct that measurably"
    return f"These pairs were written so that shared words mislead, and the flow {corrects}. "


def _on_natural_pairs(recipe: Recipe) -> str:
    """Return rho on STS-B in the same space, from stored results, for pairs that may be unlike."""
    stored = resource("results/stsb-layer4.json").read_text(encoding="utf-8")
    found: dict[str, Any] = {each["spec"]: each for each in json.loads(stored)["results"]}
    natural = Recipe.from_dict(found[RAW]["recipe"])
    same_space = all(getattr(natural, name) == getattr(recipe, name) for name in _SPACE)
    if not same_space or recipe.dataset in (natural.dataset, Recipe.dataset):
        return ""
    before, after = (percent(found[spec]["spearman"]["all"]) for spec in (RAW, FLOW))
    return (
        f"On natural pairs, {found[RAW]['n_pairs']:,} of STS-B, the same space goes from {before} "
        f"to {after}."
    )


def meaning_step(material: Material, progress: Progress) -> Content:
    """Ask whether cosine follows the words less closely under the flow (Figure 2).

    Raises:
        InputError: Single sentences, too few pairs, or all equally far apart.
    """
    bias = material.lexical
    material.check_pairs()
    change = bias.every.change_in_size(FLOW, RAW, DISTANCE)
    if change.value is None or change.low is None or change.high is None:
        raise InputError("too few pairs, or all have one edit distance: no correlation exists")
    is_chance = change.low <= 0 <= change.high
    return Content(
        text="Edit distance counts the words that must change to turn one sentence into the other. "
        "A measure of meaning should depend little on it. How closely cosine follows it is the "
        "absolute value of rho.",
        question="Does cosine follow the words less closely under the flow?",
        choices=(
            "It follows the words less closely",
            "It follows the words more closely",
            "The change is not significant",
        ),
        right=2 if is_chance else int(change.value > 0),
        explanation=_meaning_text(bias, change),
        figure=panels(bias, at_most=_MOST_MARKS),
        alt="Similarity against edit distance: people's grades, plain cosine, and under the flow",
        origin=origin(
            material.recipe,
            bias.specs,
            also=(f"edits of {bias.unit} units", f"{DRAWS:,} resamples"),
        ),
    )


def _meaning_text(bias: LexicalBias, change: Estimate) -> str:
    raw, flow = (estimate_text(bias.every.rho(spec, DISTANCE)) for spec in (RAW, FLOW))
    text = (
        f"Rho x 100 of cosine with edit distance, with its 95 % interval, is {raw} before and "
        f"{flow} under the flow; 0 means no relation. Its absolute value changes by "
        f"{estimate_text(change)}. "
    )
    if bias.pairs.gold is not None:
        text += f"For people's grades it is {estimate_text(bias.every.rho(GOLD, DISTANCE))}. "
    printed = printed_rows(Recipe(dataset="stsb", split="dev"), bias.unit)
    named = "; ".join(f"{row.label} {row.edit_distance:.2f}" for row in printed)
    return (
        f"{text}On STS-B the paper reports: {named} ({printed[0].citation}). In the picture each "
        "mark is a pair, with similarity across and edit distance up; green marks are at most "
        f"{bias.threshold} edits apart."
    )
