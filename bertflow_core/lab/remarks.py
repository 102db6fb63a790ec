"""What the user should know of data and of a fit before a number is believed, a sentence each."""

import math
import re
from collections.abc import Sequence

from bertflow_core.datasets import SentencePairs
from bertflow_core.datasets.corpus import NLI_CORPUS, sized
from bertflow_core.encoders.given import ROW_VECTORS
from bertflow_core.evaluation import RHO, Metric
from bertflow_core.evaluation.sts import FEWEST_PAIRS
from bertflow_core.lab.recipe import Recipe
from bertflow_core.text_table import percent
from bertflow_core.wording import FIT_ON_MORE, quoted

TRANSDUCTIVE = "Transductive"
"""What a fit is called that saw the scored sentences, without their scores."""

_NLI_PRESET = re.compile(r"\bpreset=nli\b")

FEW_PAIRS = 30
"""Fewer say little: with 30 pairs the standard error of rho is still about 0.2."""

_WIDE = 0.1
"""Half the width of a 95 % interval beside which no verdict is drawn: calibrators mostly change
less."""


def why_unscored(pairs: SentencePairs) -> str:
    """Say why pairs without gold scores, with labels, or single sentences, have no rho."""
    if pairs.labels is not None:
        return (
            f"Rho is passed over: the pairs of {quoted(pairs.name)} have labels (1 or 0), and rho "
            "needs graded scores; Scores, Compare and Is it real? show their AUC."
        )
    if pairs.is_paired:
        return (
            "Rho and Pearson's r are not available: they need gold scores, and no column of them "
            "was named."
        )
    return "Rho and Pearson's r are not available: they need pairs of sentences with gold scores."


def few_pairs(n: int, metric: Metric = RHO) -> str:
    """Say that so few pairs have no number worth the name; nothing where there are enough."""
    return (
        f"Only {n} {metric.unit}: {metric.one} of so few is mostly chance." if n < FEW_PAIRS else ""
    )


def doubt_of_score(score: float | None, pairs: SentencePairs, metric: Metric) -> str:
    """Say that units are too few for a verdict, and how many would do; nothing where they are not.

    An interval draws together as 1 / sqrt(n).
    """
    judged = pairs.targets
    if judged is None or score is None:
        return "" if judged is None else few_pairs(len(judged), metric)
    half_width = metric.half_width(score, judged) if len(judged) >= FEWEST_PAIRS else math.nan
    if math.isnan(half_width):
        return few_pairs(len(judged), metric)
    if half_width < _WIDE and len(judged) >= FEW_PAIRS:
        return ""
    enough = max(100, math.ceil(len(judged) * (half_width / _WIDE) ** 2 / 50) * 50)
    return (
        f"{len(judged):,} {metric.unit} of {pairs.name} are too few for a verdict: "
        f"{metric.one} x 100 of {percent(score)} is known to about {100 * half_width:.0f} points "
        f"either way (95 % interval). About {enough:,} such {metric.unit} would tell it to "
        f"{100 * _WIDE:.0f}."
    )


def preset_note(recipe: Recipe) -> tuple[str, ...]:
    """Say where a flow was fitted by the choices for NLI sentences on another corpus."""
    if not _NLI_PRESET.search(recipe.calibrator) or sized(recipe.fit_on)[0] == NLI_CORPUS:
        return ()
    return (f"preset nli has the rate and the epochs for corpus nli, not for {recipe.fit_on}",)


def with_remedy(notes: Sequence[str], recipe: Recipe) -> tuple[str, ...]:
    """Return notes of fits, and how it is done where one asks to fit on more sentences."""
    if not any(FIT_ON_MORE in note for note in notes):
        return tuple(notes)
    if recipe.source is ROW_VECTORS:
        how = (
            "To fit on more vectors, upload a larger file of them under Your data, or name one "
            "with --fit-on or as the argument of bertflow-lab fit."
        )
    else:
        how = (
            "To fit on more sentences, choose a larger corpus, such as nli or a text file: with "
            "--fit-on, or as Fit corpus under More in the sidebar."
        )
    return (*notes, how)
