"""What the tab The cone computes with in the browser: each layer's sentences, small and exact.

For any set of the ten largest coordinates, with or without the mean, the browser needs products of
sentences and nothing else. A space therefore has the ten coordinates of every sentence, and of the
rest, with the mean of the fit corpus subtracted: its length, its product with the mean, the cosine
of each scored pair, and the cosines of the shown sentences. They are integers of 16 bits, in one
text of base64, so that a model of 31 layers has less than 3 MB.

`python -m bertflow_core.studies.depth.spheres FILE` writes the payload that ships with the package.
"""

import base64
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.analysis.coordinates import coordinate_contributions, largest_coordinates
from bertflow_core.analysis.isotropy import directions
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.sampling import distinct_rows, sample_rows
from bertflow_core.arrays.types import FloatArray, Rows
from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets.pairs import Pairs, need_pairs
from bertflow_core.encoders.pooling import TokenPooling
from bertflow_core.figures import Figure
from bertflow_core.figures.cone import TILT, Sphere, circles
from bertflow_core.figures.cone import spheres as draw_spheres
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.remarks import why_unscored
from bertflow_core.report.report import Report, Row
from bertflow_core.runtime.shipped import resource
from bertflow_core.studies.depth.study import N_LARGEST, DepthRecipe, depth

SHOWN_PAIRS = 60
SCORED_PAIRS = 1_000
"""At most so many pairs have gold scores in the picture; a sample, if there are more."""
SPACES = {"all": TokenPooling.MEAN, "after_first": TokenPooling.MEAN_AFTER_FIRST}
"""The mean over all tokens, and over all but the first."""

_LEVELS = 32_767
_DRAWN_LAYERS = 5


@dataclass(frozen=True)
class Depth:
    """A report of `depth`, and the spheres of its layers."""

    report: Report
    spheres: dict[str, Any]


def measured(params: DepthRecipe, lab: Lab) -> Depth:
    """Measure every layer of a model, and return the report with the spheres."""
    need_pairs(lab.data(params), "the spheres of the layers")
    report = depth(params, lab)
    return Depth(report, spheres(params, lab, report.rows))


def spheres(
    params: DepthRecipe,
    lab: Lab,
    rows: Sequence[Row],
    flow: Mapping[str, float | None] | None = None,
) -> dict[str, Any]:
    """Return the payload of `depth.js`, given the rows of a report for the same parameters.

    `flow` has rho under the flow by layer, where it is known.
    """
    layers: list[dict[str, Any]] = [
        {
            "name": row["layers"].removeprefix("layer:"),
            "token_entropy": row["token_entropy"],
            "first_norm": row["first_norm"],
            "first_part": row["first_part"],
            "flow": (flow or {}).get(row["layers"]),
        }
        for row in rows
    ]
    recipes = [
        params.with_(layers=row["layers"], tokens=tokens)
        for row in rows
        for tokens in SPACES.values()
    ]
    for i, embedded in enumerate(lab.embedded(recipes)):
        data = need_pairs(embedded.data, "the spheres of the layers")
        scored = sample_rows(len(data), SCORED_PAIRS, seed=params.seed)
        shown = sample_rows(len(scored), SHOWN_PAIRS, seed=params.seed)
        layer, key = divmod(i, len(SPACES))
        layers[layer][[*SPACES][key]] = _space(embedded, scored, shown)
    return {
        "model": params.model,
        "layers": layers,
        "tilt": float(TILT),
        "circles": [{"x": x.tolist(), "y": y.tolist()} for x, y in circles()],
        **_pairs(data, scored, shown),
    }


def _pairs(data: Pairs, scored: Rows, shown: Rows) -> dict[str, Any]:
    gold = None if data.gold is None else data.gold[scored]
    return {
        "n": len(scored),
        "gold": None if gold is None else gold.tolist(),
        "unscored": "" if gold is not None else why_unscored(data),
        "scale": data.scale,
        "shown": shown.tolist(),
        "texts": [[data.first[row], data.second[row]] for row in scored[shown]],
    }


