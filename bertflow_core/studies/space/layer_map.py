"""Which layer is best? Score and isotropy of every layer, token pooling and calibrator.

All embeddings come from one pass of the encoder and are stored.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from bertflow_core.analysis.isotropy import is_one_point, iso_score
from bertflow_core.analysis.measures import MEASURES
from bertflow_core.encoders.given import NETWORK, check_network
from bertflow_core.encoders.pooling import USUAL_POOLINGS, TokenPooling
from bertflow_core.errors import NothingLeftError
from bertflow_core.evaluation import RANDOM_COSINE, metric_of
from bertflow_core.figures import Figure, layer_heatmap, measures_by_layer
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_notes, scored_by, study
from bertflow_core.runtime import context

_MEASURED = (
    Column("score", "rho x 100", ".2f", "by the metric of the data", times=100),
    Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
    Column("iso_score", "IsoScore", ".3f", f"0 to 1; higher = {MEASURES['iso_score'].higher}"),
)
_COLUMNS = (Column("layer"), Column("tokens"), Column("calibrator"), *_MEASURED)


@dataclass(frozen=True, kw_only=True)
class MapRecipe(Recipe):
    """The choices that all layers share, and the token poolings that are compared."""

    poolings: str = param(
        ",".join(USUAL_POOLINGS), "Comma-separated token poolings; mean-content is also available."
    )

    def check(self) -> None:
        """Refuse an unknown pooling, and vectors that have no layers."""
        super().check()
        check_network(self.model)
        for name in self.tried:
            TokenPooling.parse(name)

    @property
    def tried(self) -> tuple[str, ...]:
        """The token poolings, each once."""
        return tuple(dict.fromkeys(self.poolings.split(",")))


def _pictures(report: Report) -> Pictures:
    measures = [report.column(each.key) for each in _MEASURED]
    known = [each for each in measures if any(row[each.key] is not None for row in report.rows)]
    lines = {"layers": partial(_lines, report, known)}
    one_pooling = len({row["tokens"] for row in report.rows}) == 1
    return {
        **{f"layers-{measure.key}": partial(_heatmap, report, measure) for measure in known},
        **(lines if one_pooling else {}),
    }


def _lines(report: Report, measures: Sequence[Column]) -> Figure:
    """Draw measures over the layers of one token pooling, a line for each calibrator."""
    found = report.by("calibrator")
    panels = {
        each.header: {
            spec: [each.number(row[each.key]) for row in rows] for spec, rows in found.items()
        }
        for each in measures
    }
    return measures_by_layer(panels, [*map(str, report.by("layer"))])


def _heatmap(report: Report, measure: Column) -> Figure:
    """Draw a measure, one heat-map per calibrator: layers down, token poolings across."""
    layers, tokens, specs = ([*report.by(key)] for key in ("layer", "tokens", "calibrator"))
    values = {(r["calibrator"], r["layer"], r["tokens"]): r[measure.key] for r in report.rows}
    return layer_heatmap(
        {
            spec: [[measure.number(values[spec, i, name]) for name in tokens] for i in layers]
            for spec in specs
        },
        layers,
        tokens,
        measure=measure.header,
        decimals=1 if measure.times == 100 else 2,
        diverging=measure.key == "random_cosine",
    )


@study(
    "layer-map",
    MapRecipe,
    _COLUMNS,
    title="Which layer is best?",
    figures=_pictures,
    calibrators=("identity", "null-top-k:k=6"),
    needs=NETWORK,
    without=("layers", "tokens"),
)
def layer_map(recipe: MapRecipe, lab: Lab, calibrators: Specs) -> Result:
    """Score every layer under every token pooling and calibrator.

    All measures are None where all sentences have the same embedding, and where a calibrator would
    leave nothing but rounding errors.
    """
    encoder = lab.encoder(recipe)
    recipe = recipe.with_(revision=encoder.model.revision)
    pairs, corpus = lab.load(recipe)
    layers = range(encoder.model.n_layers + 1)
    places = [recipe.with_(layers=f"layer:{k}", tokens=t) for k in layers for t in recipe.tried]
    lab = replace(lab, tables={recipe.dataset: (pairs, corpus)})  # they are read once
    rows: list[Row] = []
    notes: list[Remark] = []
    total = len(places) * len(calibrators)
    for place, embedded in zip(places, lab.embedded(places), strict=True):
        nothing_varies = is_one_point(embedded.x_fit)  # in layer 0 all first tokens are alike
        for spec in calibrators:
            row: dict[str, Any] = {
                "layer": int(place.layers.removeprefix("layer:")),
                "tokens": place.tokens,
                "calibrator": spec,
                **{measure.key: None for measure in _MEASURED},
            }
            with context.repeating(len(rows), total, "places"), suppress(NothingLeftError):
                if not nothing_varies:
                    evaluation = embedded.under(spec, device=lab.device)
                    row["score"] = evaluation.score
                    row["random_cosine"] = evaluation.random_cosine
                    row["iso_score"] = iso_score(np.concatenate(evaluation.z))
                    notes += fit_notes(evaluation)
            rows.append(row)
    context.report(total, total, "places")
    rows.sort(key=lambda row: calibrators.index(row["calibrator"]))
    metric = metric_of(pairs.metric)
    answer = why_unscored(pairs) if pairs.targets is None else _finding(rows, metric.title)
    share = corpus.n_among(pairs.texts) / len(pairs.texts)
    of_share = (
        f"Calibrators were fitted on {share:.0%} of the scored sentences. Whitening always has an "
        "IsoScore of 1 on the sentences that it was fitted on. For held-out sentences see Measures "
        "(`bertflow-lab analyse sentences`)."
    )
    return Result(
        rows,
        [
            *notes,
            Remark(Kind.ANSWER, answer),
            *remarks_of(Kind.METHOD, of_share if share else ""),
        ],
        recipes=[recipe],
        columns=scored_by(metric, _COLUMNS),
        facts={"share_fitted": share},
    )


def _finding(rows: Sequence[Row], title: str) -> str:
    """Say where the score is highest, and how far the calibrators differ there."""
    scored = [row for row in rows if row["score"] is not None]
    if not scored:
        return "No layer has a score."
    best, last = max(scored, key=lambda row: row["score"]), max(row["layer"] for row in rows)
    place = best["layer"], best["tokens"]
    there = [row["score"] for row in scored if (row["layer"], row["tokens"]) == place]
    where = f"layer {best['layer']}{', the last,' if best['layer'] == last else f' of {last}'}"
    return (
        f"{title} x 100 is highest ({100 * best['score']:.2f}) at {where} with {best['tokens']} "
        f"pooling under {best['calibrator']}. Calibrators differ there by up to "
        f"{100 * (best['score'] - min(there)):.2f}."
    )
