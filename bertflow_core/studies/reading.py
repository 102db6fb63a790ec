"""Which template, pooling and layer are best? Score each combination with every calibrator.

A reading is one combination of these four. The best one is chosen on the dev split and scored on
another split, so the best of hundreds does not win by chance (Cawley and Talbot, 2010,
https://jmlr.org/papers/v11/cawley10a.html). Trained calibrators, such as the flow, take longer to
fit. For each template and pooling they are fitted only at the layer where the closed forms score
best on dev.
"""

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from bertflow_core.analysis.first_token import first_token_measures
from bertflow_core.analysis.isotropy import is_one_point
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.spec import DEFAULT_SPECS
from bertflow_core.datasets.benchmarks import DEV, TEST
from bertflow_core.datasets.catalog import open_dataset
from bertflow_core.datasets.texts import need_targets
from bertflow_core.encoders.given import NETWORK, check_network
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.template import OFFERED, SLOT
from bertflow_core.errors import InputError, NothingLeftError
from bertflow_core.evaluation import N_DRAWS, RANDOM_COSINE, Metric
from bertflow_core.evaluation.comparison import Direction, Score, compare
from bertflow_core.figures import Figure, measures_by_layer, readings_by_layer
from bertflow_core.lab.comparable_scores import score_columns, scores_of
from bertflow_core.lab.evaluation import Embedded, Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.lab.remarks import RANKS_NOTHING
from bertflow_core.params import param
from bertflow_core.report.remark import Kind, Remark, remarks_of
from bertflow_core.report.report import Column, Pictures, Report, Row, Table
from bertflow_core.report.result import Result
from bertflow_core.report.study import Specs, scored_by, study
from bertflow_core.runtime import context

_Reading = tuple[Row, FloatArray | None]
"""A row, and the values of its pairs, texts or queries; None if the row has no score."""

_MEAN_AND_FIRST = ("mean", "cls")
_DIGITS = 5
_WIDTH = 48
_MOST_ROWS = 20

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
class ReadingRecipe(Recipe):
    """The choices of a recipe, and the templates and token poolings that are compared."""

    templates: tuple[str, ...] = param(
        (SLOT, OFFERED[0]),
        "Template with {text} for the sentence; {text} alone means no template.",
        flags=("--template",),
    )
    poolings: tuple[str, ...] = param(
        ("mean", "mean-content", "last"), "Token pooling.", flags=("--tokens",)
    )
    n_draws: int = param(
        N_DRAWS, "Resamples for the intervals.", low=100, high=100_000, flags=("--bootstrap",)
    )

    def check(self) -> None:
        """Refuse an unknown pooling, a wrong template, and vectors that have no layers."""
        super().check()
        check_network(self.model)
        if not self.readings((Recipe.layers,)):  # making the recipes refuses wrong values
            raise InputError(
                "name at least one template (write {text} for no template) and one pooling"
            )

    def readings(self, layers: Sequence[str]) -> list[list[Recipe]]:
        """Return the recipes of each template and pooling: one for each layer set."""
        if PLAIN_LAYERS in layers:
            raise InputError(
                f"layers {PLAIN_LAYERS} is the {PLAIN}, which is always scored: leave it out"
            )
        return [
            [
                self.base().with_(template=None if text == SLOT else text, tokens=pool, layers=name)
                for name in layers
            ]
            for text in dict.fromkeys(self.templates)
            for pool in dict.fromkeys(self.poolings)
        ]


def _columns(params: ReadingRecipe) -> tuple[Column, ...]:
    scored = params.split if params.has_splits else "all pairs"
    return (
        Column("template"),
        Column("tokens"),
        Column("layers"),
        Column("calibrator"),
        Column("dev", "dev: rho x 100", ".2f", times=100),
        Column("score", f"{scored}: rho x 100", ".2f", "95 % interval", times=100, ends=True),
        Column("random_cosine", "random cos", ".3f", RANDOM_COSINE),
        Column("chosen", "chosen on dev"),
    )


def _pictures(report: Report) -> Pictures:
    pictures = {"reading": partial(_readings_figure, report)}
    if report.tables:  # a report read from JSON has no tables
        pictures["first-token"] = partial(_first_token_figure, report.tables[0])
    return pictures


