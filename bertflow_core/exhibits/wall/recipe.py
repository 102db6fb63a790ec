"""The two recipes of a wall: one for rows and spaces, one for their pictures.

They are separate, so that a different picture needs no embedding and no fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, cast

from bertflow_core.analysis.layout import Method
from bertflow_core.encoders.given import short_names
from bertflow_core.errors import InputError
from bertflow_core.evaluation.similarities import SIMILARITIES
from bertflow_core.lab.layer_choices import encodings, layer_options
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import Params, param, same_param
from bertflow_core.studies.words.recipe import WordRecipe

MAX_PANES = 6
MAX_ROWS = 100_000

METRICS = {
    "cosine": "cosine (rows scaled to length 1)",
    "spearman": SIMILARITIES["spearman"],
    "l2": "L2 distance",
}
"""Descriptions of the metrics that rank neighbours."""


@dataclass(frozen=True, kw_only=True)
class WallRecipe(Params):
    """The rows and spaces of a wall.

    There is one pane for every calibrator in every layer set of every model, one to six in all. The
    other panes are compared with the first. Without models, the model of `base` is used.
    """

    command = "bertflow-lab analyse wall"

    max_rows: int = param(
        4_000,
        "Largest number of rows; if there are more, a random sample is shown.",
        low=2,
        high=MAX_ROWS,
        title="Maximum number of rows",
    )
    counts: str | None = param(
        None,
        "Word frequencies for colouring sentences: a file of counts, wordfreq, or vocabulary "
        "(the order of the model's own vocabulary).",
        title="Word frequencies",
    )

    base: Recipe | WordRecipe = field(default_factory=Recipe)  # common to all panes
    models: tuple[str, ...] = same_param(Recipe, "model", default=(), flags=("--model",))
    layers: tuple[str, ...] = ()  # layer sets, or tables for words; if empty, that of the base
    calibrators: tuple[str, ...] = ("identity", "flow")

    def check(self) -> None:
        """Refuse too many panes, panes that do not exist, and two sources of frequencies."""
        check_number(len(self.panes))
        if self.of_words and self.counts is not None:
            raise InputError(
                "a wall of words takes its counts from the base recipe: set them there"
            )

    @property
    def of_words(self) -> bool:
        """Whether the rows are words, not sentences."""
        return isinstance(self.base, WordRecipe)

    @property
    def panes(self) -> tuple[Recipe | WordRecipe, ...]:
        """The recipe of each pane in order, with the calibrators of a layer set side by side."""
        base, space = self.base, "table" if self.of_words else "layers"
        models, layers = self.models or (base.model,), self.layers or (getattr(base, space),)
        panes = []
        for model, name, spec in product(models, layers, self.calibrators):
            revision = base.revision if model == base.model else None
            own: dict[str, Any] = {"model": model, "revision": revision, space: name}
            panes.append(base.with_(calibrator=spec, **own))
        return tuple(dict.fromkeys(panes))

    @property
    def names(self) -> tuple[str, ...]:
        """Distinct names of the panes: space, model, or both, depending on what differs."""
        if not self.has_models:
            return tuple(map(space_of, self.panes))
        models = short_names({pane.model for pane in self.panes})
        if len(self._spaces) == 1:
            return tuple(models[pane.model] for pane in self.panes)
        return tuple(f"{models[pane.model]}, {space_of(pane)}" for pane in self.panes)

    @property
    def has_models(self) -> bool:
        """Whether the panes are of several models."""
        return len({pane.model for pane in self.panes}) > 1

    @property
    def _spaces(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(map(space_of, self.panes)))

    def caption(self) -> str:
        """Describe the panes and what they share in one line."""
        base = self.base
        if isinstance(base, WordRecipe):
            shared = f"words with frequencies from {Path(base.counts).name}, seed {base.seed}"
        else:
            shared = (
                f"{encodings(cast('Sequence[Recipe]', self.panes))}, {base.precision}; "
                f"{base.dataset}{f' {base.split}' if base.has_splits else ''}; "
                f"calibrators fitted on {base.fit_on}, seed {base.seed}"
            )
        models = ", ".join(dict.fromkeys(pane.model for pane in self.panes))
        counts = f"; word frequencies: {Path(self.counts).name}" if self.counts else ""
        names = " | ".join(self.names)
        if self.has_models and len(self._spaces) == 1:
            names = f"{names} ({self._spaces[0]})"
        return f"{names}; {models}; {shared}{counts}; at most {self.max_rows:,} rows"


@dataclass(frozen=True, kw_only=True)
class Picture(Params):
    """The pictures of spaces, and the metric that ranks neighbours."""

    command = WallRecipe.command

    method: str = param(
        "pca",
        "Projection: pca subtracts the mean; svd does not, so its first axis shows the cone; umap "
        "keeps neighbours together, but its distances mean little.",
        choices=tuple(map(str, Method)),
        title="Projection",
    )
    metric: str = param(
        "cosine",
        "Metric that ranks neighbours: cosine scales all rows to length 1, also in the picture; "
        "spearman replaces each row by the ranks of its features, l2 leaves rows as they are.",
        choices=tuple(METRICS),
        title="Metric",
    )
    n_neighbors: int = param(
        15,
        "Neighbours of UMAP: few show local structure, many show global structure.",
        low=2,
        high=200,
        title="Neighbours",
    )
    min_dist: float = param(
        0.1,
        "Minimum distance of UMAP: smaller values pack points more tightly.",
        low=0,
        high=1,
        title="Minimum distance",
    )
    seed: int = same_param(Recipe, "seed")

    def caption(self) -> str:
        """Describe the picture in one line."""
        how = {
            Method.PCA: "PCA, centred",
            Method.SVD: "SVD, not centred",
            Method.UMAP: f"UMAP, n_neighbors {self.n_neighbors}, min_dist {self.min_dist:g}, "
            f"seed {self.seed}",
        }[Method(self.method)]
        return f"{how}; {METRICS[self.metric]}"


def space_of(recipe: Recipe | WordRecipe) -> str:
    """Return the layer set or table and the calibrator, as in a badge."""
    where = recipe.table if isinstance(recipe, WordRecipe) else recipe.layers
    return f"{where}, {recipe.calibrator}"


def check_number(n_panes: int) -> None:
    """Refuse a number of panes below 1 or above `MAX_PANES`."""
    if not 1 <= n_panes <= MAX_PANES:
        raise InputError(
            f"a wall has 1 to {MAX_PANES} panes, got {n_panes}: choose fewer encoders, layer sets "
            "or calibrators"
        )


def wall_command(recipe: WallRecipe, picture: Picture) -> str:
    """Return the command that writes a page of these spaces; empty if there is none.

    --revision applies to the first model only.
    """
    base, panes = recipe.base, recipe.panes
    models = list(dict.fromkeys(pane.model for pane in panes))
    if not isinstance(base, Recipe) or any(p.revision for p in panes if p.model != models[0]):
        return ""
    drawn = picture.with_(seed=Picture.seed)
    if picture.method != Method.UMAP:
        drawn = drawn.with_(n_neighbors=Picture.n_neighbors, min_dist=Picture.min_dist)
    rows = {name: text for name, text in recipe.changes().items() if name != "models"}
    changed = {**rows, **drawn.changes()}
    options = [("--model", model) for model in models] if recipe.has_models else []
    options += layer_options(cast("Sequence[Recipe]", panes))
    options += [("--" + name.replace("_", "-"), text) for name, text in changed.items()]
    own = base.with_(model=models[0], revision=panes[0].revision)
    own = own.without("layers", "aggregation", "metric", *(["model"] if recipe.has_models else []))
    specs = tuple(dict.fromkeys(pane.calibrator for pane in panes))
    return own.to_command(specs, command=f"{recipe.command} --out wall.html", options=options)
