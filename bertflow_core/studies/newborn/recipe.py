"""Everything that decides a newborn model: its text, its size and its training."""

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe, option_words
from bertflow_core.wording import quoted

__all__ = ["COMMAND", "NewbornRecipe"]

COMMAND = "bertflow-lab analyse newborn"
_BOUNDS = {
    "n_words": (3, 20_000),
    "n_unused": (0, 1_000),
    "width": (4, 256),
    "n_layers": (1, 6),
    "max_words": (2, 128),
    "n_steps": (1, 5_000),
    "every": (1, 5_000),
    "batch_size": (1, 1_024),
    "seed": (0, 2**32 - 1),
}
_MOST_FRAMES = 500


@dataclass(frozen=True, kw_only=True)
class NewbornRecipe:
    """The choices that decide a newborn model and its recording.

    Attributes:
        dataset: Name of a data set, or path of a table: all of its sentences are trained on, and
            its test pairs are scored.
        n_words: Most words of the vocabulary; rarer ones are unknown.
        n_unused: Rows of the table whose words never occur, like BERT's `[unused0]`.
        width: Features, D.
        n_layers: Transformer layers.
        max_words: Longest sentence in words; what is longer is cut.
        n_steps: Steps of training.
        every: Steps between two frames of the recording.
        batch_size: Sentences a step.
        learning_rate: Of Adam, constant.
        mask_share: Share of words that are masked, in (0, 1).
        seed: Of the initial weights, the order of the sentences and the masks.

    Raises:
        InputError: A value that no such field can have.
    """

    dataset: str = "captions"
    n_words: int = 5_000
    n_unused: int = 50
    width: int = 64
    n_layers: int = 2
    max_words: int = 32
    n_steps: int = 200
    every: int = 5
    batch_size: int = 128
    learning_rate: float = 2e-3
    mask_share: float = 0.15
    seed: int = 0

    def __post_init__(self) -> None:
        for name, (least, most) in _BOUNDS.items():
            value = getattr(self, name)
            if type(value) is not int or not least <= value <= most:
                raise InputError(
                    f"{name} must be a whole number from {least} to {most}, got {quoted(value)}"
                )
        if self.n_steps > _MOST_FRAMES * self.every:
            raise InputError(
                f"{self.n_steps} steps with a frame every {self.every} are more than "
                f"{_MOST_FRAMES} frames: take a larger every"
            )
        if self.width % 4:
            raise InputError(f"width must be a multiple of 4, got {self.width}")
        if not 0 < self.learning_rate <= 1:
            raise InputError(
                f"learning_rate must be above 0 and at most 1, got {self.learning_rate}"
            )
        if not 0 < self.mask_share < 1:
            raise InputError(f"mask_share must be between 0 and 1, got {self.mask_share}")
        self.data()

    def with_(self, **changes: Any) -> "NewbornRecipe":  # noqa: ANN401 - any field's type
        """Return a copy with some fields changed."""
        return replace(self, **changes)

    def data(self) -> Recipe:
        """Return the recipe that names the sentences and the scored pairs."""
        return Recipe(dataset=self.dataset, seed=self.seed)

    def to_dict(self) -> dict[str, Any]:
        """Return every field, JSON-able."""
        return asdict(self)

    def to_command(self, calibrators: Sequence[str] = ()) -> str:
        """Return the command that trains this model again, quoted for a shell.

        Args:
            calibrators: Specs that its sentences are measured under; none stands for the defaults.
        """
        args: list[str] = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value != field.default:
                args += option_words("--" + field.name.replace("_", "-"), str(value))
        for spec in calibrators:
            args += option_words("--calibrator", spec)
        return " ".join([COMMAND, *map(shlex.quote, args)])

    def caption(self) -> str:
        """Return the recipe as a line for people."""
        return (
            f"{self.n_layers} transformer layers of width {self.width}, softmax tied to the word "
            f"vectors; all sentences of {self.dataset}, at most {self.n_words:,} words and "
            f"{self.n_unused} that never occur; {self.n_steps:,} steps of Adam at "
            f"{self.learning_rate:g}, {self.batch_size} sentences each, "
            f"{100 * self.mask_share:g} % of words masked; seed {self.seed}"
        )
