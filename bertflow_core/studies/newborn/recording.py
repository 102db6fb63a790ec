"""The recipe of a newborn model, and the recording of its training: words and measures by step.

A row holds the measures after a number of steps. `LiveRecording.seen` returns the rows and the
facts of the recording. `payload` combines both for the app's picture and for a page without Python:

- `words` and `counts` of the S shown words, the most frequent first. A count of 0 marks a word that
  never occurs. `bins` names the bins of the norms.
- `frames`, in order of steps. Each has the measures of a row, `norms` (the mean of each bin) and
  `places`. `places` holds x and y of each shown word in turn, in thousandths. It is one text of 2 S
  integers with spaces between them, which keeps the file small. A missing number is null.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.errors import InputError
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import Params, param, same_param
from bertflow_core.report.report import Row
from bertflow_core.wording import ranks_text

N_HEADS = 4
_MOST_FRAMES = 500


@dataclass(frozen=True, kw_only=True)
class NewbornRecipe(Params):
    """The choices that decide a newborn model and its recording.

    The model is trained on all sentences of the data set and scored on its test pairs.
    """

    command = "bertflow-lab analyse newborn"

    dataset: str = same_param(Recipe, "dataset")
    n_words: int = param(
        5_000, "Largest vocabulary in words; rarer words are unknown.", low=3, high=20_000
    )
    n_unused: int = param(
        50,
        "Rows of the table for words that never occur, like BERT's [unused0].",
        low=0,
        high=1_000,
    )
    width: int = param(64, f"Number of features, a multiple of {N_HEADS}.", low=4, high=256)
    n_layers: int = param(2, "Transformer layers.", low=1, high=6)
    max_words: int = param(32, "Longest sentence in words; longer ones are cut.", low=2, high=128)
    n_steps: int = param(200, "Steps of training.", low=1, high=5_000)
    every: int = param(5, "Steps between two frames of the recording.", low=1, high=5_000)
    batch_size: int = param(128, "Sentences per step.", low=1, high=1_024)
    learning_rate: float = param(
        2e-3, "Constant learning rate of Adam.", low=0, high=1, above_low=True
    )
    mask_share: float = param(
        0.15, "Share of words that are masked.", low=0, high=0.99, above_low=True
    )
    seed: int = same_param(
        Recipe,
        "seed",
        help="Seed of the initial weights, the order of the sentences and the masks.",
    )

    def check(self) -> None:
        """Refuse too many frames, and a width that is not a multiple of the number of heads."""
        if self.n_steps > _MOST_FRAMES * self.every:
            raise InputError(
                f"{self.n_steps} steps with a frame every {self.every} give more than "
                f"{_MOST_FRAMES} frames: choose a larger `every`"
            )
        if self.width % N_HEADS:
            raise InputError(f"width must be a multiple of {N_HEADS}, got {self.width}")

    def data(self) -> Recipe:
        """Return the recipe that names the sentences and the scored pairs."""
        return Recipe(dataset=self.dataset, seed=self.seed)

    def caption(self) -> str:
        """Return the recipe as one line of text."""
        return (
            f"{self.n_layers} transformer layers of width {self.width}, softmax tied to the word "
            f"vectors; all sentences of {self.dataset}; vocabulary of at most "
            f"{self.n_words:,} words and {self.n_unused} that never occur; {self.n_steps:,} steps "
            f"of Adam at {self.learning_rate:g}, {self.batch_size} sentences each, "
            f"{100 * self.mask_share:g} % of words masked; seed {self.seed}"
        )


NORMS = {"norm_to_50": 0, "norm_to_1000": 50, "norm_rarer": 1_000}
"""The columns of mean norm by frequency rank, each with its first rank, counted from 0."""

_UNIT = 1_000


def bins_of(n_words: int) -> list[tuple[int, int]]:
    """Return the bins [low, high) of ranks for the mean norms of a vocabulary."""
    return list(pairwise([*(low for low in NORMS.values() if low < n_words), n_words]))


def shown_ranks(n_words: int) -> Rows:
    """Return the shown ranks in ascending order: the first 100, then evenly on a log axis."""
    rarer = np.geomspace(100, n_words, 400).astype(np.int64) - 1 if n_words > 100 else ()
    return np.unique(np.array([*range(min(100, n_words)), *rarer]))


@dataclass(eq=False)
class LiveRecording:
    """The recording of a training in progress: one thread writes, others read the frames so far."""

    recipe: NewbornRecipe
    facts: dict[str, Any] = field(default_factory=dict)  # set before the first frame
    frames: list[tuple[Row, FloatArray]] = field(default_factory=list)  # measures, vectors (S, D)

    def seen(self) -> tuple[list[Row], dict[str, Any]]:
        """Return the rows and facts so far, with the points of all frames in the newest plane."""
        frames, found = list(self.frames), dict(self.facts)
        if frames:
            plane = newest_plane(frames[-1][1], np.array(found["counts"]))
            at = (np.rint(_UNIT * (x @ plane)).astype(int).ravel().tolist() for _, x in frames)
            found["places"] = [" ".join(map(str, each)) for each in at]
        return [row for row, _ in frames], found


def places(facts: Mapping[str, Any], frame: int) -> FloatArray:
    """Return the positions of the shown words in a frame, shape (S, 2)."""
    return np.reshape(np.array(facts["places"][frame].split(), int), (-1, 2)) / _UNIT


def payload(rows: Sequence[Row], facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a recording in the form that the docstring of this module describes."""
    first, *others = bins_of(facts["n_words"])
    norms = tuple(NORMS)[: 1 + len(others)]
    return {
        "words": facts["words"],
        "counts": facts["counts"],
        "bins": [f"{first[1]:,} most frequent", *(f"ranks {ranks_text(*bin_)}" for bin_ in others)],
        "frames": [
            {**row, "norms": [row[name] for name in norms], "places": places}
            for row, places in zip(rows, facts["places"], strict=True)
        ],
    }


def newest_plane(x: FloatArray, counts: FloatArray) -> FloatArray:
    """Return the plane of all frames: two unit directions as columns, shape (D, 2).

    The vertical direction is the mean of the shown words' directions, the axis of the cone. The
    horizontal one is the direction of largest variance orthogonal to it. All frames share the
    plane, so that only words move. `x` holds the vectors of the newest frame, shape (S, D); words
    with a count of 0 are ignored.
    """
    used = np.asarray(x[counts > 0], np.float64)
    up = unit_rows(used).mean(axis=0)
    up /= np.linalg.norm(up)
    beside = used - np.outer(used @ up, up)
    _, directions = Moments.of(beside).principal
    return np.column_stack([directions[:, 0], up])
