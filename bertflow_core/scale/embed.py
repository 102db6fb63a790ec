"""Sentences of a batch into vectors: what Ray Data maps over a corpus, and a shard's stage."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from bertflow_core.encoders.layers import DECLARED
from bertflow_core.errors import InputError
from bertflow_core.experiment import AnyEncoder, Lab
from bertflow_core.recipe import Recipe
from bertflow_core.scale.columns import Batch, column_values, has_column, outcome
from bertflow_core.scale.columns import texts as texts_of
from bertflow_core.scale.engines import Need
from bertflow_core.scale.names import CUT, ID, NO_VECTORS, TEXT, check_key
from bertflow_core.store import Embeddings, Unstored

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Embed"]

_PLAIN = "a plain sentence"


class Embed:
    """Give each row of a batch the vector of its text; a row that cannot have one says why.

    It is small until it is called: the encoder is loaded once a process. Rows stay in their order,
    and none is lost: where a text is null, blank, no text, too long or refused by the encoder, the
    vector is null and `refused` holds the reason.

    Args:
        model: Catalogue name, local folder or hub id, which every machine must be able to find.
        layers: Layer set; `model`, the default, is what the model's folder declares.
        column: The texts.
        key: A column that is kept, where there is one of that name.
        device: `cpu`, `cuda`, `cuda:N` or `mps`; None takes the best of each machine.
        batch_tokens: Most tokens in one forward call; None suits the device.
        choices: `tokens`, `max_length`, `prompt`, `truncate_dim`, `revision` or
            `precision`, as in `Recipe`.

    Example:
        >>> from bertflow_core.scale import Embed
        >>> Embed("minilm")({"text": ["A dog runs.", None]}).column("refused").to_pylist()
        [None, 'text is blank']

    Raises:
        InputError: A choice that cannot be, or a key with the name of another column.
    """

    name: ClassVar[str] = "embed"
    rows_at_once: ClassVar[int] = 8192

    def __init__(
        self,
        model: str = Recipe.model,
        *,
        layers: str = DECLARED,
        column: str = TEXT,
        key: str = ID,
        device: str | None = None,
        batch_tokens: int | None = None,
        **choices: Any,  # noqa: ANN401 - any field of a recipe
    ) -> None:
        self.recipe = Recipe(model=model, layers=layers, **choices).without(*NO_VECTORS)
        self.column = column
        self.key = check_key(key, column)
        self.device = device
        self.batch_tokens = batch_tokens

    @classmethod
    def of(cls, recipe: Recipe, **options: Any) -> "Embed":  # noqa: ANN401 - of `__init__`
        """Return the stage of a recipe, of which only what decides vectors counts.

        Args:
            recipe: The choices.
            options: `column`, `key`, `device` or `batch_tokens`.
        """
        stage = cls(**options)
        stage.recipe = recipe.without(*NO_VECTORS)
        return stage

    def __call__(self, batch: Batch) -> "pa.Table":
        """Return a table of `id` (where there is one), `cut`, `vector` and `refused`.

        Raises:
            InputError: No such column, or a model that cannot be loaded.
        """
        sifted = texts_of(batch, self.column)
        n = len(sifted.rows) + len(sifted.refused)
        embeddings, faults = _each(self._embed, sifted.values, self._nothing)
        rows = np.delete(sifted.rows, list(faults))
        refused = {**sifted.refused, **{int(sifted.rows[i]): why for i, why in faults.items()}}
        cut = np.zeros(n, bool)
        cut[rows] = embeddings.cut
        kept = {self.key: column_values(batch, self.key)} if has_column(batch, self.key) else {}
        return outcome(n, embeddings.x, rows, refused, {**kept, CUT: cut})

    def describe(self) -> dict[str, Any]:
        """Return what decides the vectors, JSON-able; the model's folder is found for it.

        Raises:
            InputError: An unknown model.
            ResourceError: The disk or the network failed.
        """
        encoder = self._encoder
        recipe = self.recipe.with_(revision=encoder.model.revision)
        return {
            "recipe": recipe.counting(),
            "encoder": encoder.description,
            "column": self.column,
            "key": self.key,
        }

    @property
    def need(self) -> Need:
        """What a shard keeps busy."""
        return Need.MACHINE if self.device == "cpu" else Need.GPU

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""
        return (self.key, self.column)

    @property
    def _encoder(self) -> AnyEncoder:
        return _encoder_of(self.recipe, self.device, self.batch_tokens)

    def _embed(self, sentences: Sequence[str]) -> Embeddings:
        return Lab(store=Unstored()).vectors(self.recipe, sentences, encoder=self._encoder)

    def _nothing(self) -> Embeddings:
        x = np.empty((0, self._encoder.dim), np.float32)
        return Embeddings(x, np.empty(0, np.int32), np.empty(0, bool))


@lru_cache(maxsize=1)
def _encoder_of(recipe: Recipe, device: str | None, batch_tokens: int | None) -> AnyEncoder:
    """Return the encoder that this process keeps."""
    lab = Lab(store=Unstored(), device=device, batch_tokens=batch_tokens)
    return lab.encoder(recipe)


def _each(
    embed: Callable[[Sequence[str]], Embeddings],
    sentences: Sequence[str],
    nothing: Callable[[], Embeddings],
) -> tuple[Embeddings, dict[int, str]]:
    """Embed the sentences that the encoder takes; return why it refused each other one.

    Raises:
        InputError: It refuses a plain sentence too.
    """
    if not sentences:
        return nothing(), {}
    try:
        return embed(sentences), {}
    except InputError:
        embed([_PLAIN])
    return _halves(embed, sentences, nothing)


def _halves(
    embed: Callable[[Sequence[str]], Embeddings],
    sentences: Sequence[str],
    nothing: Callable[[], Embeddings],
) -> tuple[Embeddings, dict[int, str]]:
    """Find those that are refused by embedding halves of the sentences, and halves of these."""
    try:
        return embed(sentences), {}
    except InputError as error:
        if len(sentences) == 1:
            return nothing(), {0: str(error)}
    middle = len(sentences) // 2
    first, of_first = _halves(embed, sentences[:middle], nothing)
    second, of_second = _halves(embed, sentences[middle:], nothing)
    whole = Embeddings(
        np.concatenate([first.x, second.x]),
        np.concatenate([first.n_tokens, second.n_tokens]),
        np.concatenate([first.cut, second.cut]),
    )
    return whole, {**of_first, **{middle + row: why for row, why in of_second.items()}}
