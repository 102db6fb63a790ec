"""Question 8: does cosine agree better with people after calibration?"""

from bertflow_core.evaluation.inference import Difference, RhoComparison
from bertflow_core.figures import Figure, interval_forest
from bertflow_core.recipe import Recipe
from bertflow_core.space import changes_of_rho
from bertflow_core.studies.tour.lesson import Content
from bertflow_core.studies.tour.material import DRAWS, FLOW, RAW, SPECS, Material
from bertflow_core.studies.tour.origin import of_change, origin
from bertflow_core.text_table import p_text, percent

__all__ = ["ask"]

_ADVERSARIAL = "teaching"


def ask(material: Material) -> Content:
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
    )
    flow = next(each for each in comparison.to_baseline if each.name == FLOW)
    return Content(
        text="Does cosine now rank the pairs more as people do? Spearman's rho compares the two "
        "rankings: rho x 100 is 100 for the same ranking and 0 for no relation. The bootstrap, "
        "which resamples the pairs with replacement, shows how much of a change is chance.",
        question=f"How does the flow change rho on these {len(pairs):,} pairs?",
        choices=("It rises", "It falls", "The change is not significant"),
        right=(0 if flow.rho > 0 else 1) if flow.significant else 2,
        takeaway=_takeaway(material, flow),
        explanation=f"{_explanation(material, comparison, flow)} {_others(comparison)}",
        notes="The flow has seen sentences and no grade. Look at the other lines: much of the gain "
        "comes with the mean vector and a few directions, which cost nothing to remove. Usual "
        "mistake: to compare two encoders by a change of rho instead of by rho.",
        figure=_forest(comparison),
        alt="The change of rho under each calibrator, with its interval, beside no change",
        origin=origin(recipe, SPECS, also=of_change(recipe, DRAWS)),
        own=material.own_change(RAW, FLOW),
    )


def _explanation(material: Material, found: RhoComparison, flow: Difference) -> str:
    before, after = (percent(material.results[spec].rho) for spec in (RAW, FLOW))
    low, high = flow.interval.low, flow.interval.high
    return (
        f"Rho x 100 goes from {before} to {after}: {found.change_text(FLOW)}, 95 % interval "
        f"{100 * low:+.2f} to {100 * high:+.2f}. It is {'' if flow.significant else 'not '}"
        f"significant at 5 % (p with Holm's correction for {len(SPECS) - 1} calibrators: "
        f"{p_text(flow.p_adjusted)}). Hollow marks are not significant. "
        f"{_teaching_text(material.recipe, flow)}"
    ).strip()


def _others(found: RhoComparison) -> str:
    names = [each.name for each in found.to_baseline if each.name != FLOW]
    told = ", ".join(f"{name} {found.change_text(name)}" for name in names)
    return f"The other calibrators: {told}."


def _takeaway(material: Material, flow: Difference) -> str:
    before, after = (percent(material.results[spec].rho) for spec in (RAW, FLOW))
    change = f"rho x 100 from {before} to {after}"
    if not flow.significant:
        return f"The flow takes {change}, which may be chance."
    verb = "better" if flow.rho > 0 else "worse"
    return f"Without a single grade the flow takes {change}: cosine agrees {verb} with people."


def _forest(found: RhoComparison) -> Figure:
    changes = found.to_baseline
    return interval_forest(
        [each.name for each in changes],
        [each.rho for each in changes],
        [each.interval.low for each in changes],
        [each.interval.high for each in changes],
        title=f"change of Spearman's rho x 100 against {RAW}",
        reference=0.0,
        apart=[each.significant for each in changes],
        shown=[found.change_text(each.name) for each in changes],
    )


def _teaching_text(recipe: Recipe, flow: Difference) -> str:
    if recipe.dataset != _ADVERSARIAL:
        return ""
    is_risen = flow.significant and flow.rho > 0
    corrects = "corrects some of that" if is_risen else "does not correct that measurably"
    return f"These pairs were written so that shared words mislead, and the flow {corrects}. "
