"""The inference pairs of a training: read whole, a slice drawn from them, and their digest."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from bertflow_core.datasets.nli import NliLabel, NliPair, nli_files, nli_pairs
from bertflow_core.errors import InputError
from bertflow_core.finetuning.training import NliTraining
from bertflow_core.progress import Progress, silent

__all__ = ["LABELS", "LICENCES", "InferencePairs", "read_inference_pairs"]

LABELS = {label: place for place, label in enumerate(NliLabel)}
"""The class of each label."""

LICENCES = {
    "snli": "SNLI (Bowman et al., 2015), CC BY-SA 4.0",
    "mnli": "MultiNLI (Williams et al., 2018), its parts under CC BY 3.0, CC BY-SA 3.0, the OANC's "
    "licence and in the public domain",
}
"""Source and terms of each data set."""

_SLICE_SEED = 0
_REPORT_EVERY = 10_000


@dataclass(frozen=True, eq=False)
class InferencePairs:
    """N labelled pairs.

    Attributes:
        pairs: In the order of the files, or, where they are a slice, of the draw.
        counts: (data set, split, pairs that its files hold), in order.
        digest: SHA-256 of the pairs in their order.
    """

    pairs: Sequence[NliPair] = field(repr=False)
    counts: tuple[tuple[str, str, int], ...]
    digest: str

    def __len__(self) -> int:
        return len(self.pairs)


def read_inference_pairs(
    folder: Path, training: NliTraining, *, progress: Progress = silent
) -> InferencePairs:
    """Read every pair of a training, or the slice of them that it asks for.

    Args:
        folder: The data folder.
        training: Names the data sets, their splits and the size of the slice.
        progress: Called with `(done, total, "pairs read")`; may raise `Cancelled`.

    Raises:
        InputError: Files that are missing or not in the format, or no pairs.
        ResourceError: The disk refused.
    """
    for name, split in training.parts():
        nli_files(folder, name, split)  # all are looked for before one is read
    pairs: list[NliPair] = []
    counts = []
    for name, split in training.parts():
        before = len(pairs)
        for pair in nli_pairs(folder, name, split):
            pairs.append(pair)
            if len(pairs) % _REPORT_EVERY == 0:
                progress(len(pairs), len(pairs), "pairs read")
        counts.append((name, split, len(pairs) - before))
    if not pairs:
        raise InputError("these files hold no labelled pairs: expected at least one")
    if training.max_pairs is not None and training.max_pairs < len(pairs):
        drawn = np.random.default_rng(_SLICE_SEED).permutation(len(pairs))[: training.max_pairs]
        pairs = [pairs[row] for row in drawn]
    return InferencePairs(pairs, tuple(counts), _digest(pairs))


def _digest(pairs: Sequence[NliPair]) -> str:
    total = hashlib.sha256()
    for pair in pairs:
        total.update("\t".join((*pair, "\n")).encode("utf-8", "surrogatepass"))
    return total.hexdigest()
