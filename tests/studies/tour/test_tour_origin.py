"""The line under a step: the recipe's own words for whatever decides its numbers."""

import pytest

from bertflow_core.recipe import Recipe
from bertflow_core.studies.tour.origin import of_change, origin, origin_of_words, shared_origin
from bertflow_core.studies.words.recipe import WordRecipe

CHANGED = Recipe(
    model="my/model",
    revision="0123456789abcdef",
    layers="last2",
    tokens="max",
    max_length=17,
    precision="bfloat16",
    dataset="sts12",
    split="train",
    calibrator="whiten",
    fit_on="corpus.txt",
    seed=7,
    aggregation="wmean",
)


@pytest.mark.parametrize("recipe", [CHANGED, Recipe(calibrator="flow")])
def test_one_calibrator_is_named_as_the_recipe_names_it(recipe):
    said = origin(recipe, [recipe.calibrator], also=of_change(recipe, 2_000))
    assert said == f"{recipe.caption()}; 2,000 resamples"


def test_nothing_is_fitted_on_a_corpus_where_nothing_is_fitted():
    assert origin(CHANGED).endswith("; identity, seed 7")
    said = origin(CHANGED, ["identity", "whiten", "flow"], layers="layers 0 to 3")
    assert "; identity, whiten and flow fitted on corpus.txt, seed 7" in said
    assert "layers 0 to 3, max tokens" in said
    assert "last2" not in said


def test_what_is_shared_names_no_layer_calibrator_or_aggregation():
    said = shared_origin(CHANGED)
    assert "my/model at 0123456789ab, max tokens, at most 17 tokens, bfloat16" in said
    assert "sts12 train; seed 7. What is fitted is fitted on corpus.txt." in said
    assert not any(word in said for word in ("last2", "whiten", "wmean"))


def test_words_are_named_by_their_table_and_bins():
    recipe = WordRecipe(model="a", revision="f" * 40, bins=(0, 9))
    assert origin_of_words(recipe) == (
        "a at ffffffffffff, raw table; counts vocabulary; bins 0, 9; identity"
    )
