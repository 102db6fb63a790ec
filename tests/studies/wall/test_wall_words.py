"""Spaces of words: the table's rows of the words that every model has."""

import numpy as np
import pytest
from safetensors.numpy import load_file
from tiny_models import save_tiny_model

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.lab import Lab
from bertflow_core.studies.wall.nearest import neighbours_of
from bertflow_core.studies.wall.recipe import WallRecipe
from bertflow_core.studies.wall.rows import build_wall
from bertflow_core.studies.words.prepared import prepare_words
from bertflow_core.studies.words.recipe import WordRecipe

LISTED = "the 90\none 80\ncat 70\nzebra 60\na 50\ndog 40\nmat 30\nred 20\nblue 10\n"
COVERED = ["the", "cat", "a", "dog", "mat", "red", "blue"]


@pytest.fixture
def base(tiny_bert, tmp_path):
    path = tmp_path / "counts.txt"
    path.write_text(LISTED, encoding="utf-8")
    return WordRecipe(model=str(tiny_bert), counts=str(path), bins=(0, 2, 7))


def build(base, **choices):
    return build_wall(WallRecipe(**{"base": base, "calibrators": ("identity",), **choices}), Lab())


def test_rows_are_the_words_and_z_the_rows_of_the_table(base, tiny_bert):
    wall = build(base, calibrators=("identity", "whiten"))
    assert list(wall.rows.texts) == COVERED
    assert wall.rows.description == "all 7 words in the bins"
    table = load_file(tiny_bert / "model.safetensors")["embeddings.word_embeddings.weight"]
    at = prepare_words(base).rows
    assert (wall.spaces[0].z == table[at]).all()
    expected = build_calibrator("whiten").fit(table).transform(table)[at]
    np.testing.assert_allclose(wall.spaces[1].z, expected, rtol=0, atol=1e-4)
    assert wall.fitted_on == "Fitted on every row of each model's word table."


def test_columns_are_those_of_the_list(base):
    wall = build(base)
    columns = {each.name: each for each in wall.columns}
    assert list(columns) == ["rank", "frequency", "bin", "length", "token", "norm"]
    assert columns["rank"].values.tolist() == list(range(1, 8))
    np.testing.assert_allclose(columns["frequency"].values[:2], np.log10([90, 70]), rtol=1e-6)
    assert columns["bin"].cells([0, 1, 2, 6]) == ["1 to 2"] * 2 + ["3 to 7"] * 2
    assert columns["length"].values.tolist() == [3, 3, 1, 3, 3, 3, 4]
    assert columns["token"].cells([0]) == ["whole"]


def test_tables_before_and_after_layer_norm_stand_side_by_side(base):
    wall = build(base, layers=("raw", "layer-norm"))
    expected = prepare_words(base.with_(table="layer-norm"))
    np.testing.assert_allclose(wall.spaces[1].z, expected.x[expected.rows], atol=1e-6)
    assert not np.allclose(wall.spaces[0].z, wall.spaces[1].z)


def test_of_several_models_the_words_of_all_are_shown(base, tmp_path, monkeypatch):
    monkeypatch.setattr("tiny_models.WORDS", ("mat", "the", "dog", "a", "owl"))
    other = save_tiny_model(tmp_path / "other", "bert")
    wall = build(base, models=(base.model, str(other)))
    assert list(wall.rows.texts) == ["the", "a", "dog", "mat"]
    assert wall.rows.description == "all 4 words in the bins that every model has"
    theirs = prepare_words(base.with_(model=str(other)))
    rows = [theirs.rows[theirs.words.index(word)] for word in wall.rows.texts]
    assert (wall.spaces[1].z == theirs.x[rows]).all()
    rank = next(each for each in wall.columns if each.name == "rank")
    assert rank.values.tolist() == [1, 3, 4, 5]
    assert len(neighbours_of(wall, 0, 2)[1].rows) == 2


def test_a_sample_is_spread_over_the_ranks(base):
    rows = build(base, max_rows=3).rows
    assert rows.description == "a sample of 3 of 7 words in the bins, seed 0"
    assert list(rows.texts) == [COVERED[i] for i in rows.ids]
    assert rows.ids.tolist() != [0, 1, 2]


def test_a_piece_is_called_one(base, tmp_path):
    path = tmp_path / "letters.txt"
    path.write_text("cat 9\nx 8\nbb 7\n##x 6\n", encoding="utf-8")
    recipe = base.with_(counts=str(path), words="any")
    wall = build(recipe)
    token = next(each for each in wall.columns if each.name == "token")
    prepared = prepare_words(recipe)
    kinds = ["piece" if is_piece else "whole" for is_piece in prepared.table.piece[prepared.rows]]
    assert list(wall.rows.texts) == list(prepared.words)
    assert token.cells(range(len(kinds))) == kinds
    assert kinds[wall.rows.texts.index("cat")] == "whole"
