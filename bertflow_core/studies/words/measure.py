"""Table 1 made live: norm and neighbours of a model's words by frequency, after any calibrator."""

import time
from collections.abc import Sequence

import numpy as np

from bertflow_core import context
from bertflow_core.analysis.frequency import (
    coordinate_rhos,
    frequency_bins,
    mean_of_nearest,
)
from bertflow_core.analysis.trends import fit_line
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.calibrators.registry import baseline_first
from bertflow_core.datasets.word_counts import SPELLED_DIGITS, load_word_counts
from bertflow_core.encoders.catalog import resolve_model
from bertflow_core.encoders.word_table import read_word_table
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.studies.words.result import PreparedWords, WordResult

__all__ = ["analyse_words", "compare_words", "prepare_words"]


def compare_words(
    recipe: WordRecipe,
    lab: Lab,
    calibrators: Sequence[str] = (),
) -> tuple[WordResult, ...]:
    """Measure the words of a model as they are, then after each calibrator.

    Args:
        recipe: Its own calibrator is measured too.
        lab: Names the device of a fit; nothing of it is embedded.
        calibrators: More specs.

    Returns:
        The uncalibrated first, each spec once.

    Raises:
        InputError: A model, list or spec that cannot be used.
        ResourceError: The disk or the network failed.
    """
    specs = baseline_first((recipe.calibrator, *calibrators))
    for spec in specs:
        recipe.with_(calibrator=spec)  # refuses a bad one before any work
    prepared = prepare_words(recipe)
    return tuple(analyse_words(prepared, spec, device=lab.device) for spec in specs)


def prepare_words(recipe: WordRecipe) -> PreparedWords:
    """Read the table and the list, and choose the words and who can be their neighbour.

    Raises:
        InputError: As `compare_words`, or no word lies in the bins.
        ResourceError: The disk or the network failed.
    """
    table = read_word_table(resolve_model(recipe.model, revision=recipe.revision))
    every = np.arange(len(table.x))
    looked_up = every[table.whole]
    counts = load_word_counts(recipe.counts, table.words, looked_up)
    if recipe.digits == "drop":
        counts = counts.without(SPELLED_DIGITS)
    if recipe.words == "any":
        looked_up = np.concatenate([looked_up, every[table.piece]])
    covered = counts.cover(table.words, looked_up)
    ranks = covered.ranks if recipe.ranks == "list" else np.arange(len(covered.rows))
    inside = (ranks >= recipe.bins[0]) & (ranks < recipe.bins[-1])
    if not inside.any():
        raise InputError(
            f"no word lies in the bins: {counts.source} covers {len(ranks):,} of the model's words"
        )
    allowed = {"all": every >= 0, "no-special": ~table.special, "whole": table.whole}
    return PreparedWords(
        recipe=recipe.with_(revision=table.model.revision),
        table=table,
        counts=counts,
        x=table.x if recipe.table == "raw" else table.after_layer_norm(),
        rows=covered.rows[inside],
        ranks=ranks[inside],
        log_frequency=np.log10(covered.frequencies[inside]),
        candidates=every[allowed[recipe.neighbours]],
        n_covered=len(ranks),
    )


def analyse_words(
    prepared: PreparedWords,
    spec: str = "identity",
    *,
    device: str | None = None,
) -> WordResult:
    """Fit a calibrator on every row of the table and measure the words after it.

    Raises:
        InputError: Not a valid spec, or a table that it cannot be fitted on.
    """
    recipe = prepared.recipe.with_(calibrator=spec)
    z, notes, seconds = _calibrated(prepared, recipe, device)
    started = time.perf_counter()
    l2, dot = (
        mean_of_nearest(
            prepared.nearest(z, prepared.rows, recipe.k[-1], metric=metric).values,
            recipe.k,
        )
        for metric in ("l2", "dot")
    )
    seconds["neighbours"] = time.perf_counter() - started
    own = np.asarray(z[prepared.rows], np.float64)
    norms, log_frequency = np.linalg.norm(own, axis=1), prepared.log_frequency
    return WordResult(
        recipe=recipe,
        prepared=prepared,
        z=z,
        norms=norms,
        knn_l2=l2,
        knn_dot=dot,
        bins=frequency_bins(prepared.ranks, norms, l2, dot, recipe.bins),
        norm_slope=fit_line(log_frequency, norms),
        knn_slopes={k: fit_line(log_frequency, values) for k, values in l2.items()},
        coordinate_rhos=coordinate_rhos(own, log_frequency) if len(own) >= 3 else (),
        notes=notes,
        seconds=seconds,
    )


def _calibrated(
    prepared: PreparedWords, recipe: WordRecipe, device: str | None
) -> tuple[FloatArray, tuple[str, ...], dict[str, float]]:
    """Return the vectors of every row after a fit on them, what it met, and the times."""
    started = context.seconds()
    calibrator = build_calibrator(recipe.calibrator, seed=recipe.seed, device=device)
    calibrator.fit(prepared.x)
    fitted = context.seconds()
    z = calibrator.transform(prepared.x)
    return z, calibrator.notes_, {"fit": fitted - started, "map": context.seconds() - fitted}
