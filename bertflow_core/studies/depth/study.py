"""Find what makes the cone at each layer: the first token, a few coordinates, or the mean.

Each cause has its own remedy, and each remedy is scored at each layer: pooling without the first
token, leaving out the two coordinates that contribute most to the mean cosine, subtracting the
mean. The coordinates are chosen on the fit corpus, never on the scored sentences.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.analysis.coordinates import (
    coordinate_contributions,
    cosine_parts,
    largest_coordinates,
)
from bertflow_core.analysis.isotropy import mean_cosine
from bertflow_core.arrays.sampling import distinct_rows
from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.encoders import TransformerEncoder
from bertflow_core.encoders.given import NETWORK, check_network
from bertflow_core.encoders.layers import PLAIN_LAYERS, LayerSet
from bertflow_core.encoders.left_out import check_left_out
from bertflow_core.encoders.pooling import TokenPooling
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, RHO, Comparison, Metric, Score, metric_of
from bertflow_core.evaluation.comparison import compare
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.grid import scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import too_few, why_unscored
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Row
from bertflow_core.report.result import Result
from bertflow_core.report.study import study
from bertflow_core.studies.depth.pictures import pictures
from bertflow_core.studies.depth.tokens import MOST_SENTENCES, token_measures

K = 2
"""Coordinates that are left out."""
N_LARGEST = 10
"""Coordinates whose shares a row lists."""
_MOST = 0.8  # of the cosine; below it, the coordinates alone are the simpler remedy

_MEAN, _AFTER = str(TokenPooling.MEAN), str(TokenPooling.MEAN_AFTER_FIRST)
_CENTRE, _DROP = "null-top-k:k=0", f"drop-coordinates:k={K}"
SCORES = {
    "rho": (_MEAN, BASELINE),
    "rho_after_first": (_AFTER, BASELINE),
    "rho_centred": (_MEAN, _CENTRE),
    "rho_dropped": (_MEAN, _DROP),
    "rho_after_first_centred": (_AFTER, _CENTRE),
    "rho_after_first_dropped": (_AFTER, _DROP),
    "rho_standardized": (_MEAN, "standardize"),
}
"""The token pooling and the calibrator of each score."""


@dataclass(frozen=True, kw_only=True)
class DepthRecipe(Recipe):
    """The choices of a recipe, and the part of the network that is left out."""

    left_out: str | None = param(
        None,
        "Leave out of the network: first-token (the special token before every text), first-mlp "
        "(what the MLPs add to the first token) or first-mlp:k (only in layer k).",
        title="Left out",
        flags=("--without",),
    )

    def check(self) -> None:
        """Refuse vectors without a network, and an unknown part."""
        super().check()
        check_network(self.model)
        if self.left_out is not None:
            check_left_out(self.left_out)

    def caption(self) -> str:
        """Return the fields in use as one line of text."""
        return super().caption() + (f"; without {self.left_out}" if self.left_out else "")


def _columns(_: DepthRecipe, metric: Metric = RHO) -> tuple[Column, ...]:
    rho = metric.header
    scores = {
        "rho": (rho, "of the mean over all tokens, uncalibrated"),
        "rho_after_first": (f"{rho}, first out", "without the first token in the mean"),
        "rho_centred": (f"{rho}, mean out", "with the mean vector subtracted"),
        "rho_dropped": (
            f"{rho}, coordinates and mean out",
            "without the two coordinates, then with the mean subtracted",
        ),
        "rho_after_first_dropped": (
            f"{rho}, all three out",
            "without the first token, the two coordinates and the mean",
        ),
        "rho_standardized": (f"{rho}, standardized", ""),
    }
    return (
        Column("layers"),
        Column("mean_cosine", "mean cos", ".3f", "mean cosine of all pairs of scored sentences"),
        Column("cosine_after_first", "cos, first out", ".3f", "without the first token"),
        Column("cosine_dropped", "cos, coordinates out", ".3f", "without the two coordinates"),
        Column(
            "coordinates",
            help="the two coordinates that contribute most to the mean cosine of the fit corpus",
        ),
        Column("share_1", "share of the first", ".3f", "its share of the mean cosine"),
        Column("share_2", "share of both", ".3f"),
        Column(
            "first_part",
            "part of the first token",
            ".3f",
            "this part, that of the two coordinates of the other tokens, and the rest sum to 1",
        ),
        Column("coordinates_part", "part of the coordinates", ".3f"),
        Column("rest_part", "rest", ".3f", "mostly the mean of the other coordinates"),
        *(
            Column(key, label, ".2f", help, times=100, ends=key in ("rho", "rho_dropped"))
            for key, (label, help) in scores.items()
        ),
        Column(
            "token_entropy",
            "token entropy",
            ".3f",
            "entropy of the squared singular values of a sentence's tokens, 0 to 1",
        ),
        Column(
            "first_norm", "first norm", ".3g", "norm of the first token over the others' mean norm"
        ),
        Column("sink", "attention on first", ".3f", "by the other tokens, mean over heads"),
        Column("token_cosine", "token cos", ".3f", "mean cosine of two random tokens"),
        Column(
            "self_similarity",
            "self-similarity",
            ".3f",
            "mean cosine of a word's occurrences, minus that of random tokens",
        ),
        Column(
            "intra_similarity",
            "intra-sentence",
            ".3f",
            "mean cosine of tokens with their sentence's mean, minus that of random tokens",
        ),
        Column(
            "explainable_variance",
            "explainable variance",
            ".3f",
            "share of the largest direction in a word's occurrences, minus that of random tokens",
        ),
    )


@study(
    "depth",
    DepthRecipe,
    _columns,
    title="Where does the cone come from?",
    figures=pictures,
    layers=True,
    every_layer=True,
    needs=NETWORK,
    without=("calibrator", "tokens", "query_template", "similarity"),
)
def depth(params: DepthRecipe, lab: Lab, names: Sequence[str]) -> Result:
    """Measure each layer, score each remedy, and say what the cosine comes from."""
    encoder = lab.encoder(params.with_(layers="last"))
    if not isinstance(encoder, TransformerEncoder) or PLAIN_LAYERS in names:
        raise InputError(f"depth needs single layers: expected layer:k or last, got {names[0]}")
    places = {name: LayerSet(name).indices(encoder.n_layers, str(encoder.model)) for name in names}
    for name, indices in places.items():
        if len(indices) > 1:
            raise InputError(
                f"layer set {name} is the mean of two layers: expected single ones, layer:k or last"
            )
    recipes = {
        (name, key): params.with_(layers=name, tokens=tokens, calibrator=spec)
        for name in names
        for key, (tokens, spec) in SCORES.items()
    }
    as_they_are = [each for each in recipes.values() if each.calibrator == BASELINE]
    grid = scored(recipes.values(), lab, measure=_spread, measured=as_they_are)
    first = next(iter(recipes.values()))
    data, metric = grid.data[first], grid.metric(first)
    scores = grid.scores({place: (recipe,) for place, recipe in recipes.items()})
    texts = [data.texts[row] for row in distinct_rows(data.texts)]
    tokens = token_measures(encoder, texts, seed=params.seed)
    whole, after = (
        [grid.cells[recipes[name, key]].measures for name in names]
        for key in ("rho", "rho_after_first")
    )
    parts = _first_tokens([recipes[name, "rho"] for name in names], texts, whole, lab)
    remedies = {name: _remedy(part) for name, part in zip(names, parts, strict=True)}
    changes = compare({n: (scores[n, "rho"], scores[n, key]) for n, key in remedies.items()})
    rows = []
    for i, (name, (index,)) in enumerate(places.items()):
        row = {"layers": name, **whole[i], **parts[i]}
        row["cosine_after_first"] = after[i]["mean_cosine"]
        for key in SCORES:
            row |= {
                each.replace("score", key): value
                for each, value in scores[name, key].columns.items()
            }
        row |= tokens[index]
        rows.append(row | {"sentence": _sentence(index, row, changes[name], metric)})
    cell = grid.cells[first]
    return Result(
        rows,
        [
            *remarks_of(Kind.ANSWER, *_answers(rows, changes)),
            *_remarks(scores[names[-1], "rho"], data, metric),
            *remarks_of(
                Kind.METHOD,
                *(cell.about[key] for key in ("fitted", "seen", "cut") if key in cell.about),
                f"The coordinates are chosen on the fit corpus. Tokens are measured in "
                f"{min(len(texts), MOST_SENTENCES):,} of the scored sentences.",
            ),
        ],
        recipes=[params.with_(revision=cell.recipe.revision).without(*depth.without)],
        columns=_columns(params, metric),
        facts={"encoder": cell.document.get("encoder")},
    )


def _spread(evaluation: Evaluation) -> dict[str, Any]:
    """Measure the mean cosine of distinct scored sentences, and what coordinates add to it."""
    embedded = evaluation.embedded
    x = embedded.x_texts[distinct_rows(embedded.data.texts)]
    chosen = largest_coordinates(embedded.x_fit, N_LARGEST)
    parts = coordinate_contributions(x)
    total = float(parts.sum())
    shares = parts[chosen] / total if total > 0 else None
    return {
        "mean_cosine": total,
        "cosine_dropped": mean_cosine(np.delete(x, chosen[:K], axis=1)),
        "coordinates": ", ".join(map(str, chosen[:K])),
        "share_1": None if shares is None else float(shares[0]),
        "share_2": None if shares is None else float(shares[:K].sum()),
        "chosen": chosen.tolist(),
        "shares": [] if shares is None else shares.tolist(),
    }


def _first_tokens(
    recipes: Sequence[Recipe], texts: Sequence[str], spreads: Sequence[Row], lab: Lab
) -> list[dict[str, float | None]]:
    """Divide the mean cosine of each layer between first token, coordinates and the rest."""
    ends = [each.with_(tokens=tokens) for each in recipes for tokens in (_MEAN, TokenPooling.CLS)]
    found = lab.vectors(ends, texts)
    rows = []
    for spread, mean, first in zip(spreads, found, found, strict=True):
        own = first.x / np.asarray(mean.n_tokens, np.float64)[:, None]
        rows.append(cosine_parts(own, mean.x - own, np.array(spread["chosen"][:K])))
    return rows


def _remedy(parts: Row) -> str:
    """Return the score whose change is tested: also without the first token if it makes most."""
    first = parts["first_part"]
    return "rho_after_first_dropped" if first is not None and first >= _MOST else "rho_dropped"


def _sentence(layer: int, row: Row, change: Comparison, metric: Metric) -> str:
    """Say what the cosine of two random sentences comes from, and what leaving it out does."""
    names = " and ".join(row["coordinates"].split(", "))
    if row["share_2"] is None:
        return f"In layer {layer} two random sentences have no positive cosine."
    made = (
        f"In layer {layer}, coordinates {names} make {100 * row['share_2']:.0f} % of the cosine of "
        f"two random sentences ({row['mean_cosine']:.3f}). The first token accounts for "
        f"{100 * row['first_part']:z.0f} % of it, and these coordinates of the other tokens for "
        f"{100 * row['coordinates_part']:z.0f} %."
    )
    left_out = "these two and the mean"
    if _remedy(row) == "rho_after_first_dropped":
        left_out = "the first token, two coordinates and the mean"
    if change.difference is None:
        return made
    return f"{made} {change.sentence(f'Without {left_out}, {metric.header}', times=100)}"


def _answers(rows: Sequence[Row], changes: Mapping[str, Comparison]) -> list[str]:
    """Return the sentences of the narrowest cone, of the largest gain and of the last layer."""
    narrow = max(rows, key=lambda row: row["mean_cosine"])
    gain = max(rows, key=lambda row: changes[row["layers"]].difference or 0.0)
    shown = {row["layers"]: row["sentence"] for row in (narrow, gain, rows[-1])}
    return [*shown.values()]


def _remarks(score: Score, data: Any, metric: Metric) -> list[Remark]:  # noqa: ANN401
    if data.targets is None:
        return remarks_of(Kind.MISSING, why_unscored(data))
    return [
        *remarks_of(Kind.WARNING, too_few(score.value, data, metric)),
        *remarks_of(
            Kind.METHOD,
            f"The 95 % intervals use {N_DRAWS:,} resamples of the {data.n_units:,} "
            f"{metric_of(data.metric).unit}; they are not adjusted for the number of layers.",
        ),
    ]