def _readings_figure(report: Report) -> Figure:
    """Draw the score at each layer, a panel for each template and pooling."""
    names, specs = report.facts["layers"], report.facts["calibrators"]
    panels: dict[tuple[str, str], dict[str, list[float | None]]] = {}
    chosen = None
    for template in report.facts["templates"]:
        row = "\n".join(textwrap.wrap(template or "no template", _WIDTH))
        for tokens in report.facts["poolings"]:
            found = report.where(template=template, tokens=tokens)
            scores = {(each["calibrator"], each["layers"]): each["score"] for each in found}
            panels[row, tokens] = {
                spec: [scores.get((spec, name)) for name in names] for spec in specs
            }
            for each in found:
                if each["chosen"]:
                    chosen = (row, tokens), names.index(each["layers"]), each["score"]
    return readings_by_layer(
        panels, names, report.facts["plain"], chosen=chosen, title=report.column("score").header
    )


def _first_token_figure(table: Table) -> Figure:
    of = {each.key: [row[each.key] for row in table.rows] for each in table.columns}
    norms = {"first token": of["first_norm"], "mean of the others": of["others_norm"]}
    parts = {table.column(key).header: {"": of[key]} for key in ("share", "cosine")}
    colours = ["#0072B2", "#D55E00"]
    return measures_by_layer({"norm": norms, **parts}, of["layers"], colours=colours)


@study(
    "reading",
    ReadingRecipe,
    _columns,
    title="Which template, pooling and layer are best?",
    figures=_pictures,
    calibrators=DEFAULT_SPECS,
    baseline=True,
    layers=True,
    every_layer=True,
    needs=NETWORK,
    without=("tokens", "template"),
)
def reading(recipe: ReadingRecipe, lab: Lab, calibrators: Specs, layers: Sequence[str]) -> Result:
    """Score every reading of a model on dev and on another split, the best on dev first.

    Numbers are None where all sentences have the same vector, as under `last` in layer 0.
    """
    readings = recipe.readings(layers)
    first = readings[0][0]
    ends = [
        first.with_(layers=name, tokens=tokens) for name in layers for tokens in _MEAN_AND_FIRST
    ]  # they come last, from the same pass
    every = prepare_splits([*chain(*readings), *ends], lab)
    splits = next(every)
    raw = splits.scored.recipe
    found_of = {name: getattr(raw, name) for name in ("revision", "split")}
    metric = splits.scored.metric
    recipes, why_no_plain = lab.with_plain([raw])
    plain = None if why_no_plain else next(lab.evaluations(recipes))
    every = chain([splits], every)
    found = [each for group in readings for each in _scores(group, every, calibrators, lab)]
    scored = splits.scored
    scores = _score(found, plain, scored, recipe.n_draws)
    rows: list[Row] = [
        {**row, **_score_of(scores.get(str(i)), recipe.n_draws)} for i, (row, _) in enumerate(found)
    ]
    best = chosen_row(rows)
    n_scored = sum(row["score"] is not None for row in rows)
    answer = splits.note or "No combination of template, pooling, layer and calibrator has a score."
    if best is not None:
        answer = _answer(
            best, scores[str(rows.index(best))], scores.get(PLAIN), n_scored, recipe.n_draws, metric
        )
    unscored = (
        f"{row['calibrator']}: {RANKS_NOTHING}."
        for row in rows
        if row["score"] is None and row["random_cosine"] is not None
    )
    trained = ", ".join(spec for spec in calibrators if spec.takes_seed)
    of_trained = (
        f"For each template and pooling, a trained calibrator ({trained}) is fitted only at the "
        "layer where the other calibrators score best on dev."
    )
    rows.sort(key=lambda row: np.inf if row["dev"] is None else -row["dev"])
    sentences = [*dict.fromkeys(scored.pairs.sentences())]
    about = f"Means over {len(sentences):,} scored sentences, {_template(first.template)}."
    shares = [*_first_token(ends, sentences, lab)]
    return Result(
        [{**row, "chosen": row is best} for row in rows],
        [
            *remarks_of(Kind.DOUBT, *unscored),
            Remark(Kind.ANSWER, answer),
            *remarks_of(Kind.MISSING, why_no_plain),
            *remarks_of(
                Kind.METHOD,
                f"The intervals use {recipe.n_draws:,} resamples of the "
                f"{scored.pairs.n_units:,} {metric.unit}.",
                of_trained if trained and best is not None else "",
            ),
        ],
        recipes=[recipe.with_(**found_of).without("tokens", "template")],
        columns=scored_by(metric, _columns(recipe)),
        tables=[Table(_FIRST_TOKEN_COLUMNS, shares, "First token", remarks_of(Kind.METHOD, about))],
        facts={
            "plain": scores[PLAIN].value if PLAIN in scores else None,
            "templates": [*dict.fromkeys(group[0].template for group in readings)],
            "poolings": [*dict.fromkeys(group[0].tokens for group in readings)],
            "layers": [*layers],
            "calibrators": [*calibrators],
            "n_draws": recipe.n_draws,
            "encoder": scored.encoder,
        },
        max_rows=_MOST_ROWS,
    )


