"""Should I calibrate? Four rules on the user's own data, and the gain on pairs with gold scores."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from itertools import count

import numpy as np

from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.arrays.sampling import distinct_rows
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import LabelledTexts
from bertflow_core.encoders import CATALOG
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.errors import InputError
from bertflow_core.evaluation import ACCURACY, AUC, N_DRAWS, metric_of
from bertflow_core.evaluation.comparison import compare_to
from bertflow_core.figures import Figure, interval_forest
from bertflow_core.lab.comparable_scores import scores_of
from bertflow_core.lab.evaluation import Embedded, Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import RANKS_NOTHING, doubt_of_score, why_unscored
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, notes_of, study
from bertflow_core.runtime import context
from bertflow_core.studies.advice.measures import (
    FEWEST,
    measure_cone,
    measure_held_out,
    measure_linear_loss,
    measure_shift,
)
from bertflow_core.studies.advice.places import picture, places_of, score_places, verdict_of
from bertflow_core.studies.advice.rules import (
    Advice,
    Question,
    judge_cone,
    judge_linear,
    judge_shift,
    judge_size,
    worst_of,
)
from bertflow_core.wording import change_text, percent

_WITHOUT_GOLD = {
    Advice.GO: "Probably: nothing here argues against calibrating.",
    Advice.NEUTRAL: "Probably: nothing here argues against calibrating.",
    Advice.CAUTION: "Perhaps: calibrate with care.",
    Advice.STOP: "No: keep the vectors as they are.",
}
"""The headline for pairs without gold scores."""

CALIBRATORS = ("null-top-k:k=6", "whiten", "flow")
"""The default calibrators: the flow, and the two for which the thresholds were measured."""

LINEAR = "classifier"


@dataclass(frozen=True, kw_only=True)
class AdviceRecipe(Recipe):
    """The choices that decide whether calibrating is worth it."""

    use: str = param(
        "cosine",
        "What the vectors are for: comparison by cosine, or features of a linear classifier.",
        choices=("cosine", LINEAR),
        title="The vectors are for",
    )
    n_draws: int = param(
        N_DRAWS, "Resamples for the intervals.", low=100, high=100_000, flags=("--bootstrap",)
    )


_COLUMNS = (
    Column("question"),
    Column("verdict", help="advice on calibrating; neutral is neither for nor against it"),
    Column("finding"),
)


def findings_of(report: Report) -> list[Row]:
    """Return the rows that state a rule."""
    return [row for row in report.rows if "sources" in row]


def gains_of(report: Report) -> list[Row]:
    """Return the rows of the calibrators' gains, the best first; empty without gold scores."""
    return [row for row in report.rows if "calibrator" in row]


def _pictures(report: Report) -> Pictures:
    drawn: Pictures = {"places": partial(picture, report.tables[0])} if report.tables else {}
    gains = gains_of(report)
    return {**drawn, "gains": partial(_gains_figure, gains)} if gains else drawn


def _gains_figure(gains: Sequence[Row]) -> Figure:
    """Draw the change of the score under each calibrator with its interval."""
    return interval_forest(
        [row["calibrator"] for row in gains],
        [row["after"] - row["before"] for row in gains],
        [row["low"] for row in gains],
        [row["high"] for row in gains],
        title=f"change of {gains[0]['metric']} x 100 against identity",
        reference=0.0,
        apart=[row["significant"] for row in gains],
        shown=[change_text(row["before"], row["after"]) for row in gains],
    )


