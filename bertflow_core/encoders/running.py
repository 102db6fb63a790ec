"""Run sentences in groups of equal length in worker threads and yield blocks of vectors.

Groups of one token length need no padding. On the CPU each core has a Python thread with one torch
thread, and all share the weights. A GPU has two threads with a stream each, so that one copies
while the other computes.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from bertflow_core.arguments import checked
from bertflow_core.errors import InputError
from bertflow_core.runtime import context
from bertflow_core.runtime.device import stay_on_one_thread
from bertflow_core.runtime.files import MAX_SENTENCE

if TYPE_CHECKING:
    import torch

T = TypeVar("T")

_CHARACTERS = 100_000
_STREAMED = "cuda"  # copies pinned memory while it computes, in one stream for each thread
_CPU_TOKENS, _GPU_TOKENS = 512, 32_768
_CPU_SENTENCES, _GPU_SENTENCES = 1_024, 8_192


@dataclass(frozen=True)
class Block:
    """The vectors of some sentences from one forward pass."""

    rows: np.ndarray  # positions of the sentences in the list that was encoded, shape (n,)
    vectors: np.ndarray  # float32, (..., n, D), by kind of vector, sentence and feature
    n_tokens: np.ndarray  # after cutting, shape (n,)
    cut: np.ndarray  # whether a sentence was longer than the maximum length, shape (n,)

    def named(self, kinds: Sequence[str]) -> dict[str, np.ndarray]:
        """Return each kind of vectors, shape (n, D), by its name."""
        vectors = self.vectors.reshape(-1, *self.vectors.shape[-2:])
        return dict(zip(kinds, vectors, strict=True))


@checked
def check_sentences(sentences: Sequence[str]) -> None:
    """Refuse a sentence that is blank, is far too long or has broken Unicode."""
    for number, sentence in enumerate(sentences, start=1):
        if not sentence.strip():
            raise InputError(f"sentence {number} is blank: every sentence needs text")
        if len(sentence) > MAX_SENTENCE:
            raise InputError(
                f"sentence {number} has {len(sentence):,} characters: expected at most "
                f"{MAX_SENTENCE:,}, so split it"
            )
        try:
            sentence.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InputError(
                f"sentence {number} holds {sentence[error.start]!a}, half a surrogate pair, "
                "which is no character: save its file as UTF-8"
            ) from None


def portions(sentences: Sequence[str], at_most: int = 1024) -> Iterator[list[str]]:
    """Split sentences into lists of limited length and size, to limit the tokenizer's memory."""
    portion: list[str] = []
    n_characters = 0
    for sentence in sentences:
        n_characters += len(sentence)
        if portion and (len(portion) == at_most or n_characters > _CHARACTERS):
            yield portion
            portion, n_characters = [], len(sentence)
        portion.append(sentence)
    if portion:
        yield portion


def run_in_groups(
    n_tokens: np.ndarray,
    cut: np.ndarray,
    per_block: int,
    prepare: Callable[[np.ndarray], T],
    forward: Callable[[T], np.ndarray],
    *,
    device: "torch.device",
    batch_tokens: int | None = None,
) -> Iterator[Block]:
    """Yield finished blocks of sentences, shortest sentences first.

    Only one block is computed ahead of the block that the caller uses, so that memory is bounded.
    `prepare` turns rows of equal length into the input of a pass, in this thread. `forward` returns
    the vectors of a pass, shape (K, n, D), in several threads. `n_tokens` and `cut` describe each
    sentence, shape (N,). A pass has at most `batch_tokens` tokens.
    """
    on_cpu = device.type == "cpu"
    at_most = batch_tokens or (_CPU_TOKENS if on_cpu else _GPU_TOKENS)
    per_block = min(per_block, _CPU_SENTENCES if on_cpu else _GPU_SENTENCES)
    order = np.argsort(n_tokens, kind="stable")
    done = 0
    context.report(done, len(order), "sentences")
    with _threads(device) as pool:
        blocks = (order[start : start + per_block] for start in range(0, len(order), per_block))
        running = (
            (rows, pool.map(forward, map(prepare, equal_lengths(n_tokens, rows, at_most))))
            for rows in blocks
        )
        block = next(running, None)
        while block is not None:
            following = next(running, None)  # computed while the caller uses `block`
            rows, results = block
            vectors = []
            for each in results:
                vectors.append(each)
                done += each.shape[1]
                context.report(done, len(order), "sentences")
            yield Block(rows, np.concatenate(vectors, axis=1), n_tokens[rows], cut[rows])
            block = following


def equal_lengths(n_tokens: np.ndarray, rows: np.ndarray, at_most: int) -> Iterator[np.ndarray]:
    """Split rows, sorted by length, into groups of equal length and at most `at_most` tokens."""
    for equal in np.split(rows, np.flatnonzero(np.diff(n_tokens[rows])) + 1):
        per_group = max(1, at_most // n_tokens[equal[0]])
        for start in range(0, len(equal), per_group):
            yield equal[start : start + per_group]


@contextmanager
def _threads(device: "torch.device") -> Iterator[ThreadPoolExecutor]:
    """Yield the pool of threads for a device; OMP_NUM_THREADS limits them on the CPU."""
    import torch

    def own_stream() -> None:
        torch.cuda.set_stream(torch.cuda.Stream(device))  # type: ignore[no-untyped-call]

    n_threads, begin = {
        "cpu": (torch.get_num_threads(), stay_on_one_thread),
        _STREAMED: (2, own_stream),
    }.get(device.type, (1, None))
    pool = ThreadPoolExecutor(n_threads, thread_name_prefix="encode", initializer=begin)
    try:
        yield pool
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def to_device(tensor: "torch.Tensor", device: "torch.device") -> "torch.Tensor":
    """Copy a CPU tensor to a device; to a GPU asynchronously."""
    if device.type == _STREAMED:
        return tensor.pin_memory().to(device, non_blocking=True)
    return tensor.to(device)


def to_host(tensor: "torch.Tensor") -> np.ndarray:
    """Return a tensor as an array. With a GPU, only this thread waits, for its own stream."""
    import torch

    if tensor.device.type != _STREAMED:
        return tensor.cpu().numpy()
    pinned = torch.empty_like(tensor, device="cpu", pin_memory=True)
    pinned.copy_(tensor, non_blocking=True)
    torch.cuda.current_stream(tensor.device).synchronize()
    return pinned.numpy()
