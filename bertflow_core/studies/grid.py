"""A grid of recipes and its scores: models, layer sets and calibrators by data sets.

Each row is compared with identity on the same vectors and with its model's plain output. Each
further model is compared with the first. Every difference is tested; each of these three kinds has
its own Holm adjustment.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from bertflow_core.calibrators.spec import BASELINE, Spec, baseline_first
from bertflow_core.datasets import Texts
from bertflow_core.datasets.vectors import check_same_rows
from bertflow_core.encoders.given import OWN, Source, short_names, source_of
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.rows import RowVectors
from bertflow_core.errors import InputError, nearest
from bertflow_core.evaluation import RHO, Comparison, Metric, Score, compare, metric_of
from bertflow_core.evaluation.comparison import average
from bertflow_core.lab.cells import Cell, cell_key
from bertflow_core.lab.comparable_scores import scores_of_fits
from bertflow_core.lab.embedding import AnyEncoder
from bertflow_core.lab.embedding import vectors_of as same_vectors
from bertflow_core.lab.evaluation import Embedded
from bertflow_core.lab.lab import Data, Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import param
from bertflow_core.runtime import context
from bertflow_core.wording import quoted

AVERAGE = "average"
"""The name of the mean over data sets."""

GridKey = tuple[Recipe, str]
"""A row, and a data set or `AVERAGE`."""


@dataclass(frozen=True, kw_only=True)
class CompareRecipe(Recipe):
    """The choices of a comparison: those of a recipe, for several models and data sets."""

    models: tuple[str, ...] = param(
        (Recipe.model,), "Encoder, repeatable: a name, a folder or a hub id.", flags=("--model",)
    )
    datasets: tuple[str, ...] = param(
        (Recipe.dataset,),
        "Data set or table of pairs, repeatable; column options apply to the first.",
        flags=("--dataset",),
    )
    seeds: int = param(
        1,
        "Fits of each calibrator that has a seed; the table shows their mean.",
        low=1,
        high=50,
    )
    bootstrap: int = param(
        0,
        "Resamples of the pairs for tests against the baseline row, such as 10000; 0 for none.",
        low=0,
        high=1_000_000,
    )
    baseline: str | None = param(
        None,
        "Baseline row of the significance tests, such as 'minilm last whiten'; the first row by "
        "default.",
    )

    def check(self) -> None:
        """Refuse an empty comparison, and values that no recipe can have."""
        for name in ("models", "datasets"):
            if not getattr(self, name):
                raise InputError(f"there is nothing to compare: name at least one of {name}")
        super().check()

    @property
    def source(self) -> Source:
        """The source of the vectors of the first model that has layers, else of the first model."""
        found = [source_of(model) for model in self.models]
        return next((each for each in found if each.has_layers), found[0])


@dataclass(frozen=True)
class Grid:
    """Rows by data sets under one protocol.

    A row is represented by the recipe of its first fit on the first data set. A baseline that names
    no row is refused.
    """

    params: CompareRecipe
    calibrators: tuple[Spec, ...]  # `identity` comes first whether it is named or not
    layers: tuple[str, ...]  # layer sets of each model that has layers
    without_plain: tuple[str, ...] = ()  # models that have no plain output

    def __post_init__(self) -> None:
        object.__setattr__(self, "calibrators", baseline_first(self.calibrators))
        self.baseline  # noqa: B018 - refuses a wrong recipe or baseline before any work

    @property
    def datasets(self) -> tuple[str, ...]:
        """The distinct data sets."""
        return tuple(dict.fromkeys(self.params.datasets))

    @cached_property
    def rows(self) -> tuple[Recipe, ...]:
        """The rows, by model: its plain output, then each layer set with the baseline first."""
        every: list[Recipe] = []
        for model in self.params.models:
            asked = self._asked(model)
            plain = None if model in self.without_plain else asked[0].plain
            every += [*([] if plain is None else [plain]), *asked]
        return tuple(dict.fromkeys(every))

    def _asked(self, model: str) -> list[Recipe]:
        first = self.params.base().with_(dataset=self.datasets[0])
        layers = self.layers if source_of(model).has_layers else (Recipe.layers,)
        return [
            first.with_(model=model, layers=name, calibrator=spec)
            for name in layers
            for spec in self.calibrators
        ]

    def plain(self, row: Recipe) -> Recipe | None:
        """Return the row of the same model's plain output, or None."""
        return row.plain if row.plain in self.rows else None

    @property
    def own_outputs(self) -> tuple[Recipe, ...]:
        """The reference row of each model: its plain output or, without one, its first row."""
        first_rows = {row.model: row for row in reversed(self.rows)}
        return tuple(first_rows[model] for model in self.models)

    @property
    def models(self) -> tuple[str, ...]:
        """The distinct models."""
        return tuple(dict.fromkeys(self.params.models))

    def is_beside(self, row: Recipe) -> bool:
        """Tell whether a row is a plain output that was added without being requested."""
        return row == row.plain and row not in self._asked(row.model)

    @property
    def baseline(self) -> Recipe:
        """The baseline row of the tests."""
        named, rows = self.params.baseline, {self.short_name(row): row for row in self.rows}
        rows |= {row_name(row): row for row in self.rows}
        if named is not None and named not in rows:
            raise InputError(f"no row is called {quoted(named)}: {nearest(named, rows)}")
        return self.rows[0] if named is None else rows[named]

    def short_vectors(self, row: Recipe) -> str:
        """Return the display name of a row's vectors, without the folder of its model."""
        return short_names(self.models)[row.model] + vectors_of(row).removeprefix(row.model)

    def short_name(self, row: Recipe) -> str:
        """Return the display name of a row, without the folder of its model."""
        return f"{self.short_vectors(row)} {row.calibrator}"

    def recipes(self, row: Recipe, dataset: str) -> tuple[Recipe, ...]:
        """Return a row's recipes on a data set: one, or one per seed of a random calibrator."""
        n_fits = self.params.seeds if row.spec.takes_seed else 1
        first = row.on(dataset)
        return tuple(first.with_(seed=first.seed + i) for i in range(n_fits))

    def cells(self) -> Iterator[tuple[Recipe, str, Recipe]]:
        """Yield row, data set and recipe of every fit; fits on the same vectors are adjacent."""
        for dataset in self.datasets:
            for row in self.rows:
                for recipe in self.recipes(row, dataset):
                    yield row, dataset, recipe


