"""Questions 8, 9 and 13: what calibration changes, each change with its interval."""

from collections.abc import Mapping

from bertflow_core.change import Change, Verdict
from bertflow_core.errors import InputError
from bertflow_core.evaluation.inference import RhoComparison
from bertflow_core.figures import Figure, interval_forest
from bertflow_core.recipe import Recipe
from bertflow_core.space import changes_of_rho
from bertflow_core.studies.advice.rules import Verdict as Advised
from bertflow_core.studies.advice.study import (
    CALIBRATORS,
    AdviceRecipe,
    advice,
    gains_figure,
    gains_of,
)
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
from bertflow_core.studies.tour.material import DRAWS, FLOW, RAW, REMOVED, SPECS, Material
from bertflow_core.studies.tour.origin import of_change, origin
from bertflow_core.studies.tour.own_sentences import OwnSentences
from bertflow_core.text_table import p_text, percent

__all__ = ["agreement", "edits", "last"]

_ADVERSARIAL = "teaching"
_LAST = "last"
_TRIED = ("standardize", *CALIBRATORS, FLOW)


def agreement(material: Material) -> Content:
    """Ask whether rho rises under the flow."""
    pairs, recipe, results = material.prepared.pairs, material.recipe, material.results
    material.check_pairs()
    material.grades()  # refuses in the words of the tour
    similar = {spec: result.similarity for spec, result in results.items()}
    found = changes_of_rho(similar, pairs, recipe, baseline=RAW)
    flow = next(each for each in found.to_baseline if each.name == FLOW)
    before, after = percent(results[RAW].rho), percent(results[FLOW].rho)
    change = f"rho x 100 from {before} to {after}"
    verb = "better" if flow.rho > 0 else "worse"
    others = [each.name for each in found.to_baseline if each.name != FLOW]
    adversarial = ""
    if recipe.dataset == _ADVERSARIAL:
        corrects = flow.significant and flow.rho > 0
        adversarial = (
            " These pairs were written so that shared words mislead, and the flow "
            f"{'corrects some of that' if corrects else 'does not correct that measurably'}."
        )
    return Content(
        text="Does cosine now rank the pairs more as people do? Spearman's rho compares the two "
        "rankings: rho x 100 is 100 for the same ranking and 0 for no relation. The bootstrap, "
        "which resamples the pairs with replacement, shows how much of a change is chance.",
        question=f"How does the flow change rho on these {len(pairs):,} pairs?",
        choices=("It rises", "It falls", "The change is not significant"),
        right=(0 if flow.rho > 0 else 1) if flow.significant else 2,
        takeaway=f"Without a single grade the flow takes {change}: cosine agrees {verb} with "
        "people."
        if flow.significant
        else f"The flow takes {change}, which may be chance.",
        explanation=f"Rho x 100 goes from {before} to {after}: {found.change_text(FLOW)}, 95 % "
        f"interval {100 * flow.interval.low:+.2f} to {100 * flow.interval.high:+.2f}. It is "
        f"{'' if flow.significant else 'not '}significant at 5 % (p with Holm's correction for "
        f"{len(SPECS) - 1} calibrators: {p_text(flow.p_adjusted)}). Hollow marks are not "
        f"significant.{adversarial} The other calibrators: "
        f"{', '.join(f'{name} {found.change_text(name)}' for name in others)}.",
        notes="The flow has seen sentences and no grade. Look at the other lines: much of the gain "
        "comes with the mean vector and a few directions, which cost nothing to remove. Usual "
        "mistake: to compare two encoders by a change of rho instead of by rho.",
        figure=_forest_of_rho(found),
        alt="The change of rho under each calibrator, with its interval, beside no change",
        origin=origin(recipe, SPECS, also=of_change(recipe, DRAWS)),
        own=material.own_change(RAW, FLOW),
    )


def _forest_of_rho(found: RhoComparison) -> Figure:
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


def edits(material: Material) -> Content:
    """Ask whether cosine follows the words less closely under the flow; see Figure 2."""
    results = [material.results[spec] for spec in (RAW, REMOVED, FLOW)]
    material.check_pairs()
    bias = lexical_bias(results, LexicalRecipe(**material.recipe.to_dict()))
    changes = {spec: bias.change_in_size(spec, RAW, DISTANCE) for spec in bias.specs if spec != RAW}
    change = changes[FLOW]
    if change.difference is None or change.low is None:
        raise InputError("too few pairs, or all have one edit distance: no correlation exists")
    right = {Verdict.FELL: 0, Verdict.ROSE: 1}.get(change.verdict, 2)
    points = change.text(times=100)
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
        takeaway=(
            f"Under the flow cosine follows shared words less closely, {points} points.",
            f"Under the flow cosine follows shared words more closely, {points} points.",
            "These pairs do not show whether the flow loosens the pull of shared words: "
            f"{points} points, not significant.",
        )[right],
        explanation=_of_edits(bias, change),
        notes="The paper reports a large fall on STS-B with BERT. Ask what else could explain a "
        "correlation with edit distance: people's grades follow it too, since sentences that "
        "share words often share meaning. Usual mistake: to expect 0.",
        figure=_forest_of_edits(changes),
        alt="The change of how closely cosine follows edit distance under each calibrator, with "
        "its interval, beside no change",
        origin=origin(
            material.recipe,
            bias.specs,
            also=(f"edits of {bias.recipe.unit} units", f"{bias.recipe.n_draws:,} resamples"),
        ),
        own=material.own_change(RAW, FLOW),
    )


