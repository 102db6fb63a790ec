"""The content of a wall: rows with their columns, and every pane's calibrated vectors."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from bertflow_core.analysis.neighbours import Neighbours
from bertflow_core.arrays.sampling import sample_rows
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.errors import InputError
from bertflow_core.exhibits.wall.recipe import Picture, WallRecipe
from bertflow_core.runtime import context

MAX_VALUES = 1 << 28  # in all spaces together: 1 GiB in float32
MAX_LABELS = 200  # a column with more distinct texts, such as ids, is left out

LOG_OF_RANK = "log10 of 1 / rank"  # the unit of frequency if only the order of the words is known


@dataclass(frozen=True, eq=False)
class Axis:
    """One number or category per row, equal in all panes or one per pane."""

    name: str  # for a table's header and a figure's legend
    values: FloatArray | Rows = field(repr=False)  # (N,), or (P, N) for P panes; NaN means unknown
    labels: tuple[str, ...] = ()  # the categories, indexed by `values`; none for numbers
    unit: str = ""

    @property
    def per_pane(self) -> bool:
        """Whether each pane has its own values."""
        return self.values.ndim == 2

    @property
    def header(self) -> str:
        """The name, with its unit if there is one."""
        return f"{self.name} ({self.unit})" if self.unit else self.name

    def cells(self, rows: Sequence[int], pane: int = 0) -> list[str | float | None]:
        """Return the labels or numbers of rows, None for unknown ones."""
        values = self.values[pane] if self.per_pane else self.values
        return [
            None if math.isnan(value) else self.labels[int(value)] if self.labels else value
            for value in values[list(rows)].tolist()
        ]


def category_column(name: str, values: Sequence[str]) -> Axis:
    """Return a column of N rows' categories, in order of appearance; an empty text is unknown."""
    labels = tuple(dict.fromkeys(filter(None, values)))
    places = {label: float(place) for place, label in enumerate(labels)}
    return Axis(name, np.array([places.get(value, np.nan) for value in values]), labels)


def column_of(name: str, values: Iterable[object]) -> Axis | None:
    """Return a column of numbers or of at most 200 categories; None if that is impossible."""
    texts = ["" if value is None else str(value).strip() for value in values]
    if not any(texts):
        return None
    try:
        numbers = np.array([float(text or "nan") for text in texts])
    except ValueError:
        numbers = np.array([np.inf])
    if not (np.abs(numbers) > np.finfo(np.float32).max).any():  # NaN passes
        return Axis(name, numbers)
    column = category_column(name, texts)
    return column if len(column.labels) <= MAX_LABELS else None


@dataclass(frozen=True, eq=False)
class PaneSpace:
    """Rows in one space."""

    name: str  # of the pane
    about: str  # layer set or table, and calibrator; empty for given vectors
    z: FloatArray = field(repr=False)  # float32, shape (N, K)
    calibrator: Calibrator | None = field(default=None, repr=False)  # fitted; None of given vectors
    log_density: FloatArray | None = field(default=None, repr=False)  # in nats, (N,), if known
    nearest: dict[str, Neighbours] = field(default_factory=dict, repr=False)  # cached, by metric

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
        """Notes on the fit, a sentence each, without full stops."""
        return () if self.calibrator is None else self.calibrator.notes_

    def map(self, x: FloatArray) -> FloatArray:
        """Map more rows into the space, shape (n, D)."""
        return x if self.calibrator is None else _mapped(self.calibrator, x)

    def badge(self, metric: str) -> str:
        """Name the space of the distances, for example `layer:4, flow (384 dims), l2`."""
        dims = f"{self.z.shape[1]} dims"
        return f"{self.about} ({dims}), {metric}" if self.about else f"{dims}, {metric}"


def _mapped(calibrator: Calibrator, x: FloatArray) -> FloatArray:
    """Return the rows of a space, float32, shape (N, K)."""
    return np.asarray(calibrator.transform(x), np.float32)


@dataclass(frozen=True, eq=False)
class Wall:
    """The same rows in up to six spaces."""

    ids: Rows = field(repr=False)  # index of each row in the data set, ascending, (N,)
    texts: tuple[str, ...] = field(repr=False)  # the sentence or word of each row
    shared: tuple[Axis, ...] = field(repr=False)  # equal in all panes
    description: str  # describes the rows, without a full stop
    spaces: tuple[PaneSpace, ...]  # one per pane
    recipe: WallRecipe | None = None  # None for given vectors
    fitted_on: str = ""  # one sentence; empty without a fitted calibrator

    @property
    def of_words(self) -> bool:
        """Whether the rows are words, not sentences."""
        return self.recipe is not None and self.recipe.of_words

    @cached_property
    def columns(self) -> tuple[Axis, ...]:
        """The columns of the rows: shared columns, then norm and log-density by pane."""
        norms = [np.linalg.norm(space.z, axis=1) for space in self.spaces]
        own = [Axis("norm", np.stack(norms), unit="L2")]
        if any(space.log_density is not None for space in self.spaces):
            unknown = np.full(len(self.texts), np.nan)
            known = [unknown if s.log_density is None else s.log_density for s in self.spaces]
            own.append(Axis("log-density", np.stack(known), unit="nats"))
        return (*self.shared, *own)

    def remarks(self, picture: Picture) -> tuple[str, ...]:
        """Describe the rows, the panes, their picture and the fits, a sentence each."""
        rows = self.description
        panes = "" if self.recipe is None else f"{self.recipe.caption()}."
        said = f"{rows[0].upper()}{rows[1:]}.", panes, f"{picture.caption()}.", self.fitted_on
        return tuple(filter(None, said))


def sample(n_total: int, most: int, what: str, *, seed: int) -> tuple[Rows, str]:
    """Return the rows to show out of n, ascending, and their description."""
    ids = sample_rows(n_total, most, seed=seed)
    if len(ids) == n_total:
        return ids, f"all {n_total:,} {what}"
    return ids, f"a sample of {len(ids):,} of {n_total:,} {what}, seed {seed}"


def check_size(n_rows: int, dims: Sequence[int]) -> None:
    """Refuse, before any work, more numbers than a wall holds."""
    wanted = n_rows * sum(dims)
    if wanted > MAX_VALUES:
        raise InputError(
            f"{len(dims)} spaces of {n_rows:,} rows hold {wanted:,} numbers, and a wall holds at "
            f"most {MAX_VALUES:,}: choose fewer rows or fewer panes"
        )
