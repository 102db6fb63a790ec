"""Sentences that somebody types: read from lines, embedded in memory, and put among real ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.loading import whole_text_tokenizer
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.linalg import FloatArray, sample_rows
from bertflow_core.studies.playground.spaces import Playground
from bertflow_core.studies.wall.nearest import PaneNeighbours, beside_the_first, nearest_rows

MIN_SENTENCES, MAX_SENTENCES = 2, 200

MAX_CHARACTERS = 500
"""Of one sentence."""

MAP_ROWS = 1_500
"""Real sentences that are drawn; the plane is fitted on all."""

N_NEIGHBOURS = 10


@dataclass(frozen=True, eq=False)
class Typed:
    """Typed sentences in the spaces of a playground.

    Attributes:
        sentences: n strings.
        pieces: The encoder's tokens of each, special ones included, before truncation.
        cut: Whether a sentence was longer than the recipe's maximum length, shape (n,).
        z: Under each calibrator, float32, shape (n, K), by spec.
    """

    sentences: tuple[str, ...]
    pieces: tuple[tuple[str, ...], ...] = field(repr=False)
    cut: npt.NDArray[np.bool_] = field(repr=False)
    z: dict[str, FloatArray] = field(repr=False)


def read_lines(text: str) -> tuple[str, ...]:
    """Return the sentences of a text, one per line; blank lines are ignored.

    Raises:
        InputError: Fewer than 2 sentences, more than 200, or one of more than 500 characters.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    sentences = [(number, line) for number, line in lines if line]
    if not MIN_SENTENCES <= len(sentences) <= MAX_SENTENCES:
        raise InputError(
            f"type from {MIN_SENTENCES} to {MAX_SENTENCES} sentences, one per line: "
            f"got {len(sentences)}"
        )
    for number, line in sentences:
        if len(line) > MAX_CHARACTERS:
            raise InputError(
                f"line {number} has {len(line):,} characters: a sentence has at most "
                f"{MAX_CHARACTERS}, so shorten it or divide it into lines"
            )
    return tuple(line for _, line in sentences)


def embed_typed(playground: Playground, lab: Lab, sentences: Sequence[str]) -> Typed:
    """Embed typed sentences and map them by every calibrator; nothing is fitted or stored."""
    recipe = playground.recipe
    encoder = lab.encoder(recipe)
    block = encoder.encode(sentences)
    named = block.named(encoder.tensors)
    pooled = [named[name] for name in encoder.chosen(recipe.layers, recipe.tokens)]
    x = np.stack(pooled).mean(axis=0, dtype=np.float64).astype(np.float32)
    tokenizer = whole_text_tokenizer(resolve_model(recipe.model, revision=recipe.revision))
    return Typed(
        sentences=tuple(sentences),
        pieces=tuple(tuple(tokenizer.encode(sentence).tokens) for sentence in sentences),
        cut=block.cut,
        z={space.name: space.map(x) for space in playground.spaces},
    )


def corpus_neighbours(
    playground: Playground, typed: Typed, *, k: int = N_NEIGHBOURS
) -> list[tuple[PaneNeighbours, ...]]:
    """Find the real sentences nearest to each typed one by cosine, in the full space.

    A real sentence that is the typed one, letter by letter, is left out.

    Returns:
        For each typed sentence its neighbours under each calibrator, compared with those under
        the first.
    """
    places = {sentence: row for row, sentence in enumerate(playground.sentences)}
    own = np.array([places.get(sentence, -1) for sentence in typed.sentences], np.int64)
    spaces = playground.spaces
    nearest = [nearest_rows(each.z, typed.z[each.name], k, "cosine", own=own) for each in spaces]
    return beside_the_first(spaces, nearest, "cosine")


@dataclass(frozen=True, eq=False)
class SentenceMap:
    """Coordinates in the plane of most variance, by spec.

    Attributes:
        texts: The m real sentences that are drawn.
        real: Their coordinates, float32, shape (m, 2).
        typed: Those of the n typed ones, float32, shape (n, 2).
        explained: Share of the variance on each axis, in [0, 1].
    """

    texts: tuple[str, ...] = field(repr=False)
    real: dict[str, FloatArray] = field(repr=False)
    typed: dict[str, FloatArray] = field(repr=False)
    explained: dict[str, tuple[float, float]]


def map_typed(playground: Playground, typed: Typed) -> SentenceMap:
    """Project typed sentences into the planes that were fitted on the real ones alone."""
    rows = sample_rows(len(playground.sentences), MAP_ROWS, seed=playground.recipe.seed)
    planes = playground.planes
    return SentenceMap(
        texts=tuple(playground.sentences[row] for row in rows),
        real={each.name: planes[each.name].place(each.z[rows]) for each in playground.spaces},
        typed={spec: plane.place(typed.z[spec]) for spec, plane in planes.items()},
        explained={spec: plane.explained for spec, plane in planes.items()},
    )
