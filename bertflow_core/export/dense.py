"""A fitted calibrator as an exact chain of dense layers with ReLU, which any library can run.

Every calibrator here is a chain of affine maps x -> A x + b and of additive couplings. A coupling
adds a small network of the leading features to other features: x_j += W3 h2 + b3 with h2 = relu(W2
h1 + b2) and h1 = relu(W1 x + b1). A chain of affine maps is one affine map. A coupling takes two
layers. Since ReLU would cut the D features that have to pass, they travel as relu(x) and relu(-x),
whose difference is x. A layer then has 2 D + H rows.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from scipy.linalg import block_diag
from torch import Tensor

from bertflow_core.arrays.linalg import affine_parts
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.affine import AffineCalibrator
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.calibrators.pipeline import CalibratorPipeline
from bertflow_core.errors import InputError
from bertflow_core.flows.glow import Flow
from bertflow_core.flows.transforms import LOGSCALE_FACTOR, AdditiveCoupling


@dataclass(frozen=True)
class Dense:
    """The layer s -> g(A s + b), as sentence-transformers' module `Dense` computes it."""

    matrix: FloatArray  # A, shape (out, in)
    shift: FloatArray  # b, shape (out,)
    relu: bool = False  # whether g is ReLU; otherwise the identity

    def after(self, first: "Dense") -> "Dense":
        """Return the affine map that applies `first` and then this layer."""
        return Dense(self.matrix @ first.matrix, self.matrix @ first.shift + self.shift)


class Coupling(NamedTuple):
    """An additive coupling: (W1, b1), (W2, b2) and (W3, b3), shapes (H, d), (H, H) and (M, H).

    It reads the d leading features and changes features d to d + M.
    """

    first: Dense
    second: Dense
    third: Dense


def dense_layers(calibrator: Calibrator) -> list[Dense]:
    """Return the layers of a fitted calibrator: two for each coupling, and a final one."""
    layers: list[Dense] = []
    n = calibrator.n_features_in_
    x = Dense(np.eye(n), np.zeros(n))  # takes the features from the last layer's output
    for piece in pieces(calibrator):
        if isinstance(piece, Dense):
            x = piece.after(x)
            continue
        coupling, n = piece, len(x.shift)
        (n_changed, n_hidden), n_read = coupling.third.matrix.shape, coupling.first.matrix.shape[1]
        h1 = coupling.first.after(Dense(x.matrix[:n_read], x.shift[:n_read]))
        passed, zeros = (x.shift, -x.shift, h1.shift), np.zeros(2 * n)
        layers += (  # relu(x), relu(-x) and h1; then the same with h2 = relu(W2 h1 + b2)
            Dense(np.vstack([x.matrix, -x.matrix, h1.matrix]), np.concatenate(passed), relu=True),
            Dense(
                block_diag(np.eye(2 * n), coupling.second.matrix),
                np.concatenate([zeros, coupling.second.shift]),
                relu=True,
            ),
        )
        changed = slice(n_read, n_read + n_changed)
        matrix = np.hstack([np.eye(n), -np.eye(n), np.zeros((n, n_hidden))])
        matrix[changed, 2 * n :] = coupling.third.matrix
        shift = np.zeros(n)
        shift[changed] = coupling.third.shift
        x = Dense(matrix, shift)
    return [*layers, Dense(x.matrix, x.shift)]


def pieces(calibrator: Calibrator) -> Iterator[Dense | Coupling]:
    """Yield the affine maps and additive couplings of a fitted calibrator in order."""
    if isinstance(calibrator, CalibratorPipeline):
        for step in calibrator.steps_:
            yield from pieces(step)
    elif isinstance(calibrator, AffineCalibrator):
        yield _affine(calibrator.transform, calibrator.n_features_in_)
    elif isinstance(calibrator, FlowCalibrator):
        yield from _flow_pieces(deepcopy(calibrator.flow_).double())
    else:
        raise InputError(
            f"calibrator {calibrator.name} cannot be exported: expected affine maps, a flow "
            "or a chain of these, which dense layers with ReLU compute exactly"
        )


def _flow_pieces(flow: Flow) -> Iterator[Dense | Coupling]:
    """Yield the pieces of a flow in order, in float64, with scales multiplied in."""
    for n, parts in flow.parts():
        for part in parts:
            if isinstance(part, AdditiveCoupling):
                g = part.network
                first, second = g.actnorm1, g.actnorm2
                yield Coupling(
                    _scaled(g.weight1, first.b, first.logs),
                    _scaled(g.weight2, second.b, second.logs),
                    _scaled(g.weight3, g.c, g.logs),
                )
                continue
            leading = _affine(lambda x, part=part: _array(part(torch.from_numpy(x))[0]), n)  # type: ignore[misc]
            n_others = flow.n_features - n
            yield Dense(
                block_diag(leading.matrix, np.eye(n_others)),
                np.concatenate([leading.shift, np.zeros(n_others)]),
            )


def _scaled(weight: Tensor, shift: Tensor, logs: Tensor) -> Dense:
    scale = _array((LOGSCALE_FACTOR * logs).exp())
    return Dense(scale[:, None] * _array(weight), scale * _array(shift))


def _array(tensor: Tensor) -> FloatArray:
    array: FloatArray = tensor.detach().double().numpy()
    return array


def _affine(function: Callable[[FloatArray], FloatArray], n_features: int) -> Dense:
    matrix, shift = affine_parts(function, n_features)
    return Dense(matrix.T, shift)
