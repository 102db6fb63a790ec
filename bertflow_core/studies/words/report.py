"""The report on words: Table 1 beside the published rows, slopes, records and figures."""

from collections.abc import Sequence
from typing import Any

from bertflow_core.analysis.trends import Line
from bertflow_core.report import Report
from bertflow_core.studies.words.figures import word_figures
from bertflow_core.studies.words.paper_table1 import measure_name, published_table1
from bertflow_core.studies.words.result import WordResult
from bertflow_core.text_table import TextTable
from bertflow_core.wording import ranks_text

__all__ = [
    "direction_table",
    "frequency_finding",
    "slope_table",
    "slopes_of_a_guess",
    "word_table",
    "words_report",
]

Results = Sequence[WordResult]


def words_report(results: Results) -> Report:
    """Report the norms and neighbours of words by frequency.

    Args:
        results: Of one recipe, the uncalibrated first.
    """
    return Report(
        name="words",
        tables=lambda: (word_table(results), _bias_table(results)),
        records=lambda: _records(results),
        document=lambda: _document(results),
        remarks=_remarks(results),
        command=_command(results),
        figures=lambda: word_figures(results),
    )


def _command(results: Results) -> str:
    return results[0].recipe.to_command([each.recipe.calibrator for each in results])


def word_table(results: Results) -> TextTable:
    """Return one row per measure and calibrator, under the published row; one column per bin.

    Args:
        results: Of one recipe, the uncalibrated first.
    """
    table = published_table1()
    bins = results[0].bins
    rows = []
    for measure, k in results[0].measures():
        name = measure_name(measure, k)
        printed = [table.value(measure, k, (each.low, each.high)) for each in bins]
        if any(number is not None for number in printed):
            cells = ("-" if number is None else f"{number:.2f}" for number in printed)
            rows.append((name, "BERT, published", *cells))
        for result in results:
            cells = (_number(each.value(measure, k)) for each in result.bins)
            rows.append((name, result.recipe.calibrator, *cells))
    header = ("measure", "calibrator", *(ranks_text(each.low, each.high) for each in bins))
    counts = ("words", "", *(f"{each.n:,}" for each in bins))
    return TextTable(header, (counts, *rows), _remarks(results), n_labels=2)


def frequency_finding(results: Sequence[WordResult]) -> str:
    """Say in one sentence how closely a leading direction follows frequency; nothing if unknown."""
    known = {
        each.recipe.calibrator: [rho for rho in each.coordinate_rhos if rho is not None]
        for each in results
    }
    strongest = [f"{max(rhos):.2f} under {spec}" for spec, rhos in known.items() if rhos]
    if not strongest:
        return ""
    return (
        "The leading direction that follows word frequency most closely has a rank correlation "
        f"with it of {', '.join(strongest)}."
    )


def slopes_of_a_guess(results: Results) -> str:
    """Say why slopes on frequency mean little where nothing was counted; else nothing."""
    counts = results[0].prepared.counts
    if counts.counted:
        return ""
    return (
        f"Ranks from {counts.source} are no counts: a slope for a factor of ten in frequency would "
        "be one for a factor of ten in 1 / rank. Take a list of counts for slopes."
    )


def _bias_table(results: Results) -> TextTable:
    """Return slopes and directions, or directions alone where frequency is only a rank."""
    guess = slopes_of_a_guess(results)
    return direction_table(results) if guess else slope_table(results)


def direction_table(results: Results) -> TextTable:
    """Return one row per calibrator: how closely a leading direction follows frequency by rank.

    Args:
        results: As `word_table`.
    """
    rows = tuple((result.recipe.calibrator, _largest(result)) for result in results)
    guess = slopes_of_a_guess(results)
    remarks = (_largest_means(results), *([guess] if guess else []))
    return TextTable(("calibrator", "largest |rho|"), rows, remarks)


def slope_table(results: Results) -> TextTable:
    """Return one row per calibrator: slopes of norm and distance on frequency, and directions.

    Args:
        results: As `word_table`.
    """
    k = results[0].recipe.k[0]
    header = (
        "calibrator",
        *("slope of norm", "95 % interval", "share of mean"),
        *(f"slope of {k}-NN L2", "95 % interval", "share of mean"),
        "largest |rho|",
    )
    rows = tuple(
        (
            result.recipe.calibrator,
            *_line(result.norm_slope),
            *_line(result.knn_slopes[k]),
            _largest(result),
        )
        for result in results
    )
    remarks = (
        "Slopes: ordinary least squares on log10 of frequency, so a change a factor of ten; "
        "intervals from HC3 standard errors. Share of mean: the slope over the mean, which does "
        "not depend on the scale of a space.",
        _largest_means(results),
    )
    return TextTable(header, rows, remarks)


