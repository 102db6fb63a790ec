"""The two recipes of a wall: of its rows and spaces, and of how each space is drawn.

They are separate, so that drawing in another way embeds and fits nothing again.
"""

from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bertflow_core.analysis.layout import Method
from bertflow_core.analysis.umap_layout import UmapSettings
from bertflow_core.errors import InputError
from bertflow_core.layer_choices import encodings
from bertflow_core.params import Params, param, same_param
from bertflow_core.recipe import Recipe
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.wording import quoted

__all__ = ["MAX_PANES", "MAX_ROWS", "METRICS", "Pane", "Picture", "WallRecipe", "check_metric"]

MAX_PANES = 6
MAX_ROWS = 100_000
METRICS = {"cosine": "cosine (rows scaled to length 1)", "l2": "L2 distance"}
"""The metrics that rank neighbours, in words."""

_TABLE = {"raw": "raw", "layer-norm": "after LayerNorm"}


@dataclass(frozen=True)
class Pane:
    """One space of a wall.

    Attributes:
        model: Catalogue name, local folder or hub id.
        layers: Layer set; of words the table: `raw` or `layer-norm`.
        calibrator: Spec.
    """

    model: str
    layers: str
    calibrator: str = "identity"

    @property
    def space(self) -> str:
        """Layer set or table, and calibrator, as a badge says them."""
        return f"{_TABLE.get(self.layers, self.layers)}, {self.calibrator}"


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

    Raises:
        InputError: A value that no such field can have, or a pane that its recipe refuses.
    """

    base: Recipe | WordRecipe = field(default_factory=Recipe)
    panes: tuple[Pane, ...]
    max_rows: int = 20_000
    counts: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.panes) <= MAX_PANES:
            raise InputError(f"a wall has 1 to {MAX_PANES} panes, got {len(self.panes)}")
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
        """Return the recipe that makes a pane's numbers.

        Raises:
            InputError: A layer set, table or calibrator that does not exist.
        """
        base = self.base
        revision = base.revision if pane.model == base.model else None
        shared = {"model": pane.model, "revision": revision, "calibrator": pane.calibrator}
        if isinstance(base, WordRecipe):
            return base.with_(table=pane.layers, **shared)
        return base.with_(layers=pane.layers, **shared)

    def to_dict(self) -> dict[str, Any]:
        """Return every field, JSON-able."""
        return {
            "rows": "words" if self.of_words else "sentences",
            "base": self.base.to_dict(),
            "panes": [asdict(pane) for pane in self.panes],
            "max_rows": self.max_rows,
            "counts": self.counts,
        }

    def caption(self) -> str:
        """Describe the panes and what they share in one line."""
        models = ", ".join(dict.fromkeys(pane.model for pane in self.panes))
        counts = f"; word frequencies: {Path(self.counts).name}" if self.counts else ""
        shared = self._shared()
        return (
            f"{' | '.join(self.names)}; {models}; {shared}{counts}; at most {self.max_rows:,} rows"
        )

    def _shared(self) -> str:
        """Describe what every pane shares: no model, layer set, table or calibrator."""
        base = self.base
        if isinstance(base, WordRecipe):
            return f"words of counts {Path(base.counts).name}, seed {base.seed}"
        made = (self.recipe_of(pane) for pane in self.panes)
        tokens = encodings([each for each in made if isinstance(each, Recipe)])
        return (
            f"{tokens}, {base.arithmetic}; {base.dataset} {base.split}; "
            f"calibrators fitted on {base.fit_on}, seed {base.seed}"
        )


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


def check_metric(metric: str) -> None:
    """Refuse an unknown metric.

    Raises:
        InputError: Neither `cosine` nor `l2`.
    """
    if metric not in METRICS:
        raise InputError(f"unknown metric {quoted(metric)}: expected one of {', '.join(METRICS)}")
