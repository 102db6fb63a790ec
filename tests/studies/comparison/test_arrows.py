"""Each arrow of a comparison's table against its own baseline, from hand-made similarities."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from by_hand import filled, grid_of, pairs_of, row_of
from scipy.stats import spearmanr

from bertflow_core.calibrators.registry import BASELINE
from bertflow_core.contrasts import Scores
from bertflow_core.evaluation.inference import Difference
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import why_unscored
from bertflow_core.studies.compare import comparison_report, finding
from bertflow_core.studies.grid import AVERAGE, Comparison

N = 200
NAMES = ("a.csv", "b.csv")
GOLD = {name: np.random.default_rng(i).uniform(0, 5, N) for i, name in enumerate(NAMES)}
NOISE = {"identity": (3.0, 0.8), "whiten": (3.0, 0.8), "flow": (0.8, 3.0)}
"""By calibrator, at layer 1 and at layer 2."""


def similarity(recipe):
    """Gold and noise; whitening blurs what identity gives by a little noise of its own."""
    seed = recipe.seed * (recipe.calibrator == "flow")
    noise = np.random.default_rng([7, seed]).standard_normal(N)
    own = np.random.default_rng([10, NAMES.index(recipe.dataset)]).standard_normal(N)
    scale = NOISE[recipe.calibrator][recipe.layers == "layer:2"]
    is_whitened = recipe.calibrator == "whiten"
    return GOLD[recipe.dataset] + scale * (noise + 0.1 * own * is_whitened)


def filled_with(datasets=NAMES, seeds=2):
    options = {"layers": ("layer:1", "layer:2"), "datasets": datasets, "seeds": seeds, "seed": 3}
    return filled(grid_of(("whiten", "flow"), **options), GOLD, similarity)


@pytest.fixture(scope="module")
def comparison():
    return filled_with()


def base(row):
    return row.with_(calibrator=BASELINE)


def resampled(comparison, row, dataset, draws=400):
    """Return a row's change on resamples that scipy scores."""
    gold, found = comparison.pairs[dataset].gold, []
    columns = [
        [cell.similarity for cell in comparison.cells[each, dataset]] for each in (row, base(row))
    ]
    rng = np.random.default_rng(11)
    for _ in range(draws):
        rows = rng.integers(N, size=N)
        after, before = (
            np.mean([spearmanr(x[rows], gold[rows]).statistic for x in side]) for side in columns
        )
        found.append(after - before)
    return np.array(found)


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
        assert tested.change.difference == pytest.approx(expected)
        assert tested.change.low < expected < tested.change.high


def test_a_large_change_is_significant_with_its_sign(comparison):
    for layers, sign in (("layer:1", 1), ("layer:2", -1)):
        arrow = comparison.changes[row_of(comparison.grid, f"{layers} flow"), "a.csv"]
        assert arrow.significant and sign * arrow.change.difference > 0.1


def test_an_arrow_is_drawn_where_the_digits_that_are_shown_differ():
    rhos = {"identity": 0.70811, "whiten": 0.70814, "flow": 0.70816}  # 70.81, 70.81 and 70.82
    grid = grid_of(("whiten", "flow"), layers=("layer:1", "layer:2"))
    found = filled(grid, GOLD, lambda recipe: rhos[recipe.calibrator]).changes
    assert {row.calibrator for row, _ in found} == {"flow"}
    assert [a.change.difference for a in found.values()] == pytest.approx([0.00005] * 2)


def test_a_p_value_is_that_of_resamples_scored_by_scipy(comparison):
    p = []
    for (row, column), arrow in comparison.changes.items():
        if column == AVERAGE or row.calibrator == "flow" or row.layers == "layer:2":
            continue
        drawn = resampled(comparison, row, column)
        tail = min((drawn <= 0).mean(), (drawn >= 0).mean())
        p.append(arrow.p)
        assert arrow.p == pytest.approx(2 * tail, abs=0.09)
    assert max(p) > 0.05


def test_holm_is_over_every_arrow_of_the_table(comparison):
    arrows = comparison.changes
    p = sorted(arrow.p for arrow in arrows.values())
    m = len(p)
    assert m == 4 * 3
    by_hand = np.minimum(np.maximum.accumulate([p[i] * (m - i) for i in range(m)]), 1)
    assert sorted(a.p_adjusted for a in arrows.values()) == pytest.approx(by_hand.tolist())
    for arrow in arrows.values():
        assert arrow.significant == (arrow.p_adjusted <= 0.05)
    alone = filled_with(datasets=("a.csv",))
    place = row_of(alone.grid, "layer:1 whiten"), "a.csv"
    assert alone.changes[place].p == arrows[place].p
    assert AVERAGE not in {column for _, column in alone.changes}


