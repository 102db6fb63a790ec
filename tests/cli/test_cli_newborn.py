"""`analyse newborn`: the command that a report names makes the report again."""

import json
import shlex

from tiny_newborn import tiny_newborn


def test_the_command_of_a_report_makes_it_again(here, works):
    recipe = tiny_newborn(here).with_(n_steps=3, every=2)
    words = shlex.split(recipe.to_command(["identity"]))[1:]
    found = json.loads(works(*words, "--format", "json", "--figures", "figures"))
    assert found["recording"]["recipe"] == recipe.to_dict()
    assert [frame["step"] for frame in found["recording"]["frames"]] == [0, 2, 3]
    assert len(list((here / "figures").glob("newborn-*.html"))) == 4


def test_a_number_that_cannot_be_is_one_sentence(refuses):
    refuses("analyse", "newborn", "--width", "10", words="width must be a multiple of 4, got 10")
