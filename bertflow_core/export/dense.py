"""A chain of pieces as dense layers with ReLU, exactly."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bertflow_core.export.pieces import Affine, Coupling, Piece
from bertflow_core.linalg import FloatArray

__all__ = ["Dense", "dense_layers"]


@dataclass(frozen=True)
class Dense:
    """The layer s -> g(W s + b), as sentence-transformers' module `Dense` computes it.

    Attributes:
        weight: W, shape (out, in).
        bias: b, shape (out,).
        relu: Whether g is ReLU; otherwise it is the identity.
    """

    weight: FloatArray
    bias: FloatArray
    relu: bool = False

    def __call__(self, rows: FloatArray) -> FloatArray:
        """Return the layer of each row of `rows`, shape (N, in), in shape (N, out)."""
        out = rows @ self.weight.T + self.bias
        return np.maximum(out, 0) if self.relu else out


def dense_layers(pieces: Sequence[Piece], n_features: int) -> list[Dense]:
    """Return layers that any reader knows: two a coupling and a last one.

    ReLU would cut what a layer passes on, so the D features travel as relu(x) and relu(-x), whose
    difference they are. A layer therefore has 2 D + H rows.
    """
    layers: list[Dense] = []
    x = _Reading.of(n_features)
    for piece in pieces:
        if isinstance(piece, Affine):
            x = x.mapped(piece)
            continue
        hidden = x.hidden(piece)
        layers.append(_stacked(x, x.negative(), hidden))
        n, n_hidden = len(x.shift), len(hidden.shift)
        kept = np.eye(2 * n, 2 * n + n_hidden)
        second = np.hstack([np.zeros((n_hidden, 2 * n)), piece.weights[1]])
        bias = np.concatenate([np.zeros(2 * n), piece.biases[1]])
        layers.append(Dense(np.vstack([kept, second]), bias, relu=True))
        x = _Reading(
            np.hstack([np.eye(n), -np.eye(n), np.zeros((n, n_hidden))]), np.zeros(n)
        ).changed(piece, first_hidden=2 * n)
    return [*layers, Dense(x.matrix, x.shift)]


@dataclass(frozen=True)
class _Reading:
    """How features, or hidden units before their ReLU, are read off a state s: matrix s + shift."""

    matrix: FloatArray
    shift: FloatArray

    @classmethod
    def of(cls, n_features: int) -> "_Reading":
        return cls(np.eye(n_features), np.zeros(n_features))

    def mapped(self, affine: Affine) -> "_Reading":
        return _Reading(affine.matrix @ self.matrix, affine.matrix @ self.shift + affine.shift)

    def negative(self) -> "_Reading":
        return _Reading(-self.matrix, -self.shift)

    def hidden(self, coupling: Coupling) -> "_Reading":
        weight, bias = coupling.weights[0], coupling.biases[0]
        n_inputs = weight.shape[1]
        return _Reading(weight @ self.matrix[:n_inputs], weight @ self.shift[:n_inputs] + bias)

    def changed(self, coupling: Coupling, *, first_hidden: int) -> "_Reading":
        """Return the features after a coupling, whose h2 lies in the state from `first_hidden`."""
        weight, bias = coupling.weights[2], coupling.biases[2]
        n_inputs = coupling.weights[0].shape[1]
        features = slice(n_inputs, n_inputs + len(bias))
        matrix, shift = self.matrix.copy(), self.shift.copy()
        matrix[features, first_hidden : first_hidden + weight.shape[1]] += weight
        shift[features] += bias
        return _Reading(matrix, shift)


def _stacked(*readings: _Reading) -> Dense:
    matrix = np.vstack([each.matrix for each in readings])
    return Dense(matrix, np.concatenate([each.shift for each in readings]), relu=True)
