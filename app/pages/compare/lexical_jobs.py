"""What the page Words or meaning? asks of the core, as a job that visitors share."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bertflow_core.lab import Lab
from bertflow_core.report import Report
from bertflow_core.studies.lexical.bias import LexicalRecipe

if TYPE_CHECKING:
    from bertflow_core.space import Space
    from bertflow_core.studies.lexical.bias import LexicalBias
    from bertflow_core.studies.wall.parts import Column


@dataclass(frozen=True, eq=False)
class Biased:
    """Cosines and edit distances, with the panels as the browser gets them.

    Attributes:
        report: Every pair and calibrator.
        drawn: Names of the panels: gold and the first calibrators, as many as there is room for.
        rows: The pairs that are drawn, rising: all, or a seeded sample.
        payload: The panels in bytes.
    """

    report: Report
    drawn: tuple[str, ...]
    rows: npt.NDArray[np.int64] = field(repr=False)
    payload: bytes = field(repr=False)

    @property
    def bias(self) -> "LexicalBias":
        """Cosines and edit distances."""
        bias: LexicalBias = self.report.live["bias"]
        return bias


def biased(
    asked: LexicalRecipe, _: Lab, specs: Sequence[str], results: "Sequence[Space]"
) -> Biased:
    """Compare evaluated calibrators with edit distances."""
    from bertflow_core.studies.lexical.study import compared
    from bertflow_core.studies.lexical.study import lexical as study

    return _drawn(study.collect(compared(results, asked), asked, specs))


def _drawn(report: Report) -> Biased:
    from bertflow_core.linalg import sample_rows
    from bertflow_core.studies.lexical.bias import GOLD
    from bertflow_core.studies.wall import MAX_PANES, MAX_ROWS, Scatter
    from bertflow_core.studies.wall.payload import encode

    bias: LexicalBias = report.live["bias"]
    pairs = bias.words.pairs
    gold = {} if pairs.gold is None else {GOLD: pairs.gold}
    across = {**gold, **bias.similarities}
    names = tuple(across)[:MAX_PANES]
    rows = sample_rows(len(pairs), MAX_ROWS, seed=bias.recipe.seed)
    distances, across_axis = bias.apart[rows], f"{bias.recipe.label}, {bias.recipe.unit}"
    panes = [
        Scatter(
            name,
            "judged by people" if name == GOLD else f"{bias.recipe.layers}, {name}",
            ("gold score" if name == GOLD else "cosine", across_axis),
            np.column_stack([across[name][rows], distances]),
            equal_scale=False,
        )
        for name in names
    ]
    texts = [f"{pairs.first[row]} | {pairs.second[row]}" for row in rows]
    ids = [f"{row}: {text}" for row, text in zip(rows, texts, strict=True)]
    payload = encode(panes, _columns(bias, rows), texts, ids=ids, caption=report.remarks[0])
    return Biased(report, names, rows, payload)


def _columns(bias: "LexicalBias", rows: npt.NDArray[np.int64]) -> "list[Column]":
    from bertflow_core.studies.wall.parts import BLUE, GREEN, Column, number_column

    limit = f"edit distance {{}} {bias.recipe.threshold}"
    close = Column(
        name="close",
        values=np.where(bias.is_close[rows], 0.0, 1.0),
        labels=(limit.format("<="), limit.format(">")),
        colours=(GREEN, BLUE),
    )
    columns: list[Column] = [close, number_column("edit distance", bias.words.distances[rows])]
    if bias.words.pairs.gold is not None:
        columns.append(number_column("gold", bias.words.pairs.gold[rows]))
    return columns