def test_an_average_is_surer_than_its_parts():
    """Two data sets with the same pairs: the spread of their mean is that of one over sqrt(2)."""
    one = filled_with(datasets=("a.csv",), seeds=1)
    cells = {**one.cells, **{(row, "b.csv"): fits for (row, _), fits in one.cells.items()}}
    grid = replace(one.grid, params=one.grid.params.with_(datasets=NAMES))
    both = Comparison(grid, dict.fromkeys(NAMES, one.pairs["a.csv"]), cells)
    row = row_of(grid, "layer:1 whiten")
    part, mean = both.changes[row, "a.csv"], both.changes[row, AVERAGE]
    assert mean.change.difference == pytest.approx(part.change.difference)
    assert mean.p < 0.5 * part.p < 0.05


def test_the_table_and_the_files_tell_unproven_arrows_apart(comparison):
    report, arrows = comparison_report(comparison), comparison.changes
    column = report.face.header.index("not significant")
    for row, line in zip(comparison.grid.rows, report.face.rows, strict=True):
        for name, text in zip(report.face.header[2:5], line[2:5], strict=True):
            arrow, mark = arrows.get((row, name)), text.partition(" ")[2]
            shape = "" if arrow is None else "▲" if arrow.change.difference > 0 else "▼"
            is_proven = arrow is None or arrow.significant
            assert mark == (shape if is_proven else f"({shape})")
            assert (name in line[column].split(", ")) is not is_proven
    for record in csv.DictReader(io.StringIO(report.write("csv"))):
        row = row_of(comparison.grid, f"{record['vectors']} {record['calibrator']}")
        arrow = arrows.get((row, record["dataset"]))
        assert record["change_significant"] == ("" if arrow is None else str(arrow.significant))
    best = max(comparison.grid.rows, key=lambda row: comparison.score(row, AVERAGE))
    assert best.calibrator == "whiten"  # by a hair
    doubted = "against identity on the same vectors (not significant)" in finding(comparison)
    assert doubted is not arrows[best, AVERAGE].significant


def test_pairs_without_gold_have_no_arrows_and_say_why():
    grid = grid_of(("whiten",), datasets=NAMES)
    found = filled(grid, GOLD, lambda _: None)
    single = pairs_of(GOLD["a.csv"], gold=None, second=())
    found = replace(found, pairs={**found.pairs, "b.csv": single})
    assert found.changes == found.to_plain == {}
    remarks = comparison_report(found).remarks
    assert f"b.csv: {why_unscored(single)}" in remarks
    assert not any(remark.startswith("a.csv: ") for remark in remarks)


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


@pytest.fixture
def by_hand(monkeypatch):
    """Return a comparison of hand-made scores: on a.csv every change is significant."""

    def tested(scores, contrasts):
        return [
            Difference(each.row, each.against, scores.untested(each).change, 0.1, adjusted)
            for each in contrasts
            for adjusted in [0.01 if each.datasets == ("a.csv",) else 0.2]
        ]

    monkeypatch.setattr(Scores, "tested", tested)

    def make(**changed):
        def rho(recipe):
            place = recipe.layers, recipe.calibrator, recipe.dataset
            return changed.get(recipe.calibrator) or RHOS[place][recipe.seed]

        grid = grid_of(("null-top-k:k=1", "flow"), datasets=NAMES, seeds=2)
        return filled(grid, dict.fromkeys(NAMES, (1, 2, 3)), rho)

    return make


def test_the_table_has_arrows_an_average_and_the_loss_of_each_map(by_hand):
    report = comparison_report(by_hand())
    assert report.face.header == (
        "encoder", "calibrator", "a.csv", "b.csv", "average", "not significant",
        "to plain output", "rank lost", "round trip",
    )  # fmt: skip
    null = ("minilm last", "null-top-k:k=1")
    assert report.face.rows == (
        ("minilm plain output", "identity", "50.00", "25.00", "37.50", "", "", "0", "2e-07"),
        ("minilm last", "identity", "50.00", "25.00", "37.50", "", "+0.00", "0", "2e-07"),
        (*null, "62.50 ▲", "12.50 (▼)", "37.50", "b.csv", "+0.00", "1", "-"),
        ("minilm last", "flow", "62.50 ▲", "-", "-", "", "", "0", "2e-07"),
    )


def test_the_finding_is_the_row_of_the_highest_average(by_hand):
    said = finding(by_hand(identity=0.325))
    assert said.startswith("minilm last null-top-k:k=1 is highest on a.csv, b.csv: 37.50, +5.00 ")
    assert said.count("+5.00") == said.count("(not significant)") == 2


def test_a_row_is_one_fit_with_its_whole_recipe(by_hand):
    comparison = by_hand()
    report = comparison_report(comparison)
    assert len(report.rows) == 10
    flow = report.where(calibrator="flow", dataset="a.csv")
    assert [(row["seed"], row["spearman"]["all"]) for row in flow] == [(0, 0.5), (1, 0.75)]
    recipe = Recipe.from_dict(report.rows[-1]["recipe"])
    assert recipe == comparison.cells[row_of(comparison.grid, "last flow"), "b.csv"][-1].recipe
