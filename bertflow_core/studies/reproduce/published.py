"""The printed rows of the paper's tables of correlations, as lines."""

from bertflow_core.published import PublishedRow, published_rows
from bertflow_core.studies.comparison.paper_layouts import PaperLayout
from bertflow_core.studies.reproduce.result import Line, Origin, number

__all__ = ["printed_lines"]

SOURCE = "Li et al. (2020)"


def printed_lines(layout: PaperLayout) -> list[Line]:
    """Return the printed rows of Table 2, 3 or 5; a flow is compared with its `-last2avg`."""
    lines = []
    baseline: PublishedRow | None = None
    for row in published_rows():
        if (row.source, row.table) != (SOURCE, layout.table):
            continue
        if row.label.endswith("last2avg"):
            baseline = row
        of_flow = baseline if row.calibrator == "flow" else None
        cells = tuple(
            number(row.values[name], baseline=of_flow.values[name] if of_flow else None)
            for name in layout.datasets
        )
        lines.append(Line(Origin.PUBLISHED, _encoder(row), row.label, cells))
    return lines


def _encoder(row: PublishedRow) -> str:
    """Return the encoder of a printed row, which stands before the method, or who measured it."""
    if row.calibrator is None:
        return row.note
    return row.label.split("-last2avg")[0].split("-flow")[0].split(" ")[0]
