"""What does 0.83 mean? A cosine compared with those of random pairs, and thresholds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.calibrators.spec import DEFAULT_SPECS
from bertflow_core.datasets import Texts
from bertflow_core.datasets.source import digest
from bertflow_core.errors import InputError, listed
from bertflow_core.evaluation.thresholds import RandomPairs, ScoredPairs
from bertflow_core.figures import Figure, share_ridges, threshold_curves
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.saved_thresholds import (
    Threshold,
    carried_from,
    owner_of,
    read_thresholds,
    threshold_of,
)
from bertflow_core.params import FILES, param
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.runtime import context
from bertflow_core.studies.random_pairs import (
    N_GENERIC,
    Sample,
    by_subset,
    generic_pairs,
    random_pairs,
    sample_of,
    scored_pairs,
)

EXAMPLE = 0.83
"""The cosine whose meaning is shown by default."""

_RATE = 0.01
"""The rate of a threshold if nothing is asked for and no pair is scored."""

_QUANTILES = {"q50": 0.5, "q99": 0.99, "q999": 0.999}
_BINS = 80
SCORED = "scored"
"""What a row of the scored sentences has under `sentences`."""

_SENTENCES = {SCORED: "sentences of the data", "generic": "generic captions"}


@dataclass(frozen=True, kw_only=True)
class ThresholdRecipe(Recipe):
    """The choices that decide a threshold."""

    wanted_precision: float | None = param(
        None,
        "Wanted share of right hits among pairs above the threshold, from 0 to 1: the lowest "
        "threshold that reaches it, else the one with the most.",
        low=0,
        high=1,
        title="Wanted precision (0 to 1)",
    )
    rate: float | None = param(
        None,
        "Wanted share of random pairs above the threshold, from 0 to 1. By default the threshold "
        f"has the highest F1 if pairs have gold scores or labels, else a rate of {_RATE:g}.",
        low=0,
        high=1,
    )
    n_pairs: int | None = param(
        None, "Number of pairs above the threshold, instead of a rate.", low=1
    )
    cosine: float | None = param(None, f"Threshold to explain, such as {EXAMPLE}.", low=-1, high=1)
    alike: float = param(
        0.8,
        "Gold score, scaled to 0 to 1, from which pairs count as alike.",
        low=0,
        high=1,
        title="Pairs are alike from this gold score (0 to 1)",
    )
    known: str | None = param(
        None, "Profile (JSON) of an earlier run; its threshold is used.", panel=FILES
    )
    carried: str | None = param(
        None,
        "Profile (JSON) of another model; the threshold is set at the same percentile as there.",
        panel=FILES,
    )

    def check(self) -> None:
        """Refuse a rate outside (0, 1), and two ways of setting the threshold at once."""
        super().check()
        if self.rate is not None and not 0 < self.rate < 1:
            raise InputError(f"rate must lie between 0 and 1, got {self.rate:g}")
        ways = ("wanted_precision", "rate", "n_pairs", "cosine", "known", "carried")
        named = [name for name in ways if getattr(self, name) is not None]
        if len(named) > 1:
            raise InputError(f"choose one way of setting the threshold, got {listed(named)}")


_NAMES = (Column("vectors"), Column("calibrator"), Column("sentences"))
_COLUMNS = (
    *_NAMES,
    Column("threshold", "", ".3f", ends=True),
    Column("precision", "", ".1f", "% that count as alike, among pairs above the threshold", 100),
    Column("recall", "", ".1f", "% above the threshold, among pairs that count as alike", 100),
    Column("rate", "rate x 100", ".3g", "% of random pairs above the threshold", 100, ends=True),
    Column(
        "gold",
        "gold score",
        ".2f",
        "gold score expected of a pair at the threshold (isotonic regression)",
    ),
    Column(
        "gold_error",
        "its error",
        ".2f",
        "mean absolute error of the isotonic regression on held-out pairs, five folds",
    ),
)
_RANDOM = (
    *_NAMES,
    Column("n_random", "random pairs", ","),
    Column("q50", "50 %", ".3f", "percentiles of the cosines of random pairs"),
    Column("q99", "99 %", ".3f"),
    Column("q999", "99.9 %", ".3f"),
    Column("percentile", "", ".2f", "% of random pairs below the threshold", 100),
    Column(
        "held_out",
        "held out",
        ".3g",
        "rate on sentences that the fit did not see, with its expected interval",
        100,
        ends=True,
    ),
)


def _pictures(report: Report) -> Pictures:
    first = report.rows[0]
    return {
        "thresholds": lambda: threshold_curves(first["curve"], first["threshold"]),
        "random-pairs": lambda: _distributions(report),
    }


def _distributions(report: Report) -> Figure:
    shares: dict[str, dict[str, list[float]]] = {}
    thresholds = {}
    for row in report.rows:
        if row["sentences"] not in _SENTENCES:
            continue
        names = (row.get(name) for name in ("model", "vectors", "calibrator"))
        part = ", ".join(filter(None, names))  # rows name a model only if there are several
        shares.setdefault(part, {})[_SENTENCES[row["sentences"]]] = row["shares"]
        thresholds[part] = row["threshold"]
    return share_ridges(shares, thresholds, EXAMPLE, label="cosine of a random pair")


@study(
    "thresholds",
    ThresholdRecipe,
    _COLUMNS,
    title="What does 0.83 mean?",
    figures=_pictures,
    joint=True,
    calibrators=DEFAULT_SPECS,
    baseline=True,
    layers=True,
    plain=True,
    without=("similarity",),
)
def thresholds(
    recipe: ThresholdRecipe, lab: Lab, calibrators: Specs, layers: Sequence[str]
) -> Result:
    """Measure cosines of random pairs, and find the threshold for a wanted rate."""
    file = recipe.known or recipe.carried
    earlier = read_thresholds(Path(file)) if file else []
    every, why_no_plain = lab.with_plain(recipe.each(layers=layers, calibrators=calibrators))
    rows: list[Row] = []
    found: list[Threshold] = []
    recipes: list[Recipe] = []
    fits: list[tuple[str, tuple[str, ...]]] = []
    for evaluation in lab.evaluations(every):
        context.check_cancelled()
        own_rows, own = measured(evaluation, recipe, earlier, lab)
        rows += own_rows
        found.append(own)
        recipes.append(evaluation.recipe)
        fits.append((evaluation.spec, evaluation.notes))
    data = lab.data(recipe)
    return Result(
        rows,
        [
            *fit_remarks(fits, recipe),
            *remarks_of(Kind.METHOD, *_about(rows, recipe, data)),
            *remarks_of(Kind.MISSING, why_no_plain),
            *remarks_of(Kind.HEADLINE, rule_text(rows[0])),
            *remarks_of(Kind.ANSWER, _answer(rows, recipe, data)),
        ],
        recipes=recipes,
        tables=[Table(_RANDOM, rows, "Random pairs")],
        facts={"thresholds": found},
    )


def threshold_rule(evaluation: Evaluation, recipe: ThresholdRecipe, lab: Lab) -> Row:
    """Return the threshold for use and its curve, under the keys of the study's rows.

    It has the highest F1 on pairs with gold scores or labels, otherwise the wanted rate.
    """
    scored = scored_pairs(evaluation, recipe.alike, lab)
    if best := scored.best():
        return best | {"curve": scored.curve()}
    random, *_ = random_pairs(evaluation, sample_of(evaluation), lab)
    threshold = random.threshold(recipe.rate or _RATE)
    return {"threshold": threshold, "rate": random.rate(threshold), "curve": random.curve()}


def rule_text(row: Row) -> str:
    """Say in a sentence what the threshold of a row finds."""
    at, recall, precision = row["threshold"], row.get("recall"), row.get("precision")
    if recall is None or precision is None:
        return f"{100 * row['rate']:.2g} % of random pairs have a cosine above {at:.3f}."
    return (
        f"At {at:.3f} you find {100 * recall:.0f} % of the alike pairs; {100 * precision:.0f} % of "
        "hits are right."
    )


def measured(
    evaluation: Evaluation, recipe: ThresholdRecipe, earlier: Sequence[Threshold], lab: Lab
) -> tuple[list[Row], Threshold]:
    """Return the rows of a fit, that of the scored sentences first, and what a profile stores."""
    own, sample = evaluation.recipe, sample_of(evaluation)
    owner = owner_of(own, evaluation.embedded.corpus)
    scored = scored_pairs(evaluation, recipe.alike, lab)
    fixed, rate = _asked(recipe, owner, sample, scored, earlier)
    known, halves, parts = random_pairs(evaluation, sample, lab)
    threshold, half = (
        random.threshold(rate) if fixed is None else fixed for random in (known, halves[0])
    )
    columns, (low, high) = _columns(known, threshold), halves[0].interval(half)
    name = {"vectors": own.vectors, "layers": own.layers, "calibrator": evaluation.spec}
    shares = scored.precision(threshold)
    first = {
        **{**name, "sentences": SCORED, **columns, "below_example": 1 - known.rate(EXAMPLE)},
        **{"held_out": halves[1].rate(half), "held_out_low": low, "held_out_high": high},
        **shares,
        "curve": scored.curve() if shares else known.curve(),
        **scored.expected_gold(threshold, EXAMPLE, seed=own.seed),
        **{"separates": scored.separates, "n_sentences": len(sample.sentences)},
    }
    others = by_subset(known, parts, sample) | generic_pairs(evaluation, lab)
    saved = {
        **owner,
        "data": evaluation.embedded.data.title,
        "corpus": digest(sample.sentences),
        "threshold": threshold,
        "threshold_interval": [columns["threshold_low"], columns["threshold_high"]],
        "rate": columns["rate"],
        "interval": [columns["rate_low"], columns["rate_high"]],
        "scored": {key: shares[key] for key in ("precision", "recall")} if shares else None,
        "quantiles": {share: columns[key] for key, share in _QUANTILES.items()},
    }
    return [
        first,
        *({**name, "sentences": key, **_columns(each, threshold)} for key, each in others.items()),
    ], saved


def _answer(rows: Sequence[Row], recipe: ThresholdRecipe, data: Texts) -> str:
    """Say what the first threshold means and, if none was given, what the example does."""
    first, every = rows[0], [row for row in rows if row["sentences"] == SCORED]
    answer = (
        f"In {data.title}, {first['vectors']}, {100 * first['rate']:.3g} % of random pairs (95 % "
        f"interval: {100 * first['rate_low']:.3g} to {100 * first['rate_high']:.3g} %) have a "
        f"cosine above {first['threshold']:.3f}."
    )
    if recipe.cosine is not None:
        return answer
    is_graded = "gold_example" in first
    shares = (
        f"{row['vectors']} {row['calibrator']} {100 * row['below_example']:.4g} %"
        + (f" ({row['gold_example']:.1f})" if is_graded else "")
        for row in every
    )
    return (
        f"A cosine of {EXAMPLE:g} exceeds these shares of random pairs"
        f"{' (expected gold scores in parentheses)' * is_graded}: {', '.join(shares)}. {answer}"
    )


def _about(rows: Sequence[Row], recipe: ThresholdRecipe, data: Texts) -> Iterator[str]:
    """Say what the rows mean, and where a threshold does not do what it should."""
    every = {
        f"{row['layers']} {row['calibrator']}": row for row in rows if row["sentences"] == SCORED
    }
    generic = f' Rows named "generic" apply the same threshold to {N_GENERIC:,} image captions.'
    scored = f'Rows named "scored" use {rows[0]["n_sentences"]:,} distinct sentences.'
    yield scored + generic * recipe.source.has_words
    yield (
        "The 95 % intervals show how the numbers vary over samples of this size. Held out: the "
        "threshold is set on one half and tested on the other; the calibrator applied to a half "
        "was fitted without it, and random pairs are those within a half. Precision, recall and "
        "gold scores come from such fits, too."
    )
    unmet = [
        name
        for name, row in every.items()
        if not row["held_out_low"] <= row["held_out"] <= row["held_out_high"]
    ]
    if unmet:
        yield f"Held-out rates miss their expected interval under {', '.join(unmet)}."
    if inseparable := [name for name, row in every.items() if not row["separates"]]:
        yield (
            "No threshold separates the pairs that are alike from the others under "
            f"{', '.join(inseparable)}: pairs that are alike do not have larger cosines "
            "(Mann-Whitney, p > 0.05)."
        )
    if "alike" in rows[0]:
        yield (
            f"{100 * rows[0]['alike']:.0f} % of the {data.n_units:,} scored pairs count as alike."
        )
    yield "The percentile is a monotonic function of the cosine: ranks, rho and AUC do not change."


def _columns(random: RandomPairs, threshold: float) -> dict[str, Any]:
    """Return the distribution of random pairs' cosines, and what a threshold means among them.

    A threshold beyond all pairs has a rate but no interval: no quantile of the pairs estimates it.
    """
    rate, (low, high) = random.rate(threshold), random.interval(threshold)
    shares = np.histogram(np.clip(random.falling, -1, 1), _BINS, (-1, 1))[0] / len(random.falling)
    return {
        "n_random": len(random.falling),
        **{name: random.threshold(1 - share) for name, share in _QUANTILES.items()},
        "threshold": threshold,
        "threshold_low": min(threshold, random.threshold(high)) if 0 < rate < 1 else None,
        "threshold_high": max(threshold, random.threshold(low)) if 0 < rate < 1 else None,
        "percentile": 1 - rate,
        "rate": rate,
        "rate_low": low,
        "rate_high": high,
        "shares": shares.tolist(),
    }


def _asked(
    recipe: ThresholdRecipe,
    owner: Threshold,
    sample: Sample,
    scored: ScoredPairs,
    earlier: Sequence[Threshold],
) -> tuple[float | None, float]:
    """Return two values: the threshold if it is known, and else the rate for which to find one."""
    if recipe.wanted_precision is not None:
        if not len(scored.cosines):
            raise InputError("a wanted precision needs pairs with gold scores or labels")
        return scored.reaching(recipe.wanted_precision), _RATE
    if recipe.known is not None:
        return float(threshold_of(earlier, owner, recipe.known)["threshold"]), _RATE
    if recipe.carried is not None:
        return None, float(carried_from(earlier, owner, recipe.carried)["rate"])
    if recipe.n_pairs is not None:
        n_all = sample.n * (sample.n - 1) // 2
        if recipe.n_pairs >= n_all:
            raise InputError(
                f"n_pairs must be below {n_all:,}, the pairs of {sample.n:,} distinct sentences, "
                f"got {recipe.n_pairs:,}"
            )
        return None, recipe.n_pairs / n_all
    if recipe.cosine is None and recipe.rate is None:
        return scored.best().get("threshold"), _RATE
    return recipe.cosine, recipe.rate or _RATE
