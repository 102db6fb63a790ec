import inspect
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

from bertflow_core.calibrators import CALIBRATORS, build_calibrator
from bertflow_core.calibrators.removal import NullTopK
from bertflow_core.calibrators.spec import StepSpec, parse_spec
from bertflow_core.calibrators.whitening import Whiten
from bertflow_core.errors import InputError

every_info = pytest.mark.parametrize("info", CALIBRATORS.values(), ids=list(CALIBRATORS))


def target(info):
    module, _, name = info.target.partition(":")
    return getattr(import_module(module), name)


@every_info
def test_the_schema_is_the_constructor_s_signature(info):
    signature = inspect.signature(target(info)).parameters
    about_the_run = {"device", "on_step"}
    assert {p.name for p in info.parameters} == set(signature) - about_the_run
    for parameter in info.parameters:
        assert parameter.default == signature[parameter.name].default
        assert type(parameter.default) in (parameter.kind, type(None))
        parameter.check(parameter.default)
        assert parameter.help.endswith(".")


@every_info
def test_an_entry_names_itself_and_its_source(info):
    assert target(info).name == info.name
    assert info.title and info.formula and info.source and info.invertible and info.density


@every_info
def test_declared_invertibility_and_density_are_what_a_fit_finds(info):
    x = np.random.default_rng(0).normal(size=(50, 6))
    fitted = build_calibrator(info.name, device="cpu").fit(x)
    assert (fitted.why_not_invertible() is None) == (not info.invertible.startswith("no:"))
    if fitted.why_not_invertible() is not None:
        assert info.density == "no"


def test_a_spec_is_split_into_steps_and_options():
    assert parse_spec("standardize+null-top-k:k=6") == (
        StepSpec("standardize", ()),
        StepSpec("null-top-k", (("k", "6"),)),
    )
    assert parse_spec("flow:lr=1e+3,epochs=2")[0].options == (("lr", "1e+3"), ("epochs", "2"))


def test_options_reach_the_calibrator_as_numbers():
    calibrator = build_calibrator("null-top-k:k=6")
    assert isinstance(calibrator, NullTopK)
    assert calibrator.k == 6
    whiten = build_calibrator("whiten:n_components=none,shrinkage=0.5")
    assert isinstance(whiten, Whiten)
    assert (whiten.n_components, whiten.shrinkage) == (None, 0.5)


def test_the_seed_goes_to_steps_that_draw_and_were_given_none():
    assert build_calibrator("flow", seed=7).seed == 7
    assert build_calibrator("flow:seed=3", seed=7).seed == 3
    assert build_calibrator("standardize+flow", seed=7).steps[1].seed == 7


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("", "not of the form"),
        ("flow:", "not of the form"),
        ("flow:lr", "not of the form"),
        ("flow:lr=", "not of the form"),
        ("flow:lr=1,lr=2", "an option twice"),
        ("flow+", "not of the form"),
        ("FLOW", "not of the form"),
        ("x" * 501, "longer than 500"),
        ("whitening", "did you mean whiten"),
        ("flow:learning=1", "no parameter 'learning'"),
        ("identity:k=1", "takes no parameters"),
        ("null-top-k:k=1.5", "a whole number from 0"),
        ("null-top-k:k=-1", "from 0"),
        ("null-top-k:k=none", "a whole number"),
        ("whiten:shrinkage=nan", "a number from 0 to 1"),
        ("whiten:shrinkage=1.1", "a number from 0 to 1"),
        ("flow:lr=0", "above 0"),
        ("flow:coupling=spline", "one of additive, affine"),
        ("flow:bias_correction=true", "one of yes, no"),
        ("flow:preset=papers", "no preset 'papers': did you mean paper"),
        ("whiten:preset=paper", "no parameter 'preset'"),
        ("soft-whiten:power=1.5", "a number from 0 to 1"),
        ("soft-whiten:eps=-1", "a number from 0"),
        ("soft-whiten:rotation=cholesky", "one of pca, zca"),
        ("all-but-the-top:k=0", "from 1"),
        ("gaussianize:n_quantiles=1", "from 2"),
        ("rbig:n_layers=0", "from 1"),
    ],
)
def test_a_wrong_spec_gets_a_sentence(spec, words):
    with pytest.raises(InputError, match=words):
        build_calibrator(spec)


def presets():
    return [(info, preset) for info in CALIBRATORS.values() for preset in info.presets]


@pytest.mark.parametrize(("info", "preset"), presets(), ids=lambda part: part.name)
def test_a_preset_is_valid_values_of_known_parameters(info, preset):
    values = dict(preset.values)
    assert len(values) == len(preset.values)
    for key, value in values.items():
        info.parameter(key).check(value)
    assert preset.help.endswith(".")
    calibrator = build_calibrator(f"{info.name}:preset={preset.name}", device="cpu")
    resolved = calibrator.resolved_parameters()
    assert resolved == {**build_calibrator(info.name).resolved_parameters(), **values}


def test_the_preset_of_the_paper_is_the_defaults():
    paper = build_calibrator("flow:preset=paper").resolved_parameters()
    assert paper == build_calibrator("flow").resolved_parameters()


def test_the_preset_of_the_released_code_is_what_it_does():
    found = build_calibrator("flow:preset=released-code").resolved_parameters()
    assert found == {
        "lr": 1e-3,
        "epochs": 1.0,
        "batch_size": 64,
        "n_levels": 3,
        "depth": 3,
        "coupling_width": 32,
        "coupling": "additive",
        "permutation": "reversal",
        "initialization": "random",
        "weight_decay": 0.01,
        "clip_norm": 0.5,
        "bias_correction": "no",
        "seed": 0,
    }


@pytest.mark.parametrize(
    "spec", ["flow:preset=released-code,n_levels=2", "flow:n_levels=2,preset=released-code"]
)
def test_an_option_wins_over_the_preset_beside_it(spec):
    found = build_calibrator(spec)
    assert (found.n_levels, found.initialization) == (2, "random")


def test_a_preset_works_in_a_pipeline():
    step = build_calibrator("standardize+flow:preset=nli", seed=4).steps[1]
    assert (step.lr, step.epochs, step.seed) == (2e-5, 0.15, 4)


def test_the_seed_goes_to_a_step_that_draws_without_a_device():
    assert build_calibrator("rbig:rotation=random", seed=7, device="cpu").seed == 7


@pytest.mark.parametrize("calibrator", [NullTopK(k="6"), NullTopK(k=True), Whiten(shrinkage=2)])
def test_a_wrong_argument_in_python_is_refused_by_fit(calibrator):
    with pytest.raises(InputError, match="must be"):
        calibrator.fit(np.eye(4))


def test_listing_the_calibrators_imports_nothing_heavy():
    code = (
        "import sys; from bertflow_core.calibrators import CALIBRATORS; "
        "print([m for m in ('torch', 'sklearn', 'numpy') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
