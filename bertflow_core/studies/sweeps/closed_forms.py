"""Sweeps of closed-form calibrators: every value at once, for about the cost of one fit."""

from collections.abc import Sequence

import numpy as np

from bertflow_core.analysis.loadings import DirectionLoadings, direction_loadings
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.registry import set_option
from bertflow_core.evaluation import random_pairs
from bertflow_core.linalg import FloatArray
from bertflow_core.params import Value
from bertflow_core.space import Prepared
from bertflow_core.studies.sweeps.result import Sweep
from bertflow_core.studies.sweeps.scores import check_values, rho_of, sweep_of
from bertflow_core.studies.sweeps.splits import Splits

__all__ = [
    "SHRINKAGES",
    "component_grid",
    "removed_directions",
    "sweep_null_top_k",
    "sweep_whiten_components",
    "sweep_whiten_shrinkage",
]

SHRINKAGES = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
MAX_K = 40


def sweep_null_top_k(splits: Splits, ks: Sequence[int] | None = None) -> Sweep:
    """Sweep the directions that `null-top-k` removes; None is 0 to 40, below D.

    Raises:
        InputError: A k out of its range, or twice.
    """
    n_features = splits.scored.x_fit.shape[1]
    values = tuple(range(min(MAX_K + 1, n_features)) if ks is None else ks)
    return _closed_form(splits, "null-top-k", "k", values)


def sweep_whiten_components(
    splits: Splits, n_components: Sequence[int] | None = None, *, shrinkage: float = 0.0
) -> Sweep:
    """Sweep the directions that `whiten` keeps; None is `component_grid(D)`.

    Raises:
        InputError: A number out of its range, or twice.
    """
    n_features = splits.scored.x_fit.shape[1]
    values = tuple(component_grid(n_features) if n_components is None else n_components)
    return _closed_form(
        splits,
        set_option("whiten", "shrinkage", shrinkage) if shrinkage else "whiten",
        "n_components",
        values,
    )


def sweep_whiten_shrinkage(
    splits: Splits,
    shrinkages: Sequence[float] = SHRINKAGES,
    *,
    n_components: int | None = None,
) -> Sweep:
    """Sweep the weight of the identity in the covariance that `whiten` uses.

    Raises:
        InputError: A weight out of its range, or twice.
    """
    values = tuple(shrinkages)
    return _closed_form(
        splits,
        "whiten" if n_components is None else set_option("whiten", "n_components", n_components),
        "shrinkage",
        values,
    )


def component_grid(n_features: int) -> tuple[int, ...]:
    """Return numbers of components to try, rising, the last of them `n_features`."""
    steps = (1, 2, 4, 8, 16, *range(32, n_features, 32 if n_features <= 512 else 64))
    return (*(n for n in steps if n < n_features), n_features)


def removed_directions(prepared: Prepared, k: int, **options: int) -> tuple[DirectionLoadings, ...]:
    """Describe the directions that `null-top-k` removes by the words and sentences on them.

    Args:
        prepared: Its fit corpus gives the directions, the sentences and the words.
        k: How many directions, 0 <= k < D.
        options: `n_sentences`, `n_words` and `min_count` of `direction_loadings`.

    Raises:
        InputError: k out of its range.
    """
    x = np.asarray(prepared.x_fit, np.float64)
    state = build_calibrator(set_option("null-top-k", "k", k)).fit(x).get_state()
    centred = x - state["mean_"]
    total = np.square(centred).sum()
    projections = centred @ state["directions_"]
    shares = np.square(projections).sum(axis=0) / (total if total > 0 else 1.0)
    return direction_loadings(projections, prepared.corpus.sentences, shares.tolist(), **options)


def _closed_form(splits: Splits, spec: str, parameter: str, values: Sequence[Value]) -> Sweep:
    from bertflow_core.calibrators.sweep import swept_cosines  # scikit-learn, late

    check_values(parameter, values)
    sides = [(each.x_first, each.x_second) for each in splits.present]
    sides.append(_random_sides(splits.scored))
    first, second = (np.concatenate(side) for side in zip(*sides, strict=True))
    ends = np.cumsum([len(side[0]) for side in sides])[:-1]
    cosines = swept_cosines(spec, parameter, values, splits.scored.x_fit, first, second)
    *parts, random = np.split(cosines, ends, axis=1)
    columns = [
        [*map(rho_of, splits.present, each), float(random[i].mean())]
        for i, each in enumerate(zip(*parts, strict=True))
    ]
    return sweep_of(splits, spec, parameter, values, columns, (splits.scored.recipe.seed,))


def _random_sides(prepared: Prepared) -> tuple[FloatArray, FloatArray]:
    """Return the pairs of distinct rows that `random_pair_cosine` draws from both sides."""
    x = np.concatenate([prepared.x_first, prepared.x_second])
    first, second = random_pairs(len(x), seed=prepared.recipe.seed)
    return x[first], x[second]
