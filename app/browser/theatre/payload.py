"""States of a flow on the plane as bytes, which payload.js reads."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from bertflow_app.browser.wire import Body, write_payload

from bertflow_core.flows.plane import Box, PlaneState
from bertflow_core.linalg import FloatArray


@dataclass(frozen=True, eq=False)
class Scene:
    """What stays the same while a flow is fitted.

    Attributes:
        run: Names the fit; another name takes away the states that the browser has.
        box: The square of the data's plane that is drawn.
        points: The points that are drawn, shape (N, 2).
        latent_lines: The regular grid, shape (lines, places, 2).
    """

    run: str
    box: Box
    points: FloatArray = field(repr=False)
    latent_lines: FloatArray = field(repr=False)


@dataclass(frozen=True, eq=False)
class LayerView:
    """One state's layers.

    Attributes:
        state: Its number.
        names: Of the L layers.
        points: The scene's points after 0 to L layers, shape (L + 1, N, 2).
        lines: The grid after 0 to L layers, shape (L + 1, lines, places, 2).
        way: The clicked place after 0 to L layers, shape (L + 1, 2); None without one.
    """

    state: int
    names: tuple[str, ...]
    points: FloatArray = field(repr=False)
    lines: FloatArray = field(repr=False)
    way: FloatArray | None = field(repr=False, default=None)


def encode(
    scene: Scene,
    states: Sequence[PlaneState],
    *,
    first: int,
    is_live: bool,
    layers: LayerView | None = None,
    at: tuple[float, float] | None = None,
) -> bytes:
    """Write states for the browser.

    Args:
        scene: What they belong to.
        states: Those that the browser does not have yet; may be empty.
        first: The number of the first of them.
        is_live: Whether more will follow.
        layers: The layers of a state.
        at: The place to mark at first.
    """
    body = Body()
    header: dict[str, Any] = {
        "run": scene.run,
        "first": first,
        "is_live": is_live,
        "at": at,
        "box": [scene.box.x, scene.box.y, scene.box.half],
        "line_length": scene.latent_lines.shape[1],
        "points": _place_of(body, scene.points),
        "latent_lines": _place_of(body, scene.latent_lines),
        "states": [_state(body, state, len(scene.points)) for state in states],
        "layers": None if layers is None else _layers(body, layers),
    }
    return write_payload(header, body)


def _place_of(body: Body, values: npt.NDArray[Any]) -> list[int]:
    """Append numbers and return their offset in bytes and how many they are."""
    return [body.floats(values), values.size]


def _state(body: Body, state: PlaneState, n_points: int) -> dict[str, Any]:
    return {
        "step": state.step,
        "bits": state.bits_per_dimension,
        "density": _place_of(body, state.density),
        "latent": _place_of(body, state.latent[:n_points]),
        "lines": _place_of(body, state.lines),
    }


def _layers(body: Body, layers: LayerView) -> dict[str, Any]:
    return {
        "state": layers.state,
        "names": layers.names,
        "points": _place_of(body, layers.points),
        "lines": _place_of(body, layers.lines),
        "way": _place_of(body, np.empty(0) if layers.way is None else layers.way),
    }
