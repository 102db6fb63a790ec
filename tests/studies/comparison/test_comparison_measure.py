"""A filled grid against single evaluations, and finished fits are not repeated."""

import json

import numpy as np
import pytest
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.errors import Cancelled, InputError
from bertflow_core.experiment import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.comparison import CellFolder, Grid, Row, compare, measure

FLOW = "flow:initialization=random,epochs=5,batch_size=8,lr=0.05"
SPECS = ("null-top-k:k=2", FLOW)


@pytest.fixture
def grid(tiny_bert, tmp_path):
    rows = pair_rows()
    tables = [write_pairs(tmp_path / "one.csv"), write_pairs(tmp_path / "two.csv", rows[4:])]
    return Grid(
        protocol=Recipe(max_length=MAX_TOKENS, seed=5, aggregation="wmean"),
        models=(str(tiny_bert),),
        layers=("layer:1", "last"),
        calibrators=SPECS,
        datasets=tuple(map(str, tables)),
        n_seeds=2,
    )


@pytest.fixture
def fits(monkeypatch):
    """The recipes that were fitted, not read from a cache."""
    seen = []
    evaluate = measure.evaluate_calibrator

    def note(prepared, spec, **options):
        seen.append(prepared.recipe.with_(calibrator=spec))
        return evaluate(prepared, spec, **options)

    monkeypatch.setattr(measure, "evaluate_calibrator", note)
    return seen


def test_every_cell_is_what_a_single_evaluation_gives(grid):
    comparison = compare(grid, Lab())
    for row, dataset, recipe in grid.cells():
        (alone,) = Lab().evaluate(recipe)
        cell = next(c for c in comparison.fits(row, dataset) if c.recipe.seed == recipe.seed)
        assert cell.recipe == alone.recipe
        assert (cell.scores, cell.random_cosine) == (alone.scores, alone.random_cosine)
        assert (cell.n_cut, cell.n_sentences) == (alone.prepared.n_cut, alone.prepared.n_sentences)
        np.testing.assert_array_equal(cell.similarity, alone.similarity)


def test_the_loss_of_each_map_is_measured(grid):
    comparison = compare(grid, Lab())
    encoder = grid.rows[0].encoder
    dataset = grid.datasets[0]
    (null,) = comparison.fits(Row(*encoder, "null-top-k:k=2"), dataset)
    assert (null.rank_lost, null.round_trip) == (2, None)
    for cell in comparison.fits(Row(*encoder, FLOW), dataset):
        assert cell.rank_lost == 0
        assert 0 <= cell.round_trip < 1e-3


def test_numbers_of_several_seeds_are_their_mean_and_changes_are_to_the_rows_own_baseline(grid):
    comparison = compare(grid, Lab())
    row, dataset = Row(str(grid.models[0]), "last", "mean", FLOW), grid.datasets[1]
    one, two = (cell.scores.spearman.wmean for cell in comparison.fits(row, dataset))
    assert one != two
    assert comparison.rho(row, dataset) == pytest.approx((one + two) / 2)
    (base,) = comparison.rhos(row.baseline, dataset)
    assert comparison.change(row, dataset) == pytest.approx((one + two) / 2 - base)
    assert comparison.change(row.baseline, dataset) is None
    both = [comparison.rho(row, name) for name in grid.datasets]
    assert comparison.average(row) == pytest.approx(sum(both) / 2)
    raw = [comparison.rho(row.baseline, name) for name in grid.datasets]
    assert comparison.average_change(row) == pytest.approx(sum(both) / 2 - sum(raw) / 2)
    everything = [cell.scores.spearman.all for cell in comparison.fits(row, dataset)]
    assert comparison.rho(row, dataset, "all") == pytest.approx(sum(everything) / 2)


def test_a_stopped_comparison_is_resumed(grid, fits, tmp_path):
    cells = CellFolder(tmp_path / "cells")

    def stop(done, total, unit):
        if unit == "cells" and done == 5:
            raise Cancelled("enough")

    with pytest.raises(Cancelled):
        compare(grid, Lab(), cells=cells, progress=stop)
    assert len(fits) == 5
    resumed = compare(grid, Lab(), cells=cells)
    assert len(fits) == 16
    assert len({recipe.fingerprint() for recipe in fits}) == 16
    fresh = compare(grid, Lab())
    for place, computed in fresh.cells.items():
        for a, b in zip(computed, resumed.cells[place], strict=True):
            assert (a.scores, a.recipe, a.notes) == (b.scores, b.recipe, b.notes)
            np.testing.assert_array_equal(a.similarity, b.similarity)


def test_another_aggregation_needs_no_new_fit(grid, fits, tmp_path):
    cells = CellFolder(tmp_path / "cells")
    compare(grid, Lab(), cells=cells)
    n_fits = len(fits)
    by_mean = Grid(**{**vars(grid), "protocol": grid.protocol.with_(aggregation="mean")})
    by_subset = compare(by_mean, Lab(), cells=cells)
    assert len(fits) == n_fits
    assert {c.recipe.aggregation for cells in by_subset.cells.values() for c in cells} == {"mean"}
    again = by_subset.under("all")
    assert {c.recipe.aggregation for cells in again.cells.values() for c in cells} == {"all"}
    cell = next(iter(by_subset.cells.values()))[0]
    assert by_subset.rho(grid.rows[0], grid.datasets[0]) == cell.scores.spearman.mean


def test_tables_in_memory_are_compared_like_files(grid):
    recipe = grid.recipes(grid.rows[0], grid.datasets[0])[0]
    in_memory = Grid(**{**vars(grid), "datasets": ("mine",), "layers": ("last",)})
    comparison = compare(in_memory, Lab(tables={"mine": Lab().load(recipe)}))
    files = compare(Grid(**{**vars(grid), "layers": ("last",)}), Lab())
    for row in in_memory.rows:
        assert comparison.rhos(row, "mine") == files.rhos(row, grid.datasets[0])


def test_a_changed_table_is_scored_again(grid, fits, tmp_path):
    cells = CellFolder(tmp_path / "cells")
    compare(grid, Lab(), cells=cells)
    fits.clear()
    rows = [(a, b, 5 - score, subset) for a, b, score, subset in pair_rows()]
    write_pairs(tmp_path / "one.csv", rows)
    compare(grid, Lab(), cells=cells)
    assert len(fits) == 8
    assert {recipe.dataset for recipe in fits} == {grid.datasets[0]}


@pytest.mark.parametrize("damage", ["text", "scores", "similarity", "other"])
def test_a_damaged_cell_is_computed_again(grid, fits, tmp_path, damage):
    root = tmp_path / "cells"
    compare(grid, Lab(), cells=CellFolder(root))
    folder = next(path for path in sorted(root.iterdir()) if path.is_dir())
    config = json.loads((folder / "config.json").read_text())
    if damage == "text":
        (folder / "config.json").write_text("{")
    elif damage == "similarity":
        (folder / "model.safetensors").write_bytes(b"\0" * 40)
    else:
        config |= {"scores": None} if damage == "scores" else {"key": "0" * 64}
        (folder / "config.json").write_text(json.dumps(config))
    fits.clear()
    compare(grid, Lab(), cells=CellFolder(root))
    assert len(fits) == 1
    fits.clear()
    compare(grid, Lab(), cells=CellFolder(root))
    assert fits == []


def test_unreadable_data_is_refused_before_any_fit(grid, fits):
    missing = Grid(**{**vars(grid), "datasets": (grid.datasets[0], "nowhere.csv")})
    with pytest.raises(InputError, match=r"nowhere\.csv"):
        compare(missing, Lab())
    assert fits == []
