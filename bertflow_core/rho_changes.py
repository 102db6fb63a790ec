"""Changes of rho between calibrators on the same pairs: one draw and one number for every page.

Pairs with labels have changes of AUC in its place.
"""

from collections.abc import Mapping

from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation import metric_of
from bertflow_core.evaluation.inference import N_DRAWS, RhoComparison, compare_rhos
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe

__all__ = ["changes_of_rho"]


def changes_of_rho(
    similarities: Mapping[str, FloatArray],
    pairs: SentencePairs,
    recipe: Recipe,
    *,
    baseline: str,
    alpha: float = 0.05,
    n_draws: int = N_DRAWS,
) -> RhoComparison:
    """Compare calibrators by the pairs' metric.

    A change and its interval depend on the recipe and two calibrators.

    Args:
        similarities: By calibrator, the cosine of each pair, shape (N,) each.
        pairs: What is scored.
        recipe: Its aggregation and its seed decide the draws.
        baseline: The calibrator that the others are compared with.
        alpha: The level of the tests, in (0, 1).
        n_draws: Resamples of the pairs.

    Raises:
        InputError: Nobody judged the pairs, or what `compare_rhos` refuses.
    """
    if pairs.judged is None:
        raise InputError(f"{pairs.name} has no gold scores, so there is no rho to test")
    return compare_rhos(
        similarities,
        pairs.judged,
        pairs.subsets,
        baseline=baseline,
        aggregation=recipe.aggregation,
        metric=metric_of(pairs.metric),
        alpha=alpha,
        n_draws=n_draws,
        seed=recipe.seed,
    )
