"""What is compared: models, layer sets and calibrators by data sets; a grid yields recipes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from bertflow_core.calibrators.registry import BASELINE, baseline_first, takes_seed
from bertflow_core.encoders.given import Source, source_of
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError, nearest
from bertflow_core.params import param
from bertflow_core.recipe import PLAIN, Recipe
from bertflow_core.wording import quoted

__all__ = ["CompareRecipe", "Grid", "row_name", "vectors_of"]

_COLUMNS = ("sentence1", "sentence2", "score", "subset", "scale", "metric")


@dataclass(frozen=True, kw_only=True)
class CompareRecipe(Recipe):
    """The choices of a comparison: those of a recipe, for several models and data sets."""

    models: tuple[str, ...] = param(
        (Recipe.model,), "Encoder, as `evaluate` takes it.", flags=("--model",)
    )
    datasets: tuple[str, ...] = param(
        (Recipe.dataset,),
        "Data set or table of pairs; options of columns are of the first.",
        flags=("--dataset",),
    )
    seeds: int = param(
        1, "Fits of a random calibrator; the table shows their mean.", low=1, high=50
    )
    bootstrap: int = param(
        0,
        "Resamples of the pairs to test every row against one of them, such as 10000; 0 for no "
        "such test.",
        low=0,
        high=1_000_000,
    )
    baseline: str | None = param(
        None, "Row that these are taken to, as printed: 'minilm last whiten'; the first if none."
    )

    def check(self) -> None:
        """Refuse what compares nothing, and what no recipe can have."""
        for name in ("models", "datasets"):
            if not getattr(self, name):
                raise InputError(f"there is nothing to compare: name at least one of {name}")
        super().check()

    @property
    def source(self) -> Source:
        """Where the vectors come from: of the first model with layers, if there is one."""
        found = [source_of(model) for model in self.models]
        return next((each for each in found if each.has_layers), found[0])


@dataclass(frozen=True)
class Grid:
    """Rows (models x layer sets x calibrators) by columns (data sets), under one protocol.

    A row is the recipe of its first fit on the first data set. A baseline that is no row is
    refused.
    """

    params: CompareRecipe
    calibrators: tuple[str, ...]  # `identity` comes first whether it is named or not
    layers: tuple[str, ...]  # of each model that has layers
    without_plain: tuple[str, ...] = ()  # models whose folder declares nothing that can be run

    def __post_init__(self) -> None:
        object.__setattr__(self, "calibrators", baseline_first(self.calibrators))
        self.baseline  # noqa: B018 - refuses a wrong recipe or baseline before any work

    @property
    def datasets(self) -> tuple[str, ...]:
        """The columns."""
        return tuple(dict.fromkeys(self.params.datasets))

    @cached_property
    def rows(self) -> tuple[Recipe, ...]:
        """The rows: of each model the plain output, then by vectors, each baseline first."""
        every: list[Recipe] = []
        for model in self.params.models:
            asked = self._asked(model)
            plain = None if model in self.without_plain else asked[0].plain
            every += [*([] if plain is None else [plain]), *asked]
        return tuple(dict.fromkeys(every))

    def _asked(self, model: str) -> list[Recipe]:
        """Return the rows of a model that are asked for."""
        first = self.params.base().with_(dataset=self.datasets[0])
        layers = self.layers if source_of(model).has_layers else (Recipe.layers,)
        return [
            first.with_(model=model, layers=name, calibrator=spec)
            for name in layers
            for spec in self.calibrators
        ]

    def plain(self, row: Recipe) -> Recipe | None:
        """Return the row of the plain output of the same model, where there is one."""
        return row.plain if row.plain in self.rows else None

    def is_beside(self, row: Recipe) -> bool:
        """Tell whether a row is there though nobody asked for it: a plain output."""
        return row == row.plain and row not in self._asked(row.model)

    @property
    def baseline(self) -> Recipe:
        """The row that tests are taken to."""
        named, rows = self.params.baseline, {row_name(row): row for row in self.rows}
        if named is not None and named not in rows:
            raise InputError(f"no row is called {quoted(named)}: {nearest(named, rows)}")
        return self.rows[0] if named is None else rows[named]

    def recipes(self, row: Recipe, dataset: str) -> tuple[Recipe, ...]:
        """Return the recipes of a cell: one, or one per seed where the calibrator is random."""
        other = {} if dataset == self.datasets[0] else dict.fromkeys(_COLUMNS)
        n_fits = self.params.seeds if takes_seed(row.calibrator) else 1
        first = row.with_(dataset=dataset, **other)
        return tuple(first.with_(seed=first.seed + i) for i in range(n_fits))

    def cells(self) -> Iterator[tuple[Recipe, str, Recipe]]:
        """Yield every fit with its row and column; those that share vectors follow each other."""
        for dataset in self.datasets:
            for row in self.rows:
                for recipe in self.recipes(row, dataset):
                    yield row, dataset, recipe


def vectors_of(row: Recipe) -> str:
    """Return the encoder in words; mean pooling is not named, nor what it has no choice of."""
    if row.plain is None:
        return row.model
    if row.with_(calibrator=BASELINE) == row.plain:
        return f"{row.model} {PLAIN}"
    pooling = "" if row.tokens in (Recipe.tokens, DECLARED) else f" {row.tokens}"
    return f"{row.model} {row.layers}{pooling}"


def row_name(row: Recipe) -> str:
    """Return what a row is called."""
    return f"{vectors_of(row)} {row.calibrator}"
