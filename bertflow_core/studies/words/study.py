"""Words: whether frequency decides a word's norm and neighbours (Table 1 of the paper)."""

import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from itertools import pairwise

import numpy as np

from bertflow_core.analysis.frequency import bin_means, course_by_rank, fit_line, runs
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.spec import Spec
from bertflow_core.encoders.given import NETWORK
from bertflow_core.figures import Figure, coordinate_bars, measure_by_bin, norm_against_rank
from bertflow_core.lab.lab import Lab
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, study
from bertflow_core.runtime import context
from bertflow_core.studies.published import printed_table
from bertflow_core.studies.words.prepared import PreparedWords, WordSpace, prepare_words
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.wording import ranks_text

PUBLISHED, SLOPES = "published", "frequency"
"""Titles of the further tables."""

_NAMES = (Column("calibrator"), Column("ranks"), Column("n", "words", ","))


def _columns(recipe: WordRecipe) -> tuple[Column, ...]:
    near = [f"{name}_{k}" for name in ("knn_l2", "knn_dot") for k in recipe.k]
    return (*_NAMES, *(Column(name, _label(name), ".3f") for name in ("mean_norm", *near)))


def _label(measure: str) -> str:
    """Return the display name of a measure, such as 3-NN L2 distance for knn_l2_3."""
    name, _, k = measure.rpartition("_")
    names = {"knn_l2": f"{k}-NN L2 distance", "knn_dot": f"{k}-NN dot product"}
    return names.get(name, "mean norm")


def printed_measures() -> dict[str, dict[tuple[int, int], float]]:
    """Return Table 1 of Li et al. (2020), of uncalibrated BERT, by measure, then bin of ranks."""
    table = printed_table(1)
    bins = [(low, high) for low, high in table["bins"]]
    return {row["measure"]: dict(zip(bins, row["values"], strict=True)) for row in table["rows"]}


def _pictures(report: Report) -> Pictures:
    """Return every picture; single words are drawn for the uncalibrated vectors only."""
    spaces: Sequence[WordSpace] = report.objects["spaces"]
    return {
        "norm_against_rank": partial(_norm_figure, spaces[0]),
        **{
            f"{each.key}_by_bin": partial(bins_figure, report.rows, each.key)
            for each in report.columns
            if each.format == ".3f"
        },
        "coordinates": lambda: coordinate_bars({s.calibrator: s.coordinate_rhos for s in spaces}),
    }


def _norm_figure(space: WordSpace) -> Figure:
    """Draw the norm of each word, with the trend over ranks."""
    return norm_against_rank(
        space.prepared.ranks,
        space.norms,
        space.prepared.words,
        spec=space.calibrator,
        trend=space.norm_trend(),
    )


def bins_figure(rows: Sequence[Row], measure: str) -> Figure:
    """Draw a measure by bin of rank, together with the published row.

    Calibrators differ in scale by a factor of 20 or more, so every line is divided by its value in
    the first bin that has words, unless one of these values is not positive. Hover texts keep the
    original values. A published row without a value in that bin is left out.
    """
    bins = list(dict.fromkeys((row["low"], row["high"]) for row in rows))
    values: dict[str, list[float | None]] = {}
    for row in rows:
        values.setdefault(row["calibrator"], []).append(row[measure])
    own, *_ = values.values()
    start = next((i for i, number in enumerate(own) if number is not None), 0)
    printed = printed_measures().get(measure, {})
    published = [printed.get(each) for each in bins] if bins[start] in printed else None
    figure = measure_by_bin(bins, values, label=_label(measure), published=published)
    firsts = [line.y[start] for line in figure.data]
    if not all(first is not None and first > 0 for first in firsts):
        return figure
    for line, first in zip(figure.data, firsts, strict=True):
        line.customdata = line.y
        line.y = [None if y is None else y / first for y in line.y]
        text = line.hovertemplate.replace("%{y:", "%{customdata:")
        line.hovertemplate = text.replace("<extra>", ", %{y:.2f} of the first<extra>")
        line.name = f"{line.name} (1 = {first:.3g})"
    return figure.update_yaxes(title=f"{figure.layout.yaxis.title.text}, first bin = 1")


