"""Many rows through a flow: compiled code against torch, and what it is given and refuses."""

import numpy as np
import pytest
import torch
from torch_rows import moved
from torch_threads import thread_count, torch_threads

from bertflow_core.flows import Flow, GlowConfig
from bertflow_core.flows.compiled import map_rows
from bertflow_core.flows.rows import by_batches, ladj_of, latent_of, layer_names, original_of


def flow_of(d: int, coupling: str, permutation: str, dtype: torch.dtype, levels: int = 2) -> Flow:
    """Return a flow that maps every feature in its own way."""
    return moved(Flow(d, GlowConfig(levels, 2, 7, coupling, permutation), dtype=dtype), 0.2, 3)


def rows(n: int, d: int, dtype: type = np.float64) -> np.ndarray:
    return np.random.default_rng(0).normal(1, 2, (n, d)).astype(dtype)


def test_layers_are_named_by_level_and_step_from_one():
    glow = GlowConfig(2, 2, 7, "affine", "linear")
    parts = ("ActNorm", "linear map", "affine coupling")
    assert layer_names(Flow(8, glow)) == tuple(
        f"level {level}, flow step {step}: {part}"
        for level in (1, 2)
        for step in (1, 2)
        for part in parts
    )
    assert layer_names(Flow(8, GlowConfig(1, 1)))[0] == "flow step 1: ActNorm"


@pytest.mark.parametrize("permutation", ["reversal", "random"])
@pytest.mark.parametrize(("n", "d", "levels"), [(1, 3, 1), (64, 8, 2), (1100, 13, 3)])
def test_compiled_rows_are_those_of_torch(permutation, n, d, levels):
    flow, x = flow_of(d, "additive", permutation, torch.float64, levels), rows(n, d)
    with torch.no_grad():
        expected = flow.to_latent(torch.from_numpy(x))
    z = map_rows(flow, x)
    np.testing.assert_allclose(z, expected.numpy(), rtol=0, atol=1e-11)


def test_what_is_large_goes_through_compiled_code_and_differs_by_rounding():
    flow, x = flow_of(256, "additive", "random", torch.float32), rows(1024, 256, np.float32)
    z = latent_of(flow, x)
    assert z.dtype == np.float32
    assert np.array_equal(z, map_rows(flow, x))
    few = latent_of(flow, x[:1023])
    assert np.array_equal(few, by_batches(flow.to_latent, x[:1023]))
    np.testing.assert_allclose(z[:1023], few, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(
        ladj_of(flow, x), by_batches(flow.log_abs_det_jacobian, x), rtol=1e-5
    )
    np.testing.assert_allclose(original_of(flow, z), x, rtol=1e-3, atol=1e-3)


def test_a_row_s_result_depends_on_no_other_row_and_no_thread():
    flow, x = flow_of(16, "additive", "random", torch.float32), rows(3000, 16, np.float32)
    results = []
    for threads in (1, 2):
        with torch_threads(threads):
            results.append(map_rows(flow, x))
    assert np.array_equal(*results)
    assert np.array_equal(map_rows(flow, x[100:107]), results[0][100:107])


@pytest.mark.parametrize(
    ("apply", "method"),
    [(latent_of, "to_latent"), (original_of, "from_latent"), (ladj_of, "log_abs_det_jacobian")],
)
def test_few_rows_go_through_torch_on_one_thread(apply, method, monkeypatch):
    flow, x = flow_of(16, "affine", "linear", torch.float32), rows(20_000, 16, np.float32)
    function, during = getattr(flow, method), []

    def watched(part):
        during.append(thread_count())
        return function(part)

    monkeypatch.setattr(flow, method, watched)
    with torch_threads(2):
        few, many = apply(flow, x[:100]), apply(flow, x)
        assert (during, thread_count()) == ([1, 2, 2], 2)
    np.testing.assert_allclose(many[:100], few, rtol=1e-4, atol=1e-4)


def test_rows_on_disk_in_another_type_and_with_gaps_are_read(tmp_path):
    flow, x = flow_of(8, "additive", "reversal", torch.float32), rows(1500, 8, np.float32)
    expected = map_rows(flow, x)
    np.save(tmp_path / "x.npy", x)
    on_disk = np.load(tmp_path / "x.npy", mmap_mode="r")
    for given in (on_disk, x.astype(np.float64), np.asfortranarray(x), np.repeat(x, 2, 1)[:, ::2]):
        assert np.array_equal(map_rows(flow, given), expected)
