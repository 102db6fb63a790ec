"""The lab: it loads and embeds data, fits calibrators and scores them."""

import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.spec import BASELINE, Spec
from bertflow_core.datasets import Corpus, RawFile, Texts
from bertflow_core.datasets.corpus import corpus_of
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.encoders.catalog import look_at
from bertflow_core.encoders.declared import DeclaredEncoder
from bertflow_core.encoders.declared_folder import DeclaredFolder, open_declared
from bertflow_core.encoders.given import ROW_VECTORS, WORDS, GivenEncoder, WordVectors
from bertflow_core.encoders.layers import PLAIN_LAYERS, LayerSet
from bertflow_core.encoders.loading import LastEncoder
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.encoders.pooling import TokenPooling
from bertflow_core.errors import InputError, check_list, check_type
from bertflow_core.evaluation import metric_of
from bertflow_core.lab.cells import CellStore
from bertflow_core.lab.evaluation import Embedded, Evaluation, Fitted
from bertflow_core.lab.recipe import OF_SIDES, Recipe
from bertflow_core.lab.recipe_data import OwnData, RecipeData
from bertflow_core.runtime import context
from bertflow_core.runtime.context import Progress
from bertflow_core.runtime.device import resolve_device, settle_precision
from bertflow_core.runtime.files import PATHS
from bertflow_core.store import Embeddings, EmbeddingStore, Unstored
from bertflow_core.wording import DOCUMENT, QUERY, ROLES, SIDES, quoted

if TYPE_CHECKING:
    import pandas as pd

AnyEncoder = TransformerEncoder | GivenEncoder
Data = tuple[Texts, Corpus]
"""The data of a recipe: scored pairs and fit corpus."""


