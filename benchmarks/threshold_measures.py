"""The measurements behind the thresholds of the advice, a table a question.

Rho is x 100, pooled over all pairs of a test split, and a gain is a difference of two of them.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.space import Prepared
from bertflow_core.studies.advice.measures import (
    LinearLoss,
    measure_cone,
    measure_held_out,
    measure_linear_loss,
    measure_shift,
)

from .threshold_spaces import (
    DATASETS,
    FloatArray,
    Space,
    embed,
    fitted_rho,
    sentences,
    snli,
    spaces,
    stsb_genres,
)

__all__ = ["MEASURES", "Row", "measure_cones", "measure_probes", "measure_shifts", "measure_sizes"]

Row = dict[str, Any]
Labelled = tuple[list[FloatArray], Sequence[str]]
"""The sides of some sentences or pairs, and their labels."""

CALIBRATORS = NULL, WHITEN, FLOW, SHRUNK = "null-top-k:k=6", "whiten", "flow", "ledoit-wolf"
SIZES = (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 5, 10, 20, 40)
SOURCES = ("stsb-train", "snli", "qnli", "sts12", "sts13", "sts14")
SHIFT_ROWS = 2_500
PROBED = (
    "standardize",
    *(f"null-top-k:k={k}" for k in (1, 6, 20, 50, 100, 200)),
    *(f"whiten:n_components={n}" for n in (64, 128, 192, 256, 320)),
    WHITEN,
    FLOW,
)
STRENGTHS = (0.01, 1.0, 100.0)


def measure_cones() -> Iterator[Row]:
    """Give the shape of each space and what each calibrator, fitted on the target, gains there."""
    for space in spaces(averages=("last2", "first-last")):
        for dataset in DATASETS:
            prepared = space.prepare(dataset)
            cone = measure_cone(np.concatenate([prepared.x_first, prepared.x_second]))
            raw = fitted_rho("identity", prepared.x_fit, prepared)
            for spec in (NULL, WHITEN, *([FLOW] if space.tokens == "mean" else [])):
                yield {
                    "space": space.name,
                    "dataset": dataset,
                    "calibrator": spec,
                    "random_cosine": cone.random_cosine,
                    "top_share": cone.top_share,
                    "effective_rank": cone.effective_rank,
                    "raw": raw,
                    "gain": fitted_rho(spec, prepared.x_fit, prepared) - raw,
                }


def measure_sizes() -> Iterator[Row]:
    """Give the gain of calibrators fitted on N sentences drawn from the target, from D / 4 up."""
    for space in spaces(range(1, 6), ["mean"]):
        for dataset in ("stsb", "sts12", "sts14"):
            prepared = space.prepare(dataset)
            x = embed(space, sentences(dataset))
            raw = fitted_rho("identity", x, prepared)
            full = {spec: fitted_rho(spec, x, prepared) for spec in (NULL, WHITEN, SHRUNK)}
            for seed, size in enumerate(SIZES):
                n = round(size * x.shape[1])
                if n <= len(x):
                    rows = x[np.sort(np.random.default_rng(seed).permutation(len(x))[:n])]
                    yield from _size_rows(space, dataset, rows, prepared, raw, full)


def _size_rows(
    space: Space,
    dataset: str,
    rows: FloatArray,
    prepared: Prepared,
    raw: float,
    full: dict[str, float],
) -> Iterator[Row]:
    held_out = measure_held_out(rows)
    for spec, rho_full in full.items():
        rho = fitted_rho(spec, rows, prepared)
        yield {
            "space": space.name,
            "dataset": dataset,
            "calibrator": spec,
            "n_per_d": len(rows) / rows.shape[1],
            "held_out": held_out.variance,
            "gain": rho - raw,
            "cost": rho_full - rho,
        }


def measure_shifts() -> Iterator[Row]:
    """Give the gain of calibrators fitted on one source and scored on another, N equal."""
    for space in spaces(range(1, 6), ["mean"]):
        corpora = {name: embed(space, sentences(name)) for name in {*SOURCES, *DATASETS}}
        for dataset in DATASETS:
            prepared = space.prepare(dataset)
            own = _rows(corpora[dataset])
            rhos = {spec: fitted_rho(spec, own, prepared) for spec in (NULL, WHITEN)}
            raw = fitted_rho("identity", own, prepared)
            used = tuple(dict.fromkeys(prepared.pairs.sentences()))
            x_used = embed(space, used)
            for source in SOURCES:
                if source == dataset:
                    continue
                shift = _shift(corpora[source], sentences(source), x_used, used)
                for spec, rho_own in rhos.items():
                    rho = fitted_rho(spec, _rows(corpora[source]), prepared)
                    yield {
                        "space": space.name,
                        "dataset": dataset,
                        "calibrator": spec,
                        "source": source,
                        "auc": shift,
                        "gain": rho - raw,
                        "cost": rho_own - rho,
                    }


def _rows(x: FloatArray) -> FloatArray:
    """Return as many rows of every source, drawn at random, in their order."""
    return x[np.sort(np.random.default_rng(0).permutation(len(x))[:SHIFT_ROWS])]


def _shift(x: FloatArray, texts: Sequence[str], x_used: FloatArray, used: Sequence[str]) -> float:
    common = set(texts) & set(used)
    kept = [np.array([text not in common for text in each]) for each in (texts, used)]
    return measure_shift(x[kept[0]], x_used[kept[1]]).auc


def measure_probes() -> Iterator[Row]:
    """Give the accuracy of logistic regression before and after calibrators, and the rank lost."""
    for space in spaces((2, 4, 6), ["mean"]):
        for task, (sets, strengths) in _tasks(space).items():
            before = {c: _accuracy("identity", sets, c)[0] for c in strengths}
            for spec in PROBED:
                for strength in strengths:
                    accuracy, lost = _accuracy(spec, sets, strength)
                    yield {
                        "space": space.name,
                        "task": task,
                        "calibrator": spec,
                        "C": strength,
                        "before": 100 * before[strength],
                        "gain": 100 * (accuracy - before[strength]),
                        "rank_lost": lost.rank_lost,
                        "variance_lost": lost.variance_lost,
                    }


def _tasks(space: Space) -> dict[str, tuple[list[Labelled], tuple[float, ...]]]:
    """Return what is told from one sentence, and from the usual features of a pair."""
    genre = [
        ([embed(space, texts)], labels) for texts, labels in map(stsb_genres, ("train", "test"))
    ]
    entailment = [
        ([embed(space, first), embed(space, second)], labels)
        for first, second, labels in map(snli, ("dev", "test"))
    ]
    return {"genre": (genre, STRENGTHS), "snli": (entailment, (1.0,))}


def _accuracy(spec: str, sets: Sequence[Labelled], strength: float) -> tuple[float, LinearLoss]:
    """Return the accuracy on the second set of a classifier of the first, and what is lost."""
    from sklearn.linear_model import LogisticRegression

    x_fit = np.concatenate(sets[0][0])
    calibrator = build_calibrator(spec).fit(x_fit)
    features = [_features([calibrator.transform(x) for x in sides]) for sides, _ in sets]
    classifier = LogisticRegression(C=strength, max_iter=200, tol=1e-3)
    classifier.fit(features[0], sets[0][1])
    lost = measure_linear_loss(calibrator, x_fit)
    return float(classifier.score(features[1], sets[1][1])), lost


def _features(sides: list[FloatArray]) -> FloatArray:
    """Return u, or u, v and |u - v|, shape (N, D) or (N, 3 D)."""
    if len(sides) == 1:
        return sides[0]
    u, v = sides
    return np.concatenate([u, v, np.abs(u - v)], axis=1)


MEASURES = {
    "cone": measure_cones,
    "size": measure_sizes,
    "shift": measure_shifts,
    "probe": measure_probes,
}
"""The tables by name."""
