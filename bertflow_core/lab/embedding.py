"""Vectors of several recipes: each network runs once, and its pass serves all of them.

A pass gives every layer set and token pooling that some recipe wants. It also gives the plain
output of a model that only pools and normalises its last layer.
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from bertflow_core.arrays.types import Rows
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.encoders.declared import DeclaredEncoder
from bertflow_core.encoders.declared_folder import DeclaredFolder, open_declared
from bertflow_core.encoders.given import ROW_VECTORS, GivenEncoder
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.pooling import TokenPooling
from bertflow_core.errors import InputError
from bertflow_core.lab.recipe import OF_DATA, Recipe
from bertflow_core.store import Embeddings, EmbeddingStore, Unstored
from bertflow_core.store.embeddings import Kind
from bertflow_core.wording import DOCUMENT, QUERY, SIDES, quoted

AnyEncoder = TransformerEncoder | GivenEncoder
AnyStore = EmbeddingStore | Unstored
EncoderOf = Callable[[Recipe, str], AnyEncoder]
"""Makes the encoder of a recipe for texts of a side, `query` or `document`, or of neither."""


class Read(NamedTuple):
    """The vectors of a recipe, and its encoders by the side whose texts they read."""

    embeddings: Embeddings
    encoders: dict[str, AnyEncoder]

    @property
    def revision(self) -> str | None:
        """The commit of the encoder, or the digest of its files."""
        return self._encoder(DOCUMENT).model.revision

    def description(self, tokens: str) -> dict[str, Any]:
        """Return what decides the vectors under a token pooling; for queries, what differs."""
        encoder = self._encoder(DOCUMENT)
        found = encoder.description
        of_queries = self._encoder(QUERY).description
        own = {key: value for key, value in of_queries.items() if value != found.get(key)}
        found |= {"queries": own} if own else {}
        if tokens == TokenPooling.MEAN_CONTENT and isinstance(encoder, TransformerEncoder):
            found["left_out"] = [token for side in encoder.added_tokens for token in side]
        if isinstance(encoder, DeclaredEncoder) and encoder.folder.has_chat:
            n_tokens = float(self.embeddings.n_tokens.mean())
            found["chat_tokens"] = encoder.n_chat_tokens, round(n_tokens)
        return found

    def _encoder(self, side: str) -> AnyEncoder:
        """Return the encoder of a side, or that of all texts."""
        known = (each for each in (side, "", *self.encoders) if each in self.encoders)
        return self.encoders[next(known)]


@dataclass
class _Pass:
    """A run of one encoder over some of the sentences."""

    recipe: Recipe  # the encoder's
    side: str
    rows: Rows
    wanted: list[Kind] = field(default_factory=list)
    n_left: int = 0  # kinds that are not handed out yet
    found: Iterator[Embeddings] | None = None


class _Part(NamedTuple):
    """Sentences that a recipe reads by one encoder, and the pass that gives their vectors."""

    side: str
    rows: Rows
    key: Hashable


class Passes:
    """The vectors of recipes, one recipe at a time, from as few forward passes as possible.

    `starts` has, for each recipe, the first of the sentences that it needs.
    """

    def __init__(
        self,
        recipes: Sequence[Recipe],
        sentences: Sequence[str],
        sides: Sequence[str],
        starts: Sequence[int],
        encoder_of: EncoderOf,
        store: AnyStore,
    ) -> None:
        self._recipes, self._sentences, self._sides = recipes, sentences, sides
        self._encoder_of, self._store = encoder_of, store
        self._passes: dict[Hashable, _Pass] = {}
        self._parts = [
            [self._part(recipe, side, rows) for side, rows in self._read_apart(recipe, start)]
            for recipe, start in zip(recipes, starts, strict=True)
        ]

    def __iter__(self) -> Iterator[Read]:
        for recipe, parts in zip(self._recipes, self._parts, strict=True):
            yield self._read(recipe, parts)

    def _read_apart(self, recipe: Recipe, start: int) -> Iterator[tuple[str, Rows]]:
        """Yield each side that the model of a recipe reads apart, and the rows of its texts."""
        sides = self._sides[start:]
        alike = sides_read(recipe, sides)
        if len(apart := dict.fromkeys(alike.values())) < 2:
            yield next(iter(apart), ""), np.arange(start, len(self._sentences))
            return
        read_as = np.array([alike[side] for side in sides])
        for side in apart:
            yield side, start + np.flatnonzero(read_as == side)

    def _part(self, recipe: Recipe, side: str, rows: Rows) -> _Part:
        """Return a part of a recipe after adding it to the pass that gives its vectors."""
        owner, kind, key = recipe, (recipe.layers, recipe.tokens), _reads(recipe, side)
        if not recipe.source.has_layers:
            key = (len(self._passes),)  # vectors from files are not shared
        elif recipe.layers != PLAIN_LAYERS:
            key += (recipe.max_length,)
        else:
            encoder = self._encoder_of(recipe, side)  # says what a model takes before it is fetched
            assert isinstance(encoder, DeclaredEncoder)
            folder = encoder.folder
            others = (each for each in self._recipes if each.layers != PLAIN_LAYERS)
            beside = next((each for each in others if _reads(each, side) == key), None)
            if beside is not None and folder.is_last_layer:
                owner, kind = beside, ("last", str(folder.pooling))
                key += (beside.max_length,)
            else:
                key += (folder.prompt, folder.route, recipe.truncate_dim)
        found = self._passes.setdefault(key, _Pass(owner, side, rows))
        if not np.array_equal(found.rows, rows):
            found.rows = np.union1d(found.rows, rows)
        found.wanted.append(kind)
        found.n_left += 1
        return _Part(side, rows, key)

    def _read(self, recipe: Recipe, parts: Sequence[_Part]) -> Read:
        found = {part.side: self._of_part(recipe, part) for part in parts}
        encoders = {side: encoder for side, (_, encoder) in found.items()}
        every = [embeddings for embeddings, _ in found.values()]
        if len(every) == 1:
            return Read(every[0], encoders)
        if len(n_features := {each.x.shape[1] for each in every}) > 1:
            raise InputError(
                f"model {quoted(recipe.model)} has {' and '.join(map(str, sorted(n_features)))} "
                "features for queries and for documents: expected the same number"
            )
        order = np.argsort(np.concatenate([part.rows for part in parts]))
        arrays = (
            np.concatenate([getattr(each, name) for each in every])[order]
            for name in ("x", "n_tokens", "cut")
        )
        return Read(Embeddings(*arrays), encoders)

    def _of_part(self, recipe: Recipe, part: _Part) -> tuple[Embeddings, AnyEncoder]:
        """Return the vectors of one part, and the encoder of its recipe."""
        run = self._passes[part.key]
        encoder = self._encoder_of(run.recipe, run.side)
        if run.found is None:
            run.found = embed(encoder, self._texts(run.rows), run.wanted, self._store)
        found = next(run.found)
        run.n_left -= 1
        if not run.n_left:
            del self._passes[part.key]  # its network may leave the memory
        if len(run.rows) > len(part.rows):
            at = np.searchsorted(run.rows, part.rows)
            found = Embeddings(found.x[at], found.n_tokens[at], found.cut[at])
        if recipe.layers != PLAIN_LAYERS or run.recipe.layers == PLAIN_LAYERS:
            return found, encoder
        own = self._encoder_of(recipe, part.side)
        assert isinstance(own, DeclaredEncoder)
        return self._plain(own, found, part.rows), own

    def _texts(self, rows: Rows) -> list[str]:
        return [self._sentences[row] for row in rows.tolist()]

    def _plain(self, encoder: DeclaredEncoder, found: Embeddings, rows: Rows) -> Embeddings:
        """Return the plain output, given the pooled last layer of a pass with another length.

        Sentences that are cut in that pass or by the folder are embedded in a second pass.
        """
        x, n_tokens, cut = encoder.finished(found.x), found.n_tokens, found.cut
        longest = encoder.folder.max_length
        is_long = cut if longest is None else cut | (n_tokens > longest)
        if is_long.any():
            texts, kinds = self._texts(rows[is_long]), [(PLAIN_LAYERS, PLAIN_LAYERS)]
            (long,) = self._store.embed(encoder, texts, kinds)
            x, n_tokens, cut = x.copy(), n_tokens.copy(), cut.copy()  # others may share them
            x[is_long], n_tokens[is_long], cut[is_long] = long.x, long.n_tokens, long.cut
        return Embeddings(x, n_tokens, cut)


def embed(
    encoder: AnyEncoder, sentences: Sequence[str], wanted: Sequence[Kind], store: AnyStore
) -> Iterator[Embeddings]:
    """Return the wanted kinds of vectors of sentences; those from files have one kind."""
    if not isinstance(encoder, GivenEncoder):
        return store.embed(encoder, sentences, wanted)
    block = encoder.encode(sentences)
    return iter([Embeddings(block.vectors[0], block.n_tokens, block.cut)])


def sides_read(recipe: Recipe, sides: Collection[str]) -> dict[str, str]:
    """Return for each of `sides` the first side that the recipe's model reads like it.

    It is mostly the empty one, so that one encoder and its stored vectors serve all texts.
    """
    if not sides or not recipe.source.has_layers:
        return {}
    read: dict[str, tuple[str | None, DeclaredFolder | None]] = {}
    for side in SIDES:
        # A Router may have no route for texts of neither side; its encoder refuses them.
        with nullcontext() if side else suppress(InputError):
            folder = declared_by(recipe, side) if recipe.layers == PLAIN_LAYERS else None
            read[side] = recipe.template_of(side), folder
    return {
        side: next((each for each in read if read[each] == read.get(side)), side)
        for side in sorted({*sides})
    }


def declared_by(recipe: Recipe, side: str) -> DeclaredFolder:
    """Open the settings of a recipe's model folder for texts of one side, or of none."""
    return open_declared(
        resolve_model(recipe.model, revision=recipe.revision),
        prompt=recipe.prompt_of(side),
        has_prompt=recipe.template_of(side) is None,
        side=side,
    )


def data_of(recipe: Recipe) -> tuple[object, ...]:
    """Return what decides the data of a recipe: data set, split, columns and fit corpus."""
    files = (recipe.model, recipe.revision) if recipe.source is ROW_VECTORS else ()
    return (*files, *(getattr(recipe, name) for name in OF_DATA))


def vectors_of(recipe: Recipe) -> Recipe:
    """Return a recipe that is equal for all recipes with the same vectors on the same data."""
    others = ("calibrator", "seed", "aggregation", "similarity")
    return recipe.with_(**{name: getattr(Recipe, name) for name in others})


def _reads(recipe: Recipe, side: str) -> tuple[Hashable, ...]:
    """Return what decides the network of a recipe and the text that it reads."""
    template = recipe.template_of(side)
    return recipe.model, recipe.revision, recipe.precision, template, recipe.left_out
