"""Table 1 of the paper as it was printed."""

from dataclasses import dataclass
from functools import cache

from bertflow_core.published import printed_table
from bertflow_core.report import Report


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
    """Return what people call a measure, such as 3-NN L2 distance of knn_l2_3."""
    name, _, k = measure.rpartition("_")
    names = {"knn_l2": f"{k}-NN L2 distance", "knn_dot": f"{k}-NN dot product"}
    return names.get(name, "mean norm")


def measures(report: Report) -> list[str]:
    """Return the measures of the rows: the mean norm, and those of neighbours by their number."""
    return [each.key for each in report.columns if each.format == ".3f"]