def _largest(result: WordResult) -> str:
    return _number(max((r for r in result.coordinate_rhos if r is not None), default=None))


def _largest_means(results: Results) -> str:
    return (
        f"Largest |rho|: of the {len(results[0].coordinate_rhos)} leading singular coordinates of "
        "the centred word vectors, the largest |Spearman| with frequency."
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _line(line: Line | None) -> tuple[str, str, str]:
    if line is None:
        return "-", "-", "-"
    share = "-" if line.relative is None else f"{100 * line.relative:+.1f} %"
    return f"{line.slope:+.4f}", f"[{line.low:+.4f}, {line.high:+.4f}]", share


def _remarks(results: Results) -> tuple[str, ...]:
    """Return what the numbers depend on, and where they depart from the published, in sentences."""
    first = results[0]
    prepared, bins, table = first.prepared, first.bins, published_table1()
    facts = [
        f"{first.recipe.caption()}.",
        f"Ranks from {prepared.counts.source}, which knows {prepared.n_covered:,} of the model's "
        f"words. {prepared.counts.note}",
        f"Neighbours among {len(prepared.candidates):,} of {len(prepared.table.x):,} rows, the "
        f"word itself {first.recipe.itself}d.",
    ]
    if any((each.low, each.high) in table.bins for each in bins):
        facts.append(
            f"Published: {table.citation}, of uncalibrated BERT, whose bins "
            f"are printed with ranks from 0. {table.note}"
        )
    facts += [text for result in results for text in result.departures()]
    turning = [each.recipe.calibrator for each in results if each.turns()]
    if turning:
        facts.append(
            f"The mean norm both rises and falls over the bins ({', '.join(turning)}): there one "
            "slope does not describe the trend."
        )
    if len(results) > 1:
        facts.append(
            "Each calibrator is fitted on every row of the table. Norms and distances after it are "
            "in its own scale: compare their trends over the bins, not their size."
        )
    facts += [f"{each.recipe.calibrator}: {note}." for each in results for note in each.notes]
    return tuple(facts)


def _records(results: Results) -> list[dict[str, Any]]:
    """Return one record per calibrator and bin, with the published numbers and the recipe."""
    table = published_table1()
    records = []
    for result in results:
        recipe = result.recipe.to_dict() | {"revision": result.recipe.revision}
        recipe |= {name: ",".join(map(str, recipe[name])) for name in ("bins", "k")}
        for each in result.bins:
            place = (each.low, each.high)
            record = {"calibrator": recipe["calibrator"], "low": each.low, "high": each.high}
            record["n"] = each.n
            for measure, k in results[0].measures():
                name = measure if k is None else f"{measure}_{k}"
                record[name] = each.value(measure, k)
                record[f"published_{name}"] = table.value(measure, k, place)
            rest = {f"recipe_{k}": v for k, v in recipe.items() if k != "calibrator"}
            records.append(record | rest)
    return records


def _document(results: Results) -> dict[str, Any]:
    """Return everything, JSON-able: the uncalibrated at the top, the others under `calibrated`."""
    first, *rest = results
    table, prepared = published_table1(), first.prepared
    return {
        **_measured(first),
        "calibrated": [_measured(result) for result in rest],
        "published": {
            "citation": table.citation,
            "url": table.url,
            "note": table.note,
            "bins": [list(each) for each in table.bins],
            "rows": [vars(row) for row in table.rows],
        },
        "remarks": list(_remarks(results)),
        "command": _command(results),
        "provenance": prepared.provenance(),
    }


def _measured(result: WordResult) -> dict[str, Any]:
    def slope(line: Line | None) -> dict[str, float | None] | None:
        return None if line is None else line.to_dict()

    return {
        "recipe": result.recipe.to_dict(),
        "bins": [each.to_dict() for each in result.bins],
        "slopes": {
            "of": "ordinary least squares on log10 of frequency, 95 % intervals from HC3",
            "counted": result.prepared.counts.counted,
            "norm": slope(result.norm_slope),
            "knn_l2": {str(k): slope(line) for k, line in result.knn_slopes.items()},
        },
        "coordinate_rhos": list(result.coordinate_rhos),
        "departures": list(result.departures()),
        "notes": list(result.notes),
        "seconds": result.seconds,
    }
