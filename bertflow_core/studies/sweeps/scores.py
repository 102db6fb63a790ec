"""What every sweep needs: its values checked, rho on a split, and its numbers as a `Sweep`."""

from collections.abc import Sequence

from bertflow_core.errors import InputError
from bertflow_core.evaluation import score_pairs
from bertflow_core.linalg import FloatArray
from bertflow_core.params import Value
from bertflow_core.space import Prepared
from bertflow_core.studies.sweeps.result import Sweep
from bertflow_core.studies.sweeps.splits import Splits
from bertflow_core.wording import quoted

__all__ = ["check_values", "rho_of", "sweep_of"]


def check_values(parameter: str, values: Sequence[Value]) -> None:
    """Refuse no values and values given twice.

    Raises:
        InputError: There is such a fault.
    """
    if not values:
        raise InputError(f"there is nothing to sweep: give at least one value of {parameter}")
    if len(set(values)) < len(values):
        raise InputError(f"a value of {parameter} is given twice: give each once")


def rho_of(prepared: Prepared, similarity: FloatArray) -> float | None:
    """Return Spearman's rho of one split under the recipe's aggregation; None where undefined."""
    pairs = prepared.pairs
    if pairs.gold is None:
        raise InputError(f"a sweep needs gold scores, and {quoted(pairs.name)} {pairs.ungraded}")
    scores = score_pairs(similarity, pairs.gold, pairs.subsets)
    rho: float | None = getattr(scores.spearman, prepared.recipe.aggregation)
    return rho


def sweep_of(
    splits: Splits,
    spec: str,
    parameter: str,
    values: Sequence[Value],
    numbers: Sequence[Sequence[float | None]],
    seeds: tuple[int, ...],
) -> Sweep:
    """Return a sweep from the numbers of its values.

    Args:
        splits: What was fitted on and scored.
        spec: What was swept.
        parameter: The swept parameter.
        values: Its values, V of them.
        numbers: For each value, rho on each split that is there, then the random cosine.
        seeds: Of the fits of each value.
    """
    *rhos, random = (tuple(column) for column in zip(*numbers, strict=True))
    return Sweep(
        recipe=splits.scored.recipe.with_(calibrator=spec),
        parameter=parameter,
        values=tuple(values),
        dev=rhos[0] if splits.dev else None,
        test=rhos[-1] if splits.test else None,
        random_cosine=tuple(cosine for cosine in random if cosine is not None),
        seeds=seeds,
        note=splits.note,
    )
