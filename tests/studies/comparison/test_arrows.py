"""The changes in a table of `compare` and their significance, from made-up similarities."""

import csv
import io
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import Pairs, Provenance, Texts
from bertflow_core.errors import InputError
from bertflow_core.evaluation import AUC, RHO, score_pairs
from bertflow_core.evaluation.metrics import Correlations, StsScores
from bertflow_core.evaluation.significance import holm
from bertflow_core.lab.cells import Cell
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.report.remark import Kind
from bertflow_core.studies.compare import (
    _answer,
    _wide_table,
    comparison_report,
    finding,
    significance,
)
from bertflow_core.studies.grid import AVERAGE, CompareRecipe, Grid, GridResult, row_name

SOURCE = Provenance("A table.", "not stated", "table", (), (("main", 3),))
N = 200
NAMES = ("a.csv", "b.csv")
GOLD = {name: np.random.default_rng(i).uniform(0, 5, N) for i, name in enumerate(NAMES)}
SAME = (3.0, 0.8)
NOISE = {"identity": SAME, "standardize": SAME, "whiten": SAME, "flow": (0.8, 3.0)}
"""The noise of each calibrator at layer 1 and at layer 2."""


def grid_of(calibrators, *, layers=("last",), datasets=("a.csv",), **choices):
    return Grid(CompareRecipe(datasets=datasets, **choices), calibrators, layers)


def row_of(grid, name):
    return next(row for row in grid.rows if row_name(row) == f"minilm {name}")


def filled(grid, similarity):
    """Return a grid whose cells hold `similarity(recipe)`, or a given rho."""
    cells = {}
    for row, dataset, recipe in grid.cells():
        values = similarity(recipe)
        is_rho = values is None or isinstance(values, float)
        both = Correlations(values, values, values, {"main": values}) if is_rho else None
        told = GOLD[dataset], [""] * N
        scores = StsScores(N, both, both) if is_rho else score_pairs(values, *told)
        is_null = recipe.calibrator.startswith("null")
        cell = Cell(
            recipe=recipe,
            scores=scores,
            unit_values=np.zeros(N) if is_rho else values,
            random_cosine=0.125,
            rank_lost=int(is_null),
            round_trip=None if is_null else 2e-7,
            fitted_on="6 sentences.",
            n_cut=0,
            n_sentences=6,
            notes=("=note",),
            seconds={"fit": 0.5},
        )
        cells.setdefault((row, dataset), []).append(cell)
    pairs = {name: pairs_of(GOLD[name]) for name in grid.datasets}
    return GridResult(grid, pairs, {place: tuple(fits) for place, fits in cells.items()})


def pairs_of(known, **changes):
    words, n = tuple(map(str, range(len(known)))), len(known)
    values = {"second": words, "targets": known, "scale": (0, 5), **changes}
    shared = {"split": "test", "subsets": ("main",) * n, "provenance": SOURCE}
    return Pairs(name="p", first=words, **shared, **values)


def similarity(recipe):
    """Return gold scores plus noise; whitening adds a little noise to that of identity."""
    seed = recipe.seed * (recipe.calibrator == "flow")
    noise = np.random.default_rng([7, seed]).standard_normal(N)
    own = np.random.default_rng([10, NAMES.index(recipe.dataset)]).standard_normal(N)
    scale = NOISE[recipe.calibrator][recipe.layers == "layer:2"]
    is_whitened = recipe.calibrator == "whiten"
    return GOLD[recipe.dataset] + scale * (noise + 0.1 * own * is_whitened)


def filled_with(specs=("whiten", "flow"), layers=("layer:1", "layer:2"), **choices):
    options = {"datasets": NAMES, "seeds": 2, "seed": 3, **choices}
    return filled(grid_of(specs, layers=layers, **options), similarity)


@pytest.fixture(scope="module")
def comparison():
    return filled_with()


def base(row):
    return row.with_(calibrator=BASELINE)


