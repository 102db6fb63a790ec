"""What decides a training on inference pairs, with the paper's settings as defaults."""

import shlex
from dataclasses import asdict, dataclass
from typing import Any

from bertflow_core.datasets.nli import NLI
from bertflow_core.errors import InputError, check_name

__all__ = ["PAPER_SPLITS", "NliTraining"]

PAPER_SPLITS = {"snli": ("train", "dev", "test"), "mnli": ("train",)}
"""The splits that the released code of Li et al. (2020) trains on."""


@dataclass(frozen=True, kw_only=True)
class NliTraining:
    """A siamese encoder under a softmax over (u, v, |u - v|), u and v the mean of the last layer.

    The settings are those of Li et al. (2020, appendix B), who follow Reimers and Gurevych (2019,
    https://aclanthology.org/D19-1410); warm-up, decay of weights, clipping and the head are those
    of the released code.

    Attributes:
        model: Catalogue name, local folder or hub id of the encoder to begin with.
        revision: Commit, branch or tag of a hub model.
        data: Names of inference data sets, snli and mnli.
        splits: Splits of each; none takes `PAPER_SPLITS`.
        max_pairs: Pairs to train on, drawn from all of them, the same ones for every seed; None
            takes all.
        seed: Of the head's first weights, of dropout and of the order of the pairs.
        epochs: Passes over the pairs.
        learning_rate: The highest, after the warm-up; it then falls linearly to 0.
        batch_size: Pairs a step.
        warm_up: Share of the steps in which the rate rises linearly from 0.
        weight_decay: Of AdamW, decoupled; not on biases and norms.
        clip: Largest norm of all gradients together.
        max_length: Longest input in tokens, special tokens included.

    Raises:
        InputError: A value that no training can have.
    """

    model: str
    revision: str | None = None
    data: tuple[str, ...] = NLI
    splits: tuple[str, ...] = ()
    max_pairs: int | None = None
    seed: int = 0
    epochs: int = 1
    learning_rate: float = 2e-5
    batch_size: int = 16
    warm_up: float = 0.1
    weight_decay: float = 0.01
    clip: float = 1.0
    max_length: int = 64

    def __post_init__(self) -> None:
        if not self.data:
            raise InputError("name at least one data set of inference pairs: snli or mnli")
        for name in self.data:
            check_name(name, NLI, "data set for inference")
        if self.max_pairs is not None and self.max_pairs < 1:
            raise InputError(f"max_pairs must be at least 1, got {self.max_pairs}")
        if not 0 <= self.seed < 2**32:
            raise InputError(f"seed must be from 0 to 4294967295, got {self.seed}")
        if self.max_length < 3:
            raise InputError(f"max_length must be at least 3 tokens, got {self.max_length}")

    def parts(self) -> tuple[tuple[str, str], ...]:
        """Return each data set and split to read, in order."""
        return tuple(
            (name, split) for name in self.data for split in self.splits or PAPER_SPLITS[name]
        )

    def to_dict(self) -> dict[str, Any]:
        """Return every choice, JSON-able."""
        return asdict(self) | {"data": list(self.data), "splits": list(self.splits)}

    def to_command(self) -> str:
        """Return the command that trains so, without its data folder and target."""
        words = ["bertflow-lab", "finetune-nli", "--model", self.model]
        words += ["--revision", self.revision] if self.revision else []
        words += [] if self.data == NLI else [w for name in self.data for w in ("--data", name)]
        words += [word for split in self.splits for word in ("--split", split)]
        words += ["--max-pairs", str(self.max_pairs)] if self.max_pairs else []
        words += ["--seed", str(self.seed)] if self.seed else []
        own = self.max_length != NliTraining.max_length
        words += ["--max-length", str(self.max_length)] if own else []
        return shlex.join(words)
