"""The two recipes of a wall: of its rows and spaces, and of how each space is drawn.

They are separate, so that drawing in another way embeds and fits nothing again.
"""

from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import cast

from bertflow_core.analysis.layout import Method
from bertflow_core.analysis.umap_layout import UmapSettings
from bertflow_core.errors import InputError
from bertflow_core.layer_choices import encodings, layer_options
from bertflow_core.params import Params, param, same_param
from bertflow_core.recipe import Recipe
from bertflow_core.studies.words.recipe import WordRecipe

MAX_PANES = 6
MAX_ROWS = 100_000

METRICS = {"cosine": "cosine (rows scaled to length 1)", "l2": "L2 distance"}
"""The metrics that rank neighbours, in words."""

_TABLE = {"raw": "raw", "layer-norm": "after LayerNorm"}


@dataclass(frozen=True)
class Pane:
    """One space of a wall; of words, `layers` is the table: `raw` or `layer-norm`."""

    model: str
    layers: str
    calibrator: str = Recipe.calibrator

    @property
    def space(self) -> str:
        """Layer set or table, and calibrator, as a badge says them."""
        return f"{_TABLE.get(self.layers, self.layers)}, {self.calibrator}"


@dataclass(frozen=True, kw_only=True)
class RowChoices(Params):
    """Which rows a wall shows, and what they can be coloured by; each field says what it is."""

    command = "bertflow-lab analyse wall"

    max_rows: int = param(
        4_000,
        "Of more rows a random sample is shown.",
        low=2,
        high=MAX_ROWS,
        title="Most rows",
    )
    counts: str | None = param(
        None,
        "Word frequencies to colour sentences by: a file of counts, wordfreq, or vocabulary, the "
        "order of the model's own.",
        title="Word frequencies",
    )


@dataclass(frozen=True, kw_only=True)
class WallRecipe(RowChoices):
    """The choices that decide the rows and spaces of a wall.

    Its panes are every calibrator in every layer set of every model: one to six, of which the
    others are compared with the first.

    Attributes:
        base: What all panes share: data, split, fit corpus, token pooling, seed.
        models: Encoders; that of the base if empty.
        layers: Layer sets, of words tables; that of the base if empty.
        calibrators: Specs.
    """

    base: Recipe | WordRecipe = field(default_factory=Recipe)
    models: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    calibrators: tuple[str, ...] = ("identity", "flow")

    def check(self) -> None:
        """Refuse too many panes, panes that do not exist, and two sources of frequencies."""
        check_number(len(self.panes))
        if self.of_words and self.counts is not None:
            raise InputError(
                "a wall of words takes its counts from the base recipe: name them there"
            )
        for pane in self.panes:
            self.recipe_of(pane)

    @property
    def of_words(self) -> bool:
        """Whether the rows are words, not sentences."""
        return isinstance(self.base, WordRecipe)

    @property
    def panes(self) -> tuple[Pane, ...]:
        """The panes in order: the calibrators of a layer set stand together."""
        base = self.base
        own = base.table if isinstance(base, WordRecipe) else base.layers
        grid = product(self.models or (base.model,), self.layers or (own,), self.calibrators)
        return tuple(dict.fromkeys(Pane(*each) for each in grid))

    @property
    def names(self) -> tuple[str, ...]:
        """One name per pane, no two alike; with the model where several are shown."""
        several = len({pane.model for pane in self.panes}) > 1
        return tuple(f"{e.model}, {e.space}" if several else e.space for e in self.panes)

    def recipe_of(self, pane: Pane) -> Recipe | WordRecipe:
        """Return the recipe that makes a pane's numbers; it refuses what does not exist."""
        base = self.base
        revision = base.revision if pane.model == base.model else None
        shared = {"model": pane.model, "revision": revision, "calibrator": pane.calibrator}
        if isinstance(base, WordRecipe):
            return base.with_(table=pane.layers, **shared)
        return base.with_(layers=pane.layers, **shared)

    def sentence_recipes(self) -> list[Recipe]:
        """Return the recipe of every pane of a wall of sentences."""
        return [cast("Recipe", self.recipe_of(pane)) for pane in self.panes]

    def caption(self) -> str:
        """Describe the panes and what they share in one line."""
        base = self.base
        if isinstance(base, WordRecipe):
            shared = f"words of counts {Path(base.counts).name}, seed {base.seed}"
        else:
            shared = (
                f"{encodings(self.sentence_recipes())}, {base.precision}; "
                f"{base.dataset} {base.split}; "
                f"calibrators fitted on {base.fit_on}, seed {base.seed}"
            )
        models = ", ".join(dict.fromkeys(pane.model for pane in self.panes))
        counts = f"; word frequencies: {Path(self.counts).name}" if self.counts else ""
        names = " | ".join(self.names)
        return f"{names}; {models}; {shared}{counts}; at most {self.max_rows:,} rows"


@dataclass(frozen=True, kw_only=True)
class Picture(Params):
    """How spaces are drawn and which metric ranks neighbours; each field says what it is.

    Raises:
        InputError: A value that no such field can have.
    """

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
        "How neighbours are ranked: cosine, for which all rows are scaled to length 1, in the "
        "picture too, or l2, which leaves them as they are.",
        choices=tuple(METRICS),
        title="Metric",
    )
    n_neighbors: int = param(
        15,
        "Of UMAP: few neighbours show local structure, many global structure.",
        low=2,
        high=200,
        title="Neighbours",
    )
    min_dist: float = param(
        0.1, "Of UMAP: smaller packs points more tightly.", low=0, high=1, title="Minimum distance"
    )
    seed: int = same_param(Recipe, "seed")

    def umap_settings(self) -> UmapSettings:
        """Return the settings of UMAP."""
        return UmapSettings(n_neighbors=self.n_neighbors, min_dist=self.min_dist, seed=self.seed)

    def caption(self) -> str:
        """Describe the picture in one line."""
        how = {
            Method.PCA: "PCA, centred",
            Method.SVD: "SVD, not centred",
            Method.UMAP: f"UMAP, n_neighbors {self.n_neighbors}, min_dist {self.min_dist:g}, "
            f"seed {self.seed}",
        }[Method(self.method)]
        return f"{how}; {METRICS[self.metric]}"


def check_number(n_panes: int) -> None:
    """Refuse a number of panes that no wall has."""
    if not 1 <= n_panes <= MAX_PANES:
        raise InputError(
            f"a wall has 1 to {MAX_PANES} panes, got {n_panes}: choose fewer encoders, layer sets "
            "or calibrators"
        )


def wall_command(recipe: WallRecipe, picture: Picture) -> str:
    """Return the command whose page shows these spaces; empty of words and of several models."""
    base, models = recipe.base, {pane.model for pane in recipe.panes}
    if not isinstance(base, Recipe) or len(models) > 1:
        return ""
    drawn = picture.with_(seed=Picture.seed)
    if picture.method != Method.UMAP:
        drawn = drawn.with_(n_neighbors=Picture.n_neighbors, min_dist=Picture.min_dist)
    changed = {**recipe.changes(), **drawn.changes()}
    options = layer_options(recipe.sentence_recipes())
    options += [("--" + name.replace("_", "-"), text) for name, text in changed.items()]
    own = base.with_(model=models.pop()).without("layers", "aggregation", "metric")
    specs = tuple(dict.fromkeys(pane.calibrator for pane in recipe.panes))
    return own.to_command(specs, command=f"{recipe.command} --out wall.html", options=options)
