"""What the compiled loops are given: sizes known beforehand, a flow in flat arrays, and room."""

from typing import NamedTuple

import numpy as np

from bertflow_core.linalg import FloatArray, Rows

__all__ = [
    "B1",
    "B2",
    "FEATURES",
    "INPUTS",
    "KEPT",
    "LANES",
    "LOGS",
    "LOGS1",
    "LOGS2",
    "LOGS3",
    "N_COLUMNS",
    "ORDER",
    "OUTPUTS",
    "PANEL",
    "ROWS",
    "STATES",
    "WEIGHT1",
    "WEIGHT2",
    "WEIGHT3",
    "B",
    "C",
    "FlatFlow",
    "Room",
]

ROWS = 64
"""Rows of a batch that go through the flow together, side by side: (features, ROWS)."""

LANES = np.uint64(ROWS)
"""`ROWS` as an unsigned number: Python's rule for negative positions keeps a loop slow."""

PANEL = 32
"""Columns of a panel; a matrix of weights lies panel after panel, (panels, rows, PANEL)."""

# Sizes: the n features that the step transforms, the first n // 2 of them, which condition, the
# outputs of the coupling's network, and the features that the next step transforms.
FEATURES, INPUTS, OUTPUTS, KEPT = range(4)

# Where the step's order of features begins, and its normalised rows among those of all steps.
ORDER, STATES = 4, 5

# Where each parameter begins.
B, LOGS, WEIGHT1, B1, LOGS1, WEIGHT2, B2, LOGS2, WEIGHT3, C, LOGS3 = range(6, 17)

N_COLUMNS = 17


class FlatFlow(NamedTuple):
    """A flow for compiled code.

    Attributes:
        values: The parameters.
        scales: exp(3 logs) where `values` holds logs.
        table: Sizes and places of each flow step, shape (steps, N_COLUMNS).
        order: Each step's order of features, one after another.
        width: Hidden units of a coupling's network, whole panels.
        is_affine: Whether the couplings are affine; else additive.
    """

    values: FloatArray
    scales: FloatArray
    table: Rows
    order: Rows
    width: int
    is_affine: bool


class Room(NamedTuple):
    """Where `ROWS` rows are worked on.

    Attributes:
        state: The rows on their way through the flow, shape (D, ROWS).
        normalised: They after ActNorm and permutation; of one flow step, or of each, (n, ROWS).
        hidden: Activations of the network; of one flow step, or of each, (2 width, ROWS).
        change: The network's result, shape (outputs, ROWS).
        ladj: Of the affine couplings, shape (ROWS,).
        by_state: Gradient by the rows, shape (D, ROWS).
        spare: At least (D, ROWS) and (3 width, ROWS).
        weights: Share of each row in the loss, zero where no row is, shape (ROWS,).
    """

    state: FloatArray
    normalised: FloatArray
    hidden: FloatArray
    change: FloatArray
    ladj: FloatArray
    by_state: FloatArray
    spare: FloatArray
    weights: FloatArray
