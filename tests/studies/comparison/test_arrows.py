"""Each arrow of a comparison's table against its own baseline, from hand-made similarities."""

import csv
import io
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import spearmanr
from test_comparison_report import SOURCE

from bertflow_core.datasets import SentencePairs
from bertflow_core.evaluation import score_pairs
from bertflow_core.evaluation.sts import Correlations, StsScores
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison import AVERAGE, Cell, Comparison, Grid, Row, arrows_of
from bertflow_core.studies.comparison.report import comparison_report, finding

N = 200
NAMES = ("a.csv", "b.csv")
GOLD = {name: np.random.default_rng(i).uniform(0, 5, N) for i, name in enumerate(NAMES)}
NOISE = {"identity": (3.0, 0.8), "whiten": (3.0, 0.8), "flow": (0.8, 3.0)}
"""By calibrator, at layer 1 and at layer 2."""


def similarity(row, dataset, seed):
    """Gold and noise; whitening blurs what identity gives by a little noise of its own."""
    of_flow = row.calibrator == "flow"
    noise = np.random.default_rng([7, seed * of_flow]).standard_normal(N)
    own = np.random.default_rng([10, NAMES.index(dataset)]).standard_normal(N)
    scale = NOISE[row.calibrator][row.layers == "layer:2"]
    return GOLD[dataset] + scale * (noise + 0.1 * own * (row.calibrator == "whiten"))


def filled(datasets=("a.csv", "b.csv"), n_seeds=2):
    grid = Grid(
        protocol=Recipe(dataset="teaching", seed=3),
        models=("minilm",),
        layers=("layer:1", "layer:2"),
        calibrators=("whiten", "flow"),
        datasets=datasets,
        n_seeds=n_seeds,
    )
    cells = {}
    for row, dataset, recipe in grid.cells():
        values = similarity(row, dataset, recipe.seed)
        scores = score_pairs(values, GOLD[dataset], ["main"] * N)
        cell = Cell(recipe, scores, values, 0.0, 0, None, "", 0, N, (), {"fit": 0.0})
        cells.setdefault((row, dataset), []).append(cell)
    words = tuple(str(i) for i in range(N))
    pairs = {
        name: SentencePairs(name, "test", words, words, GOLD[name], (0, 5), ("main",) * N, SOURCE)
        for name in datasets
    }
    return Comparison(grid, pairs, {place: tuple(fits) for place, fits in cells.items()})


@pytest.fixture(scope="module")
def comparison():
    return filled()


@pytest.fixture(scope="module")
def arrows(comparison):
    return arrows_of(comparison)


def resampled(comparison, row, dataset, draws=400):
    """Return the mean and the spread of a row's change on resamples that scipy scores."""
    gold, found = comparison.pairs[dataset].gold, []
    columns = [
        [cell.similarity for cell in comparison.fits(each, dataset)] for each in (row, row.baseline)
    ]
    rng = np.random.default_rng(11)
    for _ in range(draws):
        rows = rng.integers(N, size=N)
        after, before = (
            np.mean([spearmanr(x[rows], gold[rows]).statistic for x in side]) for side in columns
        )
        found.append(after - before)
    return np.array(found)


def test_an_arrow_joins_a_row_to_its_own_baseline(comparison, arrows):
    rows = comparison.grid.rows
    assert {row for row, _ in arrows.tested} == {row for row in rows if row != row.baseline}
    assert {dataset for _, dataset in arrows.tested} == {"a.csv", "b.csv", AVERAGE}
    for (row, dataset), arrow in arrows.tested.items():
        if dataset is not AVERAGE:
            assert arrow.change.difference == pytest.approx(comparison.change(row, dataset))
    up = arrows.get(Row("minilm", "layer:1", "mean", "flow"), "a.csv")
    down = arrows.get(Row("minilm", "layer:2", "mean", "flow"), "a.csv")
    assert up.significant and up.change.difference > 0.1
    assert down.significant and down.change.difference < -0.1


def test_an_arrow_is_drawn_where_the_digits_that_are_shown_differ():
    rhos = {"identity": 0.70811, "whiten": 0.70814, "flow": 0.70816}  # 70.81, 70.81 and 70.82
    comparison = filled(datasets=("a.csv",), n_seeds=1)
    cells = {
        (row, name): [replace(fits[0], scores=scored(rhos[row.calibrator]))]
        for (row, name), fits in comparison.cells.items()
    }
    found = arrows_of(replace(comparison, cells=cells)).tested
    assert {row.calibrator for row, _ in found} == {"flow"}
    assert [a.change.difference for a in found.values()] == pytest.approx([0.00005] * 2)


def scored(rho):
    """Return scores with this rho under every aggregation."""
    both = Correlations(rho, rho, rho, {})
    return StsScores(N, both, both)


