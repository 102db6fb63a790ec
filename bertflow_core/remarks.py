"""What the user should know of data and of a fit before a number is believed, a sentence each."""

import math
import re
from collections.abc import Sequence

from bertflow_core.datasets import SentencePairs
from bertflow_core.datasets.corpus import sized
from bertflow_core.datasets.fit_on import NLI_CORPUS
from bertflow_core.encoders.given import ROWS
from bertflow_core.evaluation import RHO, Metric
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted, with_remedy

TRANSDUCTIVE = "Transductive"
"""What a fit is called that saw the scored sentences, without their scores."""

_NLI_PRESET = re.compile(r"\bpreset=nli\b")

FEW_PAIRS = 30
"""Fewer say little: with 30 pairs the standard error of rho is still about 0.2."""

_WIDE = 0.1
"""Half the width of a 95 % interval that is told: more than a calibrator mostly changes."""


def why_unscored(pairs: SentencePairs) -> str:
    """Say why pairs without gold scores, with labels, or single sentences, have no rho."""
    if pairs.labels is not None:
        return (
            f"Rho is passed over: the pairs of {quoted(pairs.name)} have labels (1 or 0), and rho "
            "needs graded scores; Calibrate, Compare and Is it real? show their AUC."
        )
    if pairs.is_paired:
        return (
            "Rho and Pearson's r are not available: they need gold scores, and no column of them "
            "was named."
        )
    return "Rho and Pearson's r are not available: they need pairs of sentences with gold scores."


def few_pairs(n: int, metric: Metric = RHO) -> str:
    """Say that so few pairs have no number worth the name; nothing where there are enough."""
    return f"Only {n} pairs: {metric.one} of so few is mostly chance." if n < FEW_PAIRS else ""


def doubt_of_score(score: float | None, pairs: SentencePairs, metric: Metric) -> str:
    """Say how closely a score is known where that is not close; nothing of pairs without gold."""
    judged = pairs.judged
    if judged is None or len(judged) < FEW_PAIRS or score is None:
        return "" if judged is None else few_pairs(len(judged), metric)
    half_width = metric.half_width(score, judged)
    if math.isnan(half_width) or half_width < _WIDE:
        return ""
    return (
        f"Of these {len(judged):,} pairs {metric.header} is known to about {100 * half_width:.0f} "
        "points either way (95 % interval)."
    )


def preset_note(recipe: Recipe) -> tuple[str, ...]:
    """Say where a flow was fitted by the choices for NLI sentences on another corpus."""
    if not _NLI_PRESET.search(recipe.calibrator) or sized(recipe.fit_on)[0] == NLI_CORPUS:
        return ()
    return (f"preset nli has the rate and the epochs for corpus nli, not for {recipe.fit_on}",)


def with_command_remedy(notes: Sequence[str], recipe: Recipe) -> tuple[str, ...]:
    """Return notes of fits, and what to do on the command line where one had too few rows."""
    if recipe.source is ROWS:
        vectors = "with --fit-on, or as the argument of bertflow-lab fit"
        return with_remedy(notes, f"To fit on more vectors, name a larger file of them: {vectors}.")
    corpus = "such as nli or a text file"
    return with_remedy(
        notes, f"To fit on more sentences, name a larger corpus with --fit-on, {corpus}."
    )
