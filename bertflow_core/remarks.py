"""What the user should know of data and of a fit before a number is believed, a sentence each."""

import math
import re
from collections.abc import Sequence

import numpy as np

from bertflow_core.datasets import SentencePairs
from bertflow_core.datasets.corpus import sized
from bertflow_core.datasets.nli import NLI_CORPUS
from bertflow_core.encoders.static import is_own
from bertflow_core.evaluation import AUC, RHO, Metric
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted, with_remedy

__all__ = [
    "FEW_PAIRS",
    "MANY_PAIRS",
    "TRANSDUCTIVE",
    "WIDE",
    "doubt_of_score",
    "few_pairs",
    "preset_note",
    "why_unscored",
    "with_command_remedy",
]

TRANSDUCTIVE = "Transductive"
"""What a fit is called that saw the scored sentences, without their scores."""

_NLI_PRESET = re.compile(r"\bpreset=nli\b")

FEW_PAIRS = 30
"""Fewer say little: with 30 pairs the standard error of rho is still about 0.2."""

WIDE = 0.1
"""Half the width of a 95 % interval from which a page says how wide it is: 10 points, more than a
calibrator mostly changes. A rho of 0.7 has 0.22 from 30 pairs, 0.16 from 50, 0.11 from 100 and
0.06 from 375; that of resampled pairs is within 0.04 of it from 30 pairs on."""

MANY_PAIRS = 400
"""From here on the number of pairs does not explain a wide interval: the widest, those of a rho of
0 and of an AUC of 0.5 with each label in half of the pairs, are below 0.1 from 385 and 130 on."""

_RARE = 1 / 4
"""A label of a smaller share is named as what makes an interval of AUC wide. At this share, that of
an AUC of 0.5 is 15 % wider than where half of as many pairs have each label."""


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


def few_pairs(
    n: int,
    metric: Metric = RHO,
    *,
    half_width: float = 0.0,
    judged: FloatArray | None = None,
) -> str:
    """Say that there are too few pairs for a close number; nothing where there are enough.

    Args:
        n: Pairs.
        metric: What they are scored by.
        half_width: Half the width of the 95 % interval of their score, where it is known; NaN
            where there is none.
        judged: What people gave to each pair, shape (N,), where it is known.
    """
    if n < FEW_PAIRS:
        return f"Only {n} pairs: {metric.one} of so few is mostly chance."
    if math.isnan(half_width) or half_width < WIDE:
        return ""
    known = (
        f"{metric.header} is known to about {100 * half_width:.0f} points either way "
        "(95 % interval)."
    )
    rare = "" if judged is None or metric is not AUC else _rare_label(judged)
    if rare or n < MANY_PAIRS:
        return f"Only {rare or f'{n:,} pairs'}: {known}"
    return f"The {known}"


def _rare_label(labels: FloatArray) -> str:
    """Say how many pairs have the rarer label, where it is rare."""
    n, n_ones = len(labels), int(np.sum(labels))
    rarer, label = min((n_ones, 1), (n - n_ones, 0))
    if rarer >= _RARE * n:
        return ""
    return f"{rarer:,} of {n:,} pairs {'has' if rarer == 1 else 'have'} label {label}"


def doubt_of_score(score: float | None, pairs: SentencePairs, metric: Metric) -> str:
    """Say that pairs are too few for a close score, in the same words and number on every page.

    Args:
        score: The metric's value; None where it is undefined.
        pairs: What is scored; of pairs that nobody judged nothing is said.
        metric: What they are scored by.
    """
    judged = pairs.judged
    if judged is None:
        return ""
    is_known = score is not None and len(judged) >= FEW_PAIRS
    half_width = metric.half_width(score or 0.0, judged) if is_known else 0.0
    return few_pairs(len(judged), metric, half_width=half_width, judged=judged)


def preset_note(recipe: Recipe) -> tuple[str, ...]:
    """Say where a flow was fitted by the choices for NLI sentences on another corpus."""
    if not _NLI_PRESET.search(recipe.calibrator) or sized(recipe.fit_on)[0] == NLI_CORPUS:
        return ()
    return (f"preset nli has the rate and the epochs for corpus nli, not for {recipe.fit_on}",)


def with_command_remedy(notes: Sequence[str], recipe: Recipe) -> tuple[str, ...]:
    """Return notes of fits, and what to do on the command line where one had too few rows."""
    if is_own(recipe.model):
        vectors = "with --fit-on, or as the argument of bertflow-lab fit"
        return with_remedy(notes, f"To fit on more vectors, name a larger file of them: {vectors}.")
    corpus = "such as nli or a text file"
    return with_remedy(
        notes, f"To fit on more sentences, name a larger corpus with --fit-on, {corpus}."
    )
