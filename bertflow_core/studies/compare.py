"""Which encoder, layers and calibrator agree best with people? Many recipes side by side."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bertflow_core.calibrators.spec import BASELINE, DEFAULT_SPECS
from bertflow_core.datasets import Texts
from bertflow_core.encoders.given import short_names
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, RANDOM_COSINE
from bertflow_core.evaluation.comparison import Score, compare_to, draws_for, letters, smallest_p
from bertflow_core.evaluation.significance import ALPHA, summarize_seeds
from bertflow_core.figures import Figure, interval_forest, score_by_dataset
from bertflow_core.lab.cells import Cell
from bertflow_core.lab.comparable_scores import score_columns, scores_of
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import (
    TRANSDUCTIVE,
    conservative,
    doubt_of_score,
    why_unscored,
)
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.studies.between_models import models_figure, models_finding, models_table
from bertflow_core.studies.grid import (
    AVERAGE,
    CompareRecipe,
    Grid,
    GridKey,
    GridResult,
    fill,
    row_name,
    vectors_of,
)
from bertflow_core.text_table import TextTable
from bertflow_core.wording import FIT_ON_MORE, change_text, counted, percent

_ONE_ROW = "a test needs two rows: choose a calibrator besides identity"
_OF_SEEDS = ("mean", "sd", "median")
_OF_ROWS = ("model", "layers", "tokens", "calibrator")
_OF_FITS = ("model", "revision", "layers", "tokens", "calibrator", "dataset", "seed")


def _pictures(report: Report) -> Pictures:
    comparison, tests = report.objects["comparison"], report.objects["tests"]
    drawn = {"by-dataset": lambda: _by_dataset(comparison)}
    if any(each.p is not None for each in comparison.between_models.values()):
        drawn = {"between-models": lambda: models_figure(comparison), **drawn}
    return {**drawn, **tests[0].pictures()} if tests else drawn


def _by_dataset(comparison: GridResult) -> Figure:
    """Draw the score of each row on each data set."""
    rows, datasets = comparison.grid.rows, comparison.grid.datasets
    return score_by_dataset(
        {row_name(row): [comparison.score(row, name) for name in datasets] for row in rows},
        [comparison.heading(name) for name in datasets],
        [row.calibrator for row in rows],
        title=comparison.scores_title,
    )


@study(
    "compare",
    CompareRecipe,
    (
        Column("vectors"),
        Column("calibrator"),
        Column("dataset", "data set"),
        Column("seed"),
        Column(
            "score",
            "score x 100",
            ".2f",
            "one fit; a calibrator that depends on the seed has a row for each",
            times=100,
        ),
        Column("change", "", "+z.2f", "difference from the uncalibrated vectors", times=100),
        Column("change_p_holm", "p", "p", "of the change, Holm-adjusted"),
        Column(
            "to_plain", f"to {PLAIN}", "+z.2f", f"difference from the model's {PLAIN}", times=100
        ),
        Column("to_plain_p_holm", "p (plain)", "p", "of the difference from plain, Holm-adjusted"),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
        Column("rank_lost", "", "", "dimensions of the data that the calibrator discards"),
        Column("round_trip", "", ".0e", "relative error of the calibrator's inverse (0: exact)"),
    ),
    title="Which encoder, layers and calibrator agree best with people?",
    figures=_pictures,
    calibrators=DEFAULT_SPECS,
    baseline=True,
    layers=True,
    plain=True,
    without=("model", "revision", "dataset"),
    command="bertflow-lab compare",
    folder=True,
)
def compare(params: CompareRecipe, lab: Lab, calibrators: Specs, layers: Sequence[str]) -> Result:
    """Score every row of a grid on every data set; stored scores are read from the lab's cells."""
    grid = Grid(params, tuple(calibrators), tuple(layers))
    if params.bootstrap and len(grid.rows) < 2:
        raise InputError(_ONE_ROW)
    return _result(fill(grid, lab))


def comparison_report(comparison: GridResult) -> Report:
    """Report the scores of a filled grid, and which of their changes are significant."""
    grid = comparison.grid
    return compare.report(_result(comparison), grid.params, grid.calibrators, grid.layers)