@pytest.mark.parametrize("kind", ["changes", "to_plain"])
def test_every_row_is_set_against_its_own_baseline_and_the_plain_output(comparison, kind):
    found, (plain, *rows) = getattr(comparison, kind), comparison.grid.rows
    assert plain == plain.plain
    assert {column for _, column in found} == {"a.csv", "b.csv", AVERAGE}
    assert {row for row, _ in found} <= {*rows}
    if kind == "changes":
        assert {row for row, _ in found} == {row for row in rows if row != base(row)}
    for (row, column), tested in found.items():
        other = base(row) if kind == "changes" else plain
        expected = comparison.score(row, column) - comparison.score(other, column)
        assert tested.difference == pytest.approx(expected)
        assert tested.low < expected < tested.high


def test_data_sets_of_two_metrics_have_no_average_and_a_difference_each():
    scores = {"a.csv": (0.5, 0.75), "b.csv": (0.625, 0.5)}
    grid = grid_of(("whiten",), layers=("layer:1",), datasets=NAMES)
    result = filled(grid, lambda recipe: scores[recipe.dataset][recipe.calibrator == "whiten"])
    of_labels = pairs_of(GOLD["b.csv"] > 2.5, metric="auc")
    result = replace(result, pairs={**result.pairs, "b.csv": of_labels})
    plain, *rows = _wide_table(result).rows
    assert [row[-3] for row in (plain, *rows)] == ["", "+0.00, +0.00", "+25.00 (▲), -12.50 (▼)"]


def test_an_arrow_is_drawn_where_the_digits_that_are_shown_differ():
    rhos = {"identity": 0.70811, "whiten": 0.70814, "flow": 0.70816}  # 70.81 twice, then 70.82
    grid = grid_of(("whiten", "flow"), layers=("layer:1", "layer:2"))
    found = filled(grid, lambda recipe: rhos[recipe.calibrator]).changes
    assert {row.calibrator for row, _ in found} == {"flow"}
    assert [a.difference for a in found.values()] == pytest.approx([0.00005] * 2)


def test_holm_is_over_every_arrow_of_the_table_and_large_changes_stay_significant(comparison):
    arrows = comparison.changes
    assert len(arrows) == 4 * 3
    adjusted = holm([arrow.p for arrow in arrows.values()])
    assert [arrow.p_adjusted for arrow in arrows.values()] == pytest.approx(adjusted.tolist())
    for layers, sign in (("layer:1", 1), ("layer:2", -1)):
        arrow = arrows[row_of(comparison.grid, f"{layers} flow"), "a.csv"]
        assert arrow.significant and sign * arrow.difference > 0.1
    alone = filled_with(datasets=("a.csv",))
    place = row_of(alone.grid, "layer:1 whiten"), "a.csv"
    assert alone.changes[place].p == arrows[place].p
    assert AVERAGE not in {column for _, column in alone.changes}


def test_an_average_is_surer_than_its_parts():
    """For two data sets with the same pairs, the spread of the mean is smaller by sqrt(2)."""
    one = filled_with(datasets=("a.csv",), seeds=1)
    cells = {**one.cells, **{(row, "b.csv"): fits for (row, _), fits in one.cells.items()}}
    grid = replace(one.grid, params=one.grid.params.with_(datasets=NAMES))
    both = GridResult(grid, dict.fromkeys(NAMES, one.pairs["a.csv"]), cells)
    row = row_of(grid, "layer:1 whiten")
    part, mean = both.changes[row, "a.csv"], both.changes[row, AVERAGE]
    assert mean.difference == pytest.approx(part.difference)
    assert mean.p < 0.5 * part.p < 0.05