def vectors_of(row: Recipe) -> str:
    """Return the full name of a row's vectors: the model, and its layers or plain output.

    Token pooling is named unless it is the mean.
    """
    if row.plain is None:
        return row.model
    pooling = "" if row.tokens in (Recipe.tokens, PLAIN_LAYERS) else f" {row.tokens}"
    return f"{row.model} {row.vectors}{pooling}"


def row_name(row: Recipe) -> str:
    """Return the full name of a row."""
    return f"{vectors_of(row)} {row.calibrator}"


@dataclass(frozen=True)
class GridResult:
    """The numbers of a filled grid: rho in [-1, 1] or a share in [0, 1], means over seeds."""

    grid: Grid
    pairs: Mapping[str, Texts] = field(repr=False)  # the scored pairs, by data set
    cells: Mapping[GridKey, tuple[Cell, ...]] = field(repr=False)  # the fits, one per seed

    def under(self, aggregation: str) -> "GridResult":
        """Return the same fits under a different aggregation; a cell has its scores under each."""
        cells = {
            (row.with_(aggregation=aggregation), name): tuple(
                replace(cell, recipe=cell.recipe.with_(aggregation=aggregation)) for cell in fits
            )
            for (row, name), fits in self.cells.items()
        }
        params = self.grid.params.with_(aggregation=aggregation)
        return replace(self, grid=replace(self.grid, params=params), cells=cells)

    @cached_property
    def scores(self) -> dict[GridKey, Score]:
        """The score of every row in every column."""
        params, found = self.grid.params, dict[GridKey, Score]()
        for name, pairs in self.pairs.items():
            fits = {row: fits for (row, dataset), fits in self.cells.items() if dataset == name}
            of_rows = scores_of_fits(fits, pairs, params)
            found |= {(row, name): score for row, score in of_rows.items()}
        if AVERAGE in self.columns:
            for row in self.grid.rows:
                parts = [found[row, name] for name in self.columns[AVERAGE]]
                found[row, AVERAGE] = average(parts, seed=params.seed)
        return found

    def metric(self, dataset: str) -> Metric:
        """Return the metric of a data set."""
        return metric_of(self.pairs[dataset].metric)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The distinct metrics of the data sets."""
        found = map(self.metric, self.pairs)
        return tuple({metric.name: metric for metric in found}.values())

    @property
    def scores_title(self) -> str:
        """The title of an axis of scores: the metrics of the data sets."""
        return " or ".join(f"{metric.title} x 100" for metric in self.metrics)

    @cached_property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """The data sets of each column; if all have one metric, another column averages them."""
        names = self.grid.datasets
        every = {AVERAGE: names} if len(names) > 1 and len(self.metrics) == 1 else {}
        return {**{name: (name,) for name in names}, **every}

    def heading(self, column: str) -> str:
        """Return the heading of a column: the data set, and its metric unless that is rho."""
        metric = RHO if column == AVERAGE else self.metric(column)
        return column if metric is RHO else f"{column} ({metric.word})"

    def score(self, row: Recipe, column: str) -> float | None:
        """Return the mean score over data sets and seeds; None if any of these is undefined."""
        score = self.scores.get((row, column))
        return None if score is None else score.value

    @cached_property
    def changes(self) -> dict[GridKey, Comparison]:
        """The tested differences from identity on the same vectors."""
        return self._tested(lambda row: row.with_(calibrator=BASELINE))

    @cached_property
    def to_plain(self) -> dict[GridKey, Comparison]:
        """The tested differences from the plain output of the same model."""
        return self._tested(self.grid.plain)

    @cached_property
    def between_models(self) -> dict[GridKey, Comparison]:
        """The tested differences of each further model's own output from the first model's.

        Example:
            For models A and B on the data sets X and Y, these are B minus A on X, on Y and on
            average. The row of each key is B's own output.
        """
        first, *others = self.grid.own_outputs
        family = {
            (row, column): (self.scores[first, column], self.scores[row, column])
            for row in others
            for column in self.columns
            if None not in (self.score(row, column), self.score(first, column))
        }
        return compare(family)

    def _tested(self, other: Callable[[Recipe], Recipe | None]) -> dict[GridKey, Comparison]:
        """Test every difference that is not 0 as displayed; a score is the mean over seeds."""
        family = {}
        for row in self.grid.rows:
            to = other(row)
            if to is None or to == row:
                continue
            for column in self.columns:
                both = self.scores[to, column], self.scores[row, column]
                if Comparison(*(each.value for each in both)).shown:
                    family[row, column] = both
        return compare(family)


def fill(grid: Grid, lab: Lab) -> GridResult:
    """Score every row of a grid on every data set; cells in `lab.cells` are not computed again.

    A model that cannot be used is refused before any fit. If a model has no plain output and none
    was requested, its row is left out.
    """
    # Given vectors without a table are a data set only for the model `vectors`.
    reader = next((row for row in grid.rows if row.model == OWN), grid.rows[-1])
    read = {name: lab.load(grid.recipes(reader, name)[0]) for name in grid.datasets}
    _check_sentences(grid, read)
    lab = replace(lab, tables=read)
    encoders: dict[Recipe, AnyEncoder] = {}
    for row in grid.rows:
        try:
            encoders[_vectors(row)] = lab.encoder(row)
        except InputError:
            if not grid.is_beside(row):
                raise
            grid = replace(grid, without_plain=(*grid.without_plain, row.model))
    check_sides(encoders.values())
    tasks = [
        (row, dataset, recipe.with_(revision=encoders[_vectors(row)].model.revision))
        for row, dataset, recipe in grid.cells()
    ]
    keys = [
        cell_key(
            recipe,
            encoders[_vectors(row)].fingerprint,
            *(part.fingerprint for part in read[dataset]),
        )
        for row, dataset, recipe in tasks
    ]
    cells = [lab.cells.get(key) if lab.cells else None for key in keys]
    missing = (recipe for (*_, recipe), cell in zip(tasks, cells, strict=True) if cell is None)
    every = lab.embedded([*missing])
    fits: dict[GridKey, list[Cell]] = {}
    embedded: Embedded | None = None
    last = None
    for done, ((row, dataset, recipe), key, cell) in enumerate(
        zip(tasks, keys, cells, strict=True)
    ):
        context.report(done, len(tasks), "cells")
        if cell is None:
            if embedded is None or last != same_vectors(recipe):
                embedded = None  # two at once would need the memory of both
                embedded, last = next(every), same_vectors(recipe)
            with context.repeating(done, len(tasks), "cells"):
                cell = _compute(replace(embedded, recipe=recipe), lab.device)
            if lab.cells:
                lab.cells.put(key, cell)
        # A cell holds every aggregation; the one that this grid asks for is in the task's recipe.
        fits.setdefault((row, dataset), []).append(replace(cell, recipe=recipe))
    context.report(len(tasks), len(tasks), "cells")
    pairs = {name: data[0] for name, data in read.items()}
    return GridResult(grid, pairs, {place: tuple(each) for place, each in fits.items()})


def _check_sentences(grid: Grid, read: Mapping[str, Data]) -> None:
    """Refuse a model that embeds sentences on a data set that has vectors and no sentences."""
    embeds = next((row.model for row in grid.rows if row.source.has_words), None)
    for name, (pairs, _) in read.items():
        if embeds is not None and not pairs.has_words:
            raise InputError(
                f"{quoted(embeds)} cannot be compared with the vectors of {quoted(name)}, which "
                "has no sentences to embed: add columns of sentences, or leave the model out"
            )


def check_sides(encoders: Iterable[AnyEncoder]) -> None:
    """Refuse given vectors whose rows differ from those of the first given vectors."""
    given = [each.sides for each in encoders if isinstance(each, RowVectors)]
    of_pairs = [sides for sides in given if len(sides) == 2]
    for sides in of_pairs[1:]:
        for one, other in zip(of_pairs[0], sides, strict=True):
            check_same_rows(one, other)


def _vectors(row: Recipe) -> Recipe:
    """Return the part of a row's recipe that decides its vectors."""
    return row.with_(calibrator=BASELINE)


def _compute(embedded: Embedded, device: str | None) -> Cell:
    from bertflow_core.calibrators.base import rank_lost, round_trip_error  # late: slow

    evaluation = embedded.under(embedded.recipe.calibrator, device=device)
    return Cell(
        recipe=embedded.recipe,
        scores=evaluation.scores,
        unit_values=evaluation.unit_values,
        random_cosine=evaluation.random_cosine,
        rank_lost=rank_lost(evaluation.calibrator, embedded.x_fit),
        round_trip=round_trip_error(evaluation.calibrator, embedded.x_fit),
        fitted_on=f"{embedded.corpus.description} {embedded.seen_remark}",
        n_cut=embedded.n_cut,
        n_sentences=embedded.n_sentences,
        notes=evaluation.notes,
        seconds=evaluation.seconds,
        chat_remark=embedded.chat_remark,
    )