def _result(comparison: GridResult) -> Result:
    grid = comparison.grid
    remarks = _remarks(comparison)
    tables = [models_table(comparison)] if comparison.between_models else []
    tests = []
    for dataset in grid.datasets if grid.params.bootstrap else ():
        try:
            tests.append(significance(comparison, dataset))
        except InputError as error:
            remarks += remarks_of(Kind.MISSING, f"{dataset} is not tested: {error}.")
            continue
        title = f"tests on {dataset}"
        tables.append(Table(tests[-1].columns, tests[-1].rows, title, tests[-1].remarks))
    averages = [
        {"of": row_name(row), **found}
        for name in ("change", "to_plain")
        for row in grid.rows
        if (found := _change(comparison, name, (row, AVERAGE)))
    ]
    return Result(
        [
            _row(comparison, row, dataset, cell)
            for (row, dataset), fits in comparison.cells.items()
            for cell in fits
        ],
        remarks,
        tables=tables,
        facts={
            "finding": " ".join(filter(None, [models_finding(comparison), finding(comparison)])),
            "models": list(grid.params.models),
            "data": {name: each.provenance.to_dict() for name, each in comparison.pairs.items()},
            "averages": averages,
        },
        objects={"comparison": comparison, "tests": tests},
        text_table=_wide_table(comparison),
    )


def _row(comparison: GridResult, row: Recipe, dataset: str, cell: Cell) -> dict[str, Any]:
    """Return the row of a fit: the score under every aggregation, the changes and the recipe."""
    values = cell.to_dict()
    told = {"vectors": vectors_of(row), **{name: values["recipe"][name] for name in _OF_FITS}}
    told |= {"score": cell.score, **values.pop("scores")}
    told |= _change(comparison, "change", (row, dataset))
    told |= _change(comparison, "to_plain", (row, dataset))
    return {**told, **values, "notes": " ".join(f"{note}." for note in cell.notes)}


def _change(comparison: GridResult, name: str, place: GridKey) -> dict[str, Any]:
    """Return a row's difference of one kind as unrounded columns; empty if there is none."""
    differences = comparison.changes if name == "change" else comparison.to_plain
    found = differences.get(place)
    return {} if found is None else found.exact_columns(name)


def _wide_table(comparison: GridResult) -> TextTable:
    """Return a line for each row of the grid: scores x 100 with the paper's arrows.

    Arrows of changes that are not significant are in parentheses, and a further column lists the
    data sets of these changes.
    """
    columns, changes, grid = comparison.columns, comparison.changes, comparison.grid
    in_parentheses = not all(each.significant for each in changes.values())
    has_plain = any(map(grid.plain, grid.rows))
    lines = []
    for row in grid.rows:
        tested = {name: changes[row, name] for name in columns if (row, name) in changes}
        marks = {name: f" {each.mark}" for name, each in tested.items()}
        line = [grid.short_vectors(row), row.calibrator]
        line += [percent(comparison.score(row, name)) + marks.get(name, "") for name in columns]
        if in_parentheses:
            line.append(", ".join(name for name, each in tested.items() if not each.significant))
        line += [_to_plain(comparison, row)] if has_plain else []
        lines.append((*line, *_losses(comparison, row)))
    header = ["encoder", "calibrator", *map(comparison.heading, columns)]
    header += ["not significant"] * in_parentheses + [f"to {PLAIN}"] * has_plain
    return TextTable((*header, "rank lost", "round trip"), tuple(lines), n_labels=2)


def _to_plain(comparison: GridResult, row: Recipe) -> str:
    """Return a row's differences from its model's plain output, on average or per data set."""
    plain, columns = comparison.grid.plain(row), comparison.columns
    if plain in (None, row):
        return ""
    differences = []
    for name in [AVERAGE] if AVERAGE in columns else columns:
        before, after = comparison.score(plain, name), comparison.score(row, name)
        tested = comparison.to_plain.get((row, name))
        known = "" if before is None or after is None else change_text(before, after)
        differences.append(f"{known} {tested.mark if tested else ''}".strip())
    return ", ".join(filter(None, differences))


