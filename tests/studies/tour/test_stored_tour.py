"""The lesson that ships: it is of this version's questions, and its numbers are those of Start."""

import re

import pytest

from bertflow_core.recipe import Recipe
from bertflow_core.studies.space.cone import stored_cone
from bertflow_core.studies.tour.lesson import CONTENTS, Step, stored_for, stored_lesson
from bertflow_core.text_table import percent


def test_the_stored_lesson_is_of_the_default_recipe_and_passes_nothing_over():
    lesson = stored_lesson()
    assert lesson.recipe == Recipe()
    assert [step.chapter for step in lesson.steps] == list(CONTENTS)
    assert all(isinstance(step, Step) for step in lesson.steps)
    assert lesson.command == "bertflow-lab report --tour --out lesson.html"


def test_it_is_of_no_other_recipe_but_of_each_calibrator():
    assert stored_for(Recipe(calibrator="whiten")) is stored_lesson()
    assert stored_for(Recipe(seed=1)) is None


def test_its_numbers_are_those_of_the_cone_that_was_measured_apart():
    steps = {step.chapter.name: step.content for step in stored_lesson().steps}
    cone = stored_cone()
    raw, flow = (cone.row(layers="layer:4", calibrator=spec) for spec in ("identity", "flow"))
    output = cone.row(layers="last", calibrator="identity")
    before, after = map(float, re.findall(r"\d\d\.\d\d", steps["agreement"].takeaway))
    assert before == pytest.approx(100 * raw["rho"], abs=0.01)
    assert after == pytest.approx(100 * flow["rho"], abs=1)  # a fit differs between machines
    assert f"from {percent(output['rho'])} to" in steps["last"].takeaway
    share = float(re.search(r"holds (\d+) %", steps["cone"].takeaway)[1])
    assert abs(share - 100 * raw["mean_length"] ** 2) < 2  # a sample of the sentences
    assert steps["agreement"].right == 0
    assert steps["last"].right == 1  # the best of them, standardize, changes next to nothing
    assert "standardize" in steps["last"].takeaway
