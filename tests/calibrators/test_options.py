import numpy as np
import pytest

from bertflow_core.calibrators import CALIBRATORS, build_calibrator
from bertflow_core.calibrators.flow import epochs_of_part
from bertflow_core.calibrators.registry import set_option, takes_seed
from bertflow_core.errors import InputError


@pytest.mark.parametrize(
    ("spec", "name", "value", "expected"),
    [
        ("null-top-k", "k", 6, "null-top-k:k=6"),
        ("null-top-k:k=2", "k", 0, "null-top-k:k=0"),
        ("whiten:n_components=4,shrinkage=0.5", "n_components", None,
         "whiten:n_components=none,shrinkage=0.5"),
        ("standardize+null-top-k:k=6", "k", 3, "standardize+null-top-k:k=3"),
        ("flow:epochs=2", "coupling", "affine", "flow:epochs=2,coupling=affine"),
        ("flow:lr=0.1+whiten", "lr", 1e-5, "flow:lr=1e-05+whiten"),
    ],
)  # fmt: skip
def test_one_option_is_set_and_the_others_stay(spec, name, value, expected):
    assert set_option(spec, name, value) == expected
    built = build_calibrator(expected)
    steps = getattr(built, "steps", [built])
    (got,) = [s.get_params()[name] for s in steps if name in s.get_params()]
    assert got == value


def test_two_equal_steps_are_reported_apart_or_refused():
    with pytest.raises(InputError, match="no parameter 'K': "):
        set_option("null-top-k", "K", 1)
    with pytest.raises(InputError, match="takes no parameters"):
        set_option("identity+standardize", "k", 1)
    for spec in ("null-top-k+null-top-k", "null-top-k:k=1+null-top-k:k=2"):
        with pytest.raises(InputError, match="2 steps have a parameter 'k'"):
            set_option(spec, "k", 1)


@pytest.mark.parametrize(
    ("spec", "name", "value"),
    [("null-top-k", "k", -1), ("null-top-k", "k", 0.5), ("flow", "lr", 0), ("flow", "coupling", 1),
     ("nope", "k", 1), ("null-top-k:q=1", "k", 1)],
)  # fmt: skip
def test_what_cannot_be_set_is_refused(spec, name, value):
    with pytest.raises(InputError):
        set_option(spec, name, value)


def test_which_calibrators_a_seed_decides():
    assert takes_seed("flow")
    assert takes_seed("standardize+flow:seed=none")
    assert takes_seed("flow:preset=released-code")
    assert takes_seed("rbig:rotation=random")
    assert not takes_seed("flow:seed=3")
    assert not takes_seed("whiten+null-top-k:k=2")
    assert not takes_seed("rbig")
    assert not takes_seed("rbig:rotation=random,seed=2")


@pytest.mark.parametrize("name", [name for name in CALIBRATORS if not takes_seed(name)])
def test_a_calibrator_that_takes_no_seed_draws_nothing(name):
    x = np.random.default_rng(0).normal(size=(60, 5))
    fits = [build_calibrator(name, seed=seed).fit(x).transform(x) for seed in (0, 1)]
    np.testing.assert_array_equal(*fits)


@pytest.mark.parametrize("share", [0, -0.5, 1.5, float("nan")])
def test_a_share_that_is_no_part_is_refused(share):
    with pytest.raises(InputError, match="share must be above 0 and at most 1"):
        epochs_of_part(1, share)