def _score(
    found: Sequence[_Reading], plain: Evaluation | None, scored: Embedded, n_draws: int
) -> dict[str, Score]:
    """Return the score of every reading, named by its number, and of the plain output."""
    similarities = {str(i): each for i, (_, each) in enumerate(found) if each is not None}
    if not similarities:
        raise InputError(
            "every combination gives all sentences the same vector: choose other layers"
        )
    if plain is not None:
        similarities[PLAIN] = plain.unit_values
    return scores_of(similarities, scored.pairs, scored.recipe, n_draws)


def _scores(
    group: Sequence[Recipe], every: "Iterator[Splits]", specs: Specs, lab: Lab
) -> Iterator[_Reading]:
    """Score a template and pooling under each calibrator: trained ones at the best layer only."""
    trained = [spec for spec in specs if spec.takes_seed]
    closed = [spec for spec in specs if spec not in trained]
    found: list[_Reading] = []
    for done, place in enumerate(group):
        with context.repeating(done, len(group), "layers"):
            found += _at(place, next(every), closed, lab)
    yield from found
    best = chosen_row([row for row, _ in found])
    for place in group if trained else ():
        if best is None or place.layers == best["layers"]:
            (splits,) = prepare_splits([place], lab)
            yield from _at(place, splits, trained, lab)


def _at(place: Recipe, splits: "Splits", specs: Specs, lab: Lab) -> Iterator[_Reading]:
    """Score calibrators under one template, token pooling and layer set."""
    for spec in specs:
        row: dict[str, Any] = {name: getattr(place, name) for name in ("template", "tokens")}
        row |= {"layers": place.layers, "calibrator": spec, "dev": None, "random_cosine": None}
        similarity = None
        with suppress(NothingLeftError):
            if not is_one_point(splits.scored.x_fit):
                evaluation = splits.scored.under(spec, device=lab.device)
                row["random_cosine"] = round(evaluation.random_cosine, _DIGITS)
                if evaluation.score is not None:
                    similarity = evaluation.unit_values
                    dev = None if splits.dev is None else evaluation.on(splits.dev).score
                    row["dev"] = None if dev is None else round(dev, _DIGITS)
        yield row, similarity


def _score_of(score: Score | None, n_draws: int) -> dict[str, float | None]:
    """Return the rounded score of a reading and its interval, each None if undefined."""
    if score is None:
        return dict.fromkeys(("score", "score_low", "score_high"))
    columns = score_columns(score, None, n_draws)
    return {key: None if x is None else round(x, _DIGITS) for key, x in columns.items()}


