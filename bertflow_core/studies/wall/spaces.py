"""What a wall shows: rows, and every pane's calibrated vectors of them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, Rows, sample_rows
from bertflow_core.studies.wall.parts import Column, number_column
from bertflow_core.studies.wall.recipe import Picture, WallRecipe

MAX_VALUES = 1 << 28  # of all spaces together: 1 GiB in float32


@dataclass(frozen=True, eq=False)
class PaneSpace:
    """Rows in one space.

    Attributes:
        name: Of the pane.
        about: Layer set or table, and calibrator; empty of given vectors.
        z: Vectors, float32, shape (N, K).
        calibrator: Fitted; None of given vectors.
        log_density: Of each row, in nats, shape (N,); None where it is not known.
    """

    name: str
    about: str
    z: FloatArray = field(repr=False)
    calibrator: Calibrator | None = field(default=None, repr=False)
    log_density: FloatArray | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls, name: str, about: str, calibrator: Calibrator, x: FloatArray, *, density: bool = False
    ) -> "PaneSpace":
        """Map rows, shape (N, D), by a fitted calibrator."""
        context.check_cancelled()
        known = calibrator.score_samples(x) if density and calibrator.has_density else None
        return cls(name, about, _mapped(calibrator, x), calibrator, known)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the fit noted, a sentence each, without full stops."""
        return () if self.calibrator is None else self.calibrator.notes_

    def map(self, x: FloatArray) -> FloatArray:
        """Map more rows into the space, shape (n, D)."""
        return x if self.calibrator is None else _mapped(self.calibrator, x)

    def badge(self, metric: str) -> str:
        """Say in which space distances are measured, for example `layer:4, flow (384 dims), l2`."""
        dims = f"{self.z.shape[1]} dims"
        return f"{self.about} ({dims}), {metric}" if self.about else f"{dims}, {metric}"


def _mapped(calibrator: Calibrator, x: FloatArray) -> FloatArray:
    return np.asarray(calibrator.transform(x), np.float32)


@dataclass(frozen=True, eq=False)
class WallRows:
    """The rows of a wall.

    Attributes:
        ids: Index of each row among all rows of the data set, rising, shape (N,); sampling does
            not change it.
        texts: The sentence or word of each row.
        columns: Properties of the rows, the same in every pane.
        description: Which rows these are, without a full stop.
    """

    ids: Rows = field(repr=False)
    texts: tuple[str, ...] = field(repr=False)
    columns: tuple[Column, ...] = field(repr=False)
    description: str

    @property
    def names(self) -> list[str]:
        """What names each row in a payload."""
        return [f"{place}: {text}" for place, text in zip(self.ids, self.texts, strict=True)]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Wall:
    """The same rows in up to six spaces.

    Attributes:
        rows: The rows.
        spaces: One per pane.
        recipe: What decides rows and spaces; None of given vectors.
        fitted_on: One sentence that says what calibrators were fitted on; empty where none was.
    """

    rows: WallRows
    spaces: tuple[PaneSpace, ...]
    recipe: WallRecipe | None = None
    fitted_on: str = ""

    @property
    def of_words(self) -> bool:
        """Whether the rows are words, not sentences."""
        return self.recipe is not None and self.recipe.of_words

    def remarks(self, picture: Picture) -> tuple[str, ...]:
        """Say what the rows, the panes, their picture and the fits are, a sentence each."""
        rows = self.rows.description
        panes = "" if self.recipe is None else f"{self.recipe.caption()}."
        said = f"{rows[0].upper()}{rows[1:]}.", panes, f"{picture.caption()}.", self.fitted_on
        return tuple(filter(None, said))

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """What is known of the rows: shared columns, then norm and log-density by pane."""
        norms = [np.linalg.norm(space.z, axis=1) for space in self.spaces]
        own = [number_column("norm", np.stack(norms), "L2")]
        if any(space.log_density is not None for space in self.spaces):
            unknown = np.full(len(self.rows), np.nan)
            known = [unknown if s.log_density is None else s.log_density for s in self.spaces]
            own.append(number_column("log-density", np.stack(known), "nats"))
        return (*self.rows.columns, *own)


def sample(n_total: int, most: int, what: str, *, seed: int) -> tuple[Rows, str]:
    """Return which of n rows are shown, rising, and say so: all, or a sample of the most."""
    ids = sample_rows(n_total, most, seed=seed)
    if len(ids) == n_total:
        return ids, f"all {n_total:,} {what}"
    return ids, f"a sample of {len(ids):,} of {n_total:,} {what}, seed {seed}"


def check_size(n_rows: int, dims: Iterable[int]) -> None:
    """Refuse, before any work, more numbers than a wall holds."""
    dims = list(dims)
    wanted = n_rows * sum(dims)
    if wanted > MAX_VALUES:
        raise InputError(
            f"{len(dims)} spaces of {n_rows:,} rows hold {wanted:,} numbers, and a wall holds at "
            f"most {MAX_VALUES:,}: take fewer rows or fewer panes"
        )
