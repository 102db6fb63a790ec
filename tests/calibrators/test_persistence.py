"""Saved calibrators whose configuration contradicts itself, its schema or the weights."""

from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file, save_file
from saved_files import change_config

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.saved import load_calibrator, save_calibrator
from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe

X = np.random.default_rng(0).standard_normal((40, 8))
SPECS = (
    "identity",
    "null-top-k:k=3",
    "all-but-the-top",
    "whiten:n_components=4",
    "gaussianize:n_quantiles=10",
    "rbig:n_layers=2,rotation=random",
    "standardize+rbig:n_layers=2,seed=3+rbig:n_layers=1",
    "flow:epochs=1,preset=released-code",
)


@pytest.fixture(params=SPECS)
def saved(request, tmp_path):
    fitted = build_calibrator(request.param, seed=7).fit(X)
    return save_calibrator(fitted, tmp_path / "c", spec=request.param)


def refused(saved):
    with pytest.raises(InputError, match="is no valid saved calibrator") as error:
        load_calibrator(saved)
    return str(error.value)


def test_the_seed_of_each_step_comes_back(saved):
    config = change_config(saved)
    assert load_calibrator(saved)[0].resolved_parameters() == config["parameters"]


def test_parameters_that_are_not_those_of_the_spec_are_refused(saved):
    config = change_config(saved)
    for strange in ({}, {"k": 10**9}, {"seed": -1}, {"steps": [1]}, {"steps": {"a": 1}}):
        change_config(saved, parameters={**config["parameters"], **strange, "foreign": 1})
        assert "parameters are not those of" in refused(saved)
    change_config(saved, parameters=config["parameters"], foreign=1)
    assert "'foreign'" in refused(saved)


@pytest.mark.parametrize("prefix", ["", "standardize+"])
def test_what_was_saved_under_other_defaults_loads_as_it_was(tmp_path, prefix):
    """A spec that names no option, with the parameters that were the defaults when it was saved."""
    written = f"{prefix}flow:permutation=reversal,weight_decay=0.01,clip_norm=1,depth=2"
    fitted = build_calibrator(written, seed=7).fit(X)
    save_calibrator(fitted, tmp_path / "c", spec=written)
    config = change_config(tmp_path / "c.safetensors", spec=f"{prefix}flow")
    loaded, _ = load_calibrator(tmp_path / "c")
    np.testing.assert_array_equal(loaded.transform(X), fitted.transform(X))
    assert loaded.resolved_parameters() == config["parameters"]
    change_config(
        tmp_path / "c.safetensors", spec=f"{prefix}flow:depth=3"
    )  # an option that is named must agree
    assert "parameters are not those of" in refused(tmp_path / "c")


@pytest.mark.parametrize(
    ("spec", "smaller", "words"),
    [
        ("null-top-k:k=3", "null-top-k:k=2", "k = 3"),
        ("all-but-the-top:k=3", "all-but-the-top:k=2", "k = 3"),
        ("common-component:k=3", "common-component:k=2", "k = 3"),
        ("whiten:n_components=3", "whiten:n_components=2", "K = 3"),
        ("gaussianize:n_quantiles=10", "gaussianize:n_quantiles=9", "Q = 10"),
        ("rbig:n_layers=3", "rbig:n_layers=2", "L = 3"),
        ("flow:epochs=1", "flow:epochs=1,depth=2", "does not fit"),
    ],
)
def test_weights_larger_than_the_parameters_allow_are_refused(tmp_path, spec, smaller, words):
    fitted = build_calibrator(spec).fit(X)
    save_calibrator(fitted, tmp_path / "c", spec=spec)
    change_config(
        tmp_path / "c.safetensors",
        spec=smaller,
        parameters=build_calibrator(smaller).resolved_parameters(),
    )
    assert words in refused(tmp_path / "c")


def test_more_directions_than_features_are_refused(tmp_path):
    spec = "all-but-the-top"
    save_calibrator(build_calibrator(spec).fit(X), tmp_path / "c", spec=spec)
    path = tmp_path / "c.safetensors"
    with safe_open(path, "numpy") as file:
        metadata = file.metadata()
    save_file({**load_file(path), "directions_": np.zeros((8, 9))}, path, metadata)
    assert "k = 9, expected at most 8" in refused(tmp_path / "c")


@pytest.mark.parametrize("name", ["whiten", "pipeline", "flow"])
def test_a_folder_that_an_earlier_version_saved_is_read(name):
    folder = Path(__file__).parent / "saved_folders" / name
    calibrator, config = load_calibrator(folder)
    x = np.random.default_rng(0).standard_normal((40, 4))
    np.testing.assert_allclose(calibrator.transform(x), np.load(folder / "expected.npy"), atol=1e-5)
    assert Recipe.from_dict(config["recipe"]).calibrator == config["spec"]
