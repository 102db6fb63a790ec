"""Sentences run in groups of equal length, in worker threads, and come out in blocks, in order."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from bertflow_core.encoders.block import Block
from bertflow_core.encoders.groups import equal_lengths
from bertflow_core.encoders.workers import encoding_threads
from bertflow_core.progress import Progress

if TYPE_CHECKING:
    import torch

__all__ = ["run_in_groups"]

T = TypeVar("T")

_CPU_TOKENS, _GPU_TOKENS = 512, 32_768
_CPU_SENTENCES, _GPU_SENTENCES = 1_024, 8_192


def run_in_groups(
    n_tokens: np.ndarray,
    cut: np.ndarray,
    per_block: int | None,
    prepare: Callable[[np.ndarray], T],
    forward: Callable[[T], np.ndarray],
    *,
    device: "torch.device",
    batch_tokens: int | None = None,
    progress: Progress,
) -> Iterator[Block]:
    """Yield finished blocks of sentences, shortest sentences first.

    While a block is looked at or written, the next one is computed; no more than that, so that
    memory stays bounded.

    Args:
        n_tokens: Tokens of each sentence, shape (N,).
        cut: Whether a sentence was longer than that, shape (N,).
        per_block: Most sentences in a block; at most what suits the device, and None takes that.
        prepare: Makes the input of a forward pass from rows of equal length, in this thread.
        forward: Returns the vectors of that input, shape (K, n, D); runs in several threads.
        device: Where it runs.
        batch_tokens: Most tokens in a group; None takes what suits the device.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.
    """
    on_cpu = device.type == "cpu"
    at_most = batch_tokens or (_CPU_TOKENS if on_cpu else _GPU_TOKENS)
    per_device = _CPU_SENTENCES if on_cpu else _GPU_SENTENCES
    per_block = min(per_block or per_device, per_device)
    order = np.argsort(n_tokens, kind="stable")
    done = 0
    progress(done, len(order), "sentences")
    with encoding_threads(device) as pool:
        starts = range(0, len(order), per_block)
        blocks = (order[start : start + per_block] for start in starts)
        running = (
            (rows, pool.map(forward, map(prepare, equal_lengths(n_tokens, rows, at_most))))
            for rows in blocks
        )
        block = next(running, None)
        while block is not None:
            following = next(running, None)  # computed while this one is looked at or written
            rows, results = block
            vectors = []
            for each in results:
                vectors.append(each)
                done += each.shape[1]
                progress(done, len(order), "sentences")
            yield Block(rows, np.concatenate(vectors, axis=1), n_tokens[rows], cut[rows])
            block = following
