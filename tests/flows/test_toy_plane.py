"""A flow on the plane: its density, its grid and its states, against integrals and inverses."""

import numpy as np
import pytest
import torch

from bertflow_core.errors import Cancelled, InputError
from bertflow_core.flows import GlowConfig
from bertflow_core.flows.plane import (
    Box,
    box_around,
    even_steps,
    fit_plane,
    flow_of,
    latent_lines,
    trace_plane,
)
from bertflow_core.flows.toy import ToyShape, draw_shape

WIDE = Box(0.0, 0.0, 12.0)
N_WIDE = 600


def fitted(shape, *, coupling="additive", n_steps=120, n_states=5, **options):
    states = []
    flow = fit_plane(
        draw_shape(shape, 500, seed=0),
        GlowConfig(n_levels=1, depth=4, coupling_width=16, coupling=coupling),
        n_steps=n_steps,
        learning_rate=3e-3,
        seed=0,
        show=states.append,
        n_states=n_states,
        **options,
    )
    return flow, states


@pytest.fixture(scope="module")
def moons():
    return fitted("two moons")


@pytest.mark.parametrize("coupling", ["additive", "affine"])
@pytest.mark.parametrize("shape", [ToyShape.MOONS, ToyShape.RING, ToyShape.BLOBS, ToyShape.CONE])
def test_the_density_integrates_to_one_within_a_hundredth(shape, coupling):
    flow, _ = fitted(shape, coupling=coupling)
    area = (2 * WIDE.half / N_WIDE) ** 2
    density = flow.log_prob(torch.from_numpy(WIDE.cells(N_WIDE))).exp()
    assert density.sum().item() * area == pytest.approx(1, abs=0.01)


def test_the_grid_is_where_it_says():
    # Cells are 1 wide: the lowest row first, from left to right.
    cells = Box(0.5, -0.25, 2.0).cells(4).reshape(4, 4, 2)
    assert cells[1, 2].tolist() == [0.5 - 1.5 + 2, -0.25 - 1.5 + 1]


def test_training_raises_the_likelihood_and_the_numbers_are_the_flows_own(moons):
    flow, states = moons
    x = torch.from_numpy(draw_shape("two moons", 500, seed=0))
    bits = -flow.log_prob(x).mean().item() / (2 * np.log(2))
    assert [state.step for state in states] == [0, 30, 60, 90, 120]
    assert states[-1].bits_per_dimension == pytest.approx(bits)
    assert states[-1].bits_per_dimension < states[0].bits_per_dimension - 0.1
    np.testing.assert_allclose(states[-1].latent, flow.to_latent(x).detach(), atol=1e-6)
    assert states[-1].density.shape == (48, 48)
    restored = flow_of(states[-1])
    torch.testing.assert_close(restored.log_prob(x), flow.log_prob(x), rtol=0, atol=0)


def test_states_come_while_it_fits_and_it_stops_when_told():
    seen = []

    def stop(done, total, unit):
        if done >= 64:
            raise Cancelled("stopped")

    with pytest.raises(Cancelled):
        fit_plane(
            draw_shape("ring", 300, seed=0),
            GlowConfig(n_levels=1, depth=1, coupling_width=4),
            n_steps=1_000,
            learning_rate=1e-3,
            seed=0,
            show=seen.append,
            n_states=100,
            progress=stop,
        )
    assert 3 <= len(seen) < 100


def test_the_warped_grid_becomes_regular_layer_by_layer(moons):
    flow, states = moons
    points = draw_shape("two moons", 500, seed=0)
    way, lines = trace_plane(flow, points)
    np.testing.assert_allclose(lines[0], states[-1].lines, atol=1e-5)
    np.testing.assert_allclose(lines[-1], latent_lines(), atol=1e-3)
    torch.testing.assert_close(way.log_prob, flow.log_prob(torch.from_numpy(points)).detach())


def test_the_latent_grid_has_upright_and_level_lines():
    lines = latent_lines()
    upright, level = lines[: len(lines) // 2], lines[len(lines) // 2 :]
    assert (np.ptp(upright[..., 0], axis=1) == 0).all()
    assert (np.ptp(level[..., 1], axis=1) == 0).all()
    assert (lines.min(), lines.max()) == (-3, 3)


def test_a_box_holds_all_points_with_a_margin():
    box = box_around(np.array([[0, 0], [4, 1]], np.float32))
    assert (box.x, box.y, box.half) == (2, 0.5, 2.5)


def test_steps_are_even_and_bounded():
    assert sorted(even_steps(1_000, 5)) == [0, 250, 500, 750, 1_000]
    assert sorted(even_steps(3, 100)) == [0, 1, 2, 3]


def test_a_second_level_has_no_room_on_the_plane():
    with pytest.raises(InputError, match="too few features for 2 levels"):
        fit_plane(
            draw_shape("ring", 50, seed=0),
            GlowConfig(n_levels=2),
            n_steps=5,
            learning_rate=1e-3,
            seed=0,
            show=lambda state: None,
            n_states=2,
        )
