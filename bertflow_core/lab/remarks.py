"""Warnings about data and fits that qualify a number, one sentence each."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from bertflow_core.datasets import Texts
from bertflow_core.datasets.corpus import NLI_CORPUS, sized
from bertflow_core.encoders.given import ROW_VECTORS
from bertflow_core.evaluation import RHO, Metric
from bertflow_core.evaluation.significance import FEWEST_PAIRS
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import FIT_ON_MORE, percent, quoted

TRANSDUCTIVE = "Transductive"
"""The name of a fit on the scored texts, which does not use what they are scored against."""

RANKS_NOTHING = (
    "most cosines differ only by rounding error, so they rank nothing and there is no score: "
    f"{FIT_ON_MORE}"
)
"""The note on a map under which sentences cannot be told apart (`similarity.with_ties`)."""

_NLI_PRESET = re.compile(r"\bpreset=nli\b")

FEW_PAIRS = 30
"""Fewer pairs mean little: even with 30 the standard error of rho is about 0.2."""

_SMALL = 100  # pairs; in smaller subsets, rho varies clearly more between resamples than it should

_WIDE = 0.1
"""No advice is given if half the width of the 95 % interval is larger than this, since calibrators
mostly change scores by less."""


def why_unscored(data: Texts) -> str:
    """Return why there is no rho of labelled pairs, pairs without gold scores, or single texts."""
    of = f"{quoted(data.name)} has {data.content}"
    return f"There is no rho: it needs pairs with gold scores, and {of}."


def few_pairs(n: int, metric: Metric = RHO) -> str:
    """Return a warning that there are too few pairs for a number; empty if there are enough."""
    return f"With only {n} {metric.unit}, {metric.one} is mostly chance." if n < FEW_PAIRS else ""


def too_few(score: float | None, pairs: Texts, metric: Metric) -> str:
    """Return a warning that pairs or texts are too few for advice; empty if they suffice.

    It says how many would suffice: an interval shrinks as 1 / sqrt(n).
    """
    targets = pairs.targets
    if targets is None or score is None:
        return "" if targets is None else few_pairs(len(targets), metric)
    half_width = metric.half_width(score, targets) if len(targets) >= FEWEST_PAIRS else math.nan
    if math.isnan(half_width):
        return few_pairs(len(targets), metric)
    if half_width < _WIDE and len(targets) >= FEW_PAIRS:
        return ""
    enough = max(100, math.ceil(len(targets) * (half_width / _WIDE) ** 2 / 50) * 50)
    return (
        f"{len(targets):,} {metric.unit} of {pairs.name} are too few for a verdict: "
        f"{metric.one} x 100 of {percent(score)} has a 95 % interval of about "
        f"{100 * half_width:.0f} points either way. About {enough:,} such {metric.unit} would "
        f"narrow the interval to {100 * _WIDE:.0f} points either way."
    )


def conservative(pairs: Texts, aggregation: str) -> str:
    """Return a remark if rho is a mean over small subsets; empty otherwise."""
    sizes = Counter(pairs.subsets).values()
    is_mean = pairs.metric == RHO.name and aggregation != "all" and len(sizes) > 1
    if not is_mean or min(sizes) >= _SMALL:
        return ""
    return (
        f"Means over subsets of fewer than {_SMALL} pairs are tested conservatively: in "
        "simulations of five subsets of 60 pairs, p was below 0.05 for 3.7 % of equal calibrators."
    )


def preset_note(recipe: Recipe) -> tuple[str, ...]:
    """Return a note on a flow with the preset for NLI that was fitted on another corpus."""
    if not _NLI_PRESET.search(recipe.calibrator) or sized(recipe.fit_on)[0] == NLI_CORPUS:
        return ()
    return (
        "preset nli has the learning rate and the epochs for the fit corpus nli, not for "
        f"{recipe.fit_on}",
    )


def with_remedy(notes: Sequence[str], recipe: Recipe) -> tuple[str, ...]:
    """Return notes of fits; if one recommends a larger corpus, add how to choose it."""
    if not any(FIT_ON_MORE in note for note in notes):
        return tuple(notes)
    if recipe.source is ROW_VECTORS:
        how = (
            "To fit on more vectors, use a larger file of them: in the app, in --fit-on, or as "
            "the argument of `bertflow-lab fit`."
        )
    else:
        how = (
            "To fit on more sentences, choose a larger Fit corpus, such as captions (--fit-on, "
            "which also takes a text file)."
        )
    return (*notes, how)
