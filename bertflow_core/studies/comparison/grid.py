"""What is compared: encoders and calibrators by data sets, under one protocol."""

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from bertflow_core.calibrators.registry import BASELINE, baseline_first, takes_seed
from bertflow_core.encoders.given import source_of
from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError
from bertflow_core.params import option_words
from bertflow_core.recipe import PLAIN, Recipe

AVERAGE = None
"""Stands for the mean over data sets where a place names one of them."""

MAX_SEEDS = 50
_COLUMNS = ("sentence1", "sentence2", "score", "subset", "scale", "metric")
_OF_THE_ROWS = {
    "model": Recipe.model,
    "revision": None,
    "layers": Recipe.layers,
    "calibrator": Recipe.calibrator,
}


Vectors = tuple[str, str, str, str | None, int]
"""What decides the vectors of a row: all but its calibrator."""


@dataclass(frozen=True)
class Row:
    """A row of a comparison: encoder, layer set, token pooling and calibrator.

    Rows of layers `model` may have a prompt and a number of features that are kept.
    """

    model: str
    layers: str
    tokens: str
    calibrator: str
    prompt: str | None = None
    truncate_dim: int = 0

    @property
    def encoder(self) -> Vectors:
        """What decides its vectors; rows that share it share a baseline."""
        return self.model, self.layers, self.tokens, self.prompt, self.truncate_dim

    @property
    def baseline(self) -> "Row":
        """The row of the same vectors, uncalibrated."""
        return replace(self, calibrator=BASELINE)

    @property
    def plain(self) -> "Row | None":
        """The row of the model's plain output; None where vectors are given."""
        if not source_of(self.model).has_layers:
            return None
        return Row(self.model, DECLARED, self.tokens, BASELINE)

    @property
    def source(self) -> str:
        """The encoder in words; mean pooling is not named, nor what it has no choice of."""
        if self.plain is None:
            return self.model
        if self.encoder == self.plain.encoder:
            return f"{self.model} {PLAIN}"
        pooling = "" if self.tokens == Recipe.tokens else f" {self.tokens}"
        return f"{self.model} {self.layers}{pooling}"

    def __str__(self) -> str:
        return f"{self.source} {self.calibrator}"


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Rows (models x layer sets x calibrators) by columns (data sets), under one protocol.

    Attributes:
        protocol: What rows and columns do not decide: token pooling, maximum length, split, fit
            corpus, first seed, aggregation. A table's columns hold for its own `dataset` only. Its
            model, layers and calibrator are set to a recipe's defaults.
        models: Encoders.
        layers: Layer sets of each.
        calibrators: Specs; `identity`, the baseline, comes first whether it is named or not.
        datasets: Columns.
        n_seeds: Fits of a random calibrator: the protocol's seed and those after it.
        prompt: Of the rows of layers `model`: a prompt that each of their models declares.
        truncate_dim: Of the same rows: how many features are kept; 0 keeps what is declared.
        without_plain: Models whose folder declares nothing that can be run.

    Raises:
        InputError: Nothing to compare, a value that a recipe cannot have, or a prompt or a width
            without rows of layers `model`.
    """

    protocol: Recipe
    models: tuple[str, ...]
    layers: tuple[str, ...]
    calibrators: tuple[str, ...]
    datasets: tuple[str, ...]
    n_seeds: int = 1
    prompt: str | None = None
    truncate_dim: int = 0
    without_plain: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("models", "layers", "calibrators", "datasets"):
            values = tuple(dict.fromkeys(getattr(self, name)))
            if not values:
                raise InputError(f"there is nothing to compare: name at least one of {name}")
            object.__setattr__(self, name, values)
        own = self.protocol.dataset in self.datasets
        rest = {} if own else {"dataset": self.datasets[0], **dict.fromkeys(_COLUMNS)}
        # What rows and columns decide is the same in every protocol: equal grids compare equal.
        object.__setattr__(self, "protocol", self.protocol.with_(**_OF_THE_ROWS, **rest))
        object.__setattr__(self, "calibrators", baseline_first(self.calibrators))
        if not 1 <= self.n_seeds <= MAX_SEEDS:
            raise InputError(f"seeds must be from 1 to {MAX_SEEDS}, got {self.n_seeds}")
        has_declared = any(row.plain and row.layers == DECLARED for row in self._asked)
        if (self.prompt is not None or self.truncate_dim) and not has_declared:
            raise InputError(
                f"prompt and truncate_dim belong to rows of layers {DECLARED}, and there are none: "
                "leave them out, or add such rows"
            )
        for row in self.rows:
            for dataset in self.datasets:
                self.recipes(row, dataset)  # refuses an invalid recipe before any work

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The rows: of each model the plain output, then by encoder, each baseline first."""
        every: list[Row] = []
        for model in self.models:
            asked = [row for row in self._asked if row.model == model]
            plain = None if model in self.without_plain else asked[0].plain
            every += [*([plain] if plain else []), *asked]
        return tuple(dict.fromkeys(every))

    @cached_property
    def _asked(self) -> tuple[Row, ...]:
        """The rows that are asked for."""
        rows = []
        for model in self.models:
            has_layers = source_of(model).has_layers
            for layers in self.layers if has_layers else (DECLARED,):
                own = self._of_declared if has_layers and layers == DECLARED else {}
                rows += [
                    Row(model, layers, self.protocol.tokens, calibrator, **own)
                    for calibrator in self.calibrators
                ]
        return tuple(rows)

    def plain(self, row: Row) -> Row | None:
        """Return the row of the plain output of the same model, where there is one."""
        return row.plain if row.plain in self.rows else None

    def is_beside(self, row: Row) -> bool:
        """Tell whether a row is there though nobody asked for it: a plain output."""
        return row == row.plain and row not in self._asked

    def recipes(self, row: Row, dataset: str) -> tuple[Recipe, ...]:
        """Return the recipes of a cell: one, or one per seed where the calibrator is random."""
        other = {} if dataset == self.protocol.dataset else dict.fromkeys(_COLUMNS)
        first = self.protocol.with_(model=row.model, dataset=dataset, **other)
        plain = first.plain
        if plain is not None and self.is_beside(row):
            return (plain,)
        own: dict[str, Any] = {"layers": row.layers, "calibrator": row.calibrator}
        if row.plain is not None and row.layers == DECLARED:
            own |= {"prompt": row.prompt, "truncate_dim": row.truncate_dim}
        first = first.with_(**own)
        n_fits = self.n_seeds if takes_seed(row.calibrator) else 1
        return tuple(first.with_(seed=first.seed + i) for i in range(n_fits))

    @property
    def _of_declared(self) -> dict[str, Any]:
        """What rows of layers `model` have apart."""
        return {"prompt": self.prompt, "truncate_dim": self.truncate_dim}

    def cells(self) -> Iterator[tuple[Row, str, Recipe]]:
        """Yield every fit; those that share embeddings follow each other."""
        for dataset in self.datasets:
            for row in self.rows:
                for recipe in self.recipes(row, dataset):
                    yield row, dataset, recipe

    def to_command(self, *, n_draws: int = 0, baseline: Row | None = None) -> str:
        """Return the command that fills this grid, and tests it with `n_draws` resamples."""
        own = self.protocol.dataset
        others = tuple(name for name in self.datasets if name != own)
        args = ["bertflow-lab", "compare"]
        for option, values in (
            ("--model", self.models),
            ("--layers", self.layers),
            ("--dataset", (own, *others)),  # whose columns the options name
            ("--calibrator", self.calibrators),
        ):
            args += [word for value in values for word in option_words(option, value)]
        args += [] if self.prompt is None else option_words("--prompt", self.prompt)
        args += ["--truncate-dim", str(self.truncate_dim)] if self.truncate_dim else []
        args += self.protocol.with_(dataset=Recipe.dataset).to_args()
        args += ["--seeds", str(self.n_seeds)] if self.n_seeds > 1 else []
        args += ["--bootstrap", str(n_draws)] if n_draws else []
        args += ["--baseline", str(baseline)] if baseline not in (None, self.rows[0]) else []
        return shlex.join(args)

    def to_dict(self) -> dict[str, Any]:
        """Return what decides the comparison, JSON-able."""
        return {
            "protocol": self.protocol.to_dict(),
            "models": list(self.models),
            "layers": list(self.layers),
            "calibrators": list(self.calibrators),
            "datasets": list(self.datasets),
            "n_seeds": self.n_seeds,
            **self._of_declared,
        }