def _losses(comparison: GridResult, row: Recipe) -> tuple[str, str]:
    """Return a row's largest rank loss and round-trip error, a dash if a fit has no inverse."""
    fits = [cell for name in comparison.grid.datasets for cell in comparison.cells[row, name]]
    errors = [cell.round_trip for cell in fits if cell.round_trip is not None]
    back = "-" if len(errors) < len(fits) else f"{max(errors):.0e}" if max(errors) else "0"
    return str(max(cell.rank_lost for cell in fits)), back


def finding(comparison: GridResult) -> str:
    """Say which row scores highest, and its gain over the baseline and the plain output."""
    *parts, last = comparison.columns
    scores = ((row, comparison.score(row, last)) for row in comparison.grid.rows)
    known = {row: score for row, score in scores if score is not None}
    if not known or (parts and last != AVERAGE):
        return ""
    best = max(known, key=lambda row: known[row])
    against = ""
    for other, differences, name in (
        (best.with_(calibrator=BASELINE), comparison.changes, "the uncalibrated vectors"),
        (comparison.grid.plain(best), comparison.to_plain, f"the {PLAIN}"),
    ):
        if other is not None and other != best and other in known:
            tested = differences.get((best, last))
            doubt = " (not significant)" if tested is not None and not tested.significant else ""
            against += f", {change_text(known[other], known[best])} over {name}{doubt}"
    datasets = ", ".join(comparison.grid.datasets)
    name = comparison.grid.short_name(best)
    return f"On {datasets}, {name} scores highest, with {percent(known[best])}{against}."


def _remarks(comparison: GridResult) -> list[Remark]:
    """Say what the numbers depend on and how to read the columns."""
    grid, several = comparison.grid, len(comparison.grid.datasets) > 1
    chats = (cell.chat_remark for fits in comparison.cells.values() for cell in fits)
    notes = {
        f"{f'{dataset}, ' * several}{row.calibrator}: {note}.": None
        for (row, dataset), fits in comparison.cells.items()
        for cell in fits
        for note in cell.notes
        if FIT_ON_MORE in note
    }
    names = short_names(grid.models)
    no_plain = f"No {PLAIN} is available for {', '.join(names[m] for m in grid.without_plain)}."
    return [
        *remarks_of(
            Kind.METHOD,
            *_of_scores(comparison),
            *(
                f"Rows of {row.model}: {row.pooling}."
                for row in grid.rows
                if not row.source.has_layers
            ),
            *chats,
        ),
        *fit_remarks(notes, grid.params),
        *(
            remark
            for name, pairs in comparison.pairs.items()
            for remark in (
                *remarks_of(Kind.METHOD, *pairs.provenance.assumed),
                *remarks_of(Kind.MISSING, _unscored(name, pairs, several=several)),
            )
        ),
        *remarks_of(Kind.METHOD, *_of_changes(comparison)),
        *remarks_of(Kind.MISSING, no_plain if grid.without_plain else ""),
        *remarks_of(
            Kind.METHOD,
            "The column “rank lost” counts the dimensions of the data that the calibrator "
            "discards; “round trip” is the relative error of its inverse (a dash: it has none). "
            "Both are those of a row's worst fit.",
        ),
    ]


def _of_scores(comparison: GridResult) -> Iterator[str]:
    """Say what the scores are, and where they are transductive."""
    grid = comparison.grid
    sizes = ", ".join(f"{name}: {pairs.size}" for name, pairs in comparison.pairs.items())
    metrics = "; ".join(f"{each.title} x 100 {each.meaning}" for each in comparison.metrics)
    n = grid.params.seeds
    seeds = f"; calibrators with a seed: mean of {n} fits" * (n > 1)
    yield f"{metrics}; {sizes}{seeds}."
    last = grid.rows[-1]
    seen = [n for n in grid.datasets if TRANSDUCTIVE in comparison.cells[last, n][0].fitted_on]
    if seen:
        where = "" if len(seen) == len(grid.datasets) else f" on {', '.join(seen)}"
        yield f"{TRANSDUCTIVE}{where}: the calibrator was fitted on the texts that it is scored on."


