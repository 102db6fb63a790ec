"""A fitted calibrator as a chain of affine maps and additive couplings, whatever its class."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.calibrators.pipeline import CalibratorPipeline
from bertflow_core.errors import InputError
from bertflow_core.flows.actnorm import LOGSCALE_FACTOR
from bertflow_core.flows.base import ComposedTransform, Transform
from bertflow_core.flows.coupling import AdditiveCoupling, AffineCoupling, CouplingNetwork
from bertflow_core.flows.glow import LeadingTransform
from bertflow_core.linalg import FloatArray

__all__ = ["Affine", "Coupling", "Piece", "pieces_of"]

_AFFINE = (
    *("identity", "standardize", "null-top-k", "all-but-the-top", "common-component"),
    *("whiten", "soft-whiten", "ledoit-wolf"),
)
"""Calibrators that are x -> A x + b."""


@dataclass(frozen=True)
class Affine:
    """The map x -> A x + b.

    Attributes:
        matrix: A, shape (K, D).
        shift: b, shape (K,).
    """

    matrix: FloatArray
    shift: FloatArray

    def after(self, first: "Affine") -> "Affine":
        """Return the map that applies `first` and then this one."""
        return Affine(self.matrix @ first.matrix, self.matrix @ first.shift + self.shift)


@dataclass(frozen=True)
class Coupling:
    """The map x_j -> x_j + (W3 h2 + b3)_j of the features j that change, by a network of others.

    h1 = relu(W1 x + b1) and h2 = relu(W2 h1 + b2), where x are the d leading features.

    Attributes:
        weights: W1, W2, W3, shapes (H, d), (H, H) and (M, H).
        biases: b1, b2, b3, shapes (H,), (H,) and (M,); the features d to d + M change.
    """

    weights: tuple[FloatArray, FloatArray, FloatArray]
    biases: tuple[FloatArray, FloatArray, FloatArray]


Piece = Affine | Coupling


def pieces_of(calibrator: Calibrator) -> list[Piece]:
    """Return what a fitted calibrator does, in order, with neighbouring affine maps made one.

    Raises:
        InputError: It does something else, such as a spline or a sigmoid.
    """
    merged: list[Piece] = []
    for piece in _pieces(calibrator):
        if isinstance(piece, Affine) and merged and isinstance(merged[-1], Affine):
            merged[-1] = piece.after(merged[-1])
        else:
            merged.append(piece)
    return merged


def _pieces(calibrator: Calibrator) -> Iterator[Piece]:
    if isinstance(calibrator, CalibratorPipeline):
        for step in calibrator.steps_:
            yield from _pieces(step)
    elif calibrator.name in _AFFINE:
        yield _affine(calibrator.transform, calibrator.n_features_in_)
    elif isinstance(calibrator, FlowCalibrator):
        n = calibrator.n_features_in_
        yield from _flow_pieces(deepcopy(calibrator.flow_.transform).double(), n, n)
    else:
        raise InputError(
            f"calibrator {calibrator.name} cannot be exported: expected affine maps or a flow with "
            "additive couplings, which dense layers with ReLU can say exactly"
        )


def _flow_pieces(transform: Transform, n_leading: int, n_features: int) -> Iterator[Piece]:
    """Yield the pieces of a transform, in float64, of the leading features of a flow."""
    if isinstance(transform, ComposedTransform):
        for part in transform.transforms:
            yield from _flow_pieces(cast(Transform, part), n_leading, n_features)
    elif isinstance(transform, LeadingTransform):
        yield from _flow_pieces(transform.transform, transform.n_leading, n_features)
    elif isinstance(transform, AdditiveCoupling):
        yield _coupling(transform.network)
    elif isinstance(transform, AffineCoupling):
        raise InputError(
            "a flow with affine couplings cannot be exported: expected additive ones, since dense "
            "layers with ReLU cannot multiply (fit it with coupling=additive)"
        )
    else:
        affine = _affine(lambda rows: _array(transform(torch.from_numpy(rows))[0]), n_leading)
        yield _on_leading(affine, n_features)


def _coupling(network: CouplingNetwork) -> Coupling:
    first, second = network.actnorm1, network.actnorm2
    scales = [_array((LOGSCALE_FACTOR * each.logs).exp()) for each in (first, second, network)]
    weights = [_array(each) for each in (network.weight1, network.weight2, network.weight3)]
    shifts = [_array(each) for each in (first.b, second.b, network.c)]
    w1, w2, w3 = (scale[:, None] * weight for scale, weight in zip(scales, weights, strict=True))
    b1, b2, b3 = (scale * shift for scale, shift in zip(scales, shifts, strict=True))
    return Coupling((w1, w2, w3), (b1, b2, b3))


def _array(tensor: torch.Tensor) -> FloatArray:
    array: FloatArray = tensor.detach().double().numpy()
    return array


def _affine(function: Callable[[FloatArray], FloatArray], n_features: int) -> Affine:
    """Return the matrix and shift of an affine function of rows, read off the unit vectors."""
    rows = np.concatenate([np.zeros((1, n_features)), np.eye(n_features)])
    images = function(rows)
    return Affine((images[1:] - images[0]).T, images[0])


def _on_leading(affine: Affine, n_features: int) -> Affine:
    """Return an affine map of the leading features that leaves the others."""
    n = len(affine.shift)
    matrix, shift = np.eye(n_features), np.zeros(n_features)
    matrix[:n, :n], shift[:n] = affine.matrix, affine.shift
    return Affine(matrix, shift)
