"""What the page Words or meaning? asks of the core, as jobs that visitors share."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from bertflow_app.jobs import Job
from bertflow_app.shared_jobs import job_key, once

from bertflow_core.progress import Progress
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_app.browser.wall.views import ColumnView

    from bertflow_core.studies.lexical.measure import LexicalBias


@dataclass(frozen=True, eq=False)
class Biased:
    """Similarities beside edit distances, with the panels as the browser gets them.

    Attributes:
        found: Every pair and calibrator.
        drawn: Names of the panels: gold and the first calibrators, as many as there is room for.
        rows: The pairs that are drawn, rising: all, or a seeded sample.
        payload: The panels in bytes.
    """

    found: "LexicalBias"
    drawn: tuple[str, ...]
    rows: npt.NDArray[np.int64] = field(repr=False)
    payload: bytes = field(repr=False)


def lexical(evaluated: Job, unit: str, threshold: int, *, again: bool) -> Job:
    """Return the job that compares a finished evaluation with edit distances.

    Args:
        evaluated: The job that evaluated calibrators, whose name stands for what was read.
        unit: What an edit changes.
        threshold: Pairs at most so far apart are close.
        again: Whether to try again what failed or was stopped.

    Raises:
        Busy: Too many jobs are waiting.
    """
    results = evaluated.result

    def work(progress: Progress) -> Biased:
        from bertflow_core.studies.lexical.measure import lexical_bias

        found = lexical_bias(results, unit=unit, threshold=threshold, progress=progress)
        return _drawn(found)

    key = job_key("lexical", Recipe(), of=evaluated.key, unit=unit, threshold=threshold)
    return once(key, work, again=again)


def _drawn(found: "LexicalBias") -> Biased:
    from bertflow_app.browser.wall.payload import encode
    from bertflow_app.browser.wall.views import MAX_PANES, MAX_ROWS, PaneView

    from bertflow_core.linalg import sample_rows
    from bertflow_core.studies.lexical.measure import GOLD

    pairs = found.pairs
    gold = {} if pairs.gold is None else {GOLD: pairs.gold}
    across = {**gold, **found.similarities}
    names = tuple(across)[:MAX_PANES]
    rows = sample_rows(len(pairs), MAX_ROWS, seed=found.recipe.seed)
    distances = found.distances[rows]
    panes = [
        PaneView(
            name,
            "judged by people" if name == GOLD else f"{found.recipe.layers}, {name}",
            ("gold score" if name == GOLD else "cosine", f"edit distance, {found.unit}"),
            np.column_stack([across[name][rows], distances]),
            equal_scale=False,
        )
        for name in names
    ]
    texts = [f"{pairs.first[row]} | {pairs.second[row]}" for row in rows]
    ids = [f"{row}: {text}" for row, text in zip(rows, texts, strict=True)]
    payload = encode(panes, _columns(found, rows), texts, ids=ids, caption=found.caption())
    return Biased(found, names, rows, payload)


def _columns(found: "LexicalBias", rows: npt.NDArray[np.int64]) -> "list[ColumnView]":
    from bertflow_app.browser.wall.views import BLUE, GREEN, Categories

    from bertflow_core.studies.wall.row_properties import number_column

    limit = f"edit distance {{}} {found.threshold}"
    close = Categories(
        name="close",
        values=np.where(found.is_close[rows], 0.0, 1.0),
        labels=(limit.format("<="), limit.format(">")),
        colours=(GREEN, BLUE),
    )
    columns: list[ColumnView] = [close, number_column("edit distance", found.distances[rows])]
    if found.pairs.gold is not None:
        columns.append(number_column("gold", found.pairs.gold[rows]))
    return columns
