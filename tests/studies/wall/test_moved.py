"""Neighbours that rows share between the panes of several models, and the rows that moved most."""

import json

import numpy as np
import pytest
from sklearn.neighbors import NearestNeighbors
from tiny_models import save_tiny_model

from bertflow_core.cli import main
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.store import Unstored
from bertflow_core.studies.wall.drawing import draw_wall
from bertflow_core.studies.wall.moved import SHARED
from bertflow_core.studies.wall.recipe import Picture, WallRecipe
from bertflow_core.studies.wall.rows import build_wall


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Two tiny encoders of different widths."""
    root = tmp_path_factory.mktemp("models")
    narrow = save_tiny_model(root / "narrow", "bert")
    wide = save_tiny_model(root / "wide", "bert", hidden_size=32)
    return str(narrow), str(wide)


def test_a_wall_of_two_models_counts_the_neighbours_that_each_row_keeps(models):
    base = Recipe(model=models[0], dataset="teaching", layers="model")
    recipe = WallRecipe(
        base=base, models=models, layers=("model",), calibrators=("identity",), max_rows=80
    )
    wall = build_wall(recipe, Lab(store=Unstored()))
    drawn = draw_wall(wall, Picture(metric="cosine"))
    near = [
        NearestNeighbors(n_neighbors=11, metric="cosine").fit(each.z).kneighbors(each.z)[1]
        for each in wall.spaces
    ]
    first, second = (
        [[other for other in found if other != row][:10] for row, found in enumerate(rows)]
        for rows in near
    )
    shares = np.array([len({*a} & {*b}) / 10 for a, b in zip(first, second, strict=True)])
    column = drawn.columns[0]
    assert column.name == SHARED
    np.testing.assert_allclose(column.values, shares)
    assert 0 < shares.mean() < 1
    listed = drawn.moved_most()
    assert len(listed) == 10
    worst = sorted(shares)[:10]
    texts = list(wall.texts)
    assert [shares[texts.index(row["Text"])] for row in listed] == pytest.approx(worst)
    assert f"{10 * shares.mean():.1f} with" in drawn.moved_finding()


def test_the_command_takes_several_models_and_its_page_lists_what_moved(models, tmp_path, capfd):
    out = tmp_path / "wall.html"
    options = [part for model in models for part in ("--model", model)]
    command = ["analyse", "wall", *options, "--dataset", "teaching", "--max-rows", "60"]
    with pytest.raises(SystemExit, match="0"):
        main([*command, "--no-store", "--out", str(out)])
    page = out.read_text(encoding="utf-8")
    assert "The ten that moved most" in page
    assert "nearest neighbours in" in capfd.readouterr().err
    assert json.dumps(models[1])[1:-1] in page  # in the command that makes the page again
