"""Sweeps of any parameter of any calibrator, by fitting it at each value."""

from collections.abc import Sequence

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.registry import set_option, takes_seed
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine, random_pair_cosine
from bertflow_core.params import Value
from bertflow_core.studies.sweeps.result import Sweep
from bertflow_core.studies.sweeps.scores import check_values, rho_of, sweep_of
from bertflow_core.studies.sweeps.splits import Splits

__all__ = ["sweep_spec"]


def sweep_spec(
    splits: Splits,
    spec: str,
    parameter: str,
    values: Sequence[Value],
    *,
    seeds: Sequence[int] | None = None,
    device: str | None = None,
) -> Sweep:
    """Sweep any parameter of any calibrator by fitting each value.

    Args:
        splits: What is fitted on and scored.
        spec: The calibrator; exactly one of its steps has the parameter.
        parameter: For example `lr`, `epochs`, `depth` or `coupling_width` of a flow.
        values: Its values, V of them.
        seeds: Each value is fitted once per seed and the mean is taken; None is the recipe's. A
            calibrator without randomness is fitted once.
        device: Where a flow is fitted; None takes the best device here.

    Raises:
        InputError: No value, one that the parameter cannot have or that is named twice, or no
            seed; all before the first fit, except for what depends on the embeddings.
    """
    specs = [set_option(spec, parameter, value) for value in values]
    check_values(parameter, values)
    drawn = tuple(dict.fromkeys((splits.scored.recipe.seed,) if seeds is None else seeds))
    if not drawn:
        raise InputError("a sweep needs at least one seed")
    drawn = drawn if takes_seed(specs[0]) else drawn[:1]
    fits = []
    total = len(specs) * len(drawn)
    for done, (each, seed) in enumerate((each, seed) for each in specs for seed in drawn):
        with context.repeating(done, total, "fits"):
            fits.append(_fit(splits, each, seed, device))
    context.report(total, total, "fits")
    by_value = [fits[i : i + len(drawn)] for i in range(0, total, len(drawn))]
    columns = [[_mean(column) for column in zip(*each, strict=True)] for each in by_value]
    return sweep_of(splits, spec, parameter, values, columns, drawn)


def _fit(splits: Splits, spec: str, seed: int, device: str | None) -> list[float | None]:
    """Return rho on each split that is there, then the random cosine of the scored ones."""
    share = splits.scored.corpus.share
    calibrator = build_calibrator(spec, seed=seed, device=device, share=share)
    calibrator.fit(splits.scored.x_fit)
    rhos: list[float | None] = []
    for prepared in splits.present:
        z_first = calibrator.transform(prepared.x_first)
        z_second = calibrator.transform(prepared.x_second)
        rhos.append(rho_of(prepared, pairwise_cosine(z_first, z_second)))
    both = np.concatenate([z_first, z_second])  # of the last, which is what is reported
    return [*rhos, random_pair_cosine(both, seed=splits.scored.recipe.seed)]


def _mean(numbers: Sequence[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return float(np.mean(known)) if len(known) == len(numbers) else None
