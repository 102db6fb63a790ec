"""A declaration becomes the schema that specs and forms read."""

from dataclasses import dataclass

import pytest

from bertflow_core.calibrators.options import FlowOptions, TrainedOptions
from bertflow_core.flows.config import Coupling, GlowConfig, TrainingConfig
from bertflow_core.params import Parameter, parameter, parameters_of, same_parameter
from bertflow_core.recipe import Recipe


@dataclass
class Options:
    rate: float = parameter(0.5, "A rate.", low=0, high=1, above_low=True, tried=(0.1, 0.5))
    count: int | None = parameter(None, "A count; none is all.", low=1)
    form: Coupling = parameter(Coupling.ADDITIVE, "A form.", choices=("additive", "affine"))
    undeclared: int = 3


@dataclass
class Others:
    form: str = same_parameter(Options, "form")


def test_a_declared_field_is_a_parameter_and_any_other_is_not():
    rate, count, form = parameters_of(Options)
    assert rate == Parameter("rate", float, 0.5, "A rate.", 0, 1, above_low=True, tried=(0.1, 0.5))
    assert (count.kind, count.default, count.expected) == (
        int,
        None,
        "a whole number from 1, or none",
    )
    assert (form.kind, form.default, type(form.default)) == (str, "additive", str)
    assert parameters_of(int) == ()


@pytest.mark.parametrize(
    ("help", "label"),
    [
        ("A rate.", "A rate (r)"),
        ("Rows per step, at most N; others are left out.", "Rows per step (r)"),
        ("Passes; a fraction, too.", "Passes (r)"),
    ],
)
def test_a_label_is_the_beginning_of_the_help_and_the_name(help, label):
    assert Parameter("r", float, 0.5, help).label == label


def test_the_same_parameter_has_one_declaration():
    assert parameters_of(Others) == (parameters_of(Options)[2],)
    assert Others().form == "additive"


@pytest.mark.parametrize(
    ("options", "config"), [(FlowOptions, GlowConfig), (TrainedOptions, TrainingConfig)]
)
def test_the_options_of_the_flow_are_those_of_its_configurations(options, config):
    declared = {each.name: each for each in parameters_of(config)}
    shared = [each for each in parameters_of(options) if each.name in declared]
    assert len(shared) >= 6
    for each in shared:
        assert each == declared[each.name] or each.name == "seed"  # whose default is the recipe's


def test_every_field_of_a_recipe_says_what_it_is():
    helps = {each.name: each.help for each in parameters_of(Recipe)}
    assert all(helps.values())
    assert {*helps, "calibrator"} == {*Recipe().to_dict()}  # which each command says of its own
