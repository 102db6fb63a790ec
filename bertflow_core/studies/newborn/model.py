"""A masked language model of words: its vocabulary, its vectors and its training.

Words are predicted by p(x|c) = softmax(h_c . w_x), Eq. 1 of Li et al. (2020).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional

from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError
from bertflow_core.flows.fit import AdamW, batches
from bertflow_core.runtime import context
from bertflow_core.studies.newborn.recording import N_HEADS, NewbornRecipe

Ids = npt.NDArray[np.int64]

SPECIAL = ("[PAD]", "[UNK]", "[MASK]")
PAD, UNKNOWN, MASK = range(3)
INITIAL_DEVIATION = 0.02
"""Standard deviation of the initial weights, as in BERT."""

_WORD = re.compile(r"\w+|[^\w\s]")
_ROWS_AT_ONCE = 256


def divide(sentence: str) -> list[str]:
    """Split a sentence into lower-case words and single punctuation marks."""
    return _WORD.findall(sentence.lower())


def learn_words(sentences: Sequence[str], n_words: int) -> dict[str, int]:
    """Return the most frequent words of sentences with their counts.

    Ties are in alphabetical order. Fewer than three distinct words are refused.
    """
    counts = Counter(word for sentence in sentences for word in divide(sentence))
    kept = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:n_words]
    if len(kept) < 3:
        raise InputError(f"a language model needs three distinct words, got {len(kept)}")
    return dict(kept)


class NewbornModel(nn.Module):
    """An untrained BERT without dropout, token types or a dense layer before the softmax.

    Its table has three rows for special tokens, a row for each word in order of frequency, and rows
    for words that never occur. The softmax is tied to this table and has no bias. Initial weights
    are normal, biases 0.
    """

    def __init__(self, counts: dict[str, int], recipe: NewbornRecipe) -> None:
        super().__init__()
        self.words, self.counts = tuple(counts), np.array([*counts.values()], np.int64)
        self.max_words, width = recipe.max_words, recipe.width
        self._ids = {word: row for row, word in enumerate(self.words, len(SPECIAL))}
        self.table = nn.Embedding(len(SPECIAL) + len(counts) + recipe.n_unused, width)
        self.places = nn.Embedding(recipe.max_words, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                width, N_HEADS, 4 * width, dropout=0.0, activation="gelu", batch_first=True
            )
            for _ in range(recipe.n_layers)
        )
        generator = torch.Generator().manual_seed(recipe.seed)
        for name, parameter in self.named_parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=INITIAL_DEVIATION, generator=generator)
            elif name.endswith("bias"):
                nn.init.zeros_(parameter)

    def forward(self, ids: Tensor) -> Tensor:
        """Return the context embeddings h, shape (N, T, D), of encoded sentences, (N, T)."""
        h: Tensor = self.norm(self.table(ids) + self.places.weight[: ids.shape[1]])
        for layer in self.layers:
            h = layer(h, src_key_padding_mask=ids == PAD)
        return h

    def encode(self, sentences: Sequence[str]) -> Ids:
        """Return the embedding rows of each sentence's first T words, padded with `PAD`, (N, T)."""
        rows = [
            [self._ids.get(word, UNKNOWN) for word in divide(text)[: self.max_words]] or [UNKNOWN]
            for text in sentences
        ]
        ids = np.full((len(rows), max(map(len, rows), default=1)), PAD, np.int64)
        for row, found in zip(ids, rows, strict=True):
            row[: len(found)] = found
        return ids

    def rows(self) -> FloatArray:
        """Return a copy of the table, shape (V, D)."""
        return np.array(self.table.weight.detach().numpy())

    @torch.no_grad()
    def sentence_vectors(self, ids: Ids) -> FloatArray:
        """Return the mean context embedding of each encoded sentence, shape (N, D)."""
        parts = []
        for rows in _portions(ids):
            kept = (rows != PAD).unsqueeze(-1)
            parts.append((self(rows) * kept).sum(dim=1) / kept.sum(dim=1))
        return np.asarray(torch.cat(parts))

    @torch.no_grad()
    def masked_states(self, ids: Ids, places: Ids) -> FloatArray:
        """Mask one position, (N,), of each sentence and return the hidden state there, (N, D)."""
        masked = ids.copy()
        masked[np.arange(len(ids)), places] = MASK
        states = [
            self(rows)[torch.arange(len(rows)), at]
            for rows, at in zip(_portions(masked), _portions(places), strict=True)
        ]
        return np.asarray(torch.cat(states))


def _portions(ids: Ids) -> tuple[Tensor, ...]:
    return torch.split(torch.from_numpy(ids), _ROWS_AT_ONCE)


def mask_words(ids: Tensor, share: float, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Replace words by `MASK` at random; return the new rows and which words were replaced.

    BERT keeps some of the chosen words or replaces them by random words; here all become `MASK`.
    Each word is chosen with probability `share`, and at least one word is chosen. Special tokens
    are never chosen.
    """
    is_word = ids >= len(SPECIAL)
    chosen = (torch.rand(ids.shape, generator=generator) < share) & is_word
    if not chosen.any():
        chosen.view(-1)[int(is_word.flatten().int().argmax())] = True
    return ids.masked_fill(chosen, MASK), chosen


def loss_of(model: NewbornModel, ids: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Return the mean of -log p(x|c) over the masked words of rows, (N, T), in nats."""
    ids = ids[:, : int((ids != PAD).sum(dim=1).max())]
    corrupted, chosen = mask_words(ids, share, generator)
    scores = functional.linear(model(corrupted)[chosen], model.table.weight)
    return functional.cross_entropy(scores, ids[chosen])


def train(model: NewbornModel, ids: Tensor, recipe: NewbornRecipe) -> Iterator[tuple[int, float]]:
    """Train a model in place to predict masked words of sentences, shape (N, T).

    Yields:
        The number of steps and the mean loss since the last yield: before the first step, after
        every `recipe.every` steps and after the last step.
    """
    generator = torch.Generator().manual_seed(recipe.seed)
    adam = AdamW(
        model.parameters(),
        learning_rate=recipe.learning_rate,
        weight_decay=0.0,
        bias_correction=True,
    )
    order = torch.randperm(len(ids), generator=generator)
    rows = batches(order, recipe.batch_size, generator)
    losses: list[float] = []
    for step in range(recipe.n_steps + 1):
        loss = loss_of(model, ids[next(rows)], recipe.mask_share, generator)
        losses.append(loss.item())
        if step % recipe.every == 0 or step == recipe.n_steps:
            yield step, sum(losses) / len(losses)
            losses.clear()
        context.report(step, recipe.n_steps, "steps")
        if step < recipe.n_steps:
            adam.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            adam.step()
