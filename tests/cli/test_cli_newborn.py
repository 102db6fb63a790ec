"""`analyse newborn`: its figures, and a refusal."""

import json

from tiny_newborn import tiny_newborn


def test_a_training_is_written_with_its_figures(here, works):
    recipe = tiny_newborn(here).with_(n_steps=3, every=2)
    words = [*recipe.to_args(), "--calibrator", "identity"]
    options = ("--format", "json", "--figures", "figures")
    found = json.loads(works("analyse", "newborn", *words, *options))
    assert found["recipe"] == recipe.to_dict()
    assert [row["step"] for row in found["rows"]] == [0, 2, 3]
    assert len(list((here / "figures").glob("newborn-*.html"))) == 4


def test_a_number_that_cannot_be_is_one_sentence(refuses):
    refuses("analyse", "newborn", "--width", "10", words="width must be a multiple of 4, got 10")
