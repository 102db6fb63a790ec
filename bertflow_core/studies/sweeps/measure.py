"""Rho along a calibrator's parameters on dev and test, and the value that dev chooses.

A value is never chosen on the test split (Li et al., 2020, Table 5, choose k on dev).
"""

from collections.abc import Callable, Sequence
from typing import Any

from bertflow_core import context
from bertflow_core.lab import Lab
from bertflow_core.params import Value
from bertflow_core.recipe import Recipe
from bertflow_core.studies.sweeps.closed_forms import (
    removed_directions,
    sweep_null_top_k,
    sweep_whiten_components,
    sweep_whiten_shrinkage,
)
from bertflow_core.studies.sweeps.fits import sweep_spec
from bertflow_core.studies.sweeps.result import ClosedForms, Sweep
from bertflow_core.studies.sweeps.splits import prepare_splits

__all__ = ["sweep_closed_forms", "sweep_parameter"]

MAX_DIRECTIONS = 40


def sweep_closed_forms(recipe: Recipe, lab: Lab) -> ClosedForms:
    """Sweep the parameters that need no training, and describe the removed directions.

    Args:
        recipe: `recipe.calibrator` is ignored.
        lab: Where data and embeddings are kept, and what computes.

    Raises:
        InputError: As `prepare_splits`.
        ResourceError: The disk or the network failed.
    """
    splits = prepare_splits(recipe, lab)
    n_features = splits.scored.x_fit.shape[1]
    stages: list[Callable[[], Any]] = [
        lambda: sweep_null_top_k(splits),
        lambda: sweep_whiten_components(splits),
        lambda: sweep_whiten_shrinkage(splits),
        lambda: removed_directions(splits.scored, min(MAX_DIRECTIONS, n_features - 1)),
    ]
    results = []
    for done, stage in enumerate(stages):
        context.report(done, len(stages), "sweeps")
        results.append(stage())
    return ClosedForms(*results)


def sweep_parameter(
    recipe: Recipe,
    lab: Lab,
    spec: str,
    parameter: str,
    values: Sequence[Value],
    *,
    seeds: Sequence[int] | None = None,
) -> Sweep:
    """Sweep any parameter of any calibrator by fitting each value.

    Args:
        recipe: `recipe.calibrator` is ignored.
        lab: Where data and embeddings are kept, and what computes.
        spec: As `sweep_spec`.
        parameter: As `sweep_spec`.
        values: As `sweep_spec`.
        seeds: As `sweep_spec`.

    Raises:
        InputError: As `prepare_splits` and `sweep_spec`.
        ResourceError: The disk or the network failed.
    """
    splits = prepare_splits(recipe, lab)
    return sweep_spec(splits, spec, parameter, values, seeds=seeds, device=lab.device)
