"""Turn a calibrator's knob: rho on dev and test at every value, and the value that dev chooses.

A value is never chosen on the test split (Li et al., 2020, Table 5, choose k on dev).
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from bertflow_core.analysis.loadings import DirectionLoadings, direction_loadings
from bertflow_core.calibrators.build import build_calibrator, set_option, takes_seed
from bertflow_core.calibrators.schema import Value
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine, random_pair_cosine, random_pairs, score_pairs
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress, heartbeat, silent
from bertflow_core.results import Prepared
from bertflow_core.studies.sweeps.result import Sweep
from bertflow_core.studies.sweeps.splits import Splits, prepare_splits

__all__ = [
    "SHRINKAGES",
    "Splits",
    "Sweep",
    "component_grid",
    "prepare_splits",
    "removed_directions",
    "sweep_null_top_k",
    "sweep_spec",
    "sweep_whiten_components",
    "sweep_whiten_shrinkage",
]

SHRINKAGES = (0.0, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
MAX_K = 40

Cosines = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""Of (x_fit, first, second), shape (M, D), (N, D), (N, D), to cosines a value, shape (V, N)."""


def sweep_null_top_k(splits: Splits, ks: Sequence[int] | None = None) -> Sweep:
    """Sweep the directions that `null-top-k` removes; None is 0 to 40, below D.

    Raises:
        InputError: A k out of its range, or twice.
    """
    from bertflow_core.calibrators.sweep import null_top_k_cosines

    n_features = splits.scored.x_fit.shape[1]
    values = tuple(range(min(MAX_K + 1, n_features)) if ks is None else ks)
    return _closed_form(splits, "null-top-k", "k", values, partial(null_top_k_cosines, ks=values))


