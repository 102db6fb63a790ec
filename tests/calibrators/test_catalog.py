import inspect
import subprocess
import sys

import numpy as np
import pytest

from bertflow_core.calibrators import CALIBRATORS, build_calibrator
from bertflow_core.calibrators.registry import (
    Step,
    check_spec,
    offered_specs,
    parse_spec,
    plain_name,
)
from bertflow_core.calibrators.removal import NullTopK
from bertflow_core.calibrators.whitening import Whiten
from bertflow_core.errors import InputError

every_info = pytest.mark.parametrize("info", CALIBRATORS.values(), ids=list(CALIBRATORS))


@every_info
def test_the_schema_is_the_constructor_s_signature(info):
    signature = inspect.signature(info).parameters
    about_the_run = {"device", "on_step", "share"}
    assert {p.name for p in info.parameters()} == set(signature) - about_the_run
    for parameter in info.parameters():
        assert parameter.default == signature[parameter.name].default
        assert type(parameter.default) in (parameter.kind, type(None))
        parameter.check(parameter.default)
        assert parameter.help.endswith(".")


@every_info
def test_an_entry_names_itself_and_its_source(info):
    assert info.plain and info.formula and info.source and info.invertible and info.density


@every_info
def test_declared_invertibility_and_density_are_what_a_fit_finds(info):
    x = np.random.default_rng(0).normal(size=(50, 6))
    fitted = build_calibrator(info.name, device="cpu").fit(x)
    assert (fitted.why_not_invertible() is None) == (not info.invertible.startswith("no:"))
    if fitted.why_not_invertible() is not None:
        assert info.density == "no"
    assert fitted.has_density == (info.density != "no")


def test_a_spec_is_split_into_steps_and_options():
    assert parse_spec("standardize+null-top-k:k=6") == (
        Step("standardize", ()),
        Step("null-top-k", (("k", "6"),)),
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
    values = preset.values
    for key, value in values.items():
        info.parameter(key).check(value)
    assert preset.help.endswith(".")
    calibrator = build_calibrator(f"{info.name}:preset={preset.name}", device="cpu")
    resolved = calibrator.resolved_parameters()
    assert resolved == {**build_calibrator(info.name).resolved_parameters(), **values}


def test_the_preset_of_the_paper_is_what_it_says():
    """Section 3.2, Table 7 and Appendix B of Li et al. (2020)."""
    found = build_calibrator("flow:preset=paper").resolved_parameters()
    said = {
        "coupling": "additive",
        "permutation": "random",
        "n_levels": 2,
        "depth": 3,
        "coupling_width": 32,
        "lr": 1e-3,
        "epochs": 1.0,
        # "The optimizer that we use is Adam": no decay and no clipping are named.
        "weight_decay": 0.0,
        "clip_norm": None,
        "bias_correction": "yes",
    }
    left_open = {"batch_size": 64, "initialization": "data", "seed": 0}
    assert found == {**said, **left_open}
    assert found == build_calibrator("flow").resolved_parameters()  # what dev chose
    nli = build_calibrator("flow:preset=nli").resolved_parameters()
    assert nli == {**found, "lr": 2e-5, "epochs": 0.15}


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


@pytest.mark.parametrize(
    ("spec", "plain"),
    [
        ("identity", "no calibration"),
        ("standardize", "subtract the mean and divide by the standard deviation"),
        ("null-top-k:k=0", "subtract the mean"),
        ("null-top-k", "remove the top direction"),
        ("null-top-k:k=6", "remove the top 6 directions"),
        ("all-but-the-top", "remove the top D / 100 directions"),
        ("all-but-the-top:k=none", "remove the top D / 100 directions"),
        ("all-but-the-top:k=1", "remove the top direction"),
        ("all-but-the-top:k=3", "remove the top 3 directions"),
        ("common-component", "remove the top singular direction"),
        ("common-component:k=2", "remove the top 2 singular directions"),
        ("whiten", "whitening"),
        ("whiten:n_components=none", "whitening"),
        ("whiten:n_components=256", "whitening to 256 dimensions"),
        ("whiten:n_components=1,shrinkage=0.5", "whitening to 1 dimension (shrinkage 0.5)"),
        ("soft-whiten:eps=0.10", "soft whitening"),
        ("soft-whiten:power=0.5,rotation=pca", "soft whitening (power 0.5, rotation pca)"),
        ("ledoit-wolf", "whitening with Ledoit-Wolf shrinkage"),
        ("gaussianize", "make each feature Gaussian"),
        ("gaussianize:n_quantiles=50", "make each feature Gaussian (n_quantiles 50)"),
        ("rbig:rotation=random,seed=3", "iterative Gaussianization (rotation random, seed 3)"),
        ("flow", "BERT-flow"),
        ("flow:lr=1e-3,epochs=1", "BERT-flow"),
        ("flow:lr=1e-4", "BERT-flow (lr 0.0001)"),
        ("flow:preset=released-code", "BERT-flow (preset released-code)"),
        ("flow:n_levels=2,preset=released-code", "BERT-flow (preset released-code, n_levels 2)"),
        ("realnvp:n_layers=5", "RealNVP flow (n_layers 5)"),
        ("spline-flow", "neural spline flow"),
        ("maf", "masked autoregressive flow"),
        ("null-top-k:k=0+whiten", "subtract the mean, then whitening"),
        ("standardize+flow:preset=nli", "subtract the mean and divide by the standard deviation, "
         "then BERT-flow (preset nli)"),
    ],
)  # fmt: skip
def test_a_spec_has_a_plain_name(spec, plain):
    assert plain_name(spec) == plain


@every_info
def test_every_option_shows_in_the_plain_name(info):
    for each in info.parameters():
        value = next((text for text in each.choices if text != each.default), None)
        value = value or ("0.5" if each.kind is float else "7")
        assert value in plain_name(f"{info.name}:{each.name}={value}")


def test_a_plain_name_of_a_wrong_spec_is_refused():
    with pytest.raises(InputError, match="did you mean whiten"):
        plain_name("whitening")
    with pytest.raises(InputError, match="from 0"):
        plain_name("null-top-k:k=-1")


def test_what_forms_offer_is_valid_and_complete():
    offered = offered_specs()
    for spec in offered:
        check_spec(spec)
    assert {parse_spec(spec)[-1].name for spec in offered} == CALIBRATORS.keys() - {"identity"}


@every_info
def test_values_worth_trying_are_valid_and_rise(info):
    for each in info.parameters():
        assert list(each.tried) == sorted(set(each.tried))
        for value in each.tried:
            each.check(value)