def _answer(
    best: Row, score: Score, plain: Score | None, n: int, n_draws: int, metric: Metric
) -> str:
    """Say how the reading chosen on dev changes the score, by how much and how sure that is."""
    where = f"{best['tokens']} pooling of {best['layers']} under {best['calibrator']}"
    chosen = f"Of {n:,} readings, dev chose {where} with {_template(best['template'])}."
    shown = f"{100 * best['score']:.1f}"
    if plain is None or plain.value is None:
        return f"{chosen} Its {metric.header} on the scored split is {shown}."
    change = compare({"": (plain, score)}, n_draws)[""]
    before = f"{100 * plain.value:.1f}"
    if not change.shown:
        return (
            f"The best reading scores as high as the {PLAIN} ({metric.header} {before}). {chosen}"
        )
    verbs = {Direction.ROSE: "raises", Direction.FELL: "lowers"}
    verb = verbs.get(change.direction, "does not significantly change")
    return (
        f"The best reading {verb} {metric.title} x 100 from {before} ({PLAIN}) to {shown} "
        f"({change.text(times=100, digits=1)}, 95 % interval "
        f"{change.interval_text(times=100, digits=1)}). {chosen}"
    )


def _template(template: str | None) -> str:
    return "no template" if template is None else f"template {template}"


def _first_token(ends: Sequence[Recipe], sentences: Sequence[str], lab: Lab) -> Iterator[Row]:
    """Measure the first token at each layer set.

    `ends` has two recipes per layer set: the mean's, then the first token's.
    """
    found = lab.vectors(ends, sentences)
    for mean, of_all, of_first in zip(ends[::2], found, found, strict=True):
        measures = first_token_measures(of_all.x, of_first.x, of_all.n_tokens)
        yield {"layers": mean.layers} | measures


@dataclass(frozen=True)
class Splits:
    """The split that chooses a value and the split that reports it, on one fit corpus."""

    dev: Embedded | None  # None if the data set has no dev split
    test: Embedded | None  # the recipe's split; None if that is dev and there is no test split

    @property
    def present(self) -> tuple[Embedded, ...]:
        """The splits that exist (at least one), dev before test."""
        return tuple(embedded for embedded in (self.dev, self.test) if embedded is not None)

    @property
    def scored(self) -> Embedded:
        """The reported split: test, or dev if there is no test."""
        return self.present[-1]

    @property
    def note(self) -> str | None:
        """What a missing split means for the choice; None if both exist."""
        name = self.scored.recipe.dataset
        if self.dev is None:
            return (
                f"{name} has no dev split here, so no value is chosen. Choosing a value by its "
                "test score would overstate that score."
            )
        if self.test is None:
            return (
                f"{name} has no scored test split here. The value is chosen on dev, so its score "
                "there is overstated."
            )
        return None


def prepare_splits(recipes: Sequence[Recipe], lab: Lab) -> Iterator[Splits]:
    """Load the data of recipes once; yield the embedded fit corpus, dev and test pairs of each.

    The test pairs are those of the recipes' split or, if that is dev, of the test split, provided
    that it has gold scores. A table in `lab.tables` has no dev split.
    """
    recipe = recipes[0]
    names, in_memory = [recipe.split], recipe.dataset in lab.tables
    if not in_memory:
        opened = open_dataset(recipe.dataset, **lab.data(recipe).options())
        # The recipe's own split is refused below if it does not exist.
        there = {*opened.splits} - {*opened.hidden} | {recipe.split}
        pair = (DEV, TEST if recipe.split == DEV else recipe.split)
        names = [split for split in pair if split in there]
    loaded = {name: lab.pairs(recipe.with_(split=name)) for name in names}
    corpus, found = lab.corpus(recipe), []
    for name, pairs in loaded.items():
        need_targets(pairs)
        table = replace(lab, tables={recipe.dataset: (pairs, corpus)})
        found.append(table.embedded([each.with_(split=name) for each in recipes]))

    def joined(*of_splits: Embedded) -> Splits:
        x_fit = of_splits[0].x_fit  # one copy in memory
        own = {name: replace(x, x_fit=x_fit) for name, x in zip(names, of_splits, strict=True)}
        dev = None if in_memory else own.pop(DEV, None)
        return Splits(dev, next(iter(own.values()), None))

    return map(joined, *found)


def chosen_row(rows: Sequence[Row]) -> Row | None:
    """Return the row with the best score on dev, the first of ties; None without dev."""
    known = [row for row in rows if row["dev"] is not None]
    return max(known, key=lambda row: row["dev"], default=None)