@dataclass(frozen=True)
class Lab:
    """The resources that a study needs besides its recipe: data, stored embeddings and devices.

    A recipe decides the numbers; a lab decides none of them.

    Attributes:
        store: Stored embeddings; by default in the user's cache folder. `Unstored` keeps none.
        data_dir: Folder of benchmark data; None uses `BERTFLOW_DATA`.
        device: Device of encoders and flows; None chooses the best of this machine.
        batch_tokens: Largest number of tokens in one forward pass; None chooses it by device.
        tables: Data in memory, by name in a recipe's `dataset`.
        strict: Whether to refuse a table with unusable rows; otherwise they are left out.
        files: Files in memory with vectors, sentences or a table, by name in a recipe; a DataFrame
            counts as a parquet table.
        cells: Store for the cells of comparisons, if any.
        prefetch: Recipes that are needed next on the same sentences. One forward pass serves them
            too.
        last: The last encoder; its network stays in memory as long as the lab.

    Raises:
        InputError: In all methods: an unusable recipe, data set, model or calibrator.
        ResourceError: In all methods: the disk or the network failed.

    Example:
        >>> from bertflow_core import Lab
        >>> Lab().embed("minilm", ["A dog runs.", "Rain falls."], layers="layer:4").shape
        (2, 384)
    """

    store: EmbeddingStore | Unstored = field(default_factory=EmbeddingStore)
    data_dir: str | Path | None = None
    device: str | None = None
    batch_tokens: int | None = None
    tables: Mapping[str, Data] = field(default_factory=dict, repr=False)
    strict: bool = False
    files: "Mapping[str, RawFile | pd.DataFrame]" = field(default_factory=dict, repr=False)
    cells: CellStore | None = field(default=None, repr=False, compare=False)
    prefetch: tuple[Recipe, ...] = ()
    last: LastEncoder = field(default_factory=LastEncoder, repr=False, compare=False)

    def __post_init__(self) -> None:
        stores = (EmbeddingStore, Unstored)
        check_type(self.store, stores, "store", "an EmbeddingStore or Unstored")
        check_type(self.data_dir, (*PATHS, NoneType), "data_dir", "a folder's path, or None")
        check_type(self.device, (str, NoneType), "device", "a name such as cpu, or None")
        for name in ("tables", "files"):
            check_type(getattr(self, name), Mapping, name, "a mapping of names")
        read = {
            n: f if isinstance(f, RawFile) else RawFile.of_frame(f, n)
            for n, f in self.files.items()
        }
        object.__setattr__(self, "files", read)

    def load(self, recipe: Recipe) -> Data:
        """Return the scored pairs and the fit corpus of a recipe."""
        return self.pairs(recipe), self.corpus(recipe)

    def pairs(self, recipe: Recipe) -> Texts:
        """Return the scored texts of a recipe without loading its fit corpus."""
        pairs = self.data(recipe).pairs.scored_by(recipe.metric)
        _check_sides(recipe, pairs)
        return pairs

    def corpus(self, recipe: Recipe) -> Corpus:
        """Return the fit corpus of a recipe without loading its pairs."""
        return self.data(recipe).corpus

    def data(self, recipe: Recipe) -> RecipeData:
        """Return the data of a recipe, which are read on first use."""
        _check_recipe(recipe)
        kind = OwnData if recipe.source is ROW_VECTORS else RecipeData
        return kind(recipe, self.data_dir, self.strict, cast("Any", self.files), self.tables)

    def encoder(self, recipe: Recipe, side: str = "") -> AnyEncoder:
        """Return the encoder of a recipe, fetched from the hub if necessary.

        It encodes texts of one side of a search, `query` or `document`, or of neither. Its weights
        are loaded at the first run.
        """
        if self.device not in (None, "cpu"):  # every machine has a cpu
            resolve_device(self.device)  # refuses a wrong device even if all vectors are stored
        data = self.data(recipe)
        if isinstance(data, OwnData):
            return data.encoder
        if recipe.source is WORDS:
            return WordVectors(recipe.model, revision=recipe.revision)
        found = look_at(recipe.model, revision=recipe.revision)
        found.check_memory(self.precision(recipe))
        if found.n_bytes and self.store.tell is not None:
            self.store.tell(f"{found.folder}: {found}")
        folder = resolve_model(recipe.model, revision=recipe.revision)
        shared: dict[str, Any] = {
            "device": self.device,
            "dtype": recipe.precision,
            "batch_tokens": self.batch_tokens,
            "template": recipe.template_of(side),
        }
        if recipe.layers == PLAIN_LAYERS:
            declared, kept = _declared(folder, recipe, side), recipe.truncate_dim
            make = partial(DeclaredEncoder, declared, truncate_dim=kept, **shared)
            return self.last.of((declared, kept, *shared.values()), make)
        longest = recipe.max_length
        return self.last.of(
            (folder, longest, *shared.values()),
            partial(TransformerEncoder, folder, max_length=longest, **shared),
        )

    def precision(self, recipe: Recipe) -> str:
        """Return the precision of a recipe's vectors, with `auto` resolved for the lab's device."""
        return settle_precision(recipe.precision, self.device)

    def vectors(
        self,
        recipe: Recipe,
        sentences: Sequence[str],
        *,
        encoder: AnyEncoder | None = None,
        sides: Sequence[str] = (),
    ) -> Embeddings:
        """Embed sentences under a recipe's layer set and token pooling, or read stored vectors.

        The recipe's data set and calibrator are ignored.

        Args:
            recipe: The encoder, and how it is read.
            sentences: N texts.
            encoder: The encoder, if it is at hand and all texts are of one side; the model's folder
                is then not checked again.
            sides: The side of each text, `query` or `document`; empty if texts have no sides.
        """
        _check_recipe(recipe)
        alike = self._alike(recipe, sides)
        if len({*alike.values()}) < 2:
            side = next(iter(alike.values()), "")
            return self._of_side(recipe, sentences, side, encoder or self.encoder(recipe, side))
        read_as = np.array([alike[side] for side in sides])
        rows = {side: np.flatnonzero(read_as == side).tolist() for side in {*alike.values()}}
        found = [
            self._of_side(recipe, [sentences[i] for i in at], side, self.encoder(recipe, side))
            for side, at in rows.items()
        ]
        if len(n_features := {each.x.shape[1] for each in found}) > 1:
            raise InputError(
                f"model {quoted(recipe.model)} has {' and '.join(map(str, sorted(n_features)))} "
                "features for queries and for documents: expected the same number"
            )
        order = np.argsort(np.concatenate([*rows.values()]))
        return Embeddings(
            *(
                np.concatenate([getattr(each, name) for each in found])[order]
                for name in ("x", "n_tokens", "cut")
            )
        )

    def _alike(self, recipe: Recipe, sides: Collection[str]) -> dict[str, str]:
        """Return for each of `sides` the first side that the model reads like it; see `encoder`.

        It is mostly the empty one, so that one encoder and its stored vectors serve all texts.
        """
        if not sides or not recipe.source.has_layers:
            return {}
        is_plain, read = recipe.layers == PLAIN_LAYERS, {}
        folder = resolve_model(recipe.model, revision=recipe.revision) if is_plain else None
        for side in SIDES:
            # A Router may have no route for texts of neither side; `encoder` refuses them.
            with nullcontext() if side else suppress(InputError):
                declared = _declared(folder, recipe, side) if folder else None
                read[side] = recipe.template_of(side), declared
        return {
            side: next((each for each in read if read[each] == read.get(side)), side)
            for side in sorted({*sides})
        }

    def _of_side(
        self, recipe: Recipe, sentences: Sequence[str], side: str, encoder: AnyEncoder
    ) -> Embeddings:
        """Embed texts of one side, or read their stored vectors."""
        if isinstance(encoder, GivenEncoder):  # it has vectors from files
            block = encoder.encode(sentences)
            return Embeddings(block.vectors[0], block.n_tokens, block.cut)
        if isinstance(encoder, DeclaredEncoder) and encoder.folder.is_last_layer:
            beside = self._beside(recipe, side)
            if beside is not None:
                return self._from_the_same_pass(encoder, beside, sentences, side)
        return self.store.embed(
            encoder,
            sentences,
            layers=recipe.layers,
            tokens=recipe.tokens,
            prefetch=self._layers_ahead(recipe, encoder.model, side),
        )

    def _layers_ahead(self, recipe: Recipe, model: ModelFolder, side: str) -> list[tuple[str, str]]:
        """Return layer sets and token poolings of `prefetch` that the same forward pass gives."""
        found: list[tuple[str, str]] = []
        if recipe.layers == PLAIN_LAYERS:
            return found
        for each in self.prefetch:
            if each.model != recipe.model or each.template_of(side) != recipe.template_of(side):
                continue
            if each.layers != PLAIN_LAYERS:
                found.append((each.layers, each.tokens))
            else:
                with suppress(InputError):  # the error appears where its vectors are needed
                    declared = _declared(model, each, side)
                    found += [("last", str(declared.pooling))] if declared.is_last_layer else []
        return found

    def _beside(self, recipe: Recipe, side: str) -> Recipe | None:
        """Return a member of `prefetch` whose forward pass also gives the plain output, if any."""

        def read(each: Recipe) -> tuple[str | None, ...]:
            return each.model, each.revision, each.precision, each.template_of(side)

        others = (each for each in self.prefetch if each.layers != PLAIN_LAYERS)
        return next((each for each in others if read(each) == read(recipe)), None)

    def _from_the_same_pass(
        self, encoder: DeclaredEncoder, beside: Recipe, sentences: Sequence[str], side: str
    ) -> Embeddings:
        """Return the plain output, read from the last layer in the forward pass of `beside`.

        Sentences that are truncated for one of the two recipes are embedded in a second pass.
        """
        other = self.encoder(beside, side)
        assert isinstance(other, TransformerEncoder)
        found = self.store.embed(
            other,
            sentences,
            layers="last",
            tokens=str(encoder.folder.pooling),
            prefetch=self._layers_ahead(beside, encoder.model, side),
        )
        x, n_tokens, cut = encoder.finished(found.x), found.n_tokens, found.cut
        longest = encoder.folder.max_length
        is_long = cut if longest is None else cut | (n_tokens > longest)
        if is_long.any():
            rows = np.flatnonzero(is_long)
            texts = [sentences[row] for row in rows.tolist()]
            long = self.store.embed(encoder, texts, layers=PLAIN_LAYERS, tokens=PLAIN_LAYERS)
            x[rows], n_tokens[rows], cut[rows] = long.x, long.n_tokens, long.cut
        return Embeddings(x, n_tokens, cut)

    @context.reports
    def embed(
        self,
        model: str,
        sentences: Sequence[str],
        *,
        layers: str = PLAIN_LAYERS,
        progress: Progress | None = None,
        **choices: Any,  # noqa: ANN401 - any field of a recipe
    ) -> FloatArray:
        """Return the embeddings of sentences, float32, shape (N, D), in their order.

        Args:
            model: Catalogue name, local folder or hub id.
            sentences: N texts.
            layers: Layer set; `model`, the default, is the plain output, equal to
                sentence-transformers' `encode`.
            progress: Called with `(done, total, unit)`; may raise `Cancelled`.
            choices: `tokens`, `max_length`, `prompt`, `template`, `truncate_dim`, `revision` or
                `precision`, as in `Recipe`.
        """
        precision = settle_precision(choices.pop("precision", Recipe.precision), self.device)
        recipe = Recipe(model=model, layers=layers, precision=precision, **choices)
        return self.vectors(recipe, sentences).x

    def embedded(self, recipe: Recipe) -> Embedded:
        """Load and embed a recipe's data; the recipe's calibrator is ignored.

        Queries and documents are each embedded as the model embeds them. Where the data have these
        sides, sentences of another fit corpus are embedded as documents.
        """
        pairs, corpus = self.load(recipe)
        _check_scorable(pairs)
        sentences = (*corpus.sentences, *pairs.texts)
        sides = (*corpus.sides_beside(pairs), *pairs.sides)
        start = time.perf_counter()
        embeddings, encoder, of_queries = self._embedded(recipe, sentences, sides)
        x_fit, x_texts = np.split(embeddings.x, [len(corpus)])
        cut = {s for s, was_cut in zip(sentences, embeddings.cut, strict=True) if was_cut}
        description = encoder.description
        own = {k: v for k, v in of_queries.items() if v != description.get(k)}
        description |= {"queries": own} if own else {}
        if recipe.tokens == TokenPooling.MEAN_CONTENT and isinstance(encoder, TransformerEncoder):
            description["left_out"] = [token for side in encoder.added_tokens for token in side]
        if isinstance(encoder, DeclaredEncoder) and encoder.folder.has_chat:
            n_tokens = float(embeddings.n_tokens.mean())
            description["chat_tokens"] = encoder.n_chat_tokens, round(n_tokens)
        return Embedded(
            recipe=recipe.with_(revision=encoder.model.revision),
            pairs=pairs,
            corpus=corpus,
            x_fit=x_fit,
            x_texts=x_texts,
            n_cut=len(cut),
            n_sentences=len(set(sentences)),
            encoder=description,
            seconds=time.perf_counter() - start,
        )

    def _embedded(
        self, recipe: Recipe, sentences: Sequence[str], sides: Sequence[str]
    ) -> tuple[Embeddings, AnyEncoder, dict[str, Any]]:
        """Return vectors, the encoder of documents, and the description of that of queries."""
        alike = self._alike(recipe, sides)
        side = alike.get(DOCUMENT, "")
        if alike.get(QUERY, side) == side:
            encoder = self.encoder(recipe, side)
            return self.vectors(recipe, sentences, encoder=encoder, sides=sides), encoder, {}
        found = self.vectors(recipe, sentences, sides=sides)  # one network in memory at a time
        return found, self.encoder(recipe, side), self.encoder(recipe, alike[QUERY]).description

    @context.reports
    def fit(self, recipe: Recipe, *, progress: Progress | None = None) -> Fitted:
        """Fit a recipe's calibrator on its fit corpus.

        The scored pairs are loaded only if the model reads queries and documents apart.
        """
        _check_recipe(recipe)
        build = partial(recipe.spec.build, seed=recipe.seed, device=self.device)
        build()  # a wrong option is refused before data are read
        corpus = self.corpus(recipe)
        calibrator = build(share=corpus.share)
        sides = self.sides_to_fit(recipe, corpus)
        embeddings, encoder, _ = self._embedded(recipe, corpus.sentences, sides)
        calibrator.fit(embeddings.x, precision=self.precision(recipe))
        return Fitted(calibrator, corpus, recipe.with_(revision=encoder.model.revision))

    def sides_to_fit(self, recipe: Recipe, corpus: Corpus) -> tuple[str, ...]:
        """Return the side of each sentence of a recipe's fit corpus, if the model tells them apart.

        It is empty for a model that reads all texts alike, and for data without sides.
        """
        return corpus.sides_beside(self.pairs(recipe)) if self.has_sides(recipe) else ()

    def has_sides(self, recipe: Recipe) -> bool:
        """Tell whether a recipe's data have sides that its model tells apart."""
        is_told = any(self._alike(recipe, (QUERY, DOCUMENT)).values())
        return is_told and bool(self.pairs(recipe).sides)

    def evaluations(
        self, recipe: Recipe, layers: Sequence[str] = (), calibrators: Sequence[str] = ()
    ) -> Iterator[Evaluation]:
        """Fit calibrators without labels and score a recipe's pairs under each, one at a time.

        Errors in the choices are raised before any computation. A repeated layer set counts once.

        Args:
            recipe: The data and the defaults of the other arguments.
            layers: Layer sets in the order of the evaluations; if empty, the recipe's.
            calibrators: Specs in their order within each layer set; if empty, the recipe's.

        Example:
            >>> from bertflow_core import Lab, Recipe
            >>> recipe = Recipe(dataset="teaching")
            >>> found = Lab().evaluations(recipe, ["layer:4", "layer:6"])
            >>> [evaluation.recipe.layers for evaluation in found]
            ['layer:4', 'layer:6']
        """
        _check_recipe(recipe)
        check_list(calibrators, "calibrators")
        check_list(layers, "layer sets")
        for name in layers:
            LayerSet(name)
        specs = tuple(map(Spec, calibrators)) or (recipe.spec,)
        for spec in specs:
            spec.build()  # refuses a calibrator whose package is not installed
        recipes = [recipe.with_(layers=name) for name in dict.fromkeys(layers or (recipe.layers,))]
        for each in recipes:
            self.encoder(each).chosen(each.layers, each.tokens)
        lab = replace(self, prefetch=(*self.prefetch, *recipes))
        return (
            embedded.under(spec, device=self.device)
            for embedded in map(lab.embedded, recipes)
            for spec in specs
        )

    @context.reports
    def evaluate(
        self,
        recipe: Recipe,
        calibrators: Sequence[str] = (),
        *,
        layers: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> list[Evaluation]:
        """Score calibrators on a recipe's pairs, each fitted without labels.

        Args:
            recipe: The data and the defaults of the other arguments.
            calibrators: Specs in the order of the results; if empty, the recipe's.
            layers: Layer sets in the order of the results; if empty, the recipe's.
            progress: Called with `(done, total, unit)` at every stage; may raise `Cancelled`.
        """
        return list(self.evaluations(recipe, layers, calibrators))

    @context.reports
    def plain(self, recipe: Recipe, *, progress: Progress | None = None) -> Evaluation:
        """Score the plain output, the uncalibrated result of the model's own `encode`.

        It equals that of sentence-transformers and needs no fit, so only the pairs are embedded. If
        the model only pools and normalises, the same forward pass gives the recipe's layer set.

        Args:
            recipe: Recipe with model and data; its layer set, pooling and calibrator are ignored.
            progress: Called with `(done, total, unit)`; may raise `Cancelled`.

        Example:
            >>> from bertflow_core import Lab, Recipe
            >>> round(Lab().plain(Recipe(layers="layer:4")).rho, 4)
            0.9079
        """
        _check_recipe(recipe)
        plain = recipe.plain
        if plain is None:
            raise InputError(f"{quoted(recipe.model)} has given vectors and no plain output")
        pairs = self.pairs(recipe)
        tables = {recipe.dataset: (pairs, corpus_of(pairs))}
        ahead = self.prefetch if recipe.layers == PLAIN_LAYERS else (*self.prefetch, recipe)
        return replace(self, tables=tables, prefetch=ahead).embedded(plain).under(BASELINE)


def _declared(model: ModelFolder, recipe: Recipe, side: str) -> DeclaredFolder:
    has_prompt = recipe.template_of(side) is None
    return open_declared(model, prompt=recipe.prompt_of(side), has_prompt=has_prompt, side=side)


def _check_recipe(recipe: object) -> None:
    check_type(recipe, Recipe, "a recipe", "a Recipe")


def _check_sides(recipe: Recipe, pairs: Texts) -> None:
    chosen = next((name for name in OF_SIDES if getattr(recipe, name) is not None), None)
    if chosen is not None and not pairs.sides:
        raise InputError(
            f"{quoted(pairs.name)} has no queries and documents, which {chosen} needs: leave it "
            f"out, or choose roles for a table of your own, such as {next(iter(ROLES))}"
        )


def _check_scorable(pairs: Texts) -> None:
    if pairs.targets is not None:
        metric_of(pairs.metric).check(pairs.targets)
    if len(pairs.texts) < 2:
        raise InputError(
            f"{quoted(pairs.name)} holds one sentence: expected at least two to compare"
        )
