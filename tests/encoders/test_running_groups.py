"""Groups of equal length in threads: in order, one block ahead of who takes them and no more."""

import threading

import numpy as np
import torch
from waiting import PATIENCE

from bertflow_core import context
from bertflow_core.encoders.running import run_in_groups

N_TOKENS = np.array([5, 3, 9, 3, 5, 3, 9, 5])
CPU = torch.device("cpu")


def blocks_of(forward, *, per_block=3, batch_tokens=10, progress=None):
    with context.reporting(progress):
        return run_in_groups(
            N_TOKENS,
            N_TOKENS > 8,
            per_block,
            lambda rows: rows,
            forward,
            device=CPU,
            batch_tokens=batch_tokens,
        )


def numbers(rows):
    """Return vectors that tell each row from the others, shape (2, n, 1)."""
    return np.stack([rows, -rows]).astype(np.float32)[..., None]


def test_each_sentence_comes_once_with_its_own_vectors_shortest_first():
    blocks = list(blocks_of(numbers))
    assert [block.rows.tolist() for block in blocks] == [[1, 3, 5], [0, 4, 7], [2, 6]]
    for block in blocks:
        np.testing.assert_array_equal(block.vectors, numbers(block.rows))
        np.testing.assert_array_equal(block.n_tokens, N_TOKENS[block.rows])
        np.testing.assert_array_equal(block.cut, N_TOKENS[block.rows] > 8)


def test_the_next_block_is_computed_while_one_is_written_and_the_one_after_it_is_not():
    ran, second = [], threading.Event()

    def forward(rows):
        ran.extend(rows.tolist())
        if {0, 4, 7} <= set(ran):
            second.set()
        return numbers(rows)

    blocks = blocks_of(forward)
    next(blocks)
    assert second.wait(PATIENCE)  # nobody has asked for the second block
    assert sorted(ran) == [0, 1, 3, 4, 5, 7]
    blocks.close()
    assert sorted(ran) == [0, 1, 3, 4, 5, 7]
