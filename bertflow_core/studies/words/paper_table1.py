"""Table 1 of the paper as it was printed, and where a model departs from it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from bertflow_core.analysis.frequency import Bin
from bertflow_core.files import resource
from bertflow_core.wording import ranks_text

__all__ = ["PublishedMeasure", "PublishedTable", "departures", "measure_name", "published_table1"]

_NO_CHANGE = 0.005
"""Half the last digit that is printed: a smaller change counts as none."""


@dataclass(frozen=True)
class PublishedMeasure:
    """A printed row.

    Attributes:
        measure: `mean_norm`, `knn_l2` or `knn_dot`.
        k: Neighbours; None of the norm.
        label: As printed.
        values: One for each bin.
    """

    measure: str
    k: int | None
    label: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class PublishedTable:
    """The printed table.

    Attributes:
        citation: Source and table, for a caption.
        url: Where to read it.
        bins: [low, high) of ranks.
        rows: A measure each.
        note: What a reader must know.
    """

    citation: str
    url: str
    bins: tuple[tuple[int, int], ...]
    rows: tuple[PublishedMeasure, ...]
    note: str

    def value(self, measure: str, k: int | None, bin_: tuple[int, int]) -> float | None:
        """Return the printed number; None where none was printed for these."""
        row = next((row for row in self.rows if (row.measure, row.k) == (measure, k)), None)
        return None if row is None or bin_ not in self.bins else row.values[self.bins.index(bin_)]


@cache
def published_table1() -> PublishedTable:
    """Return the printed numbers of Li et al. (2020), Table 1, which are those of BERT."""
    found = json.loads(resource("published_table1.json").read_text(encoding="utf-8"))
    source = found["source"]
    return PublishedTable(
        citation=f"{source['title']}, Table {source['table']}",
        url=source["url"],
        bins=tuple((low, high) for low, high in found["bins"]),
        rows=tuple(
            PublishedMeasure(row["measure"], row["k"], row["label"], tuple(row["values"]))
            for row in found["rows"]
        ),
        note=found["note"],
    )


def measure_name(measure: str, k: int | None = None) -> str:
    """Return what people call a measure."""
    names = {
        "mean_norm": "mean norm",
        "knn_l2": "{}-NN L2 distance",
        "knn_dot": "{}-NN dot product",
    }
    return names[measure].format(k)


def departures(bins: Sequence[Bin]) -> tuple[str, ...]:
    """Say where a measure goes the other way than in the printed table.

    A bin departs where a measure rises from the bin before it and the printed one falls, or the
    other way round. A change of less than 0.005, half the last printed digit, counts as none. Of
    the measures of neighbours those of the smallest printed k are compared.

    Args:
        bins: In rising order; those that the table does not have are passed over.
    """
    table = published_table1()
    printed = {row.k for row in table.rows if row.k is not None}
    least = min((k for k in (bins[0].knn_l2 if bins else ()) if k in printed), default=None)
    rows = [row for row in table.rows if row.k in (None, least)]
    found = []
    for before, bin_ in pairwise(bins):
        texts = [text for row in rows if (text := _departure(row, before, bin_))]
        if texts:
            found.append(
                f"Bin {ranks_text(bin_.low, bin_.high)} departs from the published row of BERT: "
                f"{', '.join(texts)}."
            )
    return tuple(found)


def _departure(row: PublishedMeasure, before: Bin, after: Bin) -> str:
    """Return a clause on one measure of two neighbouring bins; empty where it goes the same way."""
    table = published_table1()
    a, b = (each.value(row.measure, row.k) for each in (before, after))
    c, d = (table.value(row.measure, row.k, (each.low, each.high)) for each in (before, after))
    if a is None or b is None or c is None or d is None:
        return ""
    if min(abs(b - a), abs(d - c)) < _NO_CHANGE or (b > a) == (d > c):
        return ""
    way, printed = ("rises", "falls") if b > a else ("falls", "rises")
    name = measure_name(row.measure, row.k)
    return f"{name} {way} from {a:.3f} to {b:.3f} (published: {printed} from {c:.2f} to {d:.2f})"