def _forest_of_edits(changes: Mapping[str, Change]) -> Figure:
    known = {
        spec: (each.difference, each.low, each.high)
        for spec, each in changes.items()
        if each.difference is not None and each.low is not None and each.high is not None
    }
    values, lows, highs = zip(*known.values(), strict=True)
    return interval_forest(
        list(known),
        values,
        lows,
        highs,
        title="change of |rho x 100| of cosine with edit distance; left of 0: less closely",
        reference=0.0,
        apart=[not low <= 0 <= high for low, high in zip(lows, highs, strict=True)],
        shown=[changes[spec].text(times=100) for spec in known],
    )


def _of_edits(bias: LexicalBias, change: Change) -> str:
    def rho_text(name: str) -> str:
        rho = bias.every.rho(name, DISTANCE)
        if rho.low is None or rho.high is None:
            return percent(rho.value)
        return f"{percent(rho.value)} [{100 * rho.low:.2f}, {100 * rho.high:.2f}]"

    text = (
        f"Rho x 100 of cosine with edit distance, with its 95 % interval, is {rho_text(RAW)} "
        f"before and {rho_text(FLOW)} under the flow; 0 means no relation. Its absolute value "
        f"changes by {change.text(times=100)} [{change.interval_text(times=100)}]. Hollow marks "
        "are not significant. "
    )
    if bias.gold is not None:
        gold, raw, flow = (
            percent(bias.every.rho(name, NORMALISED).value) for name in (GOLD, RAW, FLOW)
        )
        text += (
            f"For people's grades it is {rho_text(GOLD)}. Long pairs can differ in more words. "
            f"Divided by the longer sentence's words, rho is {gold} for people's grades, {raw} "
            f"before and {flow} under the flow. "
        )
    printed = printed_rows(Recipe(dataset="stsb", split="dev"), bias.recipe.unit)
    named = "; ".join(f"{row.label} {row.edit_distance:.2f}" for row in printed)
    return f"{text}On STS-B the paper reports: {named} ({printed[0].citation})."


def last(material: Material) -> Content:
    """Ask whether any calibrator raises rho at the last layer."""
    material.grades()
    material.check_pairs()
    if material.recipe.layers == _LAST:
        raise InputError("this tour is of the last layer already: see the change of rho above")
    recipe, lab = material.recipe.with_(layers=_LAST), material.lab
    report = advice(AdviceRecipe(**recipe.to_dict(), n_draws=DRAWS), lab, _TRIED)
    gains = gains_of(report)
    if not gains:
        raise InputError(report.facts["why_no_gains"] or "these pairs give no change of rho")
    best = next((row for row in gains if row["verdict"] == Advised.GO), gains[0])
    right = (Advised.GO, Advised.CAUTION, Advised.STOP).index(best["verdict"])
    spec = best["calibrator"]
    change = f"rho x 100 from {percent(best['before'])} to {percent(best['after'])}"
    n_lower = sum(row["verdict"] == Advised.STOP for row in gains)
    lower = f"; {n_lower} of the {len(gains)} lower it significantly" if n_lower else ""
    texts, own = material.own.texts, ""
    if texts:
        at_last = OwnSentences(texts, lab.vectors(recipe, texts).x)
        own = at_last.change({"last layer, not calibrated": lambda x: x})
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
        takeaway=(
            f"At the last layer {spec} takes {change}: calibration helps there too.",
            f"Leave this output alone: the best calibrator, {spec}, takes {change}, which may be "
            f"chance{lower}.",
            f"Leave this output alone: even the best calibrator, {spec}, takes {change}.",
        )[right],
        explanation=f"{best['finding']} Hollow marks are not significant. "
        f"{report.rows[0]['finding']}",
        notes="This is the answer to the question people come with: should I calibrate my model? "
        "If it was trained on pairs, most likely not. Usual mistake: to calibrate because a paper "
        "of 2020 did so with another kind of model. The page Should I calibrate? checks own data.",
        figure=gains_figure(gains),
        alt="The change of rho at the last layer under each calibrator, with its interval",
        origin=origin(recipe, (RAW, *_TRIED), also=of_change(recipe, DRAWS)),
        own=own,
    )
