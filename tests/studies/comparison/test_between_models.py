"""The tested difference between two tiny models."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr
from tiny_models import MAX_TOKENS, declare, save_tiny_model
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.evaluation import Comparison
from bertflow_core.lab.lab import Lab
from bertflow_core.report.remark import Kind
from bertflow_core.studies import between_models
from bertflow_core.studies.between_models import _sentence
from bertflow_core.studies.compare import comparison_report
from bertflow_core.studies.grid import AVERAGE, CompareRecipe, Grid, fill
from bertflow_core.studies.ledger import LedgerRecipe, ledger


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A model that declares mean pooling, and one with fewer layers that declares cls."""
    folder = tmp_path_factory.mktemp("models")
    bert = save_tiny_model(folder / "bert", "bert")
    small = save_tiny_model(folder / "small", "bert", num_hidden_layers=2)
    return str(declare(bert, folder / "A")), str(declare(small, folder / "B", pooling="cls"))


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    return tuple(
        str(write_pairs(folder / name, pair_rows(90)[start:]))
        for name, start in (("one.csv", 0), ("two.csv", 15))
    )


@pytest.fixture(scope="module")
def comparison(models, tables):
    params = CompareRecipe(models=models, datasets=tables, max_length=MAX_TOKENS)
    return fill(Grid(params, ("identity",), ("layer:1",)), Lab(device="cpu"))


def own_difference(comparison, models, name):
    """Return the score of the second model's plain output minus that of the first."""
    cosines = [
        fits[0].unit_values
        for model in models
        for (row, dataset), fits in comparison.cells.items()
        if (row.model, row.layers, dataset) == (model, "model", name)
    ]
    first, second = (spearmanr(x, comparison.pairs[name].gold).statistic for x in cosines)
    return second - first


def test_the_ledger_of_two_models_accounts_for_the_whole_difference(comparison, models, tables):
    recipe = LedgerRecipe(
        model=models[0],
        after_model=models[1],
        dataset=tables[0],
        layers="model",
        after="identity",
        order="row",
    )
    report = ledger(recipe, Lab(device="cpu"))
    whole = own_difference(comparison, models, tables[0])
    assert sum(row["share"] for row in report.rows) == pytest.approx(whole, abs=1e-9)
    assert report.facts["rho_after"] - report.facts["rho_before"] == pytest.approx(whole, abs=1e-9)
    assert report.text(Kind.ANSWER).startswith("From A identity to B identity, ")
    ranks = rankdata([row["cosine_after"] for row in report.rows])
    np.testing.assert_array_equal([row["rank_after"] for row in report.rows], ranks)


def test_two_models_differ_by_their_plain_outputs_on_each_table_and_on_average(
    comparison, models, tables
):
    found = {name: each for (_, name), each in comparison.between_models.items()}
    assert [*found] == [*tables, AVERAGE]
    own = [own_difference(comparison, models, name) for name in tables]
    differences = [each.difference for each in found.values()]
    assert differences == pytest.approx([*own, np.mean(own)], abs=1e-9)
    assert all(each.low < each.difference < each.high for each in found.values())
    p = sorted(each.p for each in found.values())
    assert sorted(each.p_adjusted for each in found.values())[0] == min(1, 3 * p[0])


def test_headline_table_and_picture_say_the_same_of_two_models_and_nothing_of_one(comparison):
    report = comparison_report(comparison)
    (table,) = report.tables
    figure = report.figures()["between-models"]
    *_, marks = figure.data
    tested = [*comparison.between_models.values()]
    for row, each, x, symbol in zip(table.rows, tested, marks.x, marks.marker.symbol, strict=True):
        assert row["change"] == each.shown == pytest.approx(x / 100)
        assert (row["change_low"], row["change_high"]) == (each.low, each.high)
        assert row["change_p_holm"] == each.p_adjusted
        assert symbol == ("circle" if each.significant else "circle-open")
    said = report.facts["finding"]
    assert said.index("B ") == 0
    assert said.count("95 % interval") == 3
    folders = comparison.grid.models
    shown = [row[0] for row in report.text_table.rows]
    assert {each.split()[0] for each in shown} == {"A", "B"}
    assert not any(folder in "\n".join([said, *shown]) for folder in folders)
    params = comparison.grid.params.with_(models=folders[:1])
    grid = replace(comparison.grid, params=params)
    cells = {place: each for place, each in comparison.cells.items() if place[0] in grid.rows}
    alone = comparison_report(replace(comparison, grid=grid, cells=cells))
    assert (alone.tables, "between-models" in alone.pictures()) == ((), False)
    assert "95 % interval" not in alone.facts["finding"]


@pytest.mark.parametrize(
    ("scores", "p", "sentence"),
    [
        (
            (0.908, 0.9121, -0.001, 0.0092),
            0.2,
            "B is not significantly better than A on x: 91.2 against 90.8 "
            "(+0.4, 95 % interval -0.1 to +0.9).",
        ),
        (
            (0.908, 0.9072, -0.0012, -0.0004),
            0.01,
            "B is worse than A on x: 90.72 against 90.80 (-0.08, 95 % interval -0.12 to -0.04).",
        ),
        (
            (0.908, 0.908, -0.01, 0.01),
            1.0,
            "B scores as high as A on x: 90.80 against 90.80 "
            "(+0.00, 95 % interval -1.00 to +1.00).",
        ),
    ],
)
def test_the_headline_says_which_is_better_by_how_much_and_how_sure(scores, p, sentence):
    assert _sentence(Comparison(*scores, p, p), "B", "A", "on x") == sentence


def test_of_many_data_sets_the_headline_counts_what_is_significant(comparison, monkeypatch):
    monkeypatch.setattr(between_models, "_MOST_TOLD", 1)
    found = {name: each for (_, name), each in comparison.between_models.items()}
    proven = [found[name] for name in comparison.grid.datasets if found[name].significant]
    better = sum(each.difference > 0 for each in proven)
    counts, average = between_models.models_finding(comparison).split(". ", 1)
    assert counts == (
        f"Of 2 data sets, B is significantly better than A on {better} and significantly worse on "
        f"{len(proven) - better}"
    )
    assert average.count("95 % interval") == 1
    assert " A on average: " in average
