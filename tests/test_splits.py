"""Which recipes are dev and test of a data set, and what is refused before any embedding."""

import pytest
from tiny_pairs import tiny_recipe, write_stsb

from bertflow_core.errors import InputError
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.splits import chosen_on_dev, splits_of


@pytest.mark.parametrize("split", ["test", "dev", "train"])
def test_dev_chooses_and_the_recipes_split_or_test_is_scored(tiny_bert, tmp_path, split):
    lab = Lab(data_dir=write_stsb(tmp_path))
    recipe = tiny_recipe(tiny_bert, "stsb", split=split)
    splits = splits_of(recipe, lab)
    scored = "test" if split == "dev" else split
    assert splits.present == (recipe.with_(split="dev"), recipe.with_(split=scored))
    assert splits.scored == splits.test and splits.note == ""


def test_without_a_test_split_dev_is_reported_with_a_warning(tiny_bert, tmp_path):
    lab = Lab(data_dir=write_stsb(tmp_path))
    (tmp_path / "STS" / "STSBenchmark" / "sts-test.csv").unlink()
    recipe = tiny_recipe(tiny_bert, "stsb", split="dev")
    splits = splits_of(recipe, lab)
    assert (splits.scored, splits.test) == (recipe, None)
    assert "overstated" in splits.note
    with pytest.raises(InputError, match="no test split"):
        splits_of(recipe.with_(split="test"), lab)


def test_a_table_has_no_dev_split(recipe_of):
    recipe = recipe_of()
    splits = splits_of(recipe, Lab())
    assert splits.present == (recipe,) and "no dev split" in splits.note
    in_memory = Lab(tables={recipe.dataset: Lab().load(recipe)})
    assert splits_of(recipe.with_(split="dev"), in_memory).dev is None
    for split in ("dev", "nope"):
        with pytest.raises(InputError, match="split"):
            splits_of(recipe.with_(split=split), Lab())


def test_data_without_gold_scores_are_refused(recipe_of, tmp_path):
    table = tmp_path / "pairs.csv"
    table.write_text("sentence1,sentence2\na dog,a cat\na cow,a pig\n", encoding="utf-8")
    with pytest.raises(InputError, match="nothing to score against"):
        splits_of(recipe_of().with_(dataset=str(table)), Lab())


def test_the_best_value_on_dev_is_the_first_of_ties():
    assert chosen_on_dev({"a": 0.1, "b": 0.5, "c": 0.5, "d": None}) == "b"
    assert chosen_on_dev({"a": None}) is None
