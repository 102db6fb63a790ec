"""Table 1 of the paper as it was printed, and where a model departs from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from bertflow_core.published import printed_table
from bertflow_core.report import Report, Row
from bertflow_core.wording import ranks_text

_NO_CHANGE = 0.005
"""Half the last digit that is printed: a smaller change counts as none."""


@dataclass(frozen=True)
class PublishedTable:
    """The printed table: of BERT, uncalibrated."""

    citation: str  # source and table, for a caption
    note: str  # what a reader must know
    bins: tuple[tuple[int, int], ...]  # [low, high) of ranks
    labels: dict[str, str]  # as printed, by measure: `mean_norm`, `knn_l2_3` and so on
    values: dict[str, tuple[float, ...]]  # by measure, one for each bin

    def value(self, measure: str, bin_: tuple[int, int]) -> float | None:
        """Return the printed number; None where none was printed for these."""
        known = measure in self.values and bin_ in self.bins
        return self.values[measure][self.bins.index(bin_)] if known else None


@cache
def published_table1() -> PublishedTable:
    """Return the printed numbers of Li et al. (2020), Table 1."""
    found = printed_table(1)
    rows = {
        row["measure"] if row["k"] is None else f"{row['measure']}_{row['k']}": row
        for row in found["rows"]
    }
    return PublishedTable(
        citation=found["citation"],
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


def measures(report: Report) -> list[str]:
    """Return the measures of the rows: the mean norm, and those of neighbours by their number."""
    return [each.key for each in report.columns if each.format == ".3f"]


def departures(rows: Sequence[Row]) -> Iterator[str]:
    """Say which measures go the other way than the printed one, from one bin to the next.

    A change of less than half the last printed digit counts as none. Of the measures of neighbours
    those of the smallest printed k are compared; bins that the table does not have are passed over.
    """
    table = published_table1()
    least = {name.rpartition("_")[0]: name for name in reversed(table.values)}
    for before, after in pairwise(rows):
        ways: dict[str, list[str]] = {}
        for measure in least.values():
            if measure not in after:
                continue
            a, b = before[measure], after[measure]
            c, d = (table.value(measure, (row["low"], row["high"])) for row in (before, after))
            if a is None or b is None or c is None or d is None:
                continue
            if min(abs(b - a), abs(d - c)) >= _NO_CHANGE and (b > a) != (d > c):
                ways.setdefault("rises" if b > a else "falls", []).append(measure_name(measure))
        if ways:
            found = "; ".join(f"{' and '.join(names)} {way}" for way, names in ways.items())
            yield (
                f"Bin {ranks_text(after['low'], after['high'])} departs from the published row of "
                f"BERT, against the bin before it: {found}."
            )
