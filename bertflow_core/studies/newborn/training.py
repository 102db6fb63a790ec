"""Masked language modelling from the first step on: masks, batches, and the loop over them."""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional

from bertflow_core import context
from bertflow_core.flows.fit import AdamW
from bertflow_core.studies.newborn.model import MASK, N_SPECIAL, PAD, NewbornModel
from bertflow_core.studies.newborn.recipe import NewbornRecipe

__all__ = ["batches", "loss_of", "mask_words", "train"]


def mask_words(ids: Tensor, share: float, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Replace words by `MASK` at random; return the new rows and which words were replaced.

    Unlike BERT's recipe, which leaves some of them or puts other words there, all are replaced. At
    least one word is, so that there is something to predict.

    Args:
        ids: Shape (N, T).
        share: Expected share of words, special rows apart, in (0, 1).
        generator: Draws them.
    """
    is_word = ids >= N_SPECIAL
    chosen = (torch.rand(ids.shape, generator=generator) < share) & is_word
    if not chosen.any():
        chosen.view(-1)[int(is_word.flatten().int().argmax())] = True
    return ids.masked_fill(chosen, MASK), chosen


def batches(n: int, size: int, generator: torch.Generator) -> Iterator[Tensor]:
    """Yield rows of `n` without end, `size` at once; none twice before a new pass."""
    size = min(size, n)
    while True:
        order = torch.randperm(n, generator=generator)
        for start in range(0, n - size + 1, size):
            yield order[start : start + size]


def loss_of(model: NewbornModel, ids: Tensor, share: float, generator: torch.Generator) -> Tensor:
    """Return the mean of -log p(x|c) over the words of (N, T) that are masked, in nats."""
    ids = ids[:, : int((ids != PAD).sum(dim=1).max())]
    corrupted, chosen = mask_words(ids, share, generator)
    return functional.cross_entropy(model.scores(model(corrupted)[chosen]), ids[chosen])


def train(model: NewbornModel, ids: Tensor, recipe: NewbornRecipe) -> Iterator[tuple[int, float]]:
    """Train a model, in place, to predict masked words of sentences, shape (N, T).

    Yields:
        Steps so far and the mean loss since the last yield: before the first step, after every
        `recipe.every` steps and after the last.
    """
    generator = torch.Generator().manual_seed(recipe.seed)
    adam = AdamW(
        model.parameters(),
        learning_rate=recipe.learning_rate,
        weight_decay=0.0,
        bias_correction=True,
    )
    rows = batches(len(ids), recipe.batch_size, generator)
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
