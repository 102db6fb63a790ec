"""Calibrators of users, and of packages by their entry points; a wrong one is refused alone."""

import gc
import re
import sys
import tomllib
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bertflow_core import params
from bertflow_core.calibrators import CALIBRATORS, Identity, build_calibrator
from bertflow_core.calibrators.plugins import GROUP
from bertflow_core.calibrators.saved import load_calibrator, save_calibrator
from bertflow_core.calibrators.spec import Spec, offered_specs
from bertflow_core.errors import InputError
from bertflow_core.export.dense import dense_layers
from bertflow_core.lab.recipe import Recipe

PAGE = (Path(__file__).parents[2] / "docs" / "calibrators.md").read_text("utf-8")
(SHIFT,) = re.findall(r"^```python\n(.*?)^```$", PAGE, flags=re.M | re.S)
(PROJECT,) = re.findall(r"^```toml\n(.*?)^```$", PAGE, flags=re.M | re.S)
SHIFT_POINT = tomllib.loads(PROJECT)["project"]["entry-points"][GROUP]
OTHERS = """
from shift import AffineCalibrator, Shift, dataclass, param

class Taken(Shift):
    name, formula = "whiten", "x"

class Formless(AffineCalibrator):
    name = "formless"

class Undecorated(Shift):
    name, more = "undecorated", param(1, "More.")

@dataclass(eq=False, repr=False)
class Limits(Shift):
    name = "limits"
    more: int = param(1, "More.", low=2)

@dataclass(eq=False, repr=False)
class Strange(Shift):
    name = "strange"
    more: int = param(1, "More.", lowest=2)

class Offers(Shift):
    name, offered = "offers", ("offers:amount=much",)

class Worded(Shift):
    name, plain_if = "worded", 5
"""


def install(folder, points):
    """Write a package with entry points as an installer would."""
    (folder / "shift.py").write_text(SHIFT)
    (folder / "others.py").write_text(OTHERS)
    (folder / "leaves.py").write_text("raise SystemExit(3)")
    metadata = folder / "bertflow_shift-1.0.dist-info"
    metadata.mkdir(exist_ok=True)
    (metadata / "METADATA").write_text("Name: bertflow-shift\nVersion: 1.0\n")
    lines = (f"{name} = {value}" for name, value in points.items())
    (metadata / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]))


def forget_classes():
    params._declared.cache_clear()
    gc.collect()  # a class refers to itself


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Install entry points in this process until the test ends."""

    def installed(**points):
        install(tmp_path, points)
        CALIBRATORS.__dict__.pop("plugins", None)

    monkeypatch.syspath_prepend(tmp_path)
    yield installed
    for module in ("shift", "others"):
        sys.modules.pop(module, None)
    installed()
    forget_classes()


def test_the_class_of_the_documentation_is_built_offered_saved_and_exported(installed, tmp_path):
    before = Recipe(calibrator="whiten").fingerprint()
    installed(**SHIFT_POINT)
    x = np.random.default_rng(0).normal(size=(20, 3)) + 1
    shift = build_calibrator("shift:amount=0.2").fit(x)
    np.testing.assert_allclose(shift.transform(x), x - 0.2 * x.mean(0))
    np.testing.assert_allclose(shift.inverse_transform(shift.transform(x)), x)
    assert "shift" in offered_specs() and Spec("shift").words == "subtract a share of the mean"
    loaded, _ = load_calibrator(save_calibrator(shift, tmp_path / "saved"))
    np.testing.assert_array_equal(loaded.transform(x), shift.transform(x))
    (layer,) = dense_layers(build_calibrator("shift:amount=0.2+whiten").fit(x))
    assert layer.matrix.shape == (3, 3)
    assert Recipe(calibrator="whiten").fingerprint() == before
    assert CALIBRATORS.plugins.package_of("shift") == "bertflow-shift"


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("absent", "nowhere:Class", "import failed, No module named 'nowhere'"),
        ("absent", "shift:Nothing", "import failed"),
        ("function", "shift:param", "expected a class derived from Calibrator"),
        ("other", "shift:Shift", "has the name 'shift'"),
        ("formless", "others:Formless", "does not define 'plain', 'formula'"),
        ("undecorated", "others:Undecorated", "lacks the decorator @dataclass"),
        ("limits", "others:Limits", "more must be a whole number from 2"),
        ("strange", "others:Strange", "declared wrongly.*'lowest'"),
        ("leaves", "leaves:Shift", "import failed, 3"),
    ],
)
def test_a_class_that_breaks_the_contract_is_refused_alone(installed, name, value, words):
    installed(**SHIFT_POINT, **{name: value})
    assert {name, "shift"} <= {*CALIBRATORS}  # nothing is imported yet
    for use in (Spec, build_calibrator, lambda spec: replace(Recipe(), calibrator=spec)):
        with pytest.raises(InputError, match=f"'{name}' of the package bertflow-shift.*{words}"):
            use(name)
    assert "shift" in offered_specs()
    installed(**SHIFT_POINT, **{name: value})
    with pytest.warns(UserWarning, match=words):
        assert "shift" in offered_specs()
    with warnings.catch_warnings(action="error"):  # once is enough
        assert {*CALIBRATORS} == {kind.name for kind in CALIBRATORS.values()}
        assert "shift" in CALIBRATORS and name not in [*CALIBRATORS]


@pytest.mark.parametrize(
    ("name", "words"), [("whiten", "already exists"), ("Not_a_name", "lower-case letters")]
)
def test_a_name_that_is_taken_or_malformed_is_refused_alone(installed, name, words):
    installed(**SHIFT_POINT, **{name: "others:Taken"})
    with pytest.warns(UserWarning, match=f"'{name}' of the package bertflow-shift.*{words}"):
        assert "shift" in CALIBRATORS
    import others  # noqa: F401 - a class that exists is not a user's own

    assert {"shift", "whiten"} <= {kind.name for kind in CALIBRATORS.values()}
    assert CALIBRATORS["whiten"].__module__.startswith("bertflow_core.")


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("offers", "others:Offers", "shown in forms, .*amount must be a number"),
        ("worded", "others:Worded", "shown in forms, 'int' object is not iterable"),
    ],
)
def test_a_class_that_forms_cannot_show_is_refused_alone(installed, name, value, words):
    installed(**SHIFT_POINT, **{name: value})
    with pytest.warns(UserWarning, match=f"'{name}' of the package bertflow-shift.*{words}"):
        assert "shift" in offered_specs()
    with pytest.raises(InputError, match=words):
        Spec(name)


def test_an_entry_that_names_no_class_is_refused_alone(installed):
    installed(**SHIFT_POINT, classless="1 2 3")
    with pytest.warns(UserWarning, match="'classless' of .*such as 'module:Class', got '1 2 3'"):
        assert "shift" in offered_specs()


def test_a_class_of_a_user_is_built_until_it_is_forgotten():
    class Mine(Identity):
        name, formula, plain = "mine", "x", "keep"

    assert type(build_calibrator("mine")) is Mine and Spec("whiten+mine").words.endswith("keep")
    del Mine
    forget_classes()
    assert "mine" not in CALIBRATORS


def test_a_class_of_a_user_does_not_take_a_name_of_the_package():
    class Mine(Identity):
        name, formula = "whiten", "x"

    with pytest.raises(InputError, match="'whiten' already exists: give yours another name"):
        list(CALIBRATORS)
    del Mine
    forget_classes()
    assert CALIBRATORS["whiten"].__name__ == "Whiten"
