"""What the page Words or meaning? asks of the core, as a job that visitors share."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import job_key, once

from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical.bias import Distance
from bertflow_core.studies.scores import fit_notes

if TYPE_CHECKING:
    from bertflow_core.space import Space
    from bertflow_core.studies.lexical.bias import LexicalBias
    from bertflow_core.studies.wall.parts import ColumnView


@dataclass(frozen=True, eq=False)
class Biased:
    """Cosines and edit distances, with the panels as the browser gets them.

    Attributes:
        bias: Every pair and calibrator.
        drawn: Names of the panels: gold and the first calibrators, as many as there is room for.
        rows: The pairs that are drawn, rising: all, or a seeded sample.
        payload: The panels in bytes.
        notes: What the fits noted, a sentence each.
    """

    bias: "LexicalBias"
    drawn: tuple[str, ...]
    rows: npt.NDArray[np.int64] = field(repr=False)
    payload: bytes = field(repr=False)
    notes: tuple[str, ...]


def lexical(
    recipe: Recipe,
    specs: Sequence[str],
    unit: str,
    threshold: int,
    shown: Distance,
    results: "Sequence[Space]",
    *,
    again: bool,
) -> Job:
    """Return the job that compares evaluated calibrators with edit distances.

    Args:
        recipe: What was evaluated.
        specs: The calibrators that were evaluated.
        unit: What one edit changes.
        threshold: Largest edit distance of a close pair.
        shown: Which distance is drawn.
        results: What the evaluation returned.
        again: Whether to try again after a failure or a stop.

    Raises:
        Busy: Too many jobs are waiting.
    """

    def work() -> Biased:
        from bertflow_core.studies.lexical.measure import lexical_bias

        bias = lexical_bias(results, unit=unit, threshold=threshold, shown=shown)
        return _drawn(bias, fit_notes(results))

    shared = recipe.without("calibrator", "aggregation")
    choices = {"specs": list(specs), "unit": unit, "threshold": threshold, "shown": shown}
    key = job_key("lexical", shared, **choices)
    return once(key, work, again=again)


def _drawn(bias: "LexicalBias", notes: tuple[str, ...]) -> Biased:
    from bertflow_core.linalg import sample_rows
    from bertflow_core.studies.lexical.bias import GOLD
    from bertflow_core.studies.wall import MAX_PANES, MAX_ROWS, Scatter
    from bertflow_core.studies.wall.payload import encode

    pairs = bias.pairs
    gold = {} if pairs.gold is None else {GOLD: pairs.gold}
    across = {**gold, **bias.similarities}
    names = tuple(across)[:MAX_PANES]
    rows = sample_rows(len(pairs), MAX_ROWS, seed=bias.recipe.seed)
    distances = bias.apart[rows]
    panes = [
        Scatter(
            name,
            "judged by people" if name == GOLD else f"{bias.recipe.layers}, {name}",
            ("gold score" if name == GOLD else "cosine", f"{bias.shown.label}, {bias.unit}"),
            np.column_stack([across[name][rows], distances]),
            equal_scale=False,
        )
        for name in names
    ]
    texts = [f"{pairs.first[row]} | {pairs.second[row]}" for row in rows]
    ids = [f"{row}: {text}" for row, text in zip(rows, texts, strict=True)]
    payload = encode(
        panes, _columns(bias, rows), texts, ids=ids, caption=f"{bias.recipe.caption()}."
    )
    return Biased(bias, names, rows, payload, notes)


def _columns(bias: "LexicalBias", rows: npt.NDArray[np.int64]) -> "list[ColumnView]":
    from bertflow_core.studies.wall.parts import BLUE, GREEN, Categories
    from bertflow_core.studies.wall.row_properties import number_column

    limit = f"edit distance {{}} {bias.threshold}"
    close = Categories(
        name="close",
        values=np.where(bias.is_close[rows], 0.0, 1.0),
        labels=(limit.format("<="), limit.format(">")),
        colours=(GREEN, BLUE),
    )
    columns: list[ColumnView] = [close, number_column("edit distance", bias.distances[rows])]
    if bias.pairs.gold is not None:
        columns.append(number_column("gold", bias.pairs.gold[rows]))
    return columns
