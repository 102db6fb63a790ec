"""The named data sets of `datasets.json`, and how to read their files.

SentEval's folder holds STS-B, SICK and the yearly tasks STS12 to STS16; GLUE's holds QNLI and MNLI.
captions and teaching ship with the package, so that everything runs without external data.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from bertflow_core.datasets.locations import HubSource, Location, how_to_get, places_of
from bertflow_core.datasets.pairs import DEFAULT_SCALE, Pairs, check_scale
from bertflow_core.datasets.source import Provenance, RawFile
from bertflow_core.datasets.tables import (
    Table,
    read_parquet,
    score_cell,
    shown,
    tab_rows,
    text_cell,
    text_table,
)
from bertflow_core.datasets.texts import Texts
from bertflow_core.errors import InputError, listed
from bertflow_core.runtime.shipped import resource
from bertflow_core.wording import quoted

SPLITS = TRAIN, DEV, TEST = "train", "dev", "test"


@dataclass(frozen=True)
class Layout:
    """The layout of a data set's files: their names and columns."""

    files: Mapping[str, str]  # pattern by split; a split exists if its pattern matches
    columns: Sequence[str]  # two of sentences, then scores and perhaps subsets
    header: Sequence[str] = ()  # for tables without a header
    beside: Sequence[str] = ()  # names of parallel files; line i of each is part of row i


@dataclass(frozen=True)
class Dataset:
    """A data set or table whose files exist; each split is read on demand."""

    name: str
    splits: tuple[str, ...]
    load: Callable[[str], Texts]
    more: Callable[[], RawFile] | None = None  # reads further sentences of the fit corpus
    hidden: Mapping[str, str] = field(default_factory=dict)  # by split: why it has no gold scores


_Row = tuple[str, str, float | None, str]
"""First and second sentence, score or label, and subset."""


@dataclass(frozen=True)
class Benchmark:
    """A named data set; `origin` is one sentence for the provenance."""

    name: str
    title: str
    origin: str
    licence: str
    kind: str  # senteval, glue, package or text: the layout of its files
    layouts: tuple[Layout, ...]  # the first existing one is read
    hub: HubSource | None = None  # None for packaged data
    scale: Sequence[float] = DEFAULT_SCALE
    metric: str | None = None  # auc for labels
    labels: Mapping[str, float | None] = field(default_factory=dict)  # None: label unused
    more: str = ""  # the packaged file of further sentences for the fit corpus
    hidden: Mapping[str, str] = field(default_factory=dict)  # by split: why it has no gold scores
    roles: Sequence[str] = ()  # the sides of first and second sentences; none if they are alike

    @property
    def source(self) -> HubSource:
        """The source of the download; packaged data sets have none."""
        assert self.hub is not None
        return self.hub

    def find(self, root: Path | None, splits: Sequence[str] = SPLITS) -> Dataset | None:
        """Return the data set if the folder or the hub's cache has any of these splits."""
        for place in places_of(self.hub, root):
            for layout in self.layouts:
                wanted = [split for split in splits if split in layout.files]
                here = tuple(split for split in wanted if place.names(layout.files[split]))
                if here:
                    more = partial(place.read, self.more) if self.more else None
                    load = partial(self._load, place, layout)
                    return Dataset(self.name, here, load, more, self.hidden)
        return None

    def open(self, root: Path | None) -> Dataset:
        """Return the data set, or raise an error that says how to get it."""
        found = self.find(root)
        if found is None:
            below = [f"{self.kind}/{pattern}" for pattern in self.layouts[0].files.values()]
            looked = f"was not found in {quoted(root)}: looked for {listed(below)}"
            where = "is not shipped with the package" if root is None else looked
            raise InputError(f"{self.name} {where}; {how_to_get(self.name)}")
        return found

    def _load(self, place: Location, layout: Layout, split: str) -> Pairs:
        columns = layout.columns[: 2 if split in self.hidden else None]
        tables = _tables(place, layout, split)
        rows: list[_Row] = []
        for table in tables:
            if not set(columns) <= set(table.header):
                raise InputError(
                    f"{quoted(table.name)}: expected a header with {listed(columns)}, got "
                    f"{listed(table.header)}; check that this is the original file"
                )
            rows += table.sift(columns, partial(self._row, columns), strict=True)[0]
        rows = [row for row in rows if row[2] is not None or split in self.hidden]
        if not rows:
            raise InputError(f"{self.name} {split} has no pairs: check that its files are whole")
        first, second, targets, subsets = zip(*rows, strict=True)
        files = tuple(file.source_file() for table in tables for file in table.files)
        return Pairs(
            name=self.name,
            split=split,
            first=first,
            second=second,
            targets=None if split in self.hidden else np.array(targets),
            scale=check_scale(self.scale),
            subsets=subsets,
            roles=tuple(self.roles),
            provenance=Provenance(self.origin, self.licence, self.kind, files).counting(subsets),
        ).scored_by(self.metric)

    def _row(self, columns: Sequence[str], _: int, *cells: object) -> _Row:
        first, second = (text_cell(cells[i], columns[i]) for i in (0, 1))
        score = self._score(cells[2], columns[2]) if len(cells) > 2 else None
        return first, second, score, str(cells[3]) if len(cells) > 3 else self.name

    def _score(self, cell: object, column: str) -> float | None:
        if not self.labels:
            return score_cell(cell, column)
        if (label := str(cell).strip()) not in self.labels:
            expected = " or ".join(filter(None, self.labels))
            raise ValueError(f"{column}: expected {expected}, got {shown(cell)}")
        return self.labels[label]