def _unscored(name: str, pairs: Texts, *, several: bool) -> str:
    if pairs.targets is not None:
        return ""
    return f"{name}: {why_unscored(pairs)}" if several else why_unscored(pairs)


def _of_changes(comparison: GridResult) -> Iterator[str]:
    """Say how the differences were tested."""
    grid, changes, to_plain = comparison.grid, comparison.changes, comparison.to_plain
    units = " or ".join(dict.fromkeys(each.unit for each in comparison.metrics))
    if changes:
        n_tested, n_proven = len(changes), sum(each.significant for each in changes.values())
        others = " Parentheses mark the others." * (n_proven < n_tested)
        yield (
            f"{n_proven} of {counted(n_tested, 'change')} from the uncalibrated vectors "
            f"{'is' if n_proven == 1 else 'are'} significant (paired bootstrap, "
            f"{draws_for(n_tested):,} resamples of the {units}, Holm-adjusted, 5 % level).{others}"
        )
        yield from (conservative(e, grid.params.aggregation) for e in comparison.pairs.values())
    if to_plain:
        is_average = AVERAGE in comparison.columns
        kind = "average difference" if is_average else "difference"
        each = " on each data set" * (len(grid.datasets) > 1 and not is_average)
        yield (
            f'The column "to {PLAIN}" shows the {kind} from the model\'s {PLAIN}{each}, tested in '
            f"the same way (Holm-adjusted over {counted(len(to_plain), 'difference')})."
        )


def significance(comparison: GridResult, dataset: str) -> Report:
    """Test the rows of a comparison against its baseline on one of its data sets.

    A random calibrator is tested with the fit of its first seed; columns summarise all seeds.

    Args:
        comparison: A filled grid; its parameters name the baseline and the number of resamples.
        dataset: One of its data sets.

    Raises:
        InputError: A single row, or a row without a score.
    """
    grid, result = comparison.grid, _of_tests(comparison, dataset)
    return _TESTS.report(result, grid.params, grid.calibrators, grid.layers)


def _tests_drawn(report: Report) -> Pictures:
    metric = report.objects["metric"]
    one = len({(row["model"], row["layers"], row["tokens"]) for row in report.rows}) == 1
    # If all rows have the same vectors, the calibrator alone identifies a row.
    names = {row["row"]: row["calibrator"] if one else row["row"] for row in report.rows}
    known = [row for row in report.rows if row["score_low"] is not None]
    told = [row for row in known if row.get("change") is not None]
    against = names.get(report.rows[0]["baseline"], report.rows[0]["baseline"])
    return {
        "differences": lambda: interval_forest(
            [names[row["row"]] for row in told],
            *([row[key] for row in told] for key in ("change", "change_low", "change_high")),
            title=f"change of {metric.header}<br>from {against}",
            reference=0.0,
            apart=[row["change_significant"] for row in told],
        ),
        "intervals": lambda: interval_forest(
            [names[row["row"]] for row in known],
            *([row[key] for row in known] for key in ("score", "score_low", "score_high")),
            title=f"{metric.title} x 100",
            notes=[row.get("letters", "") for row in known],
        ),
    }


_TESTS = replace(
    compare,
    name="significance",
    title="Which differences are significant?",
    columns=(),
    figures=_tests_drawn,
)


