"""Saved calibrators whose configuration contradicts itself, its schema or the weights."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file
from saved_files import change_config, config_of, write_config

from bertflow_core.calibrators import Whiten, build_calibrator
from bertflow_core.calibrators.saved import load_calibrator, save_calibrator
from bertflow_core.errors import InputError

X = np.random.default_rng(0).standard_normal((40, 8))


def refused(saved):
    with pytest.raises(InputError, match="is not a valid saved calibrator") as error:
        load_calibrator(saved)
    return str(error.value)


@pytest.mark.parametrize(
    "spec",
    ["null-top-k:k=3", "flow:epochs=1,preset=released-code",
     "standardize+flow:depth=2,seed=3+flow:depth=1"],
)  # fmt: skip
def test_parameters_and_seeds_come_back_and_others_are_refused(spec, tmp_path):
    file = save_calibrator(build_calibrator(spec, seed=7).fit(X), tmp_path / "c", spec=spec)
    config = change_config(file)
    assert load_calibrator(file)[0].resolved_parameters() == config["parameters"]
    for strange in ({}, {"k": 10**9}, {"seed": -1}, {"steps": [1]}, {"steps": {"a": 1}}):
        change_config(file, parameters={**config["parameters"], **strange, "foreign": 1})
        assert "parameters are not those of" in refused(file)
    change_config(file, parameters=config["parameters"], foreign=1)
    assert "'foreign'" in refused(file)


def test_it_is_saved_without_a_spec_and_not_under_a_wrong_one(tmp_path):
    kept = Whiten(n_components=2).fit(X)
    save_calibrator(kept, str(tmp_path / "c"))
    loaded, config = load_calibrator(str(tmp_path / "c"))
    assert config["spec"] == "whiten:n_components=2"
    np.testing.assert_array_equal(loaded.transform(X), kept.transform(X))
    with pytest.raises(InputError, match="parameters are not those of 'whiten'"):
        save_calibrator(kept, tmp_path / "d", spec="whiten")
    assert not (tmp_path / "d.safetensors").exists()


@pytest.mark.parametrize("prefix", ["", "standardize+"])
def test_a_spec_and_parameters_that_disagree_are_refused(tmp_path, prefix):
    written = f"{prefix}flow:depth=2"
    file = save_calibrator(build_calibrator(written, seed=7).fit(X), tmp_path / "c", spec=written)
    for other in ("flow", "flow:depth=3"):
        change_config(file, spec=f"{prefix}{other}")
        assert "parameters are not those of" in refused(file)


@pytest.mark.parametrize(
    ("spec", "smaller", "words"),
    [
        ("null-top-k:k=3", "null-top-k:k=2", "k = 3"),
        ("whiten:n_components=3", "whiten:n_components=2", "K = 3"),
        ("flow:epochs=1", "flow:epochs=1,depth=2", "does not fit"),
    ],
)
def test_weights_larger_than_the_parameters_allow_are_refused(tmp_path, spec, smaller, words):
    file = save_calibrator(build_calibrator(spec).fit(X), tmp_path / "c", spec=spec)
    parameters = build_calibrator(smaller).resolved_parameters()
    change_config(file, spec=smaller, parameters=parameters)
    assert words in refused(file)


def test_arrays_that_are_not_such_a_calibrator_s_are_refused(tmp_path):
    path = save_calibrator(build_calibrator("all-but-the-top").fit(X), tmp_path / "c")
    good, config = load_file(path), json.dumps(config_of(path))
    for arrays, words in (
        ({"directions_": np.zeros((8, 9))}, "k = 9, expected at most 8"),
        ({"mean_": np.zeros(7)}, "array mean_ has shape"),
        ({"mean_": np.full(8, np.nan)}, "not finite"),
        ({"more_": np.zeros(8)}, "expected arrays"),
    ):
        write_config(path, config, **{**good, **arrays})
        assert words in refused(path)
