"""How much a correlation depends on the seed of the training."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.linalg import as_numbers

__all__ = ["SeedSummary", "summarize_seeds"]


@dataclass(frozen=True)
class SeedSummary:
    """Spearman's rho over trainings that differ in their seed only (Table 8 of Li et al., 2020).

    Attributes:
        n_seeds: How many trainings.
        mean: Their mean.
        sd: Their standard deviation with n - 1 below the line; None for a single seed.
        median: Their median.
        min: The lowest.
        max: The highest.

    Example:
        >>> from bertflow_core.evaluation import summarize_seeds
        >>> summarize_seeds([0.5])
        SeedSummary(n_seeds=1, mean=0.5, sd=None, median=0.5, min=0.5, max=0.5)
    """

    n_seeds: int
    mean: float
    sd: float | None
    median: float
    min: float
    max: float


def summarize_seeds(rhos: Sequence[float]) -> SeedSummary:
    """Summarize rho over seeds.

    Args:
        rhos: One rho for each seed.

    Raises:
        InputError: No seed, or a rho that is not a finite number.

    Example:
        >>> from bertflow_core.evaluation import summarize_seeds
        >>> summary = summarize_seeds([0.70, 0.71, 0.75])
        >>> round(summary.mean, 4), round(summary.sd, 4)
        (0.72, 0.0265)
    """
    values = as_numbers(rhos, "rhos").astype(np.float64)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise InputError("a summary over seeds needs one finite rho for each of at least one seed")
    return SeedSummary(
        n_seeds=len(values),
        mean=float(values.mean()),
        sd=float(values.std(ddof=1)) if len(values) > 1 else None,
        median=float(np.median(values)),
        min=float(values.min()),
        max=float(values.max()),
    )
