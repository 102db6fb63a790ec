"""Walks from one sentence to another, through the latent space and through the raw one.

Two ways lead through the latent space and are mapped back by the inverse; one leads through the raw
space and is mapped forward. All three are measured in the latent space, to be comparable.
"""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from bertflow_core.analysis.paths import fractions, great_circle, straight
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.errors import InputError, NotInvertibleError
from bertflow_core.linalg import FloatArray, Rows
from bertflow_core.studies.playground.nearest import nearest_rows
from bertflow_core.studies.playground.spaces import Playground
from bertflow_core.studies.playground.typed import Typed

__all__ = ["MAX_STEPS", "Band", "Walk", "Way", "WayName", "round_trip", "walk", "walk_records"]


def round_trip(calibrator: Calibrator, z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Map latent rows back, and forward again.

    Args:
        calibrator: An invertible one.
        z: Latent rows, shape (n, D).

    Returns:
        x, the rows mapped back, shape (n, D); and |T(x) - z| / |z|, shape (n,), without the
        division where z is zero.
    """
    x = calibrator.inverse_transform(z)
    off = np.linalg.norm(np.asarray(calibrator.transform(x), np.float64) - z, axis=1)
    norms = np.linalg.norm(z, axis=1)
    return x, np.divide(off, norms, out=off, where=norms > 0)


MAX_STEPS = 51


class WayName(StrEnum):
    """How a walk goes."""

    RAW = "raw line"
    LINE = "latent line"
    CIRCLE = "great circle"


@dataclass(frozen=True)
class Band:
    """Where 90 % of the real sentences lie.

    Attributes:
        low: 5th percentile.
        median: 50th.
        high: 95th.
    """

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: FloatArray) -> "Band":
        """Return the band of values, shape (M,)."""
        return cls(*(float(each) for each in np.percentile(values, [5, 50, 95])))


@dataclass(frozen=True, eq=False)
class Way:
    """What n steps from one sentence to another meet, all in the latent space.

    Attributes:
        name: How it goes.
        norms: Length of each latent point, shape (n,).
        log_density: In nats, shape (n,); None where the calibrator has learnt no density.
        rows: The nearest real sentence of each step, shape (n,).
        values: Its cosine or L2 distance, shape (n,).
        errors: |T(T^-1(z)) - z| / |z|, in the precision of the embeddings, shape (n,).
    """

    name: WayName
    norms: FloatArray
    log_density: FloatArray | None
    rows: Rows
    values: FloatArray
    errors: FloatArray


@dataclass(frozen=True, eq=False)
class Walk:
    """A walk on three ways.

    Attributes:
        spec: The calibrator whose latent space it is.
        metric: What makes a real sentence the nearest, `cosine` or `l2`.
        ends: The two sentences.
        fractions: How far each step is, from 0 to 1, shape (n,).
        ways: The three ways, in the order of `WayName`.
        sentences: The real sentences that `rows` count.
        norms: Of the real sentences in the latent space.
        log_density: Of the real sentences, in nats; None where there is none.
        bend: How far the raw line, mapped forward, strays from the latent line, at most, over the
            distance of the ends; 0 for an affine map, which carries lines to lines.
    """

    spec: str
    metric: str
    ends: tuple[str, str]
    fractions: FloatArray = field(repr=False)
    ways: tuple[Way, ...] = field(repr=False)
    sentences: tuple[str, ...] = field(repr=False)
    norms: Band
    log_density: Band | None
    bend: float

    @property
    def largest_error(self) -> float:
        """The largest relative error of a round trip."""
        return float(max(way.errors.max() for way in self.ways))

    def way(self, name: WayName) -> Way:
        """Return one of the ways."""
        return self.ways[list(WayName).index(name)]

    def remarks(self) -> tuple[str, ...]:
        """Describe what the walk shows, in sentences."""
        line, circle = self.way(WayName.LINE), self.way(WayName.CIRCLE)
        remarks = [
            f"The latent line comes as near to the origin as {line.norms.min():.1f}, the great "
            f"circle as {circle.norms.min():.1f}; 90 % of the real sentences lie from "
            f"{self.norms.low:.1f} to {self.norms.high:.1f}."
        ]
        if line.log_density is not None and self.log_density is not None:
            remarks.append(_against(line.log_density, self.log_density))
        remarks.append(
            f"The raw line, mapped forward, strays from the latent line by at most "
            f"{100 * self.bend:.1f} % of the distance between the ends; an affine map "
            "would keep it straight."
        )
        return tuple(remarks)


def walk(
    playground: Playground,
    typed: Typed,
    spec: str,
    *,
    start: int,
    end: int,
    n_steps: int = 11,
    metric: str = "cosine",
) -> Walk:
    """Walk from one typed sentence to another.

    Args:
        playground: The real sentences and the calibrator.
        typed: The sentences to choose the ends from.
        spec: The calibrator whose latent space is walked.
        start: Which typed sentence is the first end, from 0.
        end: Which is the other.
        n_steps: Points on each way, both ends among them, from 2 to 51.
        metric: What makes a real sentence the nearest, `cosine` or `l2`.

    Raises:
        InputError: Ends that do not exist or have the same embedding, an unknown metric, steps out
            of range, or ends that no great circle joins.
        NotInvertibleError: The calibrator discards something, so it has no inverse.
    """
    space = playground.space(spec)
    reason = space.why_no_way_back()
    if reason is not None:
        raise NotInvertibleError(reason)
    _check(typed, start, end, n_steps)
    ends = (typed.z[spec][start], typed.z[spec][end])
    calibrator, precision = space.calibrator, typed.x.dtype
    raw = straight(typed.x[start], typed.x[end], n_steps).astype(precision)
    points = {
        WayName.RAW: calibrator.transform(raw),
        WayName.LINE: straight(*ends, n_steps).astype(precision),
        WayName.CIRCLE: great_circle(*ends, n_steps).astype(precision),
    }
    dense = space.log_density is not None
    strays = np.linalg.norm(points[WayName.RAW] - points[WayName.LINE], axis=1).max()
    return Walk(
        spec=spec,
        metric=metric,
        ends=(typed.sentences[start], typed.sentences[end]),
        fractions=fractions(n_steps),
        ways=tuple(
            _way(name, calibrator, space.z, z, metric, dense=dense) for name, z in points.items()
        ),
        sentences=playground.sentences,
        norms=Band.of(np.linalg.norm(space.z, axis=1)),
        log_density=None if space.log_density is None else Band.of(space.log_density),
        bend=float(strays / np.linalg.norm(ends[1] - ends[0])),
    )


def _check(typed: Typed, start: int, end: int, n_steps: int) -> None:
    n = len(typed.sentences)
    if not (0 <= start < n and 0 <= end < n):
        raise InputError(f"a walk has two of the {n} typed sentences as its ends")
    # Not by their texts: an encoder without capitals reads two of them alike, up to rounding.
    if np.allclose(typed.x[start], typed.x[end], atol=1e-6):
        raise InputError(
            "a walk needs two sentences that the encoder tells apart: choose another end"
        )
    if not 2 <= n_steps <= MAX_STEPS:
        raise InputError(f"a walk has from 2 to {MAX_STEPS} steps, got {n_steps}")


def walk_records(walk: Walk) -> list[dict[str, int | float | str | None]]:
    """Return one record per way and step; steps are numbered from 1."""
    return [
        {
            "way": str(way.name),
            "step": step + 1,
            "fraction": float(walk.fractions[step]),
            "nearest": walk.sentences[way.rows[step]],
            walk.metric: float(way.values[step]),
            "norm": float(way.norms[step]),
            "log_density": None if way.log_density is None else float(way.log_density[step]),
            "round_trip_error": float(way.errors[step]),
        }
        for way in walk.ways
        for step in range(len(walk.fractions))
    ]


def _against(values: FloatArray, band: Band) -> str:
    """Say from where to where the log-density goes, and how many steps keep to the band."""
    below, above = int((values < band.low).sum()), int((values > band.high).sum())
    return (
        f"Along the latent line the log-density is between {values.min():,.0f} and "
        f"{values.max():,.0f} nats. Of its {len(values)} steps {below} lie below, "
        f"{len(values) - below - above} within and {above} above the middle 90 % of the real "
        f"sentences ({band.low:,.0f} to {band.high:,.0f} nats)."
    )


def _way(
    name: WayName,
    calibrator: Calibrator,
    real: FloatArray,
    z: FloatArray,
    metric: str,
    *,
    dense: bool,
) -> Way:
    x, errors = round_trip(calibrator, z)
    near = nearest_rows(real, z, 1, metric)
    return Way(
        name=name,
        norms=np.linalg.norm(z, axis=1),
        log_density=calibrator.score_samples(x) if dense else None,
        rows=near.rows[:, 0],
        values=near.values[:, 0],
        errors=errors,
    )