def _space(embedded: Embedded, scored: Rows, shown: Rows) -> dict[str, Any]:
    """Return one layer's sentences under one pooling; its numbers are in the order of `_packed`."""
    x = np.asarray(embedded.x_texts, np.float64)
    chosen = largest_coordinates(embedded.x_fit, N_LARGEST)
    parts = coordinate_contributions(x[distinct_rows(embedded.data.texts)])
    total = float(parts.sum())
    n, mean = len(embedded.data), embedded.x_fit.mean(axis=0, dtype=np.float64)
    centred = np.concatenate([x[scored], x[n + scored]]) - mean
    rest, of_mean = np.delete(centred, chosen, axis=1), np.delete(mean, chosen)
    unit = unit_rows(rest)
    sides = np.concatenate([shown, len(scored) + shown])
    cosines = unit[sides] @ unit[sides].T
    scales, numbers = _packed(
        *centred[:, chosen].T,
        np.linalg.norm(rest, axis=1),
        rest @ of_mean,
        (unit[: len(scored)] * unit[len(scored) :]).sum(axis=1),
        cosines[np.triu_indices(len(sides), 1)],
    )
    return {
        "chosen": chosen.tolist(),
        "shares": (parts[chosen] / total).tolist() if total > 0 else [],
        "mean": mean[chosen].tolist(),
        "rest_mean": float(of_mean @ of_mean),
        "scales": scales,
        "numbers": numbers,
    }


def _packed(*columns: FloatArray) -> tuple[list[float], str]:
    """Return columns as multiples of their scales: integers of 16 bits, one after the other."""
    scales = [float(np.abs(column).max()) / _LEVELS or 1.0 for column in columns]
    whole = [np.rint(column / scale) for column, scale in zip(columns, scales, strict=True)]
    return scales, base64.b64encode(np.concatenate(whole).astype("<i2").tobytes()).decode()


def spheres_figure(payload: Mapping[str, Any]) -> Figure:
    """Draw the shown sentences as they are at five layers, from the first to the last."""
    layers = payload["layers"]
    places = np.unique(np.linspace(0, len(layers) - 1, _DRAWN_LAYERS).round().astype(int))
    texts = [pair[side] for side in (0, 1) for pair in payload["texts"]]
    drawn = []
    for layer in (layers[place] for place in places):
        around = directions(_shown_rows(layer["all"], payload["n"], payload["shown"]))
        drawn.append(
            Sphere(
                title=f"layer {layer['name']}",
                spec=BASELINE,
                angles=around.angles,
                azimuths=around.azimuths,
                mean_length=around.mean_length,
                texts=texts,
            )
        )
    return draw_spheres(drawn)


def _shown_rows(space: Mapping[str, Any], n: int, shown: Sequence[int]) -> FloatArray:
    """Return vectors with the products of the shown sentences, M rows in M dimensions."""
    sides = np.concatenate([shown, n + np.array(shown)])
    numbers = np.frombuffer(base64.b64decode(space["numbers"]), "<i2").astype(np.float64)
    ends = np.cumsum([*[2 * n] * (len(space["chosen"]) + 2), n])
    parts = zip(np.split(numbers, ends), space["scales"], strict=True)
    *largest, norms, along, _, cosines = (part * scale for part, scale in parts)
    rest = np.eye(len(sides))
    rest[np.triu_indices(len(sides), 1)] = cosines
    rest += np.triu(rest, 1).T
    large = np.array(largest).T[sides] + space["mean"]
    products = rest * np.outer(norms[sides], norms[sides]) + large @ large.T + space["rest_mean"]
    products += along[sides, None] + along[sides]
    values, vectors = np.linalg.eigh(products)
    rows: FloatArray = vectors * np.sqrt(values.clip(min=0.0))
    return rows


@cache
def stored_depth() -> Depth:
    """Return the result that ships with the package, smollm2 on the captions; do not change it."""
    report, spheres = (
        json.loads(resource(f"results/{name}.json").read_text(encoding="utf-8"))
        for name in ("depth", "depth-spheres")
    )
    return Depth(depth.read(report), spheres)


def _record(path: Path) -> None:
    text = resource("results/depth.json").read_text(encoding="utf-8")
    report, lab = depth.read(json.loads(text)), Lab()
    assert isinstance(report.params, DepthRecipe)
    names = [row["layers"] for row in report.rows]
    under_flow = report.params.each(layers=names, calibrators=["flow"])
    flow = {each.recipe.layers: each.score for each in lab.evaluations(under_flow)}
    found = spheres(report.params, lab, report.rows, flow)
    path.write_text(json.dumps(found, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _record(Path(sys.argv[1]))
