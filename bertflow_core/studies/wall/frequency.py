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
    what = "Frequent words" if wall.recipe.of_words else "Sentences of frequent words"
    where = "farther from" if rhos[0] > 0 else "nearer to"
    panes = "; ".join(f"{name} {rho:+.2f}" for name, rho in zip(wall.names, rhos, strict=True))
    return f"{what} lie {where} the origin (rank correlation of frequency and norm: {panes})."


def _rho(frequency: FloatArray, norm: FloatArray) -> float:
    is_known = ~np.isnan(frequency)
    if len(np.unique(frequency[is_known])) < 2 or len(np.unique(norm[is_known])) < 2:
        return float("nan")
    return float(spearmanr(frequency[is_known], norm[is_known]).statistic)
