import inspect
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest

from bertflow_core.calibrators import CALIBRATORS, build_calibrator
from bertflow_core.calibrators.linear import NullTopK, Whiten
from bertflow_core.calibrators.spec import StepSpec, parse_spec
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
    ],
)
def test_a_wrong_spec_gets_a_sentence(spec, words):
    with pytest.raises(InputError, match=words):
        build_calibrator(spec)


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
