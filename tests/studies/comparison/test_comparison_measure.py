"""A filled grid against single evaluations, and finished fits are not repeated."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from saved_files import change_config
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows, write_pairs

from bertflow_core import context
from bertflow_core.cells import CellFolder
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.lab import Lab
from bertflow_core.space import Prepared
from bertflow_core.studies.grid import CompareRecipe, Grid, fill

FLOW = "flow:initialization=random,epochs=5,batch_size=8,lr=0.05"
SPECS = ("null-top-k:k=2", FLOW)


@pytest.fixture(scope="module")
def grid(tiny_bert, tmp_path_factory):
    folder, rows = tmp_path_factory.mktemp("tables"), pair_rows()
    tables = [write_pairs(folder / "one.csv"), write_pairs(folder / "two.csv", rows[4:])]
    params = CompareRecipe(
        models=(str(tiny_bert),),
        datasets=tuple(map(str, tables)),
        max_length=MAX_TOKENS,
        seed=5,
        seeds=2,
        aggregation="wmean",
    )
    return Grid(params, SPECS, ("layer:1",))


@pytest.fixture(scope="module")
def kept(grid, tmp_path_factory):
    """The comparison, and the folder of its cells."""
    folder = tmp_path_factory.mktemp("kept") / "cells"
    return fill(grid, Lab(cells=CellFolder(folder))), folder


@pytest.fixture
def comparison(kept):
    return kept[0]


@pytest.fixture
def folder(kept, tmp_path):
    """A copy of the folder of all cells."""
    return shutil.copytree(kept[1], tmp_path / "cells")


@pytest.fixture
def fits(kept, monkeypatch):
    """The recipes that were really fitted."""
    seen = []
    evaluate = Prepared.under

    def note(prepared, spec, **options):
        seen.append(prepared.recipe.with_(calibrator=spec))
        return evaluate(prepared, spec, **options)

    monkeypatch.setattr(Prepared, "under", note)
    return seen


def test_every_cell_is_what_a_single_evaluation_gives(grid, comparison):
    for row, dataset, recipe in [*grid.cells()][::2]:  # of five a table, so each is there once
        (alone,) = Lab().evaluate(recipe)
        cell = next(c for c in comparison.cells[row, dataset] if c.recipe.seed == recipe.seed)
        assert cell.recipe == alone.recipe
        assert (cell.scores, cell.random_cosine) == (alone.scores, alone.random_cosine)
        assert (cell.n_cut, cell.n_sentences) == (alone.prepared.n_cut, alone.prepared.n_sentences)
        np.testing.assert_array_equal(cell.similarity, alone.similarity)
        is_null = row.calibrator.startswith("null")
        assert cell.rank_lost == (2 if is_null else 0)
        assert cell.round_trip is None if is_null else 0 <= cell.round_trip < 1e-3


def test_a_stopped_comparison_is_resumed(grid, comparison, fits, tmp_path):
    cells = CellFolder(tmp_path / "cells")

    def stop(done, total, unit):
        if unit == "cells" and done == 3:
            raise Cancelled("enough")

    with pytest.raises(Cancelled), context.reporting(stop):
        fill(grid, Lab(cells=cells))
    assert len(fits) == 3
    resumed = fill(grid, Lab(cells=cells))
    assert len(fits) == 10
    assert len({recipe.fingerprint() for recipe in fits}) == 10
    for place, found in comparison.cells.items():
        for a, b in zip(found, resumed.cells[place], strict=True):
            assert (a.scores, a.recipe, a.notes) == (b.scores, b.recipe, b.notes)
            np.testing.assert_array_equal(a.similarity, b.similarity)


def test_another_aggregation_needs_no_new_fit(grid, folder, fits):
    other = replace(grid, params=grid.params.with_(aggregation="mean"))
    by_subset = fill(other, Lab(cells=CellFolder(folder)))
    assert fits == []
    assert {c.recipe.aggregation for found in by_subset.cells.values() for c in found} == {"mean"}
    cell = next(iter(by_subset.cells.values()))[0]
    assert by_subset.score(other.rows[0], grid.datasets[0]) == cell.scores.spearman.mean


def test_a_changed_table_is_scored_again(grid, folder, fits):
    rows = [(a, b, 5 - score, subset) for a, b, score, subset in pair_rows()]
    write_pairs(Path(grid.datasets[0]), rows)
    fill(grid, Lab(cells=CellFolder(folder)))
    write_pairs(Path(grid.datasets[0]))
    assert len(fits) == 5
    assert {recipe.dataset for recipe in fits} == {grid.datasets[0]}


@pytest.mark.parametrize("damage", ["bytes", "scores", "another's"])
def test_a_damaged_cell_is_computed_again(grid, folder, fits, damage):
    cell, another, *_ = (path for path in sorted(folder.iterdir()) if path.suffix == ".safetensors")
    if damage == "bytes":
        cell.write_bytes(b"\0" * 40)
    elif damage == "another's":
        cell.write_bytes(another.read_bytes())
    else:
        change_config(cell, scores=None)
    fill(grid, Lab(cells=CellFolder(folder)))
    assert len(fits) == 1
    fill(grid, Lab(cells=CellFolder(folder)))
    assert len(fits) == 1


def test_what_cannot_be_read_is_refused_before_any_fit(grid, fits):
    datasets = grid.datasets[0], "nowhere.csv"
    missing = replace(grid, params=grid.params.with_(datasets=datasets))
    with pytest.raises(InputError, match=r"nowhere\.csv"):
        fill(missing, Lab())
    assert fits == []