def _tables(place: Location, layout: Layout, split: str) -> list[Table]:
    """Open the tables of a split: parquet from the hub, or text without quoting."""
    names = sorted(place.names(layout.files[split]), key=str.casefold)
    if layout.beside:
        return [_side_by_side(place, layout, name) for name in names]
    return [
        read_parquet(raw)
        if raw.name.endswith(".parquet")
        else text_table([raw], tab_rows(raw), layout.header)
        for raw in map(place.read, names)
    ]


def _side_by_side(place: Location, layout: Layout, name: str) -> Table:
    """Join parallel files line by line into one table, with a column for their subset.

    The last file holds the scores or labels; pairs without one are left out.
    """
    one = layout.beside[0]
    names = [name.replace(one, other) for other in layout.beside]
    files = [place.read(each) for each in names if place.names(each)]
    columns = [tab_rows(file) for file in files]
    if len(files) < len(names) or len({len(rows) for rows in columns}) > 1:
        counts = [f"{f.name} {len(rows)}" for f, rows in zip(files, columns, strict=True)]
        raise InputError(
            f"expected {listed(names)} with equal numbers of lines, got {listed(counts)}: get "
            "the original files again"
        )
    subset = PurePosixPath(name).stem.removeprefix(one)
    lines = enumerate(zip(*columns, strict=True), start=1)
    joined = [(row, [cell for _, cells in line for cell in cells[:2]]) for row, line in lines]
    scored = [(row, [*cells, subset]) for row, cells in joined if cells[-1].strip()]
    return text_table(files, scored, layout.header)


_LISTED = json.loads(resource("datasets.json").read_text(encoding="utf-8"))
_HUBS = {name: HubSource(**values) for name, values in _LISTED["hubs"].items()}


def _benchmark(layouts: Sequence[Any], hub: str = "", **values: Any) -> Benchmark:  # noqa: ANN401
    of = tuple(Layout(**each) for each in layouts)
    return Benchmark(layouts=of, hub=_HUBS.get(hub), **values)


BENCHMARKS, INFERENCE = (
    {values["name"]: _benchmark(**values) for values in _LISTED[part]}
    for part in ("pairs", "inference")
)
"""Data sets to score, and NLI data sets to fit on; NLI pairs without a label are left out."""
