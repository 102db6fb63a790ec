"""The recording of a newborn model: a small language model whose word vectors become a cone.

`examples/newborn.py` trains the model and writes the recording. The package holds one, which the
page "How a cone forms" and the static site show. Its JSON has these fields:

- `n_steps` and `seed` of the training, and `n_words`, the size of the vocabulary.
- `words` and `counts` of the S shown words, the most frequent first. A count of 0 marks a word that
  never occurs.
- `frames`, in order of steps: measures, `norms` (the mean of each bin of `bins_of`) and `places`.
  `places` holds x and y of each shown word in turn, in thousandths. It is one text of 2 S integers
  with spaces between them, which keeps the file small.
- `equation`: the fit of Eq. 2 and 3 at some steps; `points`: words in contexts under Eq. 3.
- `spaces` and `pairs`: sentences under calibrators, as `studies.space.cone.openings` returns them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Row, Table
from bertflow_core.runtime.shipped import resource
from bertflow_core.wording import ranks_text

_STORED = "results/newborn.json"
_BIN_ENDS = (50, 1_000)  # ranks
_UNIT = 1_000

_OF_SPACES = (
    Column("calibrator"),
    Column("rho_untrained", "rho x 100, untrained", ".2f", times=100),
    Column("rho", "rho x 100, trained", ".2f", times=100),
    Column("random_cosine_untrained", "random cos, untrained", ".2f"),
    Column("random_cosine", "random cos, trained", ".2f"),
)
_OF_EQUATION = (
    Column("step", format=","),
    Column("conditional", "log p(x|c)", ".2f"),
    Column("r2_conditional", "R2 of Eq. 2", ".2f"),
    Column("pmi", "PMI", ".2f"),
    Column("log_p", "log p", ".2f"),
    Column("r2", "R2 of Eq. 3", ".2f"),
    Column("r2_pmi", "R2 of PMI alone", ".2f"),
    Column("r2_log_p", "R2 of log p alone", ".2f"),
    Column("n_pairs", "pairs", ","),
    Column("n_contexts", "contexts", ","),
)
_ABOUT_SPACES = (
    "Sentence embeddings are means of context embeddings; calibrators are fitted on all of them. "
    "The control is the untrained network with its random initial weights."
)
_ABOUT_EQUATION = (
    "Least-squares fits of h_c . w_x within contexts: to log p(x|c) (Eq. 2 of Li et al., 2020), "
    "and to PMI(x, c) and log p(x) (Eq. 3). All coefficients are 1 in a model that reproduces all "
    "counts. Only contexts (the words around a gap) with at least 30 occurrences are used, and "
    "words with at least 3 in a context."
)


@dataclass(frozen=True, eq=False)
class Recording:
    """A training of `examples/newborn.py`; the module's docstring describes the fields."""

    n_steps: int
    seed: int
    n_words: int
    words: Sequence[str] = field(repr=False)
    counts: Sequence[int] = field(repr=False)
    frames: Sequence[Row] = field(repr=False)
    equation: Sequence[Row] = field(repr=False)
    points: Mapping[str, Sequence[Any]] = field(repr=False)
    pairs: Sequence[Sequence[Any]] = field(repr=False)
    spaces: Sequence[Row] = field(repr=False)

    @property
    def caption(self) -> str:
        """What the numbers depend on, as one line of text."""
        return (
            f"The model of examples/newborn.py on the captions: {self.n_steps:,} steps, "
            f"{self.n_words:,} words, seed {self.seed}."
        )

    @property
    def command(self) -> str:
        """The command that writes the recording."""
        asked = f"--steps {self.n_steps} --seed {self.seed}"
        return f"python examples/newborn.py {asked} --out newborn.json"

    @property
    def equation_table(self) -> Table:
        """The fit of Eq. 2 and 3 at some steps."""
        return Table(_OF_EQUATION, self.equation, remarks=remarks_of(Kind.METHOD, _ABOUT_EQUATION))

    @property
    def spaces_table(self) -> Table:
        """Agreement with gold scores and random cosine, by calibrator."""
        return Table(_OF_SPACES, self.spaces, remarks=remarks_of(Kind.METHOD, _ABOUT_SPACES))

    @property
    def norms(self) -> dict[tuple[int, int], float]:
        """The mean norm of word vectors at the end, by bin of frequency ranks."""
        return dict(zip(bins_of(self.n_words), self.frames[-1]["norms"], strict=True))

    def picture(self) -> dict[str, Any]:
        """Return what the browser plays."""
        (_, end), *others = bins_of(self.n_words)
        bins = [f"{end:,} most frequent", *(f"ranks {ranks_text(*ranks)}" for ranks in others)]
        return {"words": self.words, "counts": self.counts, "bins": bins, "frames": self.frames}


@cache
def stored_recording() -> Recording:
    """Return the recording that ships with the package; callers must not change it."""
    return Recording(**json.loads(resource(_STORED).read_text(encoding="utf-8")))


def bins_of(n_words: int) -> list[tuple[int, int]]:
    """Return the bins [low, high) of frequency ranks for the mean norms of a vocabulary."""
    return list(pairwise([0, *(end for end in _BIN_ENDS if end < n_words), n_words]))


def shown_ranks(n_words: int) -> Rows:
    """Return the shown ranks in ascending order: the first 100, then evenly on a log axis."""
    rarer = np.geomspace(100, n_words, 400).astype(np.int64) - 1 if n_words > 100 else ()
    return np.unique(np.array([*range(min(100, n_words)), *rarer]))


def with_places(
    frames: Sequence[Row], vectors: Sequence[FloatArray], n_used: int
) -> list[dict[str, Any]]:
    """Return frames with the places of their shown words, given the words' vectors, (S, D) each.

    All frames share a plane, so that only words move. The vertical direction is the mean direction
    in the last frame of the words that occur, the first `n_used`: the axis of the cone. The
    horizontal one is their direction of largest variance orthogonal to it.
    """
    used = np.asarray(vectors[-1][:n_used], np.float64)
    up = unit_rows(used).mean(axis=0)
    up /= np.linalg.norm(up)
    _, directions = Moments.of(used - np.outer(used @ up, up)).principal
    plane = np.column_stack([directions[:, 0], up])
    places = (np.rint(_UNIT * (x @ plane)).astype(int).ravel().tolist() for x in vectors)
    return [
        {**frame, "places": " ".join(map(str, at))}
        for frame, at in zip(frames, places, strict=True)
    ]