@dataclass(frozen=True)
class PaperLayout:
    """The rows and columns of a table of Li et al. (2020), without its encoders.

    Attributes:
        table: Its number there.
        title: What it compares.
        layers: Layer sets; the paper's `-last2avg` is `first-last` (see `LayerSet`).
        calibrators: Specs.
        datasets: Columns, in the order printed.
        aggregation: Over subsets.
    """

    table: str
    title: str
    layers: tuple[str, ...]
    calibrators: tuple[str, ...]
    datasets: tuple[str, ...]
    aggregation: str = "wmean"


_PLAIN_AND_FLOW = ("last", "first-last"), ("identity", "flow")
_STS = ("stsb", "sickr", "sts12", "sts13", "sts14", "sts15", "sts16")
_NULLED = ("null-top-k:k=1", "null-top-k:k=10")
_NULLED_OF_STANDARD = ("standardize+null-top-k:k=1", "standardize+null-top-k:k=6")
_LAYOUTS = (
    PaperLayout("2", "Table 2: encoders without supervision", *_PLAIN_AND_FLOW, _STS),
    PaperLayout("3", "Table 3: encoders trained on NLI", *_PLAIN_AND_FLOW, _STS),
    PaperLayout(
        "5",
        "Table 5: simpler calibrators",
        ("last",),
        ("identity", "standardize", *_NULLED, *_NULLED_OF_STANDARD, "flow"),
        ("stsb",),
    ),
)
PAPER_LAYOUTS = {layout.table: layout for layout in _LAYOUTS}
