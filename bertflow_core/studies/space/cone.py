"""The cone: angles of sentences to their mean, and agreement with people, by calibrator.

A flow is also followed layer by layer.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from bertflow_core.analysis.gaussianity import NORM_GAP, norm_gap
from bertflow_core.analysis.isotropy import directions, mean_cosine
from bertflow_core.analysis.measures import MEASURES
from bertflow_core.arrays.sampling import distinct_rows, sample_rows
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.calibrators.spec import Spec
from bertflow_core.evaluation import RANDOM_COSINE
from bertflow_core.evaluation.similarity import pairwise_cosine, random_pairs
from bertflow_core.figures import Figure, measures_by_layer, share_histograms
from bertflow_core.figures.cone import Sphere, spheres
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.report.remark import Kind, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.runtime import context
from bertflow_core.runtime.shipped import resource

SPECS = ("identity", "standardize", "null-top-k:k=6", "whiten", "flow")
SHOWN_PAIRS = 100
N_BINS = 50
TRACED_ROWS = 1_000

_COLUMNS = (
    Column("layers"),
    Column("calibrator"),
    Column("rho", "rho x 100", ".2f", times=100),
    Column(
        *("mean_length", "mean length", ".2f"),
        help="length of the mean unit vector; 1 where all point the same way",
    ),
    Column("random_cosine", "random cos", ".3f", help=RANDOM_COSINE),
)
_BY_FLOW_LAYER = {"mean_cosine": MEASURES["mean_cosine"].label, "norm_gap": NORM_GAP}
_FLOW_COLUMNS = (
    *map(Column, ("layers", "calibrator")),
    Column("flow_layer", "layer of the flow"),
    Column(
        "kind",
        help="ActNorm shifts and scales, a permutation reorders, a coupling shifts one half",
    ),
    *(Column(name, format=".4f", help=label) for name, label in _BY_FLOW_LAYER.items()),
)


def _pictures(report: Report) -> Pictures:
    """Return the cones of each layer set, and what a flow does there layer by layer."""
    found = {}
    for layers, rows in report.by("layers").items():
        name = layers.replace(":", "-")
        found[f"cone-{name}"] = partial(cone_figure, report.facts["pairs"], rows)
        if traced := [each for each in flow_rows(report) if each["layers"] == layers]:
            found[f"flow-{name}"] = partial(flow_figure, traced)
    return found


@study(
    "cone",
    Recipe,
    _COLUMNS,
    title="How narrow is the cone?",
    figures=_pictures,
    calibrators=SPECS,
    layers=True,
    without=("similarity",),
)
def cone(recipe: Recipe, lab: Lab, calibrators: Specs, layers: Sequence[str]) -> Result:
    """Measure angles and agreement with people at each layer set under each calibrator."""
    return openings(lab.evaluations(recipe.each(layers=layers, calibrators=calibrators)))


def openings(evaluations: Iterable[Evaluation]) -> Result:
    """Return a row for each space of the same pairs, and the pairs that pictures show.

    Besides its columns, a row has lists for pictures. `random_shares` are the shares of random
    pairs in 50 equal bins of cosine from -1 to 1. The other lists are in degrees. `angles` are
    those of the shown sentences to the mean direction, `azimuths` those around it (first sides,
    then second sides). `pair_angles` are those between the sides of each shown pair.
    """
    rows: list[Row] = []
    traced: list[Row] = []
    fits: list[tuple[str, tuple[str, ...]]] = []
    recipes: list[Recipe] = []
    encoders: list[dict[str, Any]] = []
    for evaluation in evaluations:
        context.check_cancelled()
        pairs = evaluation.embedded.data
        shown = sample_rows(len(pairs), SHOWN_PAIRS, seed=evaluation.recipe.seed)
        rows.append(_opening(evaluation, shown))
        fits.append((evaluation.spec, evaluation.notes))
        if isinstance(evaluation.calibrator, FlowCalibrator):
            traced += _layer_by_layer(evaluation, evaluation.calibrator)
        recipes.append(evaluation.recipe)
        encoders.append(evaluation.embedded.encoder)
    gold = [None] * len(pairs) if pairs.gold is None else pairs.gold.tolist()
    first, second = pairs.texts[: len(pairs)], pairs.texts[-len(pairs) :]
    texts = [[first[i], second[i], gold[i]] for i in shown]
    return Result(
        rows,
        [
            *remarks_of(Kind.HEADLINE, _headline(rows)),
            *remarks_of(Kind.METHOD, f"{len(pairs):,} pairs."),
            *remarks_of(Kind.MISSING, why_unscored(pairs) if pairs.gold is None else ""),
            *fit_remarks(fits, evaluation.recipe),
        ],
        recipes=recipes,
        tables=[_table_of_flows(traced)] if traced else (),
        facts={"n_pairs": len(pairs), "pairs": texts, "encoder": encoders[0]},
    )


def _headline(rows: Sequence[Row]) -> str:
    """Return how close random sentences are under the first and the last calibrator of a space."""
    first, *others = (row for row in rows if row["layers"] == rows[0]["layers"])
    text = f"Random sentences have a cosine of {first['random_cosine']:.2f}"
    for last in others[-1:]:
        name = Spec(last["calibrator"]).plain_name
        text += f", under {name} of {last['random_cosine']:.2f}"
    return f"{text}."


def _opening(evaluation: Evaluation, shown: Rows) -> Row:
    z = evaluation.z
    every = np.concatenate(z)
    around = directions(every)
    rows = np.concatenate([shown, len(z[0]) + shown])
    first, second = random_pairs(len(every), seed=evaluation.recipe.seed)
    cosines = pairwise_cosine(every[first], every[second])
    counts, _ = np.histogram(np.clip(cosines, -1, 1), np.linspace(-1, 1, N_BINS + 1))
    cosine = np.clip(evaluation.similarity[shown], -1, 1)
    return {
        "layers": evaluation.recipe.layers,
        "calibrator": evaluation.spec,
        "rho": evaluation.measure("spearman"),
        "mean_length": round(around.mean_length, 6),
        "random_cosine": evaluation.random_cosine,
        "random_shares": _rounded(counts / counts.sum(), 6),
        "angles": _rounded(around.angles[rows], 2),
        "azimuths": _rounded(around.azimuths[rows], 2),
        "pair_angles": _rounded(np.degrees(np.arccos(cosine)), 2),
    }


def _table_of_flows(rows: Sequence[Row]) -> Table:
    about = f"At most {TRACED_ROWS:,} distinct scored sentences; layer 0 is the embedding."
    return Table(_FLOW_COLUMNS, rows, "the flow, layer by layer", remarks_of(Kind.METHOD, about))


def _layer_by_layer(evaluation: Evaluation, calibrator: FlowCalibrator) -> Iterator[Row]:
    """Measure scored sentences after each layer of the flow, which is fitted."""
    import torch

    from bertflow_core.flows.rows import trace

    embedded = evaluation.embedded
    places = distinct_rows(embedded.data.texts)
    rows = places[sample_rows(len(places), TRACED_ROWS, seed=evaluation.recipe.seed)]
    x = torch.from_numpy(embedded.x_texts[rows].astype(np.float32))
    traced = trace(calibrator.flow_, x)
    for number, (kind, state) in enumerate(zip(("", *traced.names), traced.states, strict=True)):
        z = state.numpy()
        yield {
            "layers": evaluation.recipe.layers,
            "calibrator": evaluation.spec,
            "flow_layer": number,
            "kind": kind,
            "mean_cosine": mean_cosine(z),
            "norm_gap": norm_gap(z),
        }


def _rounded(values: FloatArray, digits: int) -> list[float]:
    rounded: list[float] = np.round(values, digits).tolist()
    return rounded


def stored_cone(name: str = "cone") -> Report:
    """Return a result that ships with the package, measured on the captions.

    `cone` holds layer 4 and the plain output of minilm, `language-model-cone` a raw language model.
    """
    return cone.read(json.loads(resource(f"results/{name}.json").read_text(encoding="utf-8")))


def cone_figure(
    pairs: Sequence[Sequence[Any]], rows: Sequence[Row], titles: Sequence[str] = ()
) -> Figure:
    """Draw the shown pairs on a sphere for each row; both are of one result of `openings`.

    `titles` are those of the spheres, by default layers and calibrator.
    """
    titles = titles or [f"{row['layers']}: {row['calibrator']}" for row in rows]
    sides = [side for column in (0, 1) for side in ((pair, column) for pair in pairs)]
    return spheres(
        [
            Sphere(
                title=title,
                spec=row["calibrator"],
                angles=row["angles"],
                azimuths=row["azimuths"],
                mean_length=row["mean_length"],
                texts=[
                    f"{pair[column]}\nits pair: {pair[1 - column]}\nangle of the pair: {angle:.0f}°"
                    + (f", gold score: {pair[2]:g}" if pair[2] is not None else "")
                    for (pair, column), angle in zip(sides, 2 * row["pair_angles"], strict=True)
                ],
            )
            for title, row in zip(titles, rows, strict=True)
        ]
    )


def random_figure(rows: Sequence[Row]) -> Figure:
    """Draw the distribution of the cosines of random pairs, a line for each calibrator."""
    shares = {row["calibrator"]: row["random_shares"] for row in rows}
    return share_histograms(shares, label="cosine of a random pair")


def flow_rows(report: Report) -> Sequence[Row]:
    """Return the rows of the layers of flows, in order; a stored report has none."""
    return [row for table in report.tables for row in table.rows]


def flow_figure(rows: Sequence[Row]) -> Figure:
    """Draw the measures over the layers of each flow."""
    flows: dict[str, list[Row]] = {}
    for row in rows:
        flows.setdefault(row["calibrator"], []).append(row)
    panels = {
        label: {spec: [row[name] for row in of] for spec, of in flows.items()}
        for name, label in _BY_FLOW_LAYER.items()
    }
    places = range(max(len(of) for of in flows.values()))
    title = "layer of the flow; 0 is the embedding"
    return measures_by_layer(panels, [*map(str, places)]).update_xaxes(dtick=2, title=title)
