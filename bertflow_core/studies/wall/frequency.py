"""What the frequency of words has to do with where a wall's rows lie, in one sentence."""

import numpy as np
from scipy.stats import spearmanr

from bertflow_core.linalg import FloatArray
from bertflow_core.studies.wall.spaces import Wall

__all__ = ["frequency_finding"]


def frequency_finding(wall: Wall) -> str:
    """Say whether frequent words, or sentences of them, lie far from the origin in each pane.

    Nothing where frequencies are not known or all equal.
    """
    columns = {column.name: column for column in wall.columns}
    known = [column for name, column in columns.items() if "frequency" in name]
    if not known:
        return ""
    norm = columns["norm"]
    rhos = [_rho(known[0].of_pane(i), norm.of_pane(i)) for i in range(len(wall.spaces))]
    if not np.isfinite(rhos).all():
        return ""
    panes = "; ".join(f"{name} {rho:+.2f}" for name, rho in zip(wall.names, rhos, strict=True))
    measured = f"rank correlation of frequency and norm over all rows: {panes}"
    if not wall.recipe.of_words:
        return f"{_where('Sentences of frequent words', rhos)} ({measured})."
    return (
        f"{_where('Frequent words', rhos)} ({measured}). Most words are rare and decide it; the "
        "page Words shows the trend by rank."
    )


def _where(what: str, rhos: list[float]) -> str:
    """Say where frequent rows lie, if that is the same in every pane."""
    if min(rhos) > 0:
        return f"{what} lie farther from the origin"
    if max(rhos) < 0:
        return f"{what} lie nearer to the origin"
    return f"{what} lie farther from the origin in some spaces (above 0) and nearer in others"


def _rho(frequency: FloatArray, norm: FloatArray) -> float:
    is_known = ~np.isnan(frequency)
    if len(np.unique(frequency[is_known])) < 2 or len(np.unique(norm[is_known])) < 2:
        return float("nan")
    return float(spearmanr(frequency[is_known], norm[is_known]).statistic)
