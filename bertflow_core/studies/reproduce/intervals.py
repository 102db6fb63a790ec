"""Rho x 100 of several methods on the same pairs, each with its interval."""

from collections.abc import Mapping

from bertflow_core.datasets import SentencePairs
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.space import changes_of_rho
from bertflow_core.studies.reproduce.request import Request

__all__ = ["intervals_of", "percent_of"]


def intervals_of(
    similarities: Mapping[str, FloatArray], pairs: SentencePairs, recipe: Recipe, request: Request
) -> dict[str, tuple[float, float]]:
    """Return the ends of the 95 % interval of rho x 100 by method.

    Args:
        similarities: Cosine of each pair by method, shape (N,) each.
        pairs: With gold scores.
        recipe: Its aggregation and seed decide the draws.
        request: Says how many draws.

    Raises:
        InputError: Too few or too similar pairs to resample.
    """
    found = changes_of_rho(
        similarities,
        pairs,
        recipe,
        baseline=next(iter(similarities)),
        n_draws=request.n_draws,
    )
    ends = {name: found.interval(name) for name in similarities}
    return {name: (100 * each.low, 100 * each.high) for name, each in ends.items()}


def percent_of(rho: float | None) -> float | None:
    """Return a correlation x 100."""
    return None if rho is None else 100 * rho
