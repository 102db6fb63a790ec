"""Everything on which the numbers about words depend: the recipe of Table 1."""

from dataclasses import dataclass

from bertflow_core.calibrators.spec import Spec
from bertflow_core.datasets.word_counts import VOCABULARY
from bertflow_core.errors import InputError
from bertflow_core.lab.recipe import Recipe
from bertflow_core.params import Params, param, same_param

SWITCHES = "Switches"
"""The panel of rarely changed choices."""

_MAX_BINS = 100


@dataclass(frozen=True, kw_only=True)
class WordRecipe(Params):
    """The choices that decide a number about words."""

    command = "bertflow-lab analyse words"

    model: str = same_param(
        Recipe, "model", help="Catalogue name, local folder or hub id of a network."
    )
    revision: str | None = same_param(Recipe, "revision", help="Commit, branch or tag.")
    counts: str = param(
        VOCABULARY,
        "File with one word and its count per line, wordfreq, or vocabulary (the order of the "
        "model's tokens, in which later ones are rarer). word_counts/NAME.txt is read from the "
        "folder that BERTFLOW_DATA names, if it is there.",
        title="Frequencies",
    )
    bins: tuple[int, ...] = param(
        (0, 100, 500, 5000, 10_000),
        "Increasing edges of the rank bins: 0,100,500 makes ranks 1 to 100 and 101 to 500.",
        low=0,
        high=10**9,
        title="Bins of rank",
    )
    k: tuple[int, ...] = param(
        (3, 5, 7),
        "Numbers of nearest neighbours; distances are averaged over them.",
        low=1,
        high=100,
    )
    table: str = param(
        "raw",
        "Word vectors before LayerNorm (raw) or after it (layer-norm).",
        choices=("raw", "layer-norm"),
        title="Table",
        panel=SWITCHES,
    )
    words: str = param(
        "whole",
        "Whole tokens only (whole), or also ## pieces for words that match no whole token (any).",
        choices=("whole", "any"),
        title="Words",
        panel=SWITCHES,
    )
    ranks: str = param(
        "covered",
        "Rank among the words in the vocabulary (covered), or in the whole list (list).",
        choices=("covered", "list"),
        title="Ranks",
        panel=SWITCHES,
    )
    digits: str = param(
        "keep",
        "Keep or drop the words zero to nine, too frequent in lists that spell digits out.",
        choices=("keep", "drop"),
        title="Digits",
        panel=SWITCHES,
    )
    neighbours: str = param(
        "all",
        "Possible neighbours: all rows, no-special (words and ## pieces), or whole words.",
        choices=("all", "no-special", "whole"),
        title="Neighbours",
        panel=SWITCHES,
    )
    itself: str = param(
        "exclude",
        "Exclude or include a word as its own neighbour.",
        choices=("exclude", "include"),
        title="Itself",
        panel=SWITCHES,
    )
    calibrator: str = same_param(Recipe, "calibrator")
    seed: int = same_param(Recipe, "seed")

    def check(self) -> None:
        """Refuse an unknown calibrator, a wrong number of bins, and an empty k."""
        object.__setattr__(self, "calibrator", Spec(self.calibrator))
        if not 2 <= len(self.bins) <= _MAX_BINS + 1:
            raise InputError(f"bins must have 2 to {_MAX_BINS + 1} edges, got {len(self.bins)}")
        if not self.k:
            raise InputError("k must list at least one number of neighbours, got none")
