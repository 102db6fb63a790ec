"""A saved flow comes back bit for bit, and a folder that is not one is refused in a sentence."""

import copy
import pickle

import numpy as np
import pytest
import torch
from saved_files import change_config

from bertflow_core.errors import InputError
from bertflow_core.flows import Flow, GlowConfig, TrainingConfig, fit_flow

D = 9
CONFIGS = {
    "default": GlowConfig(),
    "affine, random": GlowConfig(3, 1, 4, "affine", "random", "random"),
    "linear": GlowConfig(2, 2, 4, "additive", "linear"),
}


def rows(n: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(n, D, generator=torch.Generator().manual_seed(1), dtype=dtype)


def fitted(glow: GlowConfig, dtype: torch.dtype = torch.float32) -> Flow:
    return fit_flow(rows(200, dtype), glow=glow, training=TrainingConfig(seed=5)).flow


@pytest.fixture(params=CONFIGS, ids=str)
def glow(request: pytest.FixtureRequest) -> GlowConfig:
    return CONFIGS[request.param]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_reloaded_flow_is_equal_bit_for_bit(tmp_path, glow, dtype):
    flow = fitted(glow, dtype)
    flow.save(tmp_path / "flow")
    loaded, x = Flow.load(tmp_path / "flow"), rows(50, dtype)
    assert torch.equal(loaded.to_latent(x), flow.to_latent(x))
    assert torch.equal(loaded.log_prob(x), flow.log_prob(x))
    assert torch.equal(loaded.from_latent(x), flow.from_latent(x))


def test_a_reloaded_flow_knows_what_it_is(tmp_path, glow):
    fitted(glow).save(tmp_path / "flow")
    loaded = Flow.load(tmp_path / "flow")
    assert (loaded.n_features, loaded.glow, loaded.seed) == (D, glow, 5)


def test_saving_twice_writes_the_same_files(tmp_path, glow):
    for name in ("one", "two"):
        fitted(glow).save(tmp_path / name)
    one, two = (tmp_path / f"{name}.safetensors" for name in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()


def test_a_flow_survives_pickle_and_copy(glow):
    flow = fitted(glow)
    for twin in (pickle.loads(pickle.dumps(flow)), copy.deepcopy(flow)):
        assert torch.equal(twin.log_prob(rows(5)), flow.log_prob(rows(5)))


def test_the_state_is_a_copy():
    flow = Flow(D, GlowConfig())
    for array in flow.state()[1].values():
        array += 1
    assert torch.equal(flow.log_prob(rows(5)), Flow(D, GlowConfig()).log_prob(rows(5)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("format", "other"),
        ("format", None),
        ("dtype", "float16"),
        ("dtype", ["float32"]),
        ("n_features", 10),
        ("n_features", 8),
        ("n_features", "9"),
        ("n_features", 10**12),
        ("seed", -1),
        ("seed", 2**64),
        ("seed", None),
        ("glow", None),
        ("glow", {"coupling": "cubic"}),
        ("glow", {"layers": 3}),
        ("glow", {"depth": 2}),
        ("glow", {"depth": 10**12}),
        ("glow", {"n_levels": 10**12}),
        ("glow", {"coupling_width": 10**9}),
        ("glow", {"permutation": "linear"}),
        ("glow", {"coupling": "affine"}),
    ],
)
def test_a_configuration_that_does_not_fit_is_refused(name, value):
    config, arrays = Flow(D, GlowConfig()).state()
    with pytest.raises(InputError, match=r"(expected|must be) .*got "):
        Flow.from_state({**config, name: value}, arrays)


@pytest.mark.parametrize("name", ["format", "dtype", "n_features", "seed", "glow"])
def test_a_missing_entry_is_refused(name):
    config, arrays = Flow(D, GlowConfig()).state()
    del config[name]
    with pytest.raises(InputError, match=r"(expected|must be) .*got .*None"):
        Flow.from_state(config, arrays)


def change(name: str, function):
    def apply(arrays: dict[str, np.ndarray]) -> None:
        arrays[name] = function(arrays[name])

    return apply


B = "transform.transforms.0.transforms.0.b"
ORDER = "transform.transforms.0.transforms.1.order"


@pytest.mark.parametrize(
    "damage",
    [
        lambda arrays: arrays.pop(B),
        lambda arrays: arrays.update(extra=np.zeros(3)),
        change(B, lambda b: b[:-1]),
        change(B, lambda b: b[None]),
        change(B, lambda b: b.astype(np.float64)),
        change(B, lambda b: b * np.nan),
        change(ORDER, lambda order: order * 0),
        change(ORDER, lambda order: order + 1),
    ],
)
def test_tensors_that_do_not_fit_are_refused(damage):
    config, arrays = Flow(D, GlowConfig(permutation="random")).state()
    damage(arrays)
    with pytest.raises(InputError, match=r"tensor '.*' (does not fit|is damaged).*; save the"):
        Flow.from_state(config, arrays)


def test_the_message_of_load_names_the_file(tmp_path):
    Flow(D, GlowConfig()).save(tmp_path / "flow")
    change_config(tmp_path / "flow.safetensors", n_features=10)
    with pytest.raises(
        InputError, match=r"/flow' holds no valid flow: tensor 'transform.* does not"
    ):
        Flow.load(tmp_path / "flow")
