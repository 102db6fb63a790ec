"""The recording of a training: measures and places of words at some steps, also as plain JSON.

`Recording.to_dict` writes, for whatever draws it (the app's own picture, or a page without Python):

- `recipe`: the choices; `n_words`: words of the vocabulary; `edges`: rising ranks from 0, the edges
  of the bins of `norms`; `bins`: these in words.
- `words` and `counts`: of the shown rows, S each, the most frequent first; a count of 0 is a row
  whose word never occurs.
- `frames`: in order. Each has `step`, `loss` (nats, mean since the frame before), `mean_cosine` of
  all pairs of words, `frequency_rho` (|Spearman| of the first singular coordinate with log
  frequency), `norms` (mean by bin), `unused_norm`, `rho` (Spearman of sentences' cosines with
  gold), `random_cosine` of sentences, and `places`: x and y of each shown row in turn, 2 S whole
  numbers in thousandths of the space's unit, in one text with blanks between them, which keeps the
  file small. A number that does not exist is null.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from bertflow_core.linalg import (
    FloatArray,
    centred,
    principal_directions,
    second_moments,
    unit_rows,
)
from bertflow_core.studies.newborn.recipe import NewbornRecipe
from bertflow_core.wording import ranks_text

__all__ = ["UNIT", "LiveRecording", "Moment", "Recording", "newest_plane"]

UNIT = 1_000
"""Places are whole numbers in this part of the space's unit."""


@dataclass(frozen=True)
class Moment:
    """Measures after some steps; the module's text says what each of them is."""

    step: int
    loss: float
    mean_cosine: float
    frequency_rho: float | None
    norms: tuple[float, ...]
    unused_norm: float | None
    rho: float | None
    random_cosine: float


@dataclass(frozen=True)
class Recording:
    """A training as it is shown and stored.

    Attributes:
        recipe: What decides it.
        n_words: Words of the vocabulary.
        edges: Rising ranks, the edges of the bins of norms.
        words: Of the S shown rows, the most frequent first.
        counts: How often each occurs; 0 for a row that is never used.
        moments: F of them, in order.
        places: x, y of the shown rows in turn at each moment, F tuples of 2 S, in thousandths.
    """

    recipe: NewbornRecipe
    n_words: int
    edges: tuple[int, ...]
    words: tuple[str, ...] = field(repr=False)
    counts: tuple[int, ...] = field(repr=False)
    moments: tuple[Moment, ...] = field(repr=False)
    places: tuple[tuple[int, ...], ...] = field(repr=False)

    @property
    def bins(self) -> tuple[str, ...]:
        """The bins of norms, in words: ranks counted from 1."""
        first, *others = pairwise(self.edges)
        names = [f"{first[1]:,} most frequent"]
        names += [f"ranks {ranks_text(*ranks)}" for ranks in others]
        return tuple(names)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` makes an equal one."""
        values = {name: getattr(self, name) for name in ("n_words", "edges", "words", "counts")}
        frames = [
            asdict(moment) | {"places": " ".join(map(str, places))}
            for moment, places in zip(self.moments, self.places, strict=True)
        ]
        return {"recipe": self.recipe.to_dict(), **values, "bins": self.bins, "frames": frames}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Recording":
        """Return what `to_dict` wrote; JSON's lists become tuples."""
        frames = [dict(frame) for frame in values["frames"]]
        places = tuple(tuple(map(int, frame.pop("places").split())) for frame in frames)
        return cls(
            recipe=NewbornRecipe(**values["recipe"]),
            n_words=values["n_words"],
            edges=tuple(values["edges"]),
            words=tuple(values["words"]),
            counts=tuple(values["counts"]),
            moments=tuple(Moment(**frame | {"norms": tuple(frame["norms"])}) for frame in frames),
            places=places,
        )


@dataclass(eq=False)
class LiveRecording:
    """A training while it is recorded: its own thread writes, others take a `Recording` of it.

    Attributes:
        recipe: What decides it.
        n_words: See `Recording`, as of `edges`, `words` and `counts`; unset before the first frame.
        frames: A moment with the vectors of the shown rows, shape (S, D), each.
    """

    recipe: NewbornRecipe
    n_words: int = 0
    edges: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    frames: list[tuple[Moment, FloatArray]] = field(default_factory=list)

    def recording(self) -> Recording | None:
        """Return what is recorded so far, seen in the plane of the newest frame; None at first."""
        frames = tuple(self.frames)
        if not frames:
            return None
        plane = newest_plane(frames[-1][1], np.array(self.counts))
        places = [np.rint(UNIT * (x @ plane)).astype(int).ravel().tolist() for _, x in frames]
        return Recording(
            recipe=self.recipe,
            n_words=self.n_words,
            edges=self.edges,
            words=self.words,
            counts=self.counts,
            moments=tuple(moment for moment, _ in frames),
            places=tuple(map(tuple, places)),
        )


def newest_plane(x: FloatArray, counts: FloatArray) -> FloatArray:
    """Return two unit directions as columns, shape (D, 2), in which all frames are drawn.

    Upwards is the mean of the shown words' directions, the axis of the cone. Across is the
    direction in which the vectors differ most beside it. One plane for all frames: words drift, not
    the view.

    Args:
        x: Vectors of the shown rows at the newest frame, shape (S, D).
        counts: Of each row; those never used do not decide the plane, shape (S,).
    """
    used = np.asarray(x[counts > 0], np.float64)
    up = unit_rows(used).mean(axis=0)
    up /= np.linalg.norm(up)
    beside = used - np.outer(used @ up, up)
    _, directions = principal_directions(second_moments(centred(beside)))
    return np.column_stack([directions[:, 0], up])
