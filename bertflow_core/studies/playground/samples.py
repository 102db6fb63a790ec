"""Samples of the Gaussian, mapped back, and the real sentences nearest to them."""

from dataclasses import dataclass, field

import numpy as np

from bertflow_core.errors import InputError, NotInvertibleError
from bertflow_core.linalg import FloatArray, Rows, sample_rows
from bertflow_core.studies.playground.nearest import nearest_rows
from bertflow_core.studies.playground.spaces import Playground
from bertflow_core.studies.playground.walk import round_trip
from bertflow_core.studies.sentences.interpretation import where_samples_fall

__all__ = ["MATCHED", "MAX_SAMPLES", "Distances", "Samples", "draw_samples", "sample_records"]

MAX_SAMPLES = 1_000

MATCHED = "the Gaussian with the mean and covariance of the real sentences in the latent space"


@dataclass(frozen=True, eq=False)
class Distances:
    """L2 distances to the nearest real sentence in one space.

    Attributes:
        samples: Of each sample, shape (n,).
        real: Of as many real sentences, or of all where there are fewer, to another one.
        rows: Which real sentence is nearest to each sample, shape (n,).
    """

    samples: FloatArray = field(repr=False)
    real: FloatArray = field(repr=False)
    rows: Rows = field(repr=False)

    @property
    def ratio(self) -> float | None:
        """Median of samples over median of real sentences; None where that is 0."""
        typical = float(np.median(self.real))
        return float(np.median(self.samples)) / typical if typical > 0 else None


@dataclass(frozen=True, eq=False)
class Samples:
    """n draws of a Gaussian, mapped back by the inverse.

    Attributes:
        spec: The calibrator.
        gaussian: Which one: N(0, I) where that is what the calibrator models, else the one with the
            mean and covariance of the real sentences.
        seed: Of the draw.
        latent: Distances in the latent space, where the Gaussian is.
        raw: Distances in the raw space, where the samples were mapped to.
        apart: Of each sample in the latent space to the nearest of as many other draws as there
            are real sentences, shape (n,): how far apart points of the Gaussian itself are.
        log_density: Of each sample in nats, shape (n,); None where there is no density.
        real_log_density: Of the real sentences whose distances are given; None likewise.
        errors: Relative error of each round trip, shape (n,).
        sentences: The real sentences that rows count.
    """

    spec: str
    gaussian: str
    seed: int
    latent: Distances
    raw: Distances
    apart: FloatArray = field(repr=False)
    log_density: FloatArray | None = field(repr=False)
    real_log_density: FloatArray | None = field(repr=False)
    errors: FloatArray = field(repr=False)
    sentences: tuple[str, ...] = field(repr=False)

    def remarks(self) -> tuple[str, ...]:
        """Describe what the distances and densities show, in sentences."""
        remarks = [
            f"The samples are of {self.gaussian}.",
            _compared("latent", self.latent),
            f"For reference: the median sample lies {np.median(self.apart):.2f} from the nearest "
            f"of {len(self.sentences):,} other samples, as many as there are real sentences. If "
            "these filled the latent space as the Gaussian does, they would be as near.",
            _compared("raw", self.raw),
            f"The {len(self.errors):,} samples have {len(np.unique(self.latent.rows)):,} different "
            f"nearest sentences in the latent space and {len(np.unique(self.raw.rows)):,} in the "
            "raw one; few where some sentences, such as those of small norm, are near to all.",
        ]
        if self.log_density is not None and self.real_log_density is not None:
            remarks.append(
                f"The median sample has a log-density of {np.median(self.log_density):,.0f} nats, "
                f"the median real sentence one of {np.median(self.real_log_density):,.0f}."
            )
        return tuple(sentence for sentence in remarks if sentence)


def draw_samples(
    playground: Playground, spec: str, *, n_samples: int = 300, seed: int = 0
) -> Samples:
    """Draw from the Gaussian, map back, and find the nearest real sentences.

    Args:
        playground: The real sentences and the calibrator.
        spec: The calibrator whose inverse is taken.
        n_samples: From 1 to 1,000.
        seed: Random seed.

    Raises:
        InputError: No such calibrator, or a number out of its range.
        NotInvertibleError: The calibrator discards something.
    """
    space = playground.space(spec)
    reason = space.why_no_way_back()
    if reason is not None:
        raise NotInvertibleError(reason)
    if not 1 <= n_samples <= MAX_SAMPLES:
        raise InputError(f"draw from 1 to {MAX_SAMPLES:,} samples, got {n_samples}")
    known = space.log_density
    mean, covariance = _moments(space.z, is_standard=known is not None)
    drawn = np.random.default_rng(seed).multivariate_normal(
        mean, covariance, n_samples + len(space.z), method="eigh"
    )
    z, others = np.split(drawn.astype(playground.x.dtype), [n_samples])
    x, errors = round_trip(space.calibrator, z)
    beside = sample_rows(len(playground.sentences), n_samples, seed=seed)
    return Samples(
        spec=spec,
        gaussian="N(0, I)" if known is not None else MATCHED,
        seed=seed,
        latent=_distances(space.z, z, beside),
        raw=_distances(playground.x, x, beside),
        apart=nearest_rows(others, z, 1, "l2").values[:, 0],
        log_density=None if known is None else space.calibrator.score_samples(x),
        real_log_density=None if known is None else known[beside],
        errors=errors,
        sentences=playground.sentences,
    )


def _moments(z: FloatArray, *, is_standard: bool) -> tuple[FloatArray, FloatArray]:
    """Return mean, shape (D,), and covariance, shape (D, D), of the Gaussian that is drawn from."""
    n_features = z.shape[1]
    if is_standard:
        return np.zeros(n_features), np.eye(n_features)
    rows = z.astype(np.float64)
    return rows.mean(axis=0), np.cov(rows, rowvar=False).reshape(n_features, n_features)


def sample_records(samples: Samples) -> list[dict[str, int | float | str | None]]:
    """Return one record per sample, numbered from 1."""
    return [
        {
            "sample": i + 1,
            "nearest_latent": samples.sentences[samples.latent.rows[i]],
            "distance_latent": float(samples.latent.samples[i]),
            "nearest_raw": samples.sentences[samples.raw.rows[i]],
            "distance_raw": float(samples.raw.samples[i]),
            "log_density": None if samples.log_density is None else float(samples.log_density[i]),
            "round_trip_error": float(samples.errors[i]),
        }
        for i in range(len(samples.errors))
    ]


def _distances(real: FloatArray, samples: FloatArray, beside: Rows) -> Distances:
    near = nearest_rows(real, samples, 1, "l2")
    other = nearest_rows(real, real[beside], 1, "l2", own=beside)
    return Distances(near.values[:, 0], other.values[:, 0], near.rows[:, 0])


def _compared(name: str, distances: Distances) -> str:
    if distances.ratio is None:
        return ""
    return (
        f"In the {name} space the median sample lies {np.median(distances.samples):.2f} from the "
        f"nearest real sentence, the median real sentence {np.median(distances.real):.2f} from the "
        f"nearest other one: {distances.ratio:.2f} times as far, so "
        f"{where_samples_fall(distances.ratio)}."
    )
