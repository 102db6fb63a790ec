"""How small may the vectors be? A score against bytes, calibrated before or after."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import Any, NamedTuple

from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.registry import BASELINE
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, Metric, metric_of, pairwise_cosine
from bertflow_core.evaluation.comparison import Score, compare, compare_to, pair_scores
from bertflow_core.evaluation.encodings import FULL, RESCORED, encodings
from bertflow_core.evaluation.retrieval import query_scores
from bertflow_core.figures import Figure, interval_forest, score_by_dataset
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.report.report import Column, Pictures, Report, Table
from bertflow_core.report.study import Facts, Specs, StudyItem, study
from bertflow_core.text_table import percent
from bertflow_core.wording import quoted

__all__ = ["size"]

ALONE, BEFORE, AFTER = "no", "before", "after"


class Task(NamedTuple):
    """What vectors are for."""

    recipe: Recipe
    name: str
    metric: Metric
    share: float  # of the whole fit corpus
    x_fit: FloatArray
    sides: tuple[FloatArray, FloatArray]  # of pairs, or queries and documents
    measure: Callable[[FloatArray, FloatArray], FloatArray]  # of each pair, or of each query
    score: Callable[[Mapping[int, FloatArray]], dict[int, Score]]  # of measures

    @property
    def header(self) -> str:
        """What its scores are called."""
        return self.metric.header


def _task(recipe: Recipe, lab: Lab) -> Task:
    embedded = lab.embedded(recipe)
    pairs, own = embedded.pairs, embedded.recipe
    if pairs.targets is None:
        raise InputError(why_unscored(pairs))
    if pairs.topics:
        raise InputError(
            f"size scores pairs or a collection, and {quoted(pairs.name)} has labelled texts: "
            "choose captions, questions or a table of pairs"
        )
    metric = metric_of(pairs.metric)
    score = partial(
        pair_scores,
        gold=pairs.targets,
        subsets=pairs.subsets_of_units,
        aggregation=own.aggregation,
        metric=metric,
        seed=own.seed,
    )
    sides, measure = (embedded.x_first, embedded.x_second), pairwise_cosine
    if pairs.collection is not None:
        ids, grades = [*pairs.collection.documents], pairs.collection.grades
        sides = embedded.x_first[len(ids) :], embedded.x_first[: len(ids)]
        measure = partial(query_scores, ids=ids, grades=grades, metric=pairs.metric)
    share = embedded.corpus.share
    return Task(own, pairs.name, metric, share, embedded.x_fit, sides, measure, score)


_COLUMNS = (
    Column("vectors"),
    Column("calibrator"),
    Column("order", "calibrated", help="before or after the vectors are made smaller"),
    Column("encoding", "kept as"),
    Column("n_bytes", "bytes", ",", "per vector"),
    Column("score", "rho x 100", ".2f", times=100, ends=True),
    Column("change", "", "+.2f", "difference from uncalibrated float32", 100, ends=True),
    Column("frontier", help="no other vectors of this size or less score as high"),
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
    found: dict[str, dict[str, float]] = {}
    for row in report.rows:
        found.setdefault(_label(row), {})[row["encoding"]] = row["score"]
    scores = {label: [each.get(name) for name in names] for label, each in found.items()}
    figure = score_by_dataset(scores, names, [label.rsplit(" ", 1)[-1] for label in scores])
    return figure.update_xaxes(title="kept as (largest first)")


def _forest(report: Report) -> Figure:
    rows = sorted(report.where(frontier=True), key=itemgetter("n_bytes"))
    labels = [f"{row['n_bytes']:,} bytes, {row['encoding']}, {_label(row)}" for row in rows]
    ends = ([row[key] for row in rows] for key in ("score", "score_low", "score_high"))
    return interval_forest(labels, *ends, title=f"{report.table.columns[5].header} on the frontier")


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
def size(recipe: Recipe, lab: Lab, calibrators: Specs, layers: Specs) -> Iterator[StudyItem]:
    """Score vectors that are made smaller, alone and with a calibrator before or after."""
    recipes = recipe.beside_plain(layers)
    lab = replace(lab, prefetch=(*lab.prefetch, *recipes))
    for each in recipes:
        task = _task(each, lab)
        yield task.recipe
        specs = calibrators if each.layers in layers else (BASELINE,)
        yield tuple(replace(c, label=task.header) if c.key == "score" else c for c in _COLUMNS)
        rows, scores = _scored(task, [*_kept(task, specs, lab)])
        yield from rows
        if each == recipes[0]:
            yield (answer := _answer(rows, task))
            yield Facts(answer=answer)
        if each.layers in layers:
            yield _orders(rows, scores, task)
    unit = task.metric.unit
    yield (
        f"The 95 % intervals use {N_DRAWS:,} resamples of {unit}. Each layer set has its own "
        "frontier."
    )
    yield (
        "The ranges of int8 and the PCA (which subtracts the mean) come from the fit corpus. "
        "int8 and binary use quantize_embeddings of sentence-transformers. Rescored compares a "
        "float32 query with a binary document."
    )


def _answer(rows: Sequence[Mapping[str, Any]], task: Task) -> str:
    """Name the smallest vectors that do not score significantly less than float32."""
    full, *others = rows
    as_good = [row for row in others if row["change_high"] is not None and row["change_high"] >= 0]
    if not as_good:
        return (
            f"On {task.name}, all vectors that are smaller than {_label(full)} score significantly "
            "less."
        )
    best = min(as_good, key=lambda row: (row["n_bytes"], -row["score"]))
    kept = f"{best['encoding']} ({_label(best)})"
    ends = f"{100 * best['change_low']:+.2f} to {100 * best['change_high']:+.2f}"
    return (
        f"On {task.name}, the smallest vectors without a significant loss are {kept}: "
        f"{best['n_bytes']:,} bytes instead of {full['n_bytes']:,}, and {task.header} is "
        f"{percent(best['score'])} instead of {percent(full['score'])} (95 % interval of the "
        f"change {ends})."
    )


def _kept(
    task: Task, specs: Sequence[str], lab: Lab
) -> Iterator[tuple[dict[str, Any], FloatArray]]:
    """Yield what is kept, and the measure of each pair or query."""
    own, x_fit = task.recipe, task.x_fit
    for spec in specs:
        build = partial(build_calibrator, spec, seed=own.seed, device=lab.device, share=task.share)
        row = {"vectors": own.vectors, "layers": own.layers, "calibrator": spec}
        precision = lab.precision(own)
        calibrator = build().fit(x_fit, precision=precision)
        z_fit, *z = (calibrator.transform(x) for x in (x_fit, *task.sides))
        order = ALONE if spec == BASELINE else BEFORE
        for encoding, (n_bytes, query, document) in encodings(z_fit, x_fit.shape[1]).items():
            values = task.measure(query(z[0]), document(z[1]))
            yield {**row, "order": order, "encoding": encoding, "n_bytes": n_bytes}, values
        if spec == BASELINE:
            continue
        for encoding, (n_bytes, _, coder) in encodings(x_fit, x_fit.shape[1]).items():
            if encoding in (FULL, RESCORED):  # as before, and no one space to calibrate
                continue
            try:
                fitted = build().fit(coder(x_fit), precision=precision)
            except InputError:  # it keeps more directions than there are
                continue
            values = task.measure(*(fitted.transform(coder(side)) for side in task.sides))
            yield {**row, "order": AFTER, "encoding": encoding, "n_bytes": n_bytes}, values


def _scored(
    task: Task, kept: Sequence[tuple[dict[str, Any], FloatArray]]
) -> tuple[list[dict[str, Any]], dict[int, Score]]:
    """Return rows with scores, changes and the frontier, and the score of each row."""
    scores = task.score({i: values for i, (_, values) in enumerate(kept)})
    rows: list[dict[str, Any]] = []
    for i, (row, _) in enumerate(kept):
        low, high = scores[i].interval(N_DRAWS)
        ends = {"score_low": low, "score_high": high}
        rows.append({**row, "score": scores[i].value, **ends, "frontier": False})
    for i, each in compare_to(0, scores, N_DRAWS).items():
        rows[i] |= {"change": each.difference, "change_low": each.low, "change_high": each.high}
    known = [row for row in rows if row["score_low"] is not None]
    places = [(row["n_bytes"], -round(row["score"], 9)) for row in known]
    for row, (n_bytes, loss) in zip(known, places, strict=True):
        better = (
            each != (n_bytes, loss) and each[0] <= n_bytes and each[1] <= loss for each in places
        )
        row["frontier"] = not any(better)
    return rows, scores


def _orders(rows: Sequence[dict[str, Any]], scores: Mapping[int, Score], task: Task) -> Table:
    """Return by how much calibrating after scores higher than before, at the same encoding."""
    key = itemgetter("calibrator", "order", "encoding")
    place = {key(row): i for i, row in enumerate(rows) if row["score_low"] is not None}
    told = {
        (spec, encoding): (after, place[spec, BEFORE, encoding])
        for (spec, order, encoding), after in place.items()
        if order == AFTER and (spec, BEFORE, encoding) in place
    }
    tested = compare({key: (scores[j], scores[i]) for key, (i, j) in told.items()}, N_DRAWS)
    found = [
        {"calibrator": spec, "encoding": encoding, **each.exact_columns("gain")}
        for (spec, encoding), each in tested.items()
    ]
    columns = (
        Column("calibrator"),
        Column("encoding", "kept as"),
        Column("gain", "after minus before", "+.2f", times=100, ends=True),
        Column("gain_p_holm", "p", "p", "Holm-adjusted over the rows"),
    )
    return Table(columns, found, f"Calibrate after or before? {rows[0]['layers']}, {task.header}")
