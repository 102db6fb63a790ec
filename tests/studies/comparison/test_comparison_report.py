"""The forms of a comparison's report, from hand-made numbers."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from bertflow_core.change import Change
from bertflow_core.datasets import Provenance, SentencePairs
from bertflow_core.evaluation.inference import Difference
from bertflow_core.evaluation.sts import Correlations, StsScores
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import why_unscored
from bertflow_core.studies.comparison import Arrows, Cell, Comparison, Grid, Row
from bertflow_core.studies.comparison.report import comparison_report, finding

SOURCE = Provenance("A table.", "not stated", "table", (), (("main", 3),))
RHOS = {
    ("last", "identity", "a.csv"): [0.5],
    ("last", "identity", "b.csv"): [0.25],
    ("last", "null-top-k:k=1", "a.csv"): [0.625],
    ("last", "null-top-k:k=1", "b.csv"): [0.125],
    ("last", "flow", "a.csv"): [0.5, 0.75],
    ("last", "flow", "b.csv"): [0.25, None],
    ("model", "identity", "a.csv"): [0.5],
    ("model", "identity", "b.csv"): [0.25],
}


def cell(recipe, rho, spec):
    correlations = Correlations(rho, rho, rho, {"main": rho})
    return Cell(
        recipe=recipe,
        scores=StsScores(3, correlations, correlations),
        similarity=np.zeros(3),
        random_cosine=0.125,
        rank_lost=int(spec.startswith("null")),
        round_trip=None if spec.startswith("null") else 2e-7,
        fitted_on="6 sentences.",
        n_cut=0,
        n_sentences=6,
        notes=("=note",),
        seconds={"fit": 0.5},
    )


def arrow(change, significant):
    return Difference(
        "row", "baseline", Change(0.5, 0.5 + change), 0.1, 0.01 if significant else 0.2
    )


def by_hand(comparison):
    """Return arrows by hand: on a.csv every change is significant, elsewhere none is."""
    found = {
        (row, dataset): arrow(change, significant=dataset == "a.csv")
        for row in comparison.grid.rows
        for dataset in comparison.grid.datasets
        if (change := comparison.change(row, dataset)) is not None and abs(change) >= 5e-5
    }
    return Arrows(found, {}, 2_000)


@pytest.fixture
def comparison():
    grid = Grid(
        protocol=Recipe(dataset="teaching"),
        models=("minilm",),
        layers=("last",),
        calibrators=("null-top-k:k=1", "flow"),
        datasets=("a.csv", "b.csv"),
        n_seeds=2,
    )
    cells = {}
    for row, dataset, recipe in grid.cells():
        fits = cells.setdefault((row, dataset), [])
        rho = RHOS[row.layers, row.calibrator, dataset][len(fits)]
        fits.append(cell(recipe, rho, row.calibrator))
    pairs = SentencePairs("p", "test", "abc", "def", [1, 2, 3], (0, 5), ["main"] * 3, SOURCE)
    filled = {place: tuple(fits) for place, fits in cells.items()}
    return Comparison(grid, {"a.csv": pairs, "b.csv": pairs}, filled)


def test_the_table_has_arrows_an_average_and_the_loss_of_each_map(comparison):
    table = comparison_report(comparison, by_hand(comparison)).face
    assert table.header == (
        "encoder", "calibrator", "a.csv", "b.csv", "average", "not significant",
        "to plain output", "rank lost", "round trip",
    )  # fmt: skip
    assert table.rows == (
        ("minilm plain output", "identity", "50.00", "25.00", "37.50", "", "", "0", "2e-07"),
        ("minilm last", "identity", "50.00", "25.00", "37.50", "", "+0.00", "0", "2e-07"),
        (
            "minilm last",
            "null-top-k:k=1",
            "62.50 ▲",
            "12.50 (▼)",
            "37.50",
            "b.csv",
            "+0.00",
            "1",
            "-",
        ),
        ("minilm last", "flow", "62.50 ▲", "-", "-", "", "", "0", "2e-07"),
    )
    assert "mean of 2 seeds" in " ".join(table.remarks)
    assert "a.csv 3 pairs, b.csv 3 pairs" in " ".join(table.remarks)


@pytest.mark.parametrize(
    ("n_proven", "n_other", "words"),
    [
        (1, 0, "Holm over 1 arrow; 1 is significant (5 %)."),
        (2, 1, "Holm over 3 arrows; 2 are significant (5 %), those in parentheses are not."),
        (0, 0, ""),
    ],
)
def test_arrows_are_counted_and_a_column_is_there_only_for_those_in_parentheses(
    comparison, n_proven, n_other, words
):
    places = [(row, name) for row in comparison.grid.rows[2:] for name in ("a.csv", "b.csv")]
    kinds = [True] * n_proven + [False] * n_other
    found = {place: arrow(0.1, each) for place, each in zip(places, kinds, strict=False)}
    table = comparison_report(comparison, Arrows(found, {}, 2_000)).face
    assert [remark[remark.index("Holm") :] for remark in table.remarks if "Holm" in remark] == (
        [words] if words else []
    )
    assert ("not significant" in table.header) is (n_other > 0)


def test_what_has_no_gold_scores_says_so_under_its_name(comparison):
    single = SentencePairs("p", "test", "abc", (), None, (0, 5), ["main"] * 3, SOURCE)
    mixed = replace(comparison, pairs=comparison.pairs | {"b.csv": single})
    remarks = comparison_report(mixed, by_hand(comparison)).face.remarks
    assert f"b.csv: {why_unscored(single)}" in remarks
    assert not any(remark.startswith("a.csv: ") for remark in remarks)
    assert "a.csv 3 pairs, b.csv 3 sentences." in remarks[0]


def test_the_finding_is_the_row_of_the_highest_average(comparison):
    cells = dict(comparison.cells)
    for layers in ("last", "model"):
        place = Row("minilm", layers, "mean", "identity"), "a.csv"
        cells[place] = (cell(Recipe(dataset="teaching"), 0.4, "identity"),)
    changed = Comparison(comparison.grid, comparison.pairs, cells)
    said = finding(changed, by_hand(changed))  # 32.50 against 37.50
    assert "null-top-k:k=1" in said
    assert said.endswith(
        "is highest on a.csv, b.csv: 37.50, +5.00 against identity on the same vectors, +5.00 "
        "against the plain output."
    )


@pytest.mark.parametrize(("change", "mark"), [(0.001, "▲"), (-0.001, "▼"), (0.00004, ""), (0, "")])
def test_arrows_show_the_direction_of_a_change_that_two_digits_show(comparison, change, mark):
    row = Row("minilm", "last", "mean", "null-top-k:k=1")
    place = row, "a.csv"
    cells = comparison.cells | {
        place: (cell(Recipe(dataset="teaching"), 0.5 + change, row.calibrator),)
    }
    changed = Comparison(comparison.grid, comparison.pairs, cells)
    table = comparison_report(changed, by_hand(changed)).face
    assert table.rows[2][2].partition(" ")[2] == mark


def test_csv_has_one_row_per_fit_with_its_whole_recipe(comparison):
    rows = list(
        csv.DictReader(io.StringIO(comparison_report(comparison, by_hand(comparison)).write("csv")))
    )
    assert len(rows) == 10
    flow = [row for row in rows if row["calibrator"] == "flow" and row["dataset"] == "a.csv"]
    assert [(row["seed"], row["spearman_all"]) for row in flow] == [("0", "0.5"), ("1", "0.75")]
    kept = {name.removeprefix("recipe_") for name in rows[0]}
    assert set(Recipe(dataset="teaching").to_dict()) <= kept
    assert rows[0]["notes"] == "'=note."


def test_recipes_can_be_read_back_from_json(comparison):
    document = json.loads(comparison_report(comparison, by_hand(comparison)).write("json"))
    assert len(document["rows"]) == 10
    recipe = Recipe.from_dict(document["rows"][-1]["recipe"])
    last = comparison.fits(Row("minilm", "last", "mean", "flow"), "b.csv")[-1]
    assert recipe == last.recipe
    assert document["data"]["a.csv"]["source"] == "A table."


@pytest.mark.parametrize("name", ["table", "markdown", "latex"])
def test_every_form_names_its_rows_and_protocol(comparison, name):
    text = comparison_report(comparison, by_hand(comparison)).write(name)
    assert "null-top-k:k=1" in text
    assert "aggregation all" in text
