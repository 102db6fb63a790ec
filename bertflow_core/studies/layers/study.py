"""Score every layer under each template, token pooling and calibrator, beside the plain output.

The best of these rows is chosen on dev and scored on another split, so that the best of hundreds
does not win by chance (Cawley and Talbot, 2010, https://jmlr.org/papers/v11/cawley10a.html).
Trained calibrators, such as the flow, take longer to fit. For each template and pooling they are
fitted only at the layer where the closed forms score best on dev.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bertflow_core.analysis.first_token import first_token_measures
from bertflow_core.analysis.measures import MEASURES, Group
from bertflow_core.analysis.space_rows import Cloud
from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.datasets import Texts
from bertflow_core.datasets.benchmarks import DEV
from bertflow_core.encoders.given import NETWORK, check_network
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.pooling import USUAL_POOLINGS
from bertflow_core.encoders.template import SLOT
from bertflow_core.errors import InputError
from bertflow_core.evaluation import N_DRAWS, RANDOM_COSINE, RHO, Metric, Score, metric_of
from bertflow_core.lab.cells import Cell
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.grid import Grid, scored
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import too_few, why_unscored
from bertflow_core.lab.splits import Splits, chosen_on_dev, splits_of
from bertflow_core.lab.verdict import verdict
from bertflow_core.params import same_param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, fit_remarks, study
from bertflow_core.studies.evaluate.axes import EvaluateRecipe, Rows
from bertflow_core.studies.layers.pictures import pictures
from bertflow_core.studies.space.measure import column_of

_MEASURES = [
    each for each in MEASURES.values() if each.group is Group.CLOUD and each.name != "mean_cosine"
]
"""What is measured beside the random cosine, which stands for the mean cosine."""

_MEAN_AND_FIRST = ("mean", "cls")
_MAX_ROWS = 20

_FIRST_TOKEN_COLUMNS = (
    Column("layers"),
    Column("first_norm", "norm of the first token", ".4g"),
    Column("others_norm", "norm of the mean of the others", ".4g"),
    Column(
        "share", "share of the mean", ".3f", "share of the first token in the mean over all tokens"
    ),
    Column(
        "cosine",
        "cosine without first token",
        ".3f",
        "cosine of the mean over all tokens with the mean without the first",
    ),
)


@dataclass(frozen=True, kw_only=True)
class LayersRecipe(Recipe):
    """The choices of a recipe, and the templates and token poolings that are compared."""

    templates: tuple[str, ...] = same_param(EvaluateRecipe, "templates")
    poolings: tuple[str, ...] = same_param(
        EvaluateRecipe, "poolings", default=tuple(map(str, USUAL_POOLINGS))
    )

    def check(self) -> None:
        """Refuse an unknown pooling, a wrong template, and vectors that have no layers."""
        super().check()
        check_network(self.model)
        if not self.places((Recipe.layers,)):  # making the recipes refuses wrong values
            raise InputError(
                "name at least one template (write {text} for no template) and one pooling"
            )

    def places(self, layers: Sequence[str]) -> list[list[Recipe]]:
        """Return the recipes of each template and pooling: one for each layer set."""
        if PLAIN_LAYERS in layers:
            raise InputError(
                f"layers {PLAIN_LAYERS} is the {PLAIN}, which is always scored: leave it out"
            )
        base = self.base().with_(calibrator=BASELINE)
        return [
            [
                base.with_(template=None if text == SLOT else text, tokens=pool, layers=name)
                for name in layers
            ]
            for text in dict.fromkeys(self.templates)
            for pool in dict.fromkeys(self.poolings)
        ]


def _columns(params: LayersRecipe, metric: Metric = RHO) -> tuple[Column, ...]:
    shown = params.split if params.has_splits else "all pairs"
    return (
        *map(Column, ("template", "tokens", "layers", "calibrator")),
        *([Column("dev", f"dev: {metric.header}", ".2f", times=100)] if shown != DEV else []),
        Column("score", f"{shown}: {metric.header}", ".2f", "95 % interval", times=100, ends=True),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
        *map(column_of, _MEASURES),
        Column("chosen", "chosen on dev"),
    )


@study(
    "layers",
    LayersRecipe,
    _columns,
    title="Which layer is best?",
    figures=pictures,
    calibrators=("null-top-k:k=6",),
    baseline=True,
    layers=True,
    every_layer=True,
    needs=NETWORK,
    without=("tokens", "template"),
)
def layers(params: LayersRecipe, lab: Lab, calibrators: Specs, names: Sequence[str]) -> Result:
    """Score and measure every layer; with a dev split the best row on dev comes first.

    Numbers are None where all sentences have the same vector, as under `last` in layer 0.
    """
    splits = _splits(params.places(names)[0][0], lab)
    params = params.with_(split=splits.scored.split)
    places = params.places(names)
    last = places[0][-1]
    (reference, *_), missing = lab.with_plain([last])
    rows, grid = _scored(places, reference, splits, calibrators, lab)
    data, metric, cell = grid.data[last], grid.metric(last), grid.cells[last]
    scores = grid.scores({row: (row,) for row in (reference, *rows)})
    dev = None if splits.dev is None else _dev(rows, splits, grid)
    chosen = chosen_on_dev(dev or {})
    table = [
        {
            **_row(row, scores[row], grid.cells[row], None if dev is None else dev[row]),
            "chosen": row == chosen,
        }
        for row in rows
    ]
    has_gold = data.targets is not None
    return Result(
        sorted(table, key=lambda row: np.inf if row["dev"] is None else -row["dev"]),
        [
            *_answer(scores, reference, dev if splits.is_apart else None, data, metric),
            *remarks_of(Kind.MISSING, missing, splits.note if has_gold else ""),
            *remarks_of(Kind.METHOD, *_about(cell, data, calibrators)),
            *fit_remarks(((row.calibrator, grid.cells[row].notes) for row in rows), params),
        ],
        recipes=[params.with_(revision=cell.recipe.revision).without("tokens", "template")],
        columns=_columns(params, metric),
        tables=[_first_token(places[0], data.sentences(), lab)],
        facts={
            "plain": None if missing else scores[reference].value,
            "templates": [*dict.fromkeys(group[0].template for group in places)],
            "poolings": [*dict.fromkeys(group[0].tokens for group in places)],
            "layers": [*names],
            "calibrators": [*calibrators],
            "encoder": cell.document.get("encoder"),
        },
        max_rows=_MAX_ROWS,
    )


def _row(row: Recipe, score: Score, cell: Cell, dev: float | None) -> dict[str, Any]:
    shown = {name: getattr(row, name) for name in ("template", "tokens", "layers", "calibrator")}
    shown |= {"dev": dev, **score.columns, "random_cosine": cell.random_cosine}
    return shown | {each.name: cell.measures.get(each.name) for each in _MEASURES}


def _answer(
    scores: Mapping[Recipe, Score],
    reference: Recipe,
    dev: Mapping[Recipe, float | None] | None,
    data: Texts,
    metric: Metric,
) -> list[Remark]:
    """Say how the best row differs from the reference, or why that is not known."""
    if data.targets is None:
        return remarks_of(Kind.ANSWER, why_unscored(data))
    few = too_few(scores[reference].value, data, metric)
    best = verdict(scores, reference, dev=dev, too_few=few)
    if best is None:
        none = "No combination of template, pooling, layer and calibrator has a score."
        return remarks_of(Kind.ANSWER, few or none)
    rows = Rows(tuple(scores))
    return [
        Remark(Kind.HEADLINE, best.headline(metric, rows.short)),
        Remark(Kind.ANSWER, best.sentence(data.title, metric, rows.spoken)),
    ]


def isotropy(evaluation: Evaluation) -> dict[str, Any]:
    """Measure how evenly the scored sentences fill their space."""
    z, dtype = np.concatenate(evaluation.z), evaluation.embedded.encoder.get("dtype")
    cloud = Cloud(z, evaluation.recipe.seed, dtype)
    return {each.name: each.value(cloud) for each in _MEASURES}


def _splits(recipe: Recipe, lab: Lab) -> Splits:
    """Return the recipes of dev and test; data without gold scores have no dev."""
    without_gold = lab.data(recipe).targets is None
    return Splits(None, recipe) if without_gold else splits_of(recipe, lab)


def _scored(
    places: Sequence[Sequence[Recipe]], reference: Recipe, splits: Splits, specs: Specs, lab: Lab
) -> tuple[list[Recipe], Grid]:
    """Score the closed forms everywhere, then trained calibrators where these score best on dev."""

    def grid_of(rows: Sequence[Recipe]) -> Grid:
        on = [row.with_(split=each.split) for each in splits.present for row in rows]
        shown = [row.with_(split=splits.scored.split) for row in rows if row != reference]
        return scored(on, lab, measure=isotropy, measured=shown)

    closed = [spec for spec in specs if not spec.takes_seed]
    rows = [row.with_(calibrator=spec) for group in places for row in group for spec in closed]
    grid = grid_of([reference, *rows])
    trained, later = [spec for spec in specs if spec.takes_seed], list[Recipe]()
    for group in places if trained else ():
        own = [row for row in rows if row.with_(calibrator=BASELINE) in group]
        best = chosen_on_dev({} if splits.dev is None else _dev(own, splits, grid))
        there = group if best is None else [best]
        later += [row.with_(calibrator=spec) for row in there for spec in trained]
    if later:
        more = grid_of(later)
        grid = Grid({**grid.cells, **more.cells}, {**grid.data, **more.data})
    return [*rows, *later], grid


def _dev(rows: Sequence[Recipe], splits: Splits, grid: Grid) -> dict[Recipe, float | None]:
    """Return the score of each row on dev."""
    split = splits.present[0].split
    return {row: grid.cells[row.with_(split=split)].score for row in rows}


def _about(cell: Cell, data: Texts, specs: Specs) -> Iterator[str]:
    """Say what the numbers depend on."""
    yield from (cell.about[key] for key in ("fitted", "seen", "sides", "chat") if key in cell.about)
    if data.targets is not None:
        unit = metric_of(data.metric).unit
        yield f"The intervals use {N_DRAWS:,} resamples of the {data.n_units:,} {unit}."
    yield (
        "On the sentences of its own fit, whitening has an IsoScore of 1. "
        "`bertflow-lab analyse sentences` also measures held-out sentences."
    )
    if trained := ", ".join(spec for spec in specs if spec.takes_seed):
        yield (
            f"For each template and pooling, a trained calibrator ({trained}) is fitted only at "
            "the layer where the other calibrators score best on dev, if there is a dev split."
        )


def _first_token(group: Sequence[Recipe], texts: Sequence[str], lab: Lab) -> Table:
    """Measure how much of the mean over all tokens is due to the first, at each layer set."""
    sentences = [*dict.fromkeys(texts)]
    ends = [row.with_(tokens=tokens) for row in group for tokens in _MEAN_AND_FIRST]
    vectors = lab.vectors(ends, sentences)
    rows = [
        {"layers": row.layers, **first_token_measures(mean.x, first.x, mean.n_tokens)}
        for row, mean, first in zip(group, vectors, vectors, strict=True)
    ]
    template = group[0].template
    words = "no template" if template is None else f"template {template}"
    about = f"Means over {len(sentences):,} scored sentences, {words}."
    return Table(_FIRST_TOKEN_COLUMNS, rows, "First token", remarks_of(Kind.METHOD, about))
