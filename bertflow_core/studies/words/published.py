"""Table 1 of the paper as it was printed, and where a model departs from it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from bertflow_core.files import resource
from bertflow_core.report import Row
from bertflow_core.wording import ranks_text

__all__ = ["PublishedTable", "departures", "measure_name", "published_table1"]

_NO_CHANGE = 0.005
"""Half the last digit that is printed: a smaller change counts as none."""


@dataclass(frozen=True)
class PublishedTable:
    """The printed table.

    Attributes:
        citation: Source and table, for a caption.
        url: Where to read it.
        note: What a reader must know.
        bins: [low, high) of ranks.
        labels: Of the printed rows, by measure: `mean_norm`, `knn_l2_3`, `knn_dot_3` and so on.
        values: By measure, one for each bin.
    """

    citation: str
    url: str
    note: str
    bins: tuple[tuple[int, int], ...]
    labels: dict[str, str]
    values: dict[str, tuple[float, ...]]

    def value(self, measure: str, bin_: tuple[int, int]) -> float | None:
        """Return the printed number; None where none was printed for these."""
        known = measure in self.values and bin_ in self.bins
        return self.values[measure][self.bins.index(bin_)] if known else None


@cache
def published_table1() -> PublishedTable:
    """Return the printed numbers of Li et al. (2020), Table 1, which are those of BERT."""
    found = json.loads(resource("published_table1.json").read_text(encoding="utf-8"))
    source = found["source"]
    rows = {
        row["measure"] if row["k"] is None else f"{row['measure']}_{row['k']}": row
        for row in found["rows"]
    }
    return PublishedTable(
        citation=f"{source['title']}, Table {source['table']}",
        url=source["url"],
        note=found["note"],
        bins=tuple((low, high) for low, high in found["bins"]),
        labels={measure: row["label"] for measure, row in rows.items()},
        values={measure: tuple(row["values"]) for measure, row in rows.items()},
    )


def measure_name(measure: str) -> str:
    """Return what people call a measure.

    Example:
        >>> from bertflow_core.studies.words.published import measure_name
        >>> measure_name("knn_l2_3")
        '3-NN L2 distance'
    """
    name, _, k = measure.rpartition("_")
    names = {"knn_l2": f"{k}-NN L2 distance", "knn_dot": f"{k}-NN dot product"}
    return names.get(name, "mean norm")


def departures(rows: Sequence[Row]) -> tuple[str, ...]:
    """Say where a measure goes the other way than in the printed table.

    A bin departs where a measure rises from the bin before it and the printed one falls, or the
    other way round. A change of less than 0.005, half the last printed digit, counts as none. Of
    the measures of neighbours those of the smallest printed k are compared.

    Args:
        rows: One for each bin, rising; bins that the table does not have are passed over.
    """
    found = []
    for before, after in pairwise(rows):
        texts = list(_departing(before, after))
        if texts:
            found.append(
                f"Bin {ranks_text(after['low'], after['high'])} departs from the published row of "
                f"BERT: {', '.join(texts)}."
            )
    return tuple(found)


def _departing(before: Row, after: Row) -> Iterator[str]:
    """Yield a clause on each measure that goes the other way from one bin to the next."""
    table = published_table1()
    printed = [measure for measure in table.values if measure in after]
    least = {name.rpartition("_")[0]: name for name in reversed(printed)}  # the smallest k of each
    for measure in (name for name in printed if name in least.values()):
        a, b = before[measure], after[measure]
        c, d = (table.value(measure, (row["low"], row["high"])) for row in (before, after))
        if a is None or b is None or c is None or d is None:
            continue
        if min(abs(b - a), abs(d - c)) < _NO_CHANGE or (b > a) == (d > c):
            continue
        way, other = ("rises", "falls") if b > a else ("falls", "rises")
        yield (
            f"{measure_name(measure)} {way} from {a:.3f} to {b:.3f} "
            f"(published: {other} from {c:.2f} to {d:.2f})"
        )
