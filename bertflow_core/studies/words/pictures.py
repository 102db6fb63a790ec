"""The pictures of words: norm against rank, a measure by bin, directions that follow frequency."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from bertflow_core.report import Pictures, Report, Row
from bertflow_core.studies.words.published import measure_name, published_table1

if TYPE_CHECKING:
    from bertflow_core.figures import Figure
    from bertflow_core.studies.words.prepared import WordSpace

__all__ = ["bins_figure", "measures", "rank_figure", "word_pictures"]


def word_pictures(report: Report) -> Pictures:
    """Return every picture; of the words one by one, those of the uncalibrated."""
    spaces: Sequence[WordSpace] = report.live["spaces"]
    by_bin = {
        f"{measure}_by_bin": partial(bins_figure, report.rows, measure)
        for measure in measures(report)
    }
    return {
        "norm_against_rank": partial(rank_figure, spaces[0]),
        **by_bin,
        "coordinates": partial(_coordinates, spaces),
    }


def measures(report: Report) -> list[str]:
    """Return the measures of the rows: the mean norm, and those of neighbours by their number."""
    return [each.key for each in report.columns if each.format == ".3f"]


def rank_figure(space: "WordSpace") -> "Figure":
    """Draw the norm of each word against its rank, with the trend."""
    from bertflow_core.figures import norm_against_rank

    prepared = space.prepared
    return norm_against_rank(
        prepared.ranks,
        space.norms,
        prepared.words,
        spec=space.calibrator,
        trend=space.norm_trend(),
    )


def bins_figure(rows: Sequence[Row], measure: str) -> "Figure":
    """Draw a measure by bin of rank, beside the published row.

    Each calibrator has a scale of its own, 20 times another's or more: on one axis of sizes the
    lines of the small ones would merge, so that each is drawn relative to the first bin that has
    words. A published row without a number there has nothing to be compared with.

    Args:
        rows: For each calibrator, the uncalibrated first, one for each bin.
        measure: `mean_norm`, `knn_l2_K` or `knn_dot_K`.
    """
    from bertflow_core.figures import measure_by_bin

    bins = list(dict.fromkeys((row["low"], row["high"]) for row in rows))
    values: dict[str, list[float | None]] = {}
    for row in rows:
        values.setdefault(row["calibrator"], []).append(row[measure])
    own, *_ = values.values()
    start = next((i for i, number in enumerate(own) if number is not None), 0)
    published = [published_table1().value(measure, each) for each in bins]
    figure = measure_by_bin(
        bins,
        values,
        label=measure_name(measure),
        published=None if published[start] is None else published,
    )
    return _relative_to(figure, start)


def _relative_to(figure: "Figure", start: int) -> "Figure":
    """Divide every line by its number in bin `start`, the first; hover text keeps what it was.

    A ratio to a number that is not above 0 tells nothing: with such a line all stay as they are.
    """
    firsts = [line.y[start] for line in figure.data]
    if not all(first is not None and first > 0 for first in firsts):
        return figure
    for line, first in zip(figure.data, firsts, strict=True):
        line.customdata = line.y
        line.y = [None if y is None else y / first for y in line.y]
        line.hovertemplate = line.hovertemplate.replace("%{y:", "%{customdata:").replace(
            "<extra>", ", %{y:.2f} of the first<extra>"
        )
    return figure.update_yaxes(title=f"{figure.layout.yaxis.title.text}, first bin = 1")


def _coordinates(spaces: "Sequence[WordSpace]") -> "Figure":
    from bertflow_core.figures import coordinate_bars

    return coordinate_bars({each.calibrator: each.coordinate_rhos for each in spaces})
