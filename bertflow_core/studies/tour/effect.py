"""Steps 5 to 7, what calibration changes: the cone, agreement with people, the hold of words."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.evaluation import compare_rhos
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
from bertflow_core.studies.lexical.figures import panels
from bertflow_core.studies.lexical.measure import DISTANCE, GOLD, LexicalBias
from bertflow_core.studies.lexical.paper_table6 import printed_rows
from bertflow_core.studies.lexical.report import estimate_text
from bertflow_core.studies.tour.material import CENTRED, DRAWS, FLOW, RAW, SPECS, WHITE, Material
from bertflow_core.studies.tour.step import Told, of_change, origin
from bertflow_core.tables import percent

__all__ = ["tell_gain", "tell_meaning", "tell_opening"]

_NEAR_ZERO = 0.05
_MOST_MARKS = 1_500
_SPACE = ("model", "revision", "layers", "tokens", "max_length", "dtype")


def tell_opening(material: Material, progress: Progress) -> Told:
    """Ask what is the least that makes random sentences unlike each other.

    Raises:
        InputError: No more sentences than features, which whitening makes equally unlike.
    """
    material.check_sentences()
    cosines = {spec: material.cosines(spec) for spec in SPECS}
    enough = _enough(cosines)
    return Told(
        text="A calibrator is a map learnt from the sentences alone, without any grades. The "
        "simplest subtracts the mean vector. Whitening also gives all directions the same "
        "variance. BERT-flow maps the vectors to a Gaussian by an invertible network.",
        question="What is the least that brings the mean cosine of random sentences to about 0, "
        f"within {_NEAR_ZERO:g}?",
        choices=("Nothing", "Subtracting the mean", "Whitening", "A flow", "None of these does"),
        right=SPECS.index(enough[0]) if enough else len(SPECS),
        explanation=_opening_said(cosines, n_features=material.sample.shape[1]),
        figure=cosine_histograms(cosines),
        alt="Cosines of random pairs as they are, less the mean, white, and under the flow",
        origin=origin(material.recipe, SPECS),
    )


def _enough(cosines: Mapping[str, FloatArray]) -> list[str]:
    """Return the calibrators that leave a mean cosine of about 0, the least first."""
    return [spec for spec in SPECS if abs(cosines[spec].mean()) <= _NEAR_ZERO]


def _opening_said(cosines: Mapping[str, FloatArray], *, n_features: int) -> str:
    means = {spec: f"{found.mean():z.3f}" for spec, found in cosines.items()}
    spreads = ", ".join(f"{cosines[spec].std():.3f}" for spec in SPECS)
    enough = ", ".join(_enough(cosines)) or "none"
    return (
        f"The mean is {means[RAW]} as they are, {means[CENTRED]} after the mean is "
        f"subtracted ({CENTRED}), "
        f"{means[WHITE]} white and {means[FLOW]} under the flow. "
        f"Within {_NEAR_ZERO:g} of 0: {enough}. The standard deviations, in the same order, are "
        f"{spreads}; directions drawn uniformly from the sphere would have "
        f"{n_features**-0.5:.3f}, one over the square root of the dimension."
    )


def tell_gain(material: Material, progress: Progress) -> Told:
    """Ask whether rho rises under the flow.

    Raises:
        InputError: No gold scores, or too few pairs for an interval.
    """
    pairs, recipe = material.prepared.pairs, material.recipe
    material.check_pairs()
    found = compare_rhos(
        {spec: result.similarity for spec, result in material.results.items()},
        material.grades(),
        pairs.subsets,
        baseline=RAW,
        aggregation=recipe.aggregation,
        n_draws=DRAWS,
        seed=recipe.seed,
        progress=progress,
    )
    flow = next(each for each in found.to_baseline if each.name == FLOW)
    return Told(
        text="Does cosine now order the pairs more as people do? Spearman's rho compares the two "
        "orders: 100 is the same order, 0 is no relation. How much of a change is chance is seen "
        "by drawing the pairs again and again with replacement: the bootstrap.",
        question=f"What does the flow do to rho on these {len(pairs):,} pairs?",
        choices=("It rises", "It falls", "The change cannot be told from chance"),
        right=(0 if flow.rho > 0 else 1) if flow.told_apart else 2,
        explanation=_gain_said(material, flow),
        figure=_forest(found.to_baseline),
        alt="The change of rho under each calibrator, with its interval, beside no change",
        origin=origin(recipe, SPECS, also=of_change(recipe, DRAWS)),
    )


def _gain_said(material: Material, flow: Difference) -> str:
    before, after = (percent(material.results[spec].rho) for spec in (RAW, FLOW))
    low, high = flow.interval.low, flow.interval.high
    return (
        f"Rho x 100 goes from {before} to {after}: {100 * flow.rho:+.1f}, 95 % interval "
        f"{100 * low:+.1f} to {100 * high:+.1f}. By Holm over the {len(SPECS) - 1} calibrators its "
        f"p-value is {flow.p_adjusted:.2g}, so that it can{'' if flow.told_apart else 'not'} be "
        "told from no change at 5 %; marks that cannot are hollow. "
        f"{_teaching_said(material.recipe, flow)}{_on_natural_pairs(material.recipe)}"
    ).strip()


def _forest(changes: Sequence[Difference]) -> Figure:
    return interval_forest(
        [each.name for each in changes],
        [each.rho for each in changes],
        [each.interval.low for each in changes],
        [each.interval.high for each in changes],
        title=f"change of Spearman's rho x 100 against {RAW}",
        reference=0.0,
        apart=[each.told_apart for each in changes],
    )


def _teaching_said(recipe: Recipe, flow: Difference) -> str:
    if recipe.dataset != Recipe.dataset:
        return ""
    is_risen = flow.told_apart and flow.rho > 0
    mended = "the flow mends some of that" if is_risen else "the flow is not seen to mend that"
    return f"These pairs were written so that shared words mislead, and {mended}. "


def _on_natural_pairs(recipe: Recipe) -> str:
    """Say what the stored results of STS-B are, where they are of this space and other pairs."""
    stored = resource("results/stsb-layer4.json").read_text(encoding="utf-8")
    found: dict[str, Any] = {each["spec"]: each for each in json.loads(stored)["results"]}
    natural = Recipe.from_dict(found[RAW]["recipe"])
    same_space = all(getattr(natural, name) == getattr(recipe, name) for name in _SPACE)
    if not same_space or natural.dataset == recipe.dataset:
        return ""
    before, after = (percent(found[spec]["spearman"]["all"]) for spec in (RAW, FLOW))
    return (
        f"On natural pairs, {found[RAW]['n_pairs']:,} of STS-B, the same space goes from {before} "
        f"to {after}."
    )


def tell_meaning(material: Material, progress: Progress) -> Told:
    """Ask whether cosine follows the words less under the flow (Figure 2).

    Raises:
        InputError: Single sentences, too few pairs, or all equally far apart.
    """
    found = material.lexical
    material.check_pairs()
    change = found.every.change_in_size(FLOW, RAW, DISTANCE)
    if change.value is None or change.low is None or change.high is None:
        raise InputError("too few pairs, or all have one edit distance: there is no correlation")
    is_chance = change.low <= 0 <= change.high
    return Told(
        text="Edit distance counts the words that must change to make one sentence the other. A "
        "measure of meaning should know little of it: how closely cosine follows it is the size of "
        "rho, whatever its sign.",
        question="Under the flow, does cosine follow the words less than before?",
        choices=("Less", "More", "The change cannot be told from chance"),
        right=2 if is_chance else int(change.value > 0),
        explanation=_meaning_said(found, change),
        figure=panels(found, at_most=_MOST_MARKS),
        alt="Similarity against edit distance: people's grades, plain cosine, and under the flow",
        origin=origin(
            material.recipe,
            found.specs,
            also=(f"edits of {found.unit} units", f"{DRAWS:,} resamples"),
        ),
    )


def _meaning_said(found: LexicalBias, change: Estimate) -> str:
    raw, flow = (estimate_text(found.every.rho(spec, DISTANCE)) for spec in (RAW, FLOW))
    said = (
        f"Rho x 100 of cosine with edit distance, with its 95 % interval, is {raw} before and "
        f"{flow} under the flow; 0 would be independence. Its size changes by "
        f"{estimate_text(change)}. "
    )
    if found.pairs.gold is not None:
        said += f"People's own grades have {estimate_text(found.every.rho(GOLD, DISTANCE))}. "
    printed = printed_rows(Recipe(dataset="stsb", split="dev"), found.unit)
    named = "; ".join(f"{row.label} {row.edit_distance:.2f}" for row in printed)
    return (
        f"{said}On STS-B the paper prints: {named} ({printed[0].citation}). In the picture each "
        "mark is a pair, similarity across and edit distance up; green ones are at most "
        f"{found.threshold} edits apart."
    )