@study(
    "words",
    WordRecipe,
    _columns,
    title="Does frequency decide a word's vector?",
    figures=_pictures,
    calibrators=("identity",),
    baseline=True,
    needs=NETWORK,
)
def words(recipe: WordRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Measure the words of a model as they are, then after each calibrator."""
    prepared = prepare_words(recipe)
    rows: list[Row] = []
    remarks = remarks_of(
        Kind.METHOD,
        f"Ranks are from {prepared.counts.source}, which covers {prepared.n_covered:,} of the "
        f"model's words. {prepared.counts.note}",
        f"Neighbours are searched among {len(prepared.candidates):,} of "
        f"{len(prepared.table.x):,} rows, with the word itself {prepared.recipe.itself}d.",
    )
    spaces, slopes = [], []
    for spec in calibrators:
        space, found, trend, notes = _measure(prepared, spec, lab.device)
        rows += found
        if spec == "identity":
            remarks.append(Remark(Kind.ANSWER, _norm_finding(space, found)))
        norms = [row["mean_norm"] for row in found if row["mean_norm"] is not None]
        if len(runs(norms)) > 1:
            remarks += remarks_of(
                Kind.METHOD,
                f"Under {spec} the mean norm both rises and falls over the bins, so one slope does "
                "not describe the trend.",
            )
        remarks += remarks_of(Kind.FIT, *notes)
        spaces.append(space)
        slopes.append(trend)
    if len(spaces) > 1:
        remarks += remarks_of(
            Kind.METHOD,
            "Each calibrator is fitted on every row of the table and has a scale of its own. "
            "Compare trends over the bins, not absolute values.",
        )
    return Result(
        rows,
        [*remarks_of(Kind.HEADLINE, _headline(spaces)), *remarks],
        recipes=[prepared.recipe],
        tables=[*_published(prepared), _slope_table(prepared, slopes)],
        facts={"provenance": prepared.provenance()},
        objects={"spaces": tuple(spaces)},
    )


def _measure(
    prepared: PreparedWords, spec: Spec, device: str | None
) -> tuple[WordSpace, list[Row], Row, list[str]]:
    """Fit a calibrator on every row of the table and measure the words.

    Return the words, a row for each bin, the row of slopes, and the notes of the fit.
    """
    recipe = prepared.recipe
    calibrator = spec.build(seed=recipe.seed, device=device)
    started = context.seconds()
    calibrator.fit(prepared.x)
    fitted = context.seconds()
    z = calibrator.transform(prepared.x)
    mapped = time.perf_counter()
    seconds = {"fit": fitted - started, "map": context.seconds() - fitted}
    measured = {"mean_norm": np.linalg.norm(z[prepared.rows].astype(np.float64), axis=1)}
    for metric in ("l2", "dot"):
        nearest = prepared.nearest(z, prepared.rows, recipe.k[-1], metric=metric).values
        measured |= {f"knn_{metric}_{k}": nearest[:, :k].mean(axis=1) for k in recipe.k}
    seconds["neighbours"] = time.perf_counter() - mapped
    space = WordSpace(spec, prepared, z, measured["mean_norm"])
    rhos = space.coordinate_rhos
    slopes = _slope("norm", space.norms, prepared)
    for k in recipe.k:
        slopes |= _slope(f"knn_l2_{k}", measured[f"knn_l2_{k}"], prepared)
    trend: Row = {
        "calibrator": spec,
        **slopes,
        "largest_rho": max((rho for rho in rhos if rho is not None), default=None),
        "coordinate_rhos": list(rhos),
        "seconds": seconds,
    }
    rows: list[Row] = [
        {"calibrator": spec, "ranks": ranks_text(row["low"], row["high"]), **row}
        for row in bin_means(prepared.ranks, measured, recipe.bins)
    ]
    return space, rows, trend, [f"{spec}: {note}." for note in calibrator.notes_]


def _slope(of: str, y: FloatArray, prepared: PreparedWords) -> dict[str, float | None]:
    line = fit_line(prepared.log_frequency, y)
    values = dict.fromkeys(("slope", "low", "high", "relative")) if line is None else asdict(line)
    return {f"{of}_{name}": value for name, value in values.items()}


def _published(prepared: PreparedWords) -> list[Table]:
    """Return the published rows of the same bins with their source, if there are any."""
    table, printed = printed_table(1), printed_measures()
    rows = [
        {
            "calibrator": "BERT, published",
            "ranks": ranks_text(*bin_),
            **{name: values[bin_] for name, values in printed.items()},
        }
        for bin_ in pairwise(prepared.recipe.bins)
        if bin_ in printed["mean_norm"]
    ]
    columns = [Column(name, _label(name), ".2f") for name in printed]
    about = (
        f"{table['citation']} published these numbers of uncalibrated BERT; their ranks start "
        f"at 0. {table['note']}"
    )
    remarks = remarks_of(Kind.METHOD, about)
    return [Table((*_NAMES, *columns), rows, PUBLISHED, remarks)] if rows else []


def _slope_table(prepared: PreparedWords, rows: Sequence[Row]) -> Table:
    """Return slopes on log frequency, if there are counts, and correlations with components."""
    k = prepared.recipe.k[0]
    lines: list[Column] = []
    about = (
        f"{prepared.counts.source} gives ranks and no counts, so there are no slopes on log "
        "frequency. Choose a list of counts for slopes."
    )
    if prepared.counts.counted:
        for of, name in (("norm", "norm"), (f"knn_l2_{k}", f"{k}-NN L2")):
            lines += [
                Column(f"{of}_slope", f"slope of {name}", "+.4f"),
                Column(f"{of}_low", "from", "+.4f"),
                Column(f"{of}_high", "to", "+.4f"),
                Column(f"{of}_relative", "% of mean", "+.1f", times=100),
            ]
        about = (
            "A slope is the change for ten times the frequency (ordinary least squares on log10 of "
            "frequency), with its 95 % interval (HC3). The columns “% of mean” have the slope as a "
            "percentage of the mean, which does not depend on the vectors' scale."
        )
    n = max((len(row["coordinate_rhos"]) for row in rows), default=0)
    largest = Column(
        *("largest_rho", "largest |rho|", ".3f"),
        help=f"the largest |Spearman's rho| of frequency with one of the {n} leading principal "
        "components of the word vectors",
    )
    columns = (Column("calibrator"), *lines, largest)
    return Table(columns, rows, SLOPES, remarks_of(Kind.METHOD, about))


def _headline(spaces: Sequence[WordSpace]) -> str:
    """Return how norm and frequency correlate, uncalibrated and under the last calibrator."""
    first, last = spaces[0], spaces[-1]
    if first.norm_rho is None:
        return ""
    text = f"Norm and frequency of words have a rank correlation of {first.norm_rho:+.2f}"
    if last is not first and last.norm_rho is not None:
        text += f", under {Spec(last.calibrator).plain_name} {last.norm_rho:+.2f}"
    return f"{text}."


def _norm_finding(space: WordSpace, rows: Sequence[Row]) -> str:
    """Say how the norm changes from frequent to rare words and correlates with frequency."""
    recipe = space.prepared.recipe
    norms = {(row["low"], row["high"]): row["mean_norm"] for row in rows if row["n"]}
    sentence = (
        f"From frequent to rare words, the mean norm in {recipe.model}'s word table "
        f"({recipe.table}) {course_by_rank(norms)}."
    )
    rho = space.norm_rho
    if rho is None:
        return sentence
    return (
        f"{sentence} The rank correlation of norm and frequency over all {len(space.norms):,} "
        f"words is {rho:+.2f} (half of them beyond rank {np.median(space.prepared.ranks):,.0f})."
    )
