"""How small can vectors be? Scores by bytes, calibrated before or after compression."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.spec import BASELINE, Spec
from bertflow_core.datasets.texts import need_targets
from bertflow_core.errors import InputError
from bertflow_core.evaluation import ACCURACY, N_DRAWS, Metric, metric_of
from bertflow_core.evaluation.comparison import Comparison, Score, compare, compare_to, pair_scores
from bertflow_core.evaluation.encodings import FULL, RESCORED, WHOLE, encodings
from bertflow_core.evaluation.labelled import hits
from bertflow_core.evaluation.units import unit_values
from bertflow_core.figures import Figure, interval_forest, score_by_dataset
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import too_few
from bertflow_core.lab.verdict import Outcome, Verdict, outcome_of
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.runtime import context

ALONE, BEFORE, AFTER = "no", "before", "after"

Fits = list[tuple[str, tuple[str, ...]]]
"""The calibrator of each fit, and its notes."""


_COLUMNS = (
    Column("vectors"),
    Column("calibrator"),
    Column("order", "calibrated", help="before or after the vectors are compressed"),
    Column("encoding", "stored as"),
    Column("n_bytes", "bytes", ",", "per vector"),
    Column("score", "", ".2f", times=100, ends=True),
    Column("change", "", "+.2f", "difference from uncalibrated float32", 100, ends=True),
    Column("change_p_holm", "p", "p", "of the difference, Holm-adjusted"),
    Column("frontier", help="no other vectors of at most this size score as high"),
)


def _label(row: Mapping[str, Any]) -> str:
    order = "" if row["order"] == ALONE else f"{row['order']} "
    return f"{row['vectors']}, {order}{row['calibrator']}"


def _pictures(report: Report) -> Pictures:
    drawn: Pictures = {"size": partial(_lines, report), "frontier": partial(_forest, report)}
    return drawn if report.where(frontier=True) else {"size": drawn["size"]}


def _lines(report: Report) -> Figure:
    sizes = {(-row["n_bytes"], row["encoding"]): None for row in report.rows}
    names = list(dict.fromkeys(name for _, name in sorted(sizes)))
    by_label: dict[str, dict[str, float]] = {}
    for row in report.rows:
        by_label.setdefault(_label(row), {})[row["encoding"]] = row["score"]
    scores = {label: [each.get(name) for name in names] for label, each in by_label.items()}
    specs = {_label(row): row["calibrator"] for row in report.rows}
    title = report.column("score").header
    figure = score_by_dataset(scores, names, [*specs.values()], title=title)
    return figure.update_xaxes(title="stored as (largest first)")


def _forest(report: Report) -> Figure:
    rows = sorted(report.where(frontier=True), key=itemgetter("n_bytes"))
    labels = [f"{row['n_bytes']:,} bytes, {row['encoding']}, {_label(row)}" for row in rows]
    ends = ([row[key] for row in rows] for key in ("score", "score_low", "score_high"))
    return interval_forest(labels, *ends, title=f"{report.column('score').header} on the frontier")


@study(
    "size",
    Recipe,
    _COLUMNS,
    title="How small can vectors be?",
    figures=_pictures,
    calibrators=("null-top-k:k=6", "whiten"),
    baseline=True,
    layers=True,
    plain=True,
    without=("similarity",),
)
def size(recipe: Recipe, lab: Lab, calibrators: Specs, layers: Sequence[str]) -> Result:
    """Score compressed vectors, without a calibrator and with one before or after."""
    data = lab.data(recipe)
    need_targets(data)
    metric = metric_of(data.metric)
    asked = recipe.each(layers=layers, calibrators=[BASELINE])
    recipes, why_no_plain = lab.with_plain(asked)
    embedded_recipes: list[Recipe] = []
    every: list[Row] = []
    remarks: list[Remark] = []
    tables: list[Table] = []
    fits: Fits = []
    for each, embedded in zip(recipes, lab.embedded(recipes), strict=True):
        embedded_recipes.append(embedded.recipe)
        specs = calibrators if each in asked else (BASELINE,)
        rows, scores, changes = _scored(embedded, [*_kept(embedded, specs, lab, fits)])
        every += rows
        remarks += remarks_of(Kind.METHOD, embedded.seen_remark)
        if each == recipes[0]:
            headline, answer = _answer(rows, changes, embedded)
            remarks += remarks_of(Kind.HEADLINE, headline) + remarks_of(Kind.ANSWER, answer)
        if each in asked:
            tables.append(_orders(rows, scores, metric))
    remarks += [*remarks_of(Kind.MISSING, why_no_plain), *fit_remarks(fits, recipe)]
    remarks += remarks_of(
        Kind.METHOD,
        f"The 95 % intervals use {N_DRAWS:,} resamples of {metric.unit}. Each layer set has its "
        "own frontier.",
        "The ranges of int8 and the PCA (which subtracts the mean) come from the fit corpus. There "
        "is no PCA of whitened vectors, whose variances are all equal. int8 and binary use "
        "quantize_embeddings of sentence-transformers. Rescored compares a float32 query with a "
        "binary document.",
    )
    columns = [replace(c, label=metric.header) if c.key == "score" else c for c in _COLUMNS]
    return Result(every, remarks, recipes=embedded_recipes, columns=columns, tables=tables)


def _answer(
    rows: Sequence[Mapping[str, Any]], changes: Mapping[int, Comparison], embedded: Embedded
) -> tuple[str, str]:
    """Return a headline and the smallest vectors that score not significantly below float32."""
    full = rows[0]
    if few := too_few(full["score"], embedded.data, embedded.metric):
        return "", few
    tested = {i: each for i, each in changes.items() if each.p is not None}
    as_good = [i for i, each in tested.items() if outcome_of(each) is not Outcome.LOSS]
    if not as_good:
        return (
            f"All smaller vectors lose significantly against {full['n_bytes']:,} bytes.",
            f"On {embedded.data.title}, all vectors that are smaller than {_label(full)} score "
            "significantly lower.",
        )
    best = min(as_good, key=lambda i: (rows[i]["n_bytes"], -rows[i]["score"]))
    kept = Verdict.of_one(best, 0, tested[best], len(tested))
    sentence = kept.sentence(
        embedded.data.title, embedded.metric, lambda i: f"{rows[i]['encoding']} ({_label(rows[i])})"
    )
    small, large = rows[best]["n_bytes"], full["n_bytes"]
    return f"No significant loss from {large:,} to {small:,} bytes per vector.", sentence


def _kept(
    embedded: Embedded, specs: Sequence[Spec], lab: Lab, fits: Fits
) -> Iterator[tuple[dict[str, Any], FloatArray]]:
    """Yield the row of every encoding, and its score for each pair, query or text.

    What is noted of every fit is added to `fits`.
    """
    own = embedded.recipe
    by_fold = embedded.metric is ACCURACY and embedded.n_seen > 0
    for done, spec in enumerate(specs):
        row = {"vectors": own.vectors, "layers": own.layers, "calibrator": spec}
        with context.repeating(done, len(specs), "calibrators"):
            every = (_held_out if by_fold else _measured)(embedded, spec, lab, fits)
            for (order, encoding), n_bytes, values in every:
                yield {**row, "order": order, "encoding": encoding, "n_bytes": n_bytes}, values


def _measured(
    embedded: Embedded, spec: Spec, lab: Lab, fits: Fits
) -> Iterator[tuple[tuple[str, str], int, FloatArray]]:
    """Yield the values of every encoding; NaN where the encoded vectors rank nothing."""
    for key, n_bytes, sides, ranks_nothing in _coded(embedded, spec, lab, fits):
        values = unit_values(embedded.data, *sides, seed=embedded.recipe.seed)
        yield key, n_bytes, np.full(values.shape, np.nan) if ranks_nothing else values


def _held_out(
    embedded: Embedded, spec: Spec, lab: Lab, fits: Fits
) -> Iterator[tuple[tuple[str, str], int, FloatArray]]:
    """Yield which labelled texts are classified correctly; nothing is fitted on the scored fold."""
    sizes = dict[tuple[str, str], int]()

    def coded(held_out: NDArray[np.bool_]) -> Iterator[tuple[tuple[str, str], FloatArray]]:
        others = replace(embedded, x_fit=embedded.x_fit[embedded.fit_rows_without(held_out)])
        for key, n_bytes, (_, z), _ in _coded(others, spec, lab, fits):
            sizes[key] = max(n_bytes, sizes.get(key, 0))
            yield key, z

    texts, targets = embedded.data.texts, need_targets(embedded.data)
    for key, values in hits(texts, targets, coded, seed=embedded.recipe.seed).items():
        if not np.isnan(values).any():  # every fold has enough directions for this encoding
            yield key, sizes[key], values


def _coded(
    embedded: Embedded, spec: Spec, lab: Lab, fits: Fits
) -> Iterator[tuple[tuple[str, str], int, tuple[FloatArray, FloatArray], bool]]:
    """Yield the stored vectors, calibrated before or after encoding, for each encoding.

    Calibrator and encoding are fitted on the fit corpus of `embedded`.

    Yields:
        The order and the encoding, the bytes per vector, the encoded vectors of both sides, and
        whether their cosines differ only by rounding error.
    """
    n, fitted = embedded.x_fit.shape[1], embedded.under(spec, device=lab.device)
    fits.append((spec, fitted.notes))
    sides = embedded.data.compared(embedded.x_texts)
    z_fit, *z = map(fitted.calibrator.transform, (embedded.x_fit, *sides))
    order = ALONE if spec == BASELINE else BEFORE
    for encoding, (n_bytes, query, document) in encodings(z_fit, n).items():
        is_noise = encoding in WHOLE and fitted.ranks_nothing
        yield (order, encoding), n_bytes, (query(z[0]), document(z[1])), is_noise
    for encoding, (n_bytes, _, coder) in encodings(embedded.x_fit, n).items():
        # Without compression, or with sides in different spaces, there is no other order.
        if order == ALONE or encoding in (FULL, RESCORED):
            continue
        coded = replace(embedded, x_fit=coder(embedded.x_fit), x_texts=coder(embedded.x_texts))
        try:
            after = coded.under(spec, device=lab.device)
        except InputError:  # the calibrator keeps more directions than there are
            continue
        fits.append((spec, after.notes))
        first, second = (after.calibrator.transform(coder(side)) for side in sides)
        yield (AFTER, encoding), n_bytes, (first, second), after.ranks_nothing


def _scored(
    embedded: Embedded, kept: Sequence[tuple[dict[str, Any], FloatArray]]
) -> tuple[list[dict[str, Any]], dict[int, Score], dict[int, Comparison]]:
    """Return rows with scores, changes and the frontier, and the score and change of each row."""
    scores = pair_scores(
        {i: values for i, (_, values) in enumerate(kept)},
        need_targets(embedded.data),
        embedded.data.subsets,
        aggregation=embedded.recipe.aggregation,
        metric=embedded.metric,
        seed=embedded.recipe.seed,
    )
    changes = compare_to(0, scores)
    rows: list[dict[str, Any]] = [
        {**row, **scores[i].columns, "frontier": False} for i, (row, _) in enumerate(kept)
    ]
    for i, each in changes.items():
        rows[i] |= each.exact_columns("change")
    known = [row for row in rows if row["score_low"] is not None]
    places = [(row["n_bytes"], -round(row["score"], 9)) for row in known]
    for row, (n_bytes, loss) in zip(known, places, strict=True):
        better = (
            each != (n_bytes, loss) and each[0] <= n_bytes and each[1] <= loss for each in places
        )
        row["frontier"] = not any(better)
    return rows, scores, changes


def _orders(rows: Sequence[dict[str, Any]], scores: Mapping[int, Score], metric: Metric) -> Table:
    """Return the gain of calibrating after instead of before compression, for each encoding."""
    key = itemgetter("calibrator", "order", "encoding")
    place = {key(row): i for i, row in enumerate(rows) if row["score_low"] is not None}
    places = {
        (spec, encoding): (after, place[spec, BEFORE, encoding])
        for (spec, order, encoding), after in place.items()
        if order == AFTER and (spec, BEFORE, encoding) in place
    }
    tested = compare({key: (scores[j], scores[i]) for key, (i, j) in places.items()})
    gains = [
        {"calibrator": spec, "encoding": encoding, **each.exact_columns("gain")}
        for (spec, encoding), each in tested.items()
    ]
    columns = (
        Column("calibrator"),
        Column("encoding", "stored as"),
        Column("gain", "after minus before", "+.2f", times=100, ends=True),
        Column("gain_p_holm", "p", "p", "Holm-adjusted over the rows"),
    )
    title = f"Calibrate before or after compression? {rows[0]['layers']}, {metric.header}"
    return Table(columns, gains, title)
