"""How far a score may be off, from its size and the number of pairs alone: no resampling.

Widths are in units of the score, rho or AUC, not in points.
On simulated normal pairs the widths were 4 to 15 % above those of the samples.
"""

import math

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.evaluation.labels import check_labels
from bertflow_core.wording import counted

__all__ = ["half_width_of_auc", "half_width_of_rho"]

_Z = 1.959964
"""Of a 95 % interval of a normal variable."""

_FEWEST = 4
"""Pairs from which rho has an interval: its variance is divided by N - 3."""


def half_width_of_rho(rho: float, gold: np.ndarray) -> float:
    """Return half the width of the 95 % interval of Spearman's rho.

    By Fisher's z = atanh(rho), whose variance is (1 + rho^2 / 2) / (N - 3) (Bonett and Wright,
    2000, https://doi.org/10.1007/BF02294183).

    Args:
        rho: In [-1, 1]; at an end the width is 0.
        gold: Scores of the pairs, shape (N,), N >= 4.

    Returns:
        In units of rho, in [0, 1]: 0.1 is 10 points of rho x 100.

    Raises:
        InputError: Fewer than four pairs.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation.precision import half_width_of_rho
        >>> [round(half_width_of_rho(0.7, np.zeros(n)), 2) for n in (30, 100, 375)]
        [0.22, 0.11, 0.06]
    """
    if len(gold) < _FEWEST:
        raise InputError(
            f"an interval of rho needs at least {_FEWEST} pairs, got {counted(len(gold), 'pair')}: "
            "score more of them"
        )
    if abs(rho) >= 1:
        return 0.0
    z, reach = math.atanh(rho), _Z * math.sqrt((1 + rho**2 / 2) / (len(gold) - 3))
    return (math.tanh(z + reach) - math.tanh(z - reach)) / 2


def half_width_of_auc(auc: float, labels: np.ndarray) -> float:
    """Return half the width of the 95 % interval of AUC.

    From its standard error (Hanley and McNeil, 1982,
    https://doi.org/10.1148/radiology.143.1.7063747).

    Args:
        auc: In [0, 1].
        labels: Zeros and ones with at least one of each, shape (N,).

    Returns:
        In units of AUC, at least 0: 0.1 is 10 points of AUC x 100.

    Raises:
        InputError: Something other than 0 and 1, or one of them is missing.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.evaluation.precision import half_width_of_auc
        >>> [round(half_width_of_auc(0.8, np.arange(5_000) < n), 2) for n in (8, 200, 2_500)]
        [0.18, 0.04, 0.01]
    """
    check_labels(labels)
    n_ones = int(np.sum(labels))
    n_zeros = len(labels) - n_ones
    by_one, by_zero = auc / (2 - auc) - auc**2, 2 * auc**2 / (1 + auc) - auc**2
    variance = auc * (1 - auc) + (n_ones - 1) * by_one + (n_zeros - 1) * by_zero
    return _Z * math.sqrt(variance / (n_ones * n_zeros))
