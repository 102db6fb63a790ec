"""The figures of Table 1 made live, from results of one recipe; for files and notebooks."""

from collections.abc import Sequence

from bertflow_core.figures import Figure, coordinate_bars, measure_by_bin, norm_against_rank
from bertflow_core.studies.words.paper_table1 import measure_name, published_table1
from bertflow_core.studies.words.result import WordResult

__all__ = ["bins_figure", "rank_figure", "word_figures"]

Results = Sequence[WordResult]


def rank_figure(result: WordResult) -> Figure:
    """Draw the norm of each word against its rank, with the trend."""
    prepared = result.prepared
    return norm_against_rank(
        prepared.ranks,
        result.norms,
        prepared.words,
        spec=result.recipe.calibrator,
        trend=result.norm_trend(),
    )


def bins_figure(results: Results, measure: str, k: int | None) -> Figure:
    """Draw a measure by bin of rank, beside the published row.

    Each calibrator has a scale of its own, 20 times another's or more: on one axis of sizes the
    lines of the small ones would merge, so that each is drawn relative to the first bin that has
    words. A published row without a number there has nothing to be compared with.

    Args:
        results: Of one recipe, the uncalibrated first.
        measure: `mean_norm`, `knn_l2` or `knn_dot`.
        k: Number of neighbours of the last two.
    """
    bins = [(each.low, each.high) for each in results[0].bins]
    values = {r.recipe.calibrator: [each.value(measure, k) for each in r.bins] for r in results}
    own, *_ = values.values()
    start = next((i for i, number in enumerate(own) if number is not None), 0)
    published = [published_table1().value(measure, k, each) for each in bins]
    figure = measure_by_bin(
        bins,
        values,
        label=measure_name(measure, k),
        published=None if published[start] is None else published,
    )
    return _relative_to(figure, start)


def _relative_to(figure: Figure, start: int) -> Figure:
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


def word_figures(results: Results) -> dict[str, Figure]:
    """Return every figure by name.

    Args:
        results: Of one recipe, the uncalibrated first; its words are drawn one by one.
    """
    by_bin = {
        f"{measure}_by_bin_{k}": bins_figure(results, measure, k)
        for measure in ("knn_l2", "knn_dot")
        for k in results[0].recipe.k
    }
    return {
        "norm_against_rank": rank_figure(results[0]),
        "norm_by_bin": bins_figure(results, "mean_norm", None),
        **by_bin,
        "coordinates": coordinate_bars({r.recipe.calibrator: r.coordinate_rhos for r in results}),
    }