@study(
    "advice",
    AdviceRecipe,
    _COLUMNS,
    title="Should I calibrate?",
    figures=_pictures,
    calibrators=CALIBRATORS,
    baseline=True,
)
def advice(recipe: AdviceRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Embed a recipe's sentences and check whether calibrating them is worth it."""
    if not set(calibrators) - {BASELINE}:
        raise InputError("name at least one calibrator to try, other than identity")
    asked = recipe.base()
    model = lab.encoder(asked).model
    pairs, places, why_no_plain = lab.pairs(asked), list[Recipe](), ""
    if pairs.targets is not None and isinstance(model, ModelFolder):
        places, why_no_plain = lab.with_plain(places_of(asked, model) or [asked])
        places.sort(key=lambda place: place.layers == PLAIN_LAYERS)
    if isinstance(pairs, LabelledTexts):  # classifiers are slow
        places = [place for place in places if place.layers in (asked.layers, PLAIN_LAYERS)]
    others = lab.embedded([asked, *(place for place in places if place != asked)])
    return check(next(others), recipe, calibrators, lab, places, others, why_no_plain)


def check(
    embedded: Embedded,
    recipe: AdviceRecipe,
    calibrators: Specs,
    lab: Lab,
    places: Sequence[Recipe] = (),
    others: Iterable[Embedded] = (),
    why_no_plain: str = "",
) -> Result:
    """Answer the four questions and, if there are gold scores, score every place.

    `places` are each layer and the plain output, `others` those that are not `embedded`. Both are
    empty for pairs without gold scores.
    """
    specs = [spec for spec in calibrators if spec != BASELINE]
    total, steps = 4 + len(specs) + len(places), count()
    pairs, seed = embedded.pairs, embedded.recipe.seed
    used = embedded.x_texts

    def step() -> AbstractContextManager[None]:
        return context.repeating(next(steps), total, "checks")

    with step():
        contrastive = getattr(CATALOG.get(embedded.recipe.model), "contrastive", None)
        found = measure_cone(used, seed=seed)
        cone = judge_cone(found, contrastive=contrastive, layers=embedded.recipe.layers)
    with step():
        shift = _shift(embedded, used)
    evaluations: dict[str, Evaluation] = {BASELINE: embedded.under(BASELINE, device=lab.device)}
    for spec in specs:
        with step():
            evaluations[spec] = embedded.under(spec, device=lab.device)
    linear_next = recipe.use == LINEAR or pairs.metric == ACCURACY.name
    # With few rows a regression fits anything, so the scored sentences are added.
    x = np.concatenate([embedded.x_fit, used]) if linear_next else used
    tried = [evaluations[spec] for spec in specs if linear_next]
    losses = {each.spec: measure_linear_loss(each.calibrator, x) for each in tried}
    linear = judge_linear(losses, linear_next=linear_next)
    with step():
        gains, why_none = _gains(evaluations, recipe.n_draws)
    with step():
        x = embedded.x_fit[distinct_rows(embedded.corpus.sentences)]
        variance = measure_held_out(x, seed=seed) if len(x) >= FEWEST else None
        lost = [row["calibrator"] for row in gains if row["after"] <= row["before"]]
        size = judge_size(variance, n_rows=len(x), n_features=x.shape[1], lost=lost)
    similarities: dict[tuple[str, str], FloatArray] = {}
    plain, others = None, iter(others)
    for place in places:
        with step():
            same = place == recipe.base()
            at = embedded if same else next(others)
            if not is_one_point(at.x_fit):  # in layer 0 all first tokens are alike
                for name, own in evaluations.items():
                    there = own if same else at.under(name, device=lab.device)
                    similarities[place.layers, name] = there.unit_values
                    plain = there if there.recipe == there.recipe.plain else plain
    metric, beside, tables, unplaced = metric_of(pairs.metric), None, list[Table](), ""
    if plain is not None:
        try:
            beside, table = score_places(
                embedded, plain, similarities, recipe.n_draws, metric.header
            )
        except InputError as error:
            unplaced = _sentence(error)
        else:
            tables.append(table)
    context.report(total, total, "checks")
    findings = (cone, size, shift, linear)
    headline, verdict, text = _answered(evaluations[BASELINE], findings, gains, beside, recipe)
    of_tests = (
        f"The 95 % intervals are from a paired bootstrap of {pairs.n_units:,} {metric.unit}. "
        "Significance is at the 5 % level, Holm-adjusted over the calibrators."
    )
    return Result(
        [*([beside] if beside else []), *findings, *gains],
        [
            *remarks_of(Kind.HEADLINE, headline),
            *remarks_of(Kind.ANSWER, text),
            *remarks_of(Kind.MISSING, why_none, unplaced or why_no_plain),
            *remarks_of(Kind.METHOD, of_tests if gains else ""),
            *fit_remarks(notes_of(list(evaluations.values())), embedded.recipe),
        ],
        recipes=[recipe.with_(revision=embedded.recipe.revision)],
        tables=tables,
        facts={"verdict": str(verdict)},
    )


def _sentence(error: InputError) -> str:
    return f"{str(error)[0].upper()}{str(error)[1:]}."


def _answered(
    raw: Evaluation,
    findings: Sequence[Row],
    gains: Sequence[Row],
    beside: Row | None,
    recipe: AdviceRecipe,
) -> tuple[str, Advice, str]:
    """Return the headline, the verdict and the answer in sentences.

    The answer is first for the plain output, then for the recipe's layer. `beside` is the row of
    `score_places`, which says whether any layer and calibrator beats the plain output. Too few
    pairs give no verdict.
    """
    pairs, layers, linear_next = raw.embedded.pairs, raw.recipe.layers, recipe.use == LINEAR
    if doubt := raw.doubt if beside is None else doubt_of_score(beside["plain"], pairs, raw.metric):
        plain = f"The {PLAIN} scores {percent(beside['plain'])}. " if beside else ""
        text = f"{plain}{doubt} The checks below need no gold scores."
        return "Too little data to say.", Advice.NEUTRAL, text
    verdict, text = answer(findings, gains, linear_next=linear_next)
    if pairs.targets is None:
        text = f"{pairs.name} has no gold scores, so nothing can be scored. {text}"
        return _WITHOUT_GOLD[verdict], verdict, text
    if not beside:
        best = gains[0] if gains else {}
        return _headline(verdict, best, "the vectors as they are"), verdict, text
    name = f"{beside['best_calibrator']}, {beside['best_layers']}"
    best = {"calibrator": name, "before": beside["plain"], "after": beside["best"]}
    headline = _headline(Advice(beside["verdict"]), best, f"the {PLAIN}")
    if isinstance(pairs, LabelledTexts):
        return headline, Advice(beside["verdict"]), beside["finding"]
    if not gains or layers == PLAIN_LAYERS:
        return headline, verdict, beside["finding"]
    text = f"{beside['finding']} If you need {layers}, {text[0].lower()}{text[1:]}"
    return headline, verdict, text


def _headline(verdict: Advice, best: Row, otherwise: str) -> str:
    """Return yes with the best choice and its gain, or no."""
    if verdict is not Advice.GO or not best:
        return f"No: keep {otherwise}."
    gain = 100 * (best["after"] - best["before"])
    return f"Yes: {best['calibrator'].replace(PLAIN_LAYERS, PLAIN)}, {gain:+.1f}."


def _shift(embedded: Embedded, used: FloatArray) -> Row:
    """Judge the shift between fit corpus and scored pairs; sentences in both do not count."""
    pairs, corpus = embedded.pairs, embedded.corpus.sentences
    fit, rows = (  # the first row of each distinct sentence, in order
        {sentences[row]: int(row) for row in distinct_rows(sentences)}
        for sentences in (corpus, pairs.texts)
    )
    shared = fit.keys() & rows.keys()
    only_fit = [row for text, row in fit.items() if text not in shared]
    # The sides of a pair become neighbours again, as in a corpus.
    only_used = [rows[text] for text in dict.fromkeys(pairs.sentences()) if text not in shared]
    auc = None
    if min(len(only_fit), len(only_used)) >= FEWEST:
        auc = measure_shift(embedded.x_fit[only_fit], used[only_used], seed=embedded.recipe.seed)
    return judge_shift(auc, n_fit=len(fit), n_used=len(rows), n_shared=len(shared))


def _gains(evaluations: Mapping[str, Evaluation], n_draws: int) -> tuple[list[Row], str | None]:
    """Compare each calibrator's score with the uncalibrated one, or say why that is impossible."""
    raw = evaluations[BASELINE]
    pairs = raw.embedded.pairs
    if pairs.targets is None or raw.metric is AUC:
        return [], why_unscored(pairs) if raw.metric is AUC else None
    similarities, metric = (
        {spec: each.unit_values for spec, each in evaluations.items()},
        raw.metric,
    )
    try:
        scores = scores_of(similarities, pairs, raw.recipe, n_draws)
    except InputError as error:
        return [], _sentence(error)
    gains = []
    for spec, change in compare_to(BASELINE, scores, n_draws).items():
        if change.after is None:
            continue
        finding = (
            f"Under {spec}, {metric.header} goes from {percent(change.before)} to "
            f"{percent(change.after)} on {pairs.name} ({pairs.n_units:,} {metric.unit}; 95 % "
            "interval of the difference, for this calibrator alone: "
            f"{change.interval_text(times=100)})."
        )
        gains.append(
            {
                "question": f"Does {spec} raise {metric.word}?",
                "metric": metric.word,
                "verdict": str(verdict_of(change)),
                "finding": finding,
                "calibrator": spec,
                **{name: getattr(change, name) for name in ("before", "after", "low", "high")},
                "significant": change.significant,
                "n_pairs": pairs.n_units,
            }
        )
    why_none = None if gains else f"Under {', '.join([*scores][1:])}, {RANKS_NOTHING}."
    return sorted(gains, key=lambda row: -row["after"]), why_none


def answer(
    findings: Sequence[Row], gains: Sequence[Row], *, linear_next: bool
) -> tuple[Advice, str]:
    """Return the verdict and a few sentences from the rules and the gains, the best gain first.

    Gains count more than rules because they are measured. They say nothing about a linear
    classifier, so the rule for classifiers still counts.
    """
    if not gains:
        return _without_gold(findings)
    best = next((row for row in gains if row["verdict"] == Advice.GO), gains[0])
    verdict = Advice(best["verdict"])
    opening = {
        Advice.GO: "Calibrate",
        Advice.STOP: "Do not use any of the calibrators tried",
        Advice.CAUTION: "Expect no significant gain from the calibrators tried",
    }[verdict]
    text = f"{opening}. {best['finding']} {_agreement(findings, verdict)}"
    if not linear_next:
        return verdict, text
    linear = next(row["verdict"] for row in findings if row["question"] == Question.LINEAR)
    text += " These scores do not cover a linear classifier: give it the uncalibrated vectors."
    return worst_of(verdict, linear), text


def _agreement(findings: Sequence[Row], measured: Advice) -> str:
    """Say whether the rules, which use no labels, agree with the measured gain."""
    # A linear classifier is a different use of the embeddings, so its finding cannot conflict.
    others = [row for row in findings if row["question"] != Question.LINEAR]
    against = [row for row in others if row["verdict"] in (Advice.CAUTION, Advice.STOP)]
    if measured is Advice.GO and against:
        named = " ".join(f'"{row["question"]}" says {row["verdict"]}.' for row in against)
        return (
            f"The check without labels warns: {named} On pairs like these the measured gain counts "
            "more; on other sentences the warning holds."
        )
    if measured is Advice.GO:
        return "The check without labels finds nothing against calibrating."
    if against:
        return "The check without labels warns against it, too."
    return (
        "The check without labels finds nothing against calibrating, but its thresholds come from "
        "other data: the measured rho counts more."
    )


def _without_gold(findings: Sequence[Row]) -> tuple[Advice, str]:
    worst = worst_of(Advice.GO, *(r["verdict"] for r in findings if r["verdict"] != "neutral"))
    reasons = [row["question"] for row in findings if row["verdict"] == worst]
    named = "; ".join(f'"{question}"' for question in reasons)
    text = {
        Advice.GO: "Calibrate: no finding speaks against it.",
        Advice.CAUTION: f"Calibrate with care: see {named}.",
        Advice.STOP: f"Do not calibrate under these conditions: see {named}.",
    }[worst]
    if worst is Advice.STOP and reasons == [Question.SIZE]:  # which is about whitening only
        worst = Advice.CAUTION
        text = "Do not whiten on so few sentences; other calibrators need fewer."
    return worst, f"{text} A few hundred pairs with gold scores would measure the gain."
