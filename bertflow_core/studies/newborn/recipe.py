"""Everything that decides a newborn model: its text, its size and its training."""

from dataclasses import dataclass

from bertflow_core.errors import InputError
from bertflow_core.params import Params, param, same_param
from bertflow_core.recipe import Recipe

N_HEADS = 4
_MOST_FRAMES = 500


@dataclass(frozen=True, kw_only=True)
class NewbornRecipe(Params):
    """The choices that decide a newborn model and its recording; each field says what it is.

    All sentences of the data set are trained on, and its test pairs are scored.

    Raises:
        InputError: A value that no such field can have, or more frames than can be kept.
    """

    command = "bertflow-lab analyse newborn"

    dataset: str = same_param(Recipe, "dataset")
    n_words: int = param(
        5_000, "Most words of the vocabulary; rarer ones are unknown.", low=3, high=20_000
    )
    n_unused: int = param(
        50,
        "Rows of the table whose words never occur, like BERT's [unused0].",
        low=0,
        high=1_000,
    )
    width: int = param(64, f"Features, a multiple of {N_HEADS}.", low=4, high=256)
    n_layers: int = param(2, "Transformer layers.", low=1, high=6)
    max_words: int = param(32, "Longest sentence in words; the rest is cut.", low=2, high=128)
    n_steps: int = param(200, "Steps of training.", low=1, high=5_000)
    every: int = param(5, "Steps between two frames of the recording.", low=1, high=5_000)
    batch_size: int = param(128, "Sentences a step.", low=1, high=1_024)
    learning_rate: float = param(
        2e-3, "Learning rate of Adam, constant.", low=0, high=1, above_low=True
    )
    mask_share: float = param(
        0.15, "Share of words that are masked.", low=0, high=0.99, above_low=True
    )
    seed: int = same_param(
        Recipe, "seed", help="Seed of the first weights, the order of the sentences and the masks."
    )

    def check(self) -> None:
        """Refuse more frames than can be kept, and a width that the heads cannot share."""
        if self.n_steps > _MOST_FRAMES * self.every:
            raise InputError(
                f"{self.n_steps} steps with a frame every {self.every} are more than "
                f"{_MOST_FRAMES} frames: take a larger every"
            )
        if self.width % N_HEADS:
            raise InputError(f"width must be a multiple of {N_HEADS}, got {self.width}")

    def data(self) -> Recipe:
        """Return the recipe that names the sentences and the scored pairs."""
        return Recipe(dataset=self.dataset, seed=self.seed)

    def caption(self) -> str:
        """Return the recipe as a line for people."""
        return (
            f"{self.n_layers} transformer layers of width {self.width}, softmax tied to the word "
            f"vectors; all sentences of {self.dataset}, at most {self.n_words:,} words and "
            f"{self.n_unused} that never occur; {self.n_steps:,} steps of Adam at "
            f"{self.learning_rate:g}, {self.batch_size} sentences each, "
            f"{100 * self.mask_share:g} % of words masked; seed {self.seed}"
        )
