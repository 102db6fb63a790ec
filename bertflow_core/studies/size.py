"""How small may the vectors be? Rho against bytes, and whether to calibrate before or after."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.registry import BASELINE
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, metric_of, pairwise_cosine
from bertflow_core.evaluation.bootstrap import PairedBootstrap
from bertflow_core.evaluation.inference import interval_of, two_sided_p
from bertflow_core.evaluation.sts import strata
from bertflow_core.figures import Figure, interval_forest, score_by_dataset
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, principal_directions, second_moments
from bertflow_core.recipe import PLAIN, Recipe
from bertflow_core.remarks import why_unscored
from bertflow_core.report import Column, Pictures, Report, Table
from bertflow_core.space import Prepared
from bertflow_core.study import Facts, Part, Specs, study
from bertflow_core.text_table import percent

__all__ = ["encodings", "size"]

Draws = npt.NDArray[np.float64]
Coder = Callable[[FloatArray], FloatArray]

FULL, RESCORED = "float32", "binary, rescored"
ALONE, BEFORE, AFTER = "not", "before", "after"
_PARTS = (2, 4, 8)
"""Features are cut to the D-th part."""


class Encoding(NamedTuple):
    """How vectors are kept: bytes each, what becomes of a query's, and of a document's."""

    n_bytes: int
    query: Coder
    document: Coder


def encodings(x_fit: FloatArray, n_features: int) -> dict[str, Encoding]:
    """Return the ways to keep vectors by name.

    Args:
        x_fit: What ranges and principal directions are taken from, shape (N, K).
        n_features: Of the uncalibrated vectors, D: features are cut to parts of it.
    """
    from sentence_transformers.util.quantization import quantize_embeddings

    n = x_fit.shape[1]
    ranges = np.stack([x_fit.min(axis=0), x_fit.max(axis=0)])

    def same(x: FloatArray) -> FloatArray:
        return x

    def half(x: FloatArray) -> FloatArray:
        return x.astype(np.float16).astype(np.float32)

    def eighth(x: FloatArray) -> FloatArray:
        return np.asarray(quantize_embeddings(x, "int8", ranges=ranges), np.float32)

    def signs(x: FloatArray) -> FloatArray:
        bits = np.asarray(quantize_embeddings(x, "ubinary"), np.uint8)
        return 2.0 * np.unpackbits(bits, axis=1, count=n).astype(np.float32) - 1

    found = {
        FULL: Encoding(4 * n, same, same),
        "float16": Encoding(2 * n, half, half),
        "int8": Encoding(n, eighth, eighth),
        "binary": Encoding(-(-n // 8), signs, signs),
        RESCORED: Encoding(-(-n // 8), same, signs),
    }
    mean = x_fit.mean(axis=0, dtype=np.float64)
    directions = principal_directions(second_moments(x_fit, mean))[1]
    for k in (n_features // part for part in _PARTS):
        if 0 < k < n:
            found[f"first {k}"] = _cut(lambda x, k=k: x[:, :k], k)  # type: ignore[misc]
            found[f"PCA {k}"] = _cut(lambda x, k=k: (x - mean) @ directions[:, :k], k)  # type: ignore[misc]
    return found


def _cut(coder: Coder, k: int) -> Encoding:
    return Encoding(4 * k, coder, coder)


_COLUMNS = (
    Column("vectors"),
    Column("calibrator"),
    Column("order", "calibrated", help="before the vectors are made smaller, or after"),
    Column("encoding", "kept as"),
    Column("n_bytes", "bytes", ",", "of a vector"),
    Column("score", "rho x 100", ".2f", times=100, ends=True),
    Column("change", "", "+.2f", "against float32, uncalibrated", 100, ends=True),
    Column("frontier", help="no other as small or smaller scores as high"),
)


def _label(row: Mapping[str, Any]) -> str:
    order = "" if row["order"] == ALONE else f"{row['order']} "
    return f"{row['vectors']}, {order}{row['calibrator']}"


def _pictures(report: Report) -> Pictures:
    return {"size": lambda: _lines(report), "frontier": lambda: _forest(report)}


def _lines(report: Report) -> Figure:
    sizes = {(-row["n_bytes"], row["encoding"]): None for row in report.rows}
    names = list(dict.fromkeys(name for _, name in sorted(sizes)))
    found: dict[str, dict[str, float]] = {}
    for row in report.rows:
        found.setdefault(_label(row), {})[row["encoding"]] = row["score"]
    scores = {label: [each.get(name) for name in names] for label, each in found.items()}
    figure = score_by_dataset(scores, names, [label.rsplit(" ", 1)[-1] for label in scores])
    return figure.update_xaxes(title="kept as, the largest first")


def _forest(report: Report) -> Figure:
    rows = sorted((row for row in report.rows if row["frontier"]), key=lambda row: row["n_bytes"])
    labels = [f"{row['n_bytes']:,} bytes, {row['encoding']}, {_label(row)}" for row in rows]
    ends = ([row[key] for row in rows] for key in ("score", "score_low", "score_high"))
    return interval_forest(labels, *ends, title="rho x 100 on the frontier")


@study(
    "size",
    Recipe,
    _COLUMNS,
    title="How small may it be?",
    figures=_pictures,
    calibrators=("null-top-k:k=6", "whiten"),
    baseline=True,
    layers=True,
    plain=True,
)
def size(recipe: Recipe, lab: Lab, calibrators: Specs, layers: Specs) -> Iterator[Part]:
    """Score vectors that are made smaller, alone and with a calibrator before or after."""
    recipes = [recipe.with_(layers=name) for name in layers]
    if recipe.plain is not None and DECLARED not in layers:
        recipes.insert(0, recipe.plain)
    lab = replace(lab, ahead=(*lab.ahead, *recipes))
    for each in recipes:
        prepared = lab.prepare(each)
        yield prepared.recipe
        if prepared.pairs.judged is None:
            raise InputError(why_unscored(prepared.pairs))
        specs = (BASELINE,) if each == recipe.plain else calibrators
        metric = metric_of(prepared.pairs.metric)
        yield tuple(replace(c, label=metric.header) if c.key == "score" else c for c in _COLUMNS)
        rows, drawn = _scored(prepared, [*_kept(prepared, specs, lab)])
        yield from rows
        if each == recipes[0]:
            yield (answer := _answer(rows, metric.header, prepared.pairs.name))
            yield Facts(answer=answer)
        if each.layers in layers:
            yield _orders(rows, drawn)
    yield f"Intervals: 95 %, {N_DRAWS:,} resamples of pairs; a frontier is of one layer set."
    yield (
        "Ranges of int8 and directions of PCA, which subtracts the mean, are of the fit corpus. "
        "int8 and binary: by sentence-transformers' quantize_embeddings; rescored: a query in "
        "float32 on a document in bits."
    )


def _answer(rows: Sequence[Mapping[str, Any]], header: str, name: str) -> str:
    """Name the smallest vectors that do not score significantly less than float32."""
    full, *others = rows
    as_good = [row for row in others if row["change_high"] >= 0]
    if not as_good:
        return f"{name}, {_label(full)}: whatever makes vectors smaller loses significantly."
    best = min(as_good, key=lambda row: (row["n_bytes"], -row["score"]))
    kept = f"{best['encoding']} takes {best['n_bytes']:,} of {full['n_bytes']:,} bytes"
    ends = f"{100 * best['change_low']:+.2f} to {100 * best['change_high']:+.2f}"
    return (
        f"{name}, {_label(best)}: {kept} and scores {percent(best['score'])} in place of "
        f"{percent(full['score'])} ({header}; 95 % interval of the change {ends}), the smallest "
        "without a significant loss."
    )


def _kept(
    prepared: Prepared, specs: Sequence[str], lab: Lab
) -> Iterator[tuple[dict[str, Any], FloatArray]]:
    """Yield what is kept, and the cosine of each pair."""
    own, x_fit = prepared.recipe, prepared.x_fit
    sides = prepared.x_first, prepared.x_second
    name = PLAIN if own.layers == DECLARED else own.layers
    for spec in specs:

        def build(spec: str = spec) -> Any:  # noqa: ANN401 - a calibrator
            share = prepared.corpus.share
            return build_calibrator(spec, seed=own.seed, device=lab.device, share=share)

        row = {"vectors": name, "layers": own.layers, "calibrator": spec}
        calibrator = build().fit(x_fit)
        z_fit, *z = (calibrator.transform(x) for x in (x_fit, *sides))
        order = ALONE if spec == BASELINE else BEFORE
        for encoding, (n_bytes, query, document) in encodings(z_fit, x_fit.shape[1]).items():
            cosine = pairwise_cosine(query(z[0]), document(z[1]))
            yield {**row, "order": order, "encoding": encoding, "n_bytes": n_bytes}, cosine
        if spec == BASELINE:
            continue
        for encoding, (n_bytes, _, coder) in encodings(x_fit, x_fit.shape[1]).items():
            if encoding in (FULL, RESCORED):  # as before, and no one space to calibrate
                continue
            try:
                fitted = build().fit(coder(x_fit))
            except InputError:  # it keeps more directions than there are
                continue
            cosine = pairwise_cosine(*(fitted.transform(coder(side)) for side in sides))
            yield {**row, "order": AFTER, "encoding": encoding, "n_bytes": n_bytes}, cosine


def _scored(
    prepared: Prepared, kept: Sequence[tuple[dict[str, Any], FloatArray]]
) -> tuple[list[dict[str, Any]], Draws]:
    """Return rows with scores, changes and the frontier, and the draws of each row's score."""
    pairs, own = prepared.pairs, prepared.recipe
    metric = metric_of(pairs.metric)
    assert pairs.judged is not None
    cosines = [cosine for _, cosine in kept]
    parts = strata(pairs.subsets, own.aggregation)
    boot = PairedBootstrap(cosines, pairs.judged, parts, seed=own.seed, metric=metric)
    drawn, rows = boot.draw(N_DRAWS), []
    for place, (row, cosine) in enumerate(kept):
        score = getattr(metric.score(cosine, pairs.judged, pairs.subsets).main, own.aggregation)
        rows.append({**row, "score": score} | _ends("score", drawn[:, place]))
        if place:
            difference = drawn[:, place] - drawn[:, 0]
            rows[-1] |= {"change": score - rows[0]["score"], **_ends("change", difference)}
    places = [(row["n_bytes"], -round(row["score"], 9)) for row in rows]
    for row, (n_bytes, loss) in zip(rows, places, strict=True):
        better = (
            each != (n_bytes, loss) and each[0] <= n_bytes and each[1] <= loss for each in places
        )
        row["frontier"] = not any(better)
    return rows, drawn


def _ends(name: str, drawn: Draws) -> dict[str, float]:
    interval = interval_of(drawn)
    return {f"{name}_low": interval.low, f"{name}_high": interval.high}


def _orders(rows: Sequence[dict[str, Any]], drawn: Draws) -> Table:
    """Return by how much calibrating after scores higher than before, at the same encoding."""
    place = {(row["calibrator"], row["order"], row["encoding"]): i for i, row in enumerate(rows)}
    found = []
    for (spec, order, encoding), after in place.items():
        before = place.get((spec, BEFORE, encoding))
        if order != AFTER or before is None:
            continue
        difference = drawn[:, after] - drawn[:, before]
        gain = rows[after]["score"] - rows[before]["score"]
        numbers = {"gain": gain, **_ends("gain", difference), "p": two_sided_p(difference)}
        found.append({"calibrator": spec, "encoding": encoding, **numbers})
    columns = (
        Column("calibrator"),
        Column("encoding", "kept as"),
        Column("gain", "after less before", "+.2f", times=100, ends=True),
        Column("p", format="p"),
    )
    return Table(columns, found, f"Calibrate after or before? {rows[0]['layers']}, rho x 100")