def test_the_table_and_the_files_tell_unproven_arrows_apart(comparison):
    report, arrows = comparison_report(comparison), comparison.changes
    column = report.text_table.header.index("not significant")
    for row, line in zip(comparison.grid.rows, report.text_table.rows, strict=True):
        for name, text in zip(report.text_table.header[2:5], line[2:5], strict=True):
            arrow, mark = arrows.get((row, name)), text.partition(" ")[2]
            shape = "" if arrow is None else "▲" if arrow.difference > 0 else "▼"
            is_proven = arrow is None or arrow.significant
            assert mark == (shape if is_proven else f"({shape})")
            assert (name in line[column].split(", ")) is not is_proven
    for record in csv.DictReader(io.StringIO(report.write("csv"))):
        name = f"{record['vectors']} {record['calibrator']}"
        row = row_of(comparison.grid, name.removeprefix("minilm "))
        arrow = arrows.get((row, record["dataset"]))
        assert record["change_significant"] == ("" if arrow is None else str(arrow.significant))
    best = max(comparison.grid.rows, key=lambda row: comparison.score(row, AVERAGE))
    assert best.calibrator == "whiten"  # by very little
    doubted = "over the uncalibrated vectors (not significant)" in finding(comparison)
    assert doubted is not arrows[best, AVERAGE].significant


def test_pairs_without_gold_have_no_arrows_and_say_why():
    grid = grid_of(("whiten",), datasets=NAMES)
    found = filled(grid, lambda _: None)
    texts = tuple(map(str, range(N)))
    single = Texts(name="p", texts=texts, subsets=("main",) * N, provenance=SOURCE)
    found = replace(found, pairs={**found.pairs, "b.csv": single})
    assert found.changes == found.to_plain == {}
    assert comparison_report(found).text(Kind.MISSING) == f"b.csv: {why_unscored(single)}"


RHOS = {
    "identity": {"a.csv": [0.5], "b.csv": [0.25]},
    "null-top-k:k=1": {"a.csv": [0.625], "b.csv": [0.2]},
    "flow": {"a.csv": [0.5, 0.75], "b.csv": [0.25, None]},
}


def test_a_table_has_means_over_seeds_an_average_and_the_loss_of_each_map():
    grid = grid_of(("null-top-k:k=1", "flow"), datasets=NAMES, seeds=2)
    comparison = filled(grid, lambda cell: RHOS[cell.calibrator][cell.dataset][cell.seed])
    report = comparison_report(comparison)
    assert report.text_table.header == (
        "encoder", "calibrator", "a.csv", "b.csv", "average", "not significant",
        "to plain output", "rank lost", "round trip",
    )  # fmt: skip
    null = ("minilm last", "null-top-k:k=1", "62.50 (▲)", "20.00 (▼)", "41.25 (▲)")
    assert report.text_table.rows == (
        ("minilm plain output", "identity", "50.00", "25.00", "37.50", "", "", "0", "2e-07"),
        ("minilm last", "identity", "50.00", "25.00", "37.50", "", "+0.00", "0", "2e-07"),
        (*null, "a.csv, b.csv, average", "+3.75 (▲)", "1", "-"),
        ("minilm last", "flow", "62.50 (▲)", "-", "-", "a.csv", "", "0", "2e-07"),
    )
    said = finding(comparison)
    assert ", minilm last null-top-k:k=1 " in said and "41.25, +3.75 " in said
    assert said.count("+3.75") == said.count("(not significant)") == 2
    assert len(report.rows) == 10  # one for each fit
    flow = report.where(calibrator="flow", dataset="a.csv")
    assert [(row["seed"], row["spearman"]["all"]) for row in flow] == [(0, 0.5), (1, 0.75)]
    recipe = Recipe.from_dict(report.rows[-1]["recipe"])
    assert recipe == comparison.cells[row_of(grid, "last flow"), "b.csv"][-1].recipe


# Tests of the rows on one data set against a baseline row.

SPECS = ("standardize", "whiten", "flow")


def compared(baseline="minilm layer:1 identity", specs=SPECS, **choices):
    options = {"seeds": 3, "bootstrap": 500, "baseline": baseline, **choices}
    return filled_with(specs, ("layer:1",), datasets=("a.csv",), **options)


