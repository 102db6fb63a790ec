"""The two recipes of a wall: of its rows and spaces, and of how each space is drawn.

They are separate, so that drawing in another way embeds and fits nothing again.
"""

from collections import Counter
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, cast

from bertflow_core.analysis.layout import Method
from bertflow_core.analysis.umap_layout import UmapSettings
from bertflow_core.errors import InputError
from bertflow_core.layer_choices import encodings, layer_options
from bertflow_core.params import Params, param, same_param
from bertflow_core.recipe import Recipe
from bertflow_core.studies.words.recipe import WordRecipe

MAX_PANES = 6
MAX_ROWS = 100_000
PAGE_ROWS = 4_000
"""Most rows of a page, unless told otherwise."""

METRICS = {"cosine": "cosine (rows scaled to length 1)", "l2": "L2 distance"}
"""The metrics that rank neighbours, in words."""

_TABLE = {"raw": "raw", "layer-norm": "after LayerNorm"}


@dataclass(frozen=True)
class Pane:
    """One space of a wall; of words, `layers` is the table: `raw` or `layer-norm`."""

    model: str
    layers: str
    calibrator: str = "identity"

    @property
    def space(self) -> str:
        """Layer set or table, and calibrator, as a badge says them."""
        return f"{_TABLE.get(self.layers, self.layers)}, {self.calibrator}"


def panes_of(model: str, layers: tuple[str, ...], calibrators: tuple[str, ...]) -> tuple[Pane, ...]:
    """Return one pane per layer set and calibrator, the calibrators of a layer set together."""
    return tuple(Pane(model, *each) for each in product(layers, calibrators))


def check_number(n_panes: int) -> None:
    """Refuse a number of panes that no wall has."""
    if not 1 <= n_panes <= MAX_PANES:
        raise InputError(f"a wall has 1 to {MAX_PANES} panes, got {n_panes}: choose as many")


@dataclass(frozen=True, kw_only=True)
class WallRecipe:
    """The choices that decide the rows and spaces of a wall.

    Attributes:
        base: What all panes share: data, split, fit corpus, token pooling, seed. Its model, layers
            and calibrator, of words its table, are ignored.
        panes: One to six; the others are compared with the first.
        max_rows: Of more rows a random sample is shown; at most 100,000.
        counts: Source of word frequencies for sentences, as `load_word_counts` takes it; None
            leaves them out. Of words it is the base recipe's.
    """

    base: Recipe | WordRecipe = field(default_factory=Recipe)
    panes: tuple[Pane, ...]
    max_rows: int = 20_000
    counts: str | None = None

    def __post_init__(self) -> None:
        check_number(len(self.panes))
        if not 2 <= self.max_rows <= MAX_ROWS:
            raise InputError(f"max_rows must be from 2 to {MAX_ROWS:,}, got {self.max_rows}")
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
    def names(self) -> tuple[str, ...]:
        """One name per pane, no two alike; with the model where several are shown."""
        several = len({pane.model for pane in self.panes}) > 1
        times: Counter[str] = Counter()
        names = []
        for pane in self.panes:
            name = f"{pane.model}, {pane.space}" if several else pane.space
            times[name] += 1
            names.append(name if times[name] == 1 else f"{name} ({times[name]})")
        return tuple(names)

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

    def to_dict(self) -> dict[str, Any]:
        """Return every field, JSON-able."""
        return asdict(self)

    def caption(self) -> str:
        """Describe the panes and what they share in one line."""
        base = self.base
        if isinstance(base, WordRecipe):
            shared = f"words of counts {Path(base.counts).name}, seed {base.seed}"
        else:
            shared = (
                f"{encodings(self.sentence_recipes())}, {base.arithmetic}; "
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

    command = "bertflow-lab analyse wall"

    method: str = param(
        "pca",
        "Projection: pca subtracts the mean; svd does not, so its first axis shows the cone; umap "
        "keeps neighbours together, but its distances mean little.",
        choices=tuple(map(str, Method)),
        title="Projection",
    )
    dims: int = param(2, "Dimensions of the picture: 2 or 3.", low=2, high=3, title="Dimensions")
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
        return f"{how}; {self.dims}-D; {METRICS[self.metric]}"


def wall_command(recipe: WallRecipe, picture: Picture) -> str:
    """Return the command whose page shows these spaces; empty where there is none.

    There is none of words, of several models, and where panes are no grid.
    """
    base = recipe.base
    models, layers, specs = (
        tuple(dict.fromkeys(getattr(pane, name) for pane in recipe.panes))
        for name in ("model", "layers", "calibrator")
    )
    if not isinstance(base, Recipe) or recipe.panes != panes_of(models[0], layers, specs):
        return ""
    options = layer_options(recipe.sentence_recipes())
    if recipe.counts is not None:
        options.append(("--counts", recipe.counts))
    if recipe.max_rows != PAGE_ROWS:
        options.append(("--max-rows", str(recipe.max_rows)))
    drawn = picture.with_(seed=Picture.seed)
    if picture.method != Method.UMAP:
        drawn = drawn.with_(n_neighbors=Picture.n_neighbors, min_dist=Picture.min_dist)
    words = drawn.changes()
    options += [("--" + name.replace("_", "-"), text) for name, text in words.items()]
    own = base.with_(model=models[0]).without("layers", "aggregation", "metric")
    return own.to_command(specs, command=f"{Picture.command} --out wall.html", options=options)
