"""A calibrator of one's own is one class; by being written it is in every list."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import test_contract as contract

from bertflow_core import load_calibrator
from bertflow_core.calibrators import CALIBRATORS, Calibrator, build_calibrator
from bertflow_core.calibrators.registry import offered_specs, plain_name
from bertflow_core.cli import main

ROOT = Path(__file__).parent.parent.parent
X = np.random.default_rng(0).normal(size=(20, 3)) + 1


@pytest.fixture(autouse=True)
def halve():
    class Halve(Calibrator):
        name, plain, formula, source = "halve", "halve", "x / 2", "this test"
        invertible, density = "yes", "no"

        def _fit(self, X):
            return ()

        def _transform(self, X):
            return X / 2

        def _inverse_transform(self, Z):
            return Z * 2

        def _log_abs_det_jacobian(self, X):
            return np.full(len(X), -np.log(2) * X.shape[1])

    yield Halve
    contract.fitted.cache_clear()
    del CALIBRATORS._classes["halve"]


def test_it_is_built_offered_and_named(halve):
    assert isinstance(build_calibrator("standardize+halve").steps[1], halve)
    assert "halve" in offered_specs()
    assert plain_name("halve") == "halve"


def test_it_keeps_the_contract():
    """But for pickling: a class in a function cannot be pickled."""
    for name, fact in vars(contract).items():
        if name.startswith("test_") and [*inspect.signature(fact).parameters] == ["spec"]:
            fact("halve")


def test_a_command_fits_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    np.save("x.npy", X)
    with pytest.raises(SystemExit) as left:
        main(["fit", "x.npy", "--calibrator", "halve", "--out", "saved"])
    assert not left.value.code
    np.testing.assert_allclose(load_calibrator("saved")[0].transform(X), X / 2)


def test_the_example_of_the_documentation_works():
    text = (ROOT / "docs" / "calibrators.md").read_text("utf-8")
    exec(text.partition("```python\n")[2].partition("```")[0], {"__name__": "example"})
    shift = build_calibrator("shift:amount=0.2").fit(X)
    np.testing.assert_allclose(shift.transform(X), X - 0.2 * X.mean(0))
    del CALIBRATORS._classes["shift"]


def test_what_the_page_points_at_is_there():
    text = (ROOT / "docs" / "calibrators.md").read_text("utf-8")
    named = re.findall(r"`([\w.]+)` in `(\w+)\.py`", text.partition("| equation |")[2])
    assert len(named) >= 8
    for name, module in named:
        found = import_module(f"bertflow_core.calibrators.{module}")
        for part in name.split("."):
            found = getattr(found, part)