def sweep_whiten_components(
    splits: Splits, n_components: Sequence[int] | None = None, *, shrinkage: float = 0.0
) -> Sweep:
    """Sweep the directions that `whiten` keeps; None is `component_grid(D)`.

    Raises:
        InputError: A number out of its range, or twice.
    """
    from bertflow_core.calibrators.sweep import whiten_cosines

    n_features = splits.scored.x_fit.shape[1]
    values = tuple(component_grid(n_features) if n_components is None else n_components)
    return _closed_form(
        splits,
        set_option("whiten", "shrinkage", shrinkage) if shrinkage else "whiten",
        "n_components",
        values,
        partial(whiten_cosines, n_components=values, shrinkage=shrinkage),
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
    from bertflow_core.calibrators.sweep import whiten_shrinkage_cosines

    values = tuple(shrinkages)
    return _closed_form(
        splits,
        "whiten" if n_components is None else set_option("whiten", "n_components", n_components),
        "shrinkage",
        values,
        partial(whiten_shrinkage_cosines, shrinkages=values, n_components=n_components),
    )


def component_grid(n_features: int) -> tuple[int, ...]:
    """Return numbers of components worth a look, rising, the last of them all `n_features`."""
    steps = (1, 2, 4, 8, 16, *range(32, n_features, 32 if n_features <= 512 else 64))
    return (*(n for n in steps if n < n_features), n_features)


def sweep_spec(
    splits: Splits,
    spec: str,
    parameter: str,
    values: Sequence[Value],
    *,
    seeds: Sequence[int] | None = None,
    device: str | None = None,
    progress: Progress = silent,
) -> Sweep:
    """Sweep any parameter of any calibrator by fitting each value.

    Args:
        splits: What is fitted on and scored.
        spec: The calibrator; exactly one of its steps has the parameter.
        parameter: For example `lr`, `epochs`, `depth` or `coupling_width` of a flow.
        values: Its values, V of them.
        seeds: Each value is fitted once a seed and the mean is taken; None is the recipe's. A
            calibrator that draws nothing is fitted once.
        device: Where a flow is fitted; None takes the best device here.
        progress: Told of fits, again and again during each one; may raise `Cancelled`.

    Raises:
        InputError: No value, one that the parameter cannot have or that is named twice, or no
            seed; all are refused before the first fit, but for what only the embeddings decide.
    """
    specs = [set_option(spec, parameter, value) for value in values]
    _check_values(parameter, values)
    drawn = tuple(dict.fromkeys((splits.scored.recipe.seed,) if seeds is None else seeds))
    if not drawn:
        raise InputError("a sweep needs at least one seed")
    drawn = drawn if takes_seed(specs[0]) else drawn[:1]
    fits = []
    total = len(specs) * len(drawn)
    for done, (each, seed) in enumerate((each, seed) for each in specs for seed in drawn):
        progress(done, total, "fits")
        fits.append(_fit(splits, each, seed, device, heartbeat(progress, done, total, "fits")))
    progress(total, total, "fits")
    by_value = [fits[i : i + len(drawn)] for i in range(0, total, len(drawn))]
    columns = [[_mean(column) for column in zip(*each, strict=True)] for each in by_value]
    return _sweep(splits, spec, parameter, values, columns, drawn)


def removed_directions(prepared: Prepared, k: int, **options: int) -> tuple[DirectionLoadings, ...]:
    """Say what the directions that `null-top-k` removes stand for in the fit corpus.

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


def _closed_form(
    splits: Splits, spec: str, parameter: str, values: Sequence[Value], cosines: Cosines
) -> Sweep:
    _check_values(parameter, values)
    sides = [(each.x_first, each.x_second) for each in splits.present]
    sides.append(_random_sides(splits.scored))
    first, second = (np.concatenate(side) for side in zip(*sides, strict=True))
    ends = np.cumsum([len(side[0]) for side in sides])[:-1]
    *parts, random = np.split(cosines(splits.scored.x_fit, first, second), ends, axis=1)
    columns = [
        [*map(_rho, splits.present, each), float(random[i].mean())]
        for i, each in enumerate(zip(*parts, strict=True))
    ]
    return _sweep(splits, spec, parameter, values, columns, (splits.scored.recipe.seed,))


def _check_values(parameter: str, values: Sequence[Value]) -> None:
    if not values:
        raise InputError(f"there is nothing to sweep: give at least one value of {parameter}")
    if len(set(values)) < len(values):
        raise InputError(f"a value of {parameter} is given twice: give each once")


def _random_sides(prepared: Prepared) -> tuple[FloatArray, FloatArray]:
    """Return the pairs of distinct rows that `random_pair_cosine` draws from both sides."""
    x = np.concatenate([prepared.x_first, prepared.x_second])
    first, second = random_pairs(len(x), seed=prepared.recipe.seed)
    return x[first], x[second]


def _fit(
    splits: Splits, spec: str, seed: int, device: str | None, progress: Progress
) -> list[float | None]:
    """Return rho on each split that is there, then the random cosine of the scored ones."""
    calibrator = build_calibrator(spec, seed=seed, device=device)
    calibrator.fit(splits.scored.x_fit, progress=progress)
    rhos: list[float | None] = []
    for prepared in splits.present:
        z_first = calibrator.transform(prepared.x_first)
        z_second = calibrator.transform(prepared.x_second)
        rhos.append(_rho(prepared, pairwise_cosine(z_first, z_second)))
    both = np.concatenate([z_first, z_second])  # of the last, which is what is reported
    return [*rhos, random_pair_cosine(both, seed=splits.scored.recipe.seed)]


def _rho(prepared: Prepared, similarity: FloatArray) -> float | None:
    pairs = prepared.pairs
    if pairs.gold is None:
        raise InputError(f"a sweep needs gold scores, and {pairs.name!r} has none")
    scores = score_pairs(similarity, pairs.gold, pairs.subsets)
    rho: float | None = getattr(scores.spearman, prepared.recipe.aggregation)
    return rho


def _mean(numbers: Sequence[float | None]) -> float | None:
    known = [number for number in numbers if number is not None]
    return float(np.mean(known)) if len(known) == len(numbers) else None


def _sweep(
    splits: Splits,
    spec: str,
    parameter: str,
    values: Sequence[Value],
    numbers: Sequence[Sequence[float | None]],
    seeds: tuple[int, ...],
) -> Sweep:
    """Name the numbers of each value: rho on each split that is there, then the random cosine."""
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