def _of_tests(comparison: GridResult, dataset: str) -> Result:
    grid, pairs = comparison.grid, comparison.pairs[dataset]
    rows = {row_name(row): row for row in grid.rows}
    if len(rows) < 2:
        raise InputError(_ONE_ROW)
    n_draws, baseline = grid.params.bootstrap or N_DRAWS, row_name(grid.baseline)
    cosines = {label: comparison.cells[row, dataset][0].unit_values for label, row in rows.items()}
    scores = scores_of(cosines, pairs, grid.params, n_draws)
    changes, metric = compare_to(baseline, scores, n_draws), comparison.metric(dataset)
    least, n_pairs_of_rows = smallest_p(scores, n_draws), math.comb(len(rows), 2)
    # Letters need enough resamples to separate any two of the rows after Holm's adjustment.
    named = letters(scores, n_draws) if n_pairs_of_rows * least <= ALPHA else {}
    columns = (
        Column("dataset", "data set"),
        Column("row"),
        Column("score", metric.header, ".2f", times=100, ends=True),
        Column("letters"),
        Column("change", "difference", "+z.2f", times=100, ends=True),
        Column("change_p_holm", "p (Holm)", "p"),
        *(Column(f"seeds_{of}", f"seeds: {of}", ".2f", times=100) for of in _OF_SEEDS),
    )
    found: list[Row] = []
    for label, row in rows.items():
        fits = comparison.cells[row, dataset]
        known = [cell.score for cell in fits if cell.score is not None]
        own = {
            "dataset": dataset,
            "row": label,
            **{key: getattr(row, key) for key in _OF_ROWS},
            **score_columns(scores[label], changes.get(label), n_draws),
            **({"letters": named.get(label, "")} if named else {}),
            "baseline": baseline,
            "n_seeds": len(known),
            "n_draws": n_draws,
            **(_of_seeds(known) if len(known) > 1 else {}),
        }
        found.append(own)
    about = _about_tests(comparison, dataset, n_draws, least, has_letters=bool(named))
    return Result(
        found,
        remarks_of(Kind.METHOD, *about),
        columns=columns,
        facts={
            "answer": _answer(named, scores),
            "doubt": doubt_of_score(scores[baseline].value, pairs, metric),
            "n_differences": sum(each.p is not None for each in changes.values()),
            "n_significant": sum(each.significant for each in changes.values()),
            "smallest_p": least,
        },
        objects={"metric": metric},
    )


def _of_seeds(known: Sequence[float]) -> dict[str, float]:
    found = summarize_seeds(known)
    return {f"seeds_{key}": getattr(found, key) for key in _OF_SEEDS}


def _answer(named: Mapping[str, str], scores: Mapping[str, Score]) -> str:
    """Say which rows do not differ significantly from each other, the highest scores first."""
    falling = sorted(named, key=lambda label: -(scores[label].value or 0))
    sentences = []
    for rank, letter in enumerate(sorted({*"".join(named.values())})):
        rows = [row for row in falling if letter in named[row]]
        if len(rows) > 1:
            together = f"{', '.join(rows[:-1])} and {rows[-1]}"
            sentences.append(f"{together} do not differ significantly from each other.")
        elif not rank:
            sentences.append(f"{rows[0]} scores significantly higher than every other row.")
    return " ".join(sentences)


def _about_tests(
    comparison: GridResult, dataset: str, n_draws: int, least: float, *, has_letters: bool
) -> Iterator[str]:
    """Say how the intervals and the tests were made, and what they do not cover."""
    grid = comparison.grid
    unit = comparison.metric(dataset).unit
    within = "" if grid.params.aggregation == "all" else ", within subsets"
    of_seeds = " The intervals are for the fit with the first seed only."
    yield (
        f"Brackets show {100 * (1 - ALPHA):g} % intervals from {n_draws:,} resamples of the "
        f"{comparison.pairs[dataset].n_units:,} {unit} of {dataset}{within}. All rows share the "
        f"resamples; calibrators are not fitted again.{of_seeds * (grid.params.seeds > 1)}"
    )
    yield (
        f"The baseline is {row_name(grid.baseline)}. p (Holm) is two-sided and adjusted for "
        f"{counted(len(grid.rows) - 1, 'difference')}; the smallest unadjusted p is {least:.4f}. "
        "The intervals are not adjusted, so one can exclude 0 although p (Holm) is above 0.05."
    )
    yield (
        "Rows that share a letter do not differ significantly (Holm over all pairs of rows)."
        if has_letters
        else f"The rows have no letters: {n_draws:,} resamples are too few to separate so many."
    )
