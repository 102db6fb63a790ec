"""What a flow on the plane looks like: its density on a grid, its warped coordinates, its points.

The grid of lines is regular in the latent space and mapped back by the flow's inverse, so that one
sees in the data's space what the flow makes straight; followed layer by layer it straightens.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from bertflow_core.flows.config import GlowConfig, TrainingConfig
from bertflow_core.flows.fit import Checkpoints
from bertflow_core.flows.fit_glow import fit_flow
from bertflow_core.flows.flow import Flow
from bertflow_core.flows.trace import Trace, trace
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress, silent

__all__ = [
    "Box",
    "PlaneState",
    "box_around",
    "even_steps",
    "fit_plane",
    "flow_of",
    "latent_lines",
    "trace_plane",
]

MARGIN = 0.25
N_LINES = 9
POINTS_A_LINE = 41
LATENT_REACH = 3.0
BATCH_SIZE = 256
INITIALIZATION_ROWS = 256


@dataclass(frozen=True)
class Box:
    """A square of the plane: its centre and half of its side."""

    x: float
    y: float
    half: float

    def cells(self, n: int) -> FloatArray:
        """Return the centres of n x n equal cells, shape (n^2, 2), by rows from below."""
        offsets = self.half * ((2 * np.arange(n) + 1) / n - 1)
        across, up = np.meshgrid(self.x + offsets, self.y + offsets)
        return np.stack([across.ravel(), up.ravel()], axis=1).astype(np.float32)


@dataclass(frozen=True, eq=False)
class PlaneState:
    """A flow on the plane after some steps of its fit.

    Attributes:
        step: Steps so far.
        bits_per_dimension: Mean of -log2 p(x) / 2 over all points.
        density: p at the cells of the box, shape (G, G), the lowest row first.
        latent: z of the points, shape (N, 2).
        lines: The latent grid mapped back to the data, shape (2 * N_LINES, POINTS_A_LINE, 2).
        config: The flow's architecture, as `Flow.from_state` reads it.
        weights: Its parameters by name.
    """

    step: int
    bits_per_dimension: float
    density: FloatArray = field(repr=False)
    latent: FloatArray = field(repr=False)
    lines: FloatArray = field(repr=False)
    config: dict[str, Any] = field(repr=False)
    weights: dict[str, FloatArray] = field(repr=False)


def box_around(points: FloatArray) -> Box:
    """Return the square about all points, shape (N, 2), with a margin of a quarter."""
    low, high = points.min(axis=0), points.max(axis=0)
    half = float((high - low).max()) / 2
    x, y = ((low + high) / 2).tolist()
    return Box(x, y, half * (1 + MARGIN))


def latent_lines() -> FloatArray:
    """Return even lines through the latent space, as `PlaneState.lines` has them."""
    along = np.linspace(-LATENT_REACH, LATENT_REACH, POINTS_A_LINE)
    at, on = np.meshgrid(np.linspace(-LATENT_REACH, LATENT_REACH, N_LINES), along, indexing="ij")
    upright = np.stack([at, on], axis=-1)
    return np.concatenate([upright, upright[..., ::-1]]).astype(np.float32)


def even_steps(n_steps: int, at_most: int) -> frozenset[int]:
    """Return steps from 0 to `n_steps`, both among them, evenly spread, no more than `at_most`."""
    return frozenset(np.linspace(0, n_steps, min(at_most, n_steps + 1)).astype(int).tolist())


def fit_plane(
    points: FloatArray,
    glow: GlowConfig,
    *,
    n_steps: int,
    learning_rate: float,
    seed: int,
    show: Callable[[PlaneState], None],
    n_states: int,
    n_cells: int = 48,
    progress: Progress = silent,
) -> Flow:
    """Fit a flow to points of the plane as to any embeddings, and show it during the fit.

    Args:
        points: Shape (N, 2).
        glow: The architecture; at D = 2 there is one level, for a second would have one feature and
            nothing that conditions it.
        n_steps: Steps, each on at most 256 points.
        learning_rate: Of AdamW.
        seed: Random seed of the flow's start and the order of the points.
        show: Called with the states, in order, by the thread of the fit.
        n_states: Most states, evenly spread; the first is the start, the last the fitted flow.
        n_cells: Cells along a side of the density's grid.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: The architecture does not fit the plane, or the fit diverged.
    """
    x = torch.from_numpy(np.array(points, np.float32))
    cells = torch.from_numpy(box_around(points).cells(n_cells))

    def show_state(step: int, flow: nn.Module) -> None:
        if isinstance(flow, Flow):
            show(_state(flow, step, x, cells))

    per_epoch = len(x) // min(BATCH_SIZE, len(x))
    training = TrainingConfig(
        epochs=(n_steps + 0.5) / per_epoch,  # half a step more: a product may round down
        batch_size=BATCH_SIZE,
        lr=learning_rate,
        initialization_rows=INITIALIZATION_ROWS,
        seed=seed,
    )
    checkpoints = Checkpoints(even_steps(n_steps, n_states), show_state)
    return fit_flow(
        x, glow=glow, training=training, checkpoints=checkpoints, progress=progress
    ).flow


def flow_of(state: PlaneState) -> Flow:
    """Return the flow that a state shows."""
    return Flow.from_state(state.config, state.weights)


def trace_plane(flow: Flow, points: FloatArray) -> tuple[Trace, FloatArray]:
    """Follow points, shape (N, 2), and the warped lines through the layers.

    Returns:
        The trace of the points, and the lines after 0 to L layers, shape (L + 1, 2 * N_LINES,
        POINTS_A_LINE, 2): at first as in `PlaneState`, at last regular.
    """
    lines = torch.from_numpy(_warped(flow))
    followed = trace(flow, lines.reshape(-1, 2)).states
    return (
        trace(flow, torch.from_numpy(np.array(points, np.float32))),
        followed.reshape(len(followed), *lines.shape).numpy(),
    )


def _state(flow: Flow, step: int, x: Tensor, cells: Tensor) -> PlaneState:
    side = round(len(cells) ** 0.5)
    bits = -flow.log_prob(x).mean() / (2 * np.log(2))
    config, weights = flow.state()
    return PlaneState(
        step=step,
        bits_per_dimension=float(bits),
        density=flow.log_prob(cells).exp().reshape(side, side).numpy(),
        latent=flow.to_latent(x).numpy(),
        lines=_warped(flow),
        config=config,
        weights=weights,
    )


@torch.no_grad()
def _warped(flow: Flow) -> FloatArray:
    lines = latent_lines()
    values: FloatArray = flow.from_latent(torch.from_numpy(lines.reshape(-1, 2))).numpy()
    return values.reshape(lines.shape)