def test_a_p_value_is_that_of_resamples_scored_by_scipy(comparison, arrows):
    p = []
    for (row, dataset), arrow in arrows.tested.items():
        if dataset is AVERAGE or row.calibrator == "flow":
            continue
        drawn = resampled(comparison, row, dataset)
        tail = min((drawn <= 0).mean(), (drawn >= 0).mean())
        p.append(arrow.p)
        assert arrow.p == pytest.approx(2 * tail, abs=0.09)
    assert max(p) > 0.05


def test_holm_is_over_every_arrow_of_the_table(arrows):
    p = sorted(arrow.p for arrow in arrows.tested.values())
    m = len(p)
    assert m == 4 * 3
    by_hand = np.minimum(np.maximum.accumulate([p[i] * (m - i) for i in range(m)]), 1)
    assert sorted(a.p_adjusted for a in arrows.tested.values()) == pytest.approx(by_hand.tolist())
    for arrow in arrows.tested.values():
        assert arrow.significant == (arrow.p_adjusted <= 0.05)
    alone = arrows_of(filled(datasets=("a.csv",)))
    place = Row("minilm", "layer:1", "mean", "whiten"), "a.csv"
    assert alone.tested[place].p == arrows.tested[place].p
    assert AVERAGE not in {dataset for _, dataset in alone.tested}


def test_an_average_is_surer_than_its_parts():
    """Two data sets with the same pairs: the spread of their mean is that of one over sqrt(2)."""
    one = filled(datasets=("a.csv",), n_seeds=1)
    cells = dict(one.cells)
    cells |= {(row, "b.csv"): fits for (row, _), fits in one.cells.items()}
    grid = replace(one.grid, datasets=("a.csv", "b.csv"))
    pairs = {"a.csv": one.pairs["a.csv"], "b.csv": one.pairs["a.csv"]}
    arrows = arrows_of(Comparison(grid, pairs, cells))
    row = Row("minilm", "layer:1", "mean", "whiten")
    part, mean = arrows.tested[row, "a.csv"], arrows.tested[row, AVERAGE]
    assert mean.change.difference == pytest.approx(part.change.difference)
    assert mean.p < 0.5 * part.p < 0.05


def test_the_table_and_the_files_tell_unproven_arrows_apart(comparison, arrows):
    report = comparison_report(comparison, arrows)
    table = report.face
    column = table.header.index("not significant")
    for row, line in zip(comparison.grid.rows, table.rows, strict=True):
        for name, text in zip(table.header[2:5], line[2:5], strict=True):
            arrow = arrows.get(row, AVERAGE if name == "average" else name)
            mark = text.partition(" ")[2]
            if arrow is None:
                assert mark == ""
                continue
            shape = "▲" if arrow.change.difference > 0 else "▼"
            assert mark == (shape if arrow.significant else f"({shape})")
            assert (name in line[column].split(", ")) is not arrow.significant
    assert r"($\uparrow$)" in report.write("latex")
    for record in csv.DictReader(io.StringIO(report.write("csv"))):
        row = Row("minilm", record["layers"], "mean", record["calibrator"])
        arrow = arrows.get(row, record["dataset"])
        assert record["change_significant"] == ("" if arrow is None else str(arrow.significant))
    assert f"Holm over {len(arrows.tested)} arrows;" in " ".join(table.remarks)


def test_a_best_row_that_is_not_proven_says_so(comparison, arrows):
    best = max(comparison.grid.rows, key=lambda row: comparison.score(row, AVERAGE))
    assert best.calibrator == "whiten"  # by a hair
    doubted = "against identity on the same vectors (not significant)" in finding(
        comparison, arrows
    )
    assert doubted is not arrows.tested[best, AVERAGE].significant


def test_every_row_is_set_against_the_plain_output_of_its_model(comparison, arrows):
    first, *rows = comparison.grid.rows
    assert first == first.plain
    assert {row for row, _ in arrows.to_plain} <= set(rows)
    for (row, dataset), tested in arrows.to_plain.items():
        expected = comparison.score(row, dataset) - comparison.score(first, dataset)
        assert tested.change.difference == pytest.approx(expected)
        assert tested.change.low < expected < tested.change.high
    flow = Row("minilm", "layer:1", "mean", "flow")
    assert arrows.to_plain[flow, "a.csv"].p == pytest.approx(
        arrows.tested[flow, "a.csv"].p, abs=0.01
    )


def test_pairs_without_gold_have_no_arrows(comparison):
    pairs = {name: replace(each, gold=None) for name, each in comparison.pairs.items()}
    cells = {
        place: tuple(
            replace(cell, scores=score_pairs(np.zeros(N), GOLD["a.csv"], ["main"] * N))
            for cell in fits
        )
        for place, fits in comparison.cells.items()
    }
    found = arrows_of(Comparison(comparison.grid, pairs, cells))
    assert found.tested == found.to_plain == {}