@pytest.fixture(scope="module")
def report():
    return significance(compared(), "a.csv")


def test_figures_name_rows_by_their_calibrators_where_all_are_of_the_same_vectors(report):
    _, *rows = report.rows
    for shown, prefix in ((report, "minilm layer:1 "), (replace(report, rows=rows), "")):
        figure = shown.figures()["differences"]
        *_, marks = figure.data
        names = [f"{prefix}{spec}" for spec in SPECS]
        assert [line.split("  ")[0] for line in marks.y][-3:] == names
        assert figure.layout.xaxis.title.text.endswith(f"from {prefix}identity")


def test_equal_rows_never_differ_and_a_random_calibrator_is_summarized_over_its_seeds(report):
    rows = {row["calibrator"]: row for row in report.rows}
    plain, same, flow = (rows[spec] for spec in ("identity", "standardize", "flow"))
    assert "change" not in plain and "seeds_sd" not in same
    assert (same["change"], same["change_p"], same["change_significant"]) == (0, 1, False)
    assert same["letters"] == plain["letters"]
    assert flow["change_significant"]
    assert 0 < flow["change_low"] < flow["change"] < flow["change_high"]
    shown = round(100 * flow["score"], 2) - round(100 * plain["score"], 2)
    assert flow["change"] == pytest.approx(shown / 100)
    assert not set(flow["letters"]) & set(plain["letters"])
    comparison = compared()
    rhos = [c.score for c in comparison.cells[row_of(comparison.grid, "layer:1 flow"), "a.csv"]]
    summary = np.mean(rhos), np.std(rhos, ddof=1), np.median(rhos)
    assert [flow[f"seeds_{of}"] for of in ("mean", "sd", "median")] == pytest.approx(summary)
    assert (flow["n_seeds"], flow["score"]) == (3, pytest.approx(rhos[0]))
    assert report.facts["smallest_p"] == 2 / 501


def test_the_baseline_can_be_any_row_and_tests_stand_below_the_comparison():
    report = comparison_report(compared("minilm layer:1 flow", bootstrap=200))
    (table,) = report.tables
    record = next(row for row in table.rows if row["row"] == "minilm layer:1 identity")
    assert record["change"] < 0
    assert record["baseline"] == "minilm layer:1 flow"
    assert {"differences", "intervals"} < report.pictures().keys()
    with pytest.raises(InputError, match="no row is called 'last'"):
        compared("last")
    comparison = compared(None, ("identity",))
    alone = replace(comparison, grid=replace(comparison.grid, without_plain=("minilm",)))
    with pytest.raises(InputError, match="needs two rows"):
        significance(alone, "a.csv")


def test_a_wide_interval_is_told_and_of_labels_it_is_that_of_the_rarer_one(report):
    gold = GOLD["a.csv"]
    few = (np.argsort(gold) >= N - 6).astype(float)
    labelled = pairs_of(few, metric="auc", scale=(0.0, 1.0))
    of_labels = significance(replace(compared(None), pairs={"a.csv": labelled}), "a.csv")
    for found, metric, known in ((report, RHO, gold), (of_labels, AUC, few)):
        assert "200 pairs of" in found.facts["doubt"]
        half = metric.half_width(found.rows[0]["score"], known)
        assert f"about {100 * half:.0f} points" in found.facts["doubt"]


def test_the_answer_names_the_rows_that_share_a_letter():
    scores = {name: SimpleNamespace(value=ord(name)) for name in "xyz"}
    apart = _answer({"x": "b", "y": "b", "z": "a"}, scores)
    chain = _answer({"x": "a", "y": "ab", "z": "b"}, scores)
    assert "z scores significantly higher" in apart and "y and x do not differ" in apart
    assert "z and y do not differ" in chain and "y and x do not differ" in chain
    assert _answer({}, scores) == ""
