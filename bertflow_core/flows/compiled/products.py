"""Products of small matrices, in tiles that stay in registers and in the first cache.

Every matrix is flat: activations are (features, ROWS), weights lie in panels of PANEL columns. With
both sizes fixed, the compiler unrolls and vectorises the inner loops. Unsigned positions spare it
Python's rule for negative ones, which would keep it from doing so.
"""

from collections.abc import Callable

import numpy as np

from bertflow_core.flows.compiled.jit import kernel
from bertflow_core.flows.compiled.table import LANES, PANEL, ROWS
from bertflow_core.linalg import FloatArray

__all__ = ["add_gradient", "add_product", "add_transposed_product"]

_TILE = 4
_U = np.uint64
_1, _2, _3 = _U(1), _U(2), _U(3)

Product = Callable[[FloatArray, FloatArray, FloatArray, int], None]


def _product(inner: int, lanes: int) -> Product:
    """Return out += A B with A of shape (n, inner) and B of shape (inner, lanes)."""
    n_lanes, b1, b2, b3 = _U(lanes), _U(lanes), _U(2 * lanes), _U(3 * lanes)
    a1 = _U(inner)

    @kernel
    def product(out: FloatArray, a: FloatArray, b: FloatArray, n: int) -> None:
        whole = n - n % _TILE
        for i in range(0, whole, _TILE):
            o = _U(i * lanes)
            for k in range(0, inner, _TILE):
                q, at = _U(k * lanes), _U(i * inner + k)
                a00, a01, a02, a03 = a[at], a[at + _1], a[at + _2], a[at + _3]
                at += a1
                a10, a11, a12, a13 = a[at], a[at + _1], a[at + _2], a[at + _3]
                at += a1
                a20, a21, a22, a23 = a[at], a[at + _1], a[at + _2], a[at + _3]
                at += a1
                a30, a31, a32, a33 = a[at], a[at + _1], a[at + _2], a[at + _3]
                for lane in range(n_lanes):
                    x0, x1 = b[q + lane], b[q + b1 + lane]
                    x2, x3 = b[q + b2 + lane], b[q + b3 + lane]
                    out[o + lane] += a00 * x0 + a01 * x1 + a02 * x2 + a03 * x3
                    out[o + b1 + lane] += a10 * x0 + a11 * x1 + a12 * x2 + a13 * x3
                    out[o + b2 + lane] += a20 * x0 + a21 * x1 + a22 * x2 + a23 * x3
                    out[o + b3 + lane] += a30 * x0 + a31 * x1 + a32 * x2 + a33 * x3
        for i in range(whole, n):
            o = _U(i * lanes)
            for k in range(inner):
                a00, q = a[_U(i * inner + k)], _U(k * lanes)
                for lane in range(n_lanes):
                    out[o + lane] += a00 * b[q + lane]

    return product


add_product = _product(PANEL, ROWS)
"""out += A B: out (n, ROWS), A a panel (n, PANEL), B (PANEL, ROWS)."""

add_gradient = _product(ROWS, PANEL)
"""out += A B: out a panel (n, PANEL), A (n, ROWS), B (ROWS, PANEL)."""


@kernel
def add_transposed_product(out: FloatArray, a: FloatArray, b: FloatArray, n: int) -> None:
    """Out += A^T B: out (PANEL, ROWS), A a panel (n, PANEL), B (n, ROWS)."""
    a1, b1, b2, b3 = _U(PANEL), LANES, _2 * LANES, _3 * LANES
    whole = n - n % _TILE
    for i in range(0, whole, _TILE):
        q = _U(i * ROWS)
        for h in range(0, PANEL, _TILE):
            o, at = _U(h * ROWS), _U(i * PANEL + h)
            a00, a01, a02, a03 = a[at], a[at + _1], a[at + _2], a[at + _3]
            at += a1
            a10, a11, a12, a13 = a[at], a[at + _1], a[at + _2], a[at + _3]
            at += a1
            a20, a21, a22, a23 = a[at], a[at + _1], a[at + _2], a[at + _3]
            at += a1
            a30, a31, a32, a33 = a[at], a[at + _1], a[at + _2], a[at + _3]
            for lane in range(LANES):
                x0, x1 = b[q + lane], b[q + b1 + lane]
                x2, x3 = b[q + b2 + lane], b[q + b3 + lane]
                out[o + lane] += a00 * x0 + a10 * x1 + a20 * x2 + a30 * x3
                out[o + b1 + lane] += a01 * x0 + a11 * x1 + a21 * x2 + a31 * x3
                out[o + b2 + lane] += a02 * x0 + a12 * x1 + a22 * x2 + a32 * x3
                out[o + b3 + lane] += a03 * x0 + a13 * x1 + a23 * x2 + a33 * x3
    for i in range(whole, n):
        q = _U(i * ROWS)
        for h in range(PANEL):
            a00, o = a[_U(i * PANEL + h)], _U(h * ROWS)
            for lane in range(LANES):
                out[o + lane] += a00 * b[q + lane]
