"""The lab: it loads and embeds data, fits calibrators and scores them."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, compress, groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from bertflow_core.arguments import checked
from bertflow_core.arrays.types import FloatArray
from bertflow_core.datasets import Corpus, RawFile, Texts
from bertflow_core.datasets.corpus import corpus_of
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.encoders.catalog import look_at
from bertflow_core.encoders.declared import DeclaredEncoder
from bertflow_core.encoders.given import ROW_VECTORS, WORDS, WordVectors
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.encoders.loading import LastEncoder
from bertflow_core.errors import InputError
from bertflow_core.evaluation import metric_of
from bertflow_core.lab.cells import CellStore
from bertflow_core.lab.embedding import (
    AnyEncoder,
    Passes,
    Read,
    data_of,
    declared_by,
    sides_read,
    vectors_of,
)
from bertflow_core.lab.evaluation import Embedded, Evaluation, Fitted
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.recipe_data import OwnData, RecipeData, scored_data
from bertflow_core.runtime import context
from bertflow_core.runtime.context import Progress
from bertflow_core.runtime.device import resolve_device, settle_precision
from bertflow_core.store import Embeddings, EmbeddingStore, Unstored
from bertflow_core.wording import DOCUMENT, QUERY, quoted

if TYPE_CHECKING:
    import pandas as pd

Data = tuple[Texts, Corpus]
"""The data of a recipe: what is scored, and the fit corpus."""


@checked
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
    files: Mapping[str, "RawFile | pd.DataFrame"] = field(default_factory=dict, repr=False)
    cells: CellStore | None = field(default=None, repr=False, compare=False)
    last: LastEncoder = field(default_factory=LastEncoder, repr=False, compare=False)

    def __post_init__(self) -> None:
        read = {
            n: f if isinstance(f, RawFile) else RawFile.of_frame(f, n)
            for n, f in self.files.items()
        }
        object.__setattr__(self, "files", read)

    def load(self, recipe: Recipe) -> Data:
        """Return the scored data and the fit corpus of a recipe."""
        return self.data(recipe), self.corpus(recipe)

    def data(self, recipe: Recipe) -> Texts:
        """Return the scored data of a recipe without loading its fit corpus."""
        return scored_data(recipe, self.recipe_data(recipe).scored)

    def corpus(self, recipe: Recipe) -> Corpus:
        """Return the fit corpus of a recipe without loading its scored data."""
        return self.recipe_data(recipe).corpus

    @checked
    def recipe_data(self, recipe: Recipe) -> RecipeData:
        """Return what reads the data of a recipe, each on first use."""
        kind = OwnData if recipe.source is ROW_VECTORS else RecipeData
        return kind(recipe, self.data_dir, self.strict, cast("Any", self.files), self.tables)

    def encoder(self, recipe: Recipe, side: str = "") -> AnyEncoder:
        """Return the encoder of a recipe, fetched from the hub if necessary.

        It encodes texts of one side of a search, `query` or `document`, or of neither. Its weights
        are loaded at the first run.
        """
        if self.device not in (None, "cpu"):  # every machine has a cpu
            resolve_device(self.device)  # refuses a wrong device even if all vectors are stored
        own = self.recipe_data(recipe)
        if isinstance(own, OwnData):
            return own.encoder
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
            declared, kept = declared_by(recipe, side), recipe.truncate_dim
            make = partial(DeclaredEncoder, declared, truncate_dim=kept, **shared)
            return self.last.of((declared, kept, *shared.values()), make)
        shared |= {"max_length": recipe.max_length, "without": recipe.left_out}
        make_layers = partial(TransformerEncoder, folder, **shared)
        return self.last.of((folder, *shared.values()), make_layers)

    def precision(self, recipe: Recipe) -> str:
        """Return the precision of a recipe's vectors, with `auto` resolved for the lab's device."""
        return settle_precision(recipe.precision, self.device)

    @checked
    def vectors(
        self, recipes: Sequence[Recipe], sentences: Sequence[str], *, sides: Sequence[str] = ()
    ) -> Iterator[Embeddings]:
        """Yield the vectors of sentences under each recipe, computed or read from the store.

        Data set and calibrator are ignored. Each network runs once for all recipes that read it.

        Args:
            recipes: The encoders and how they are read, in the order of the result.
            sentences: N texts.
            sides: The side of each text, `query` or `document`; empty if texts have no sides.
        """
        return map(attrgetter("embeddings"), self._read(recipes, [*sentences], sides))

    def _read(
        self,
        recipes: Sequence[Recipe],
        sentences: Sequence[str],
        sides: Sequence[str],
        starts: Sequence[int] = (),
    ) -> Iterator[Read]:
        starts = starts or [0] * len(recipes)
        return iter(Passes(recipes, sentences, sides, starts, self.encoder, self.store))

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
        (found,) = self.vectors([recipe], sentences)
        return found.x

    @checked
    def embedded(
        self, recipes: Sequence[Recipe], *, skip_corpus: bool = False
    ) -> Iterator[Embedded]:
        """Load and embed the data of recipes, one set of vectors at a time.

        Adjacent recipes on the same data load them once and run each network once, and those that
        also have the same vectors (see `vectors_of`) share one result. Calibrators are ignored.

        Queries and documents are each embedded as the model embeds them. Where the data have these
        sides, sentences of another fit corpus are embedded as documents. With `skip_corpus` the
        uncalibrated plain output, which needs no fit, has only the scored texts.
        """
        on_same_data = (
            [[*each] for _, each in groupby(group, vectors_of)]
            for _, group in groupby(recipes, data_of)
        )
        return chain.from_iterable(self._embedded(each, skip_corpus) for each in on_same_data)

    def _embedded(
        self, groups: Sequence[Sequence[Recipe]], skip_corpus: bool
    ) -> Iterator[Embedded]:
        """Embed recipes on the same data, in groups with the same vectors."""
        recipes = [group[0] for group in groups]
        skips = [skip_corpus and all(each == each.plain for each in group) for group in groups]
        data = self.recipe_data(recipes[0])
        texts = data.scored
        scored = [scored_data(each, texts) for each in recipes]
        for own in scored:
            _check_scorable(own)
        alone = corpus_of(texts)
        alone = replace(alone, sentences=texts.texts[: len(alone)])  # in the order of the vectors
        corpus = alone if all(skips) else data.corpus
        sentences = (*corpus.sentences, *texts.texts)
        sides = (*corpus.sides_beside(texts), *texts.sides)
        starts = [len(corpus) * skip for skip in skips]
        read = self._read(recipes, sentences, sides, starts)
        for recipe, own, start in zip(recipes, scored, starts, strict=True):
            began = time.perf_counter()
            found = alone if start else corpus
            yield _embedded(recipe, own, found, sentences[start:], next(read), began)

    @checked
    @context.reports
    def fit(self, recipe: Recipe, *, progress: Progress | None = None) -> Fitted:
        """Fit a recipe's calibrator on its fit corpus.

        The scored data are loaded only if the model reads queries and documents apart.
        """
        build = partial(recipe.spec.build, seed=recipe.seed, device=self.device)
        build()  # a wrong option is refused before data are read
        corpus = self.corpus(recipe)
        calibrator = build(share=corpus.share)
        sides = self.sides_to_fit(recipe, corpus)
        (read,) = self._read([recipe], corpus.sentences, sides)
        calibrator.fit(read.embeddings.x, precision=self.precision(recipe))
        return Fitted(calibrator, corpus, recipe.with_(revision=read.revision))

    def sides_to_fit(self, recipe: Recipe, corpus: Corpus) -> tuple[str, ...]:
        """Return the side of each sentence of the fit corpus; none if the model reads all alike."""
        return corpus.sides_beside(self.data(recipe)) if self.has_sides(recipe) else ()

    def has_sides(self, recipe: Recipe) -> bool:
        """Tell whether a recipe's data have sides that its model tells apart."""
        is_told = any(sides_read(recipe, (QUERY, DOCUMENT)).values())
        return is_told and bool(self.data(recipe).sides)

    @checked
    def evaluations(self, recipes: Sequence[Recipe]) -> Iterator[Evaluation]:
        """Fit and score recipes without labels, one at a time, in their order.

        Errors in the choices are raised before any computation. Recipes with the same vectors
        should follow each other, so that these are read once.

        Example:
            >>> from bertflow_core import Lab, Recipe
            >>> recipes = Recipe(dataset="teaching").each(layers=["layer:4", "layer:6"])
            >>> [evaluation.recipe.layers for evaluation in Lab().evaluations(recipes)]
            ['layer:4', 'layer:6']
        """
        for spec in dict.fromkeys(each.spec for each in recipes):
            spec.build()  # refuses a calibrator whose package is not installed
        for each in dict.fromkeys(map(vectors_of, recipes)):
            self.encoder(each).chosen(each.layers, each.tokens)
        found = self.embedded(recipes, skip_corpus=True)
        groups = ([*group] for _, group in groupby(recipes, vectors_of))
        return chain.from_iterable(map(self._under, found, groups))

    def _under(self, embedded: Embedded, recipes: Sequence[Recipe]) -> Iterator[Evaluation]:
        for each in recipes:
            own = each.with_(revision=embedded.recipe.revision)
            if own != embedded.recipe.with_(calibrator=own.calibrator):  # another seed
                embedded = replace(embedded, recipe=own)
            yield embedded.under(own.calibrator, device=self.device)

    @context.reports
    def evaluate(
        self, recipes: Sequence[Recipe], *, progress: Progress | None = None
    ) -> list[Evaluation]:
        """Fit and score recipes without labels; return an evaluation for each.

        Args:
            recipes: The recipes, such as those of `Recipe.each`.
            progress: Called with `(done, total, unit)` at every stage; may raise `Cancelled`.
        """
        return list(self.evaluations(recipes))

    @checked
    def with_plain(self, recipes: Sequence[Recipe]) -> tuple[list[Recipe], str]:
        """Return recipes of one model with the plain output first, unless they have it.

        Given vectors have none. If the plain output cannot be read, the second value says why.

        Example:
            >>> from bertflow_core import Lab, Recipe
            >>> recipes, why_not = Lab().with_plain([Recipe()])
            >>> [each.layers for each in recipes], why_not
            (['model', 'layer:4'], '')
        """
        plain = recipes[0].plain
        if plain is None or plain in recipes:
            return [*recipes], ""
        try:
            self.encoder(plain)
        except InputError as error:
            return [*recipes], f"There is no plain output: {error}."
        return [plain, *recipes], ""


def _embedded(
    recipe: Recipe,
    data: Texts,
    corpus: Corpus,
    sentences: Sequence[str],
    read: Read,
    began: float,
) -> Embedded:
    """Return the vectors of sentences: those of the fit corpus, if any, and the scored texts."""
    x, n_fit = read.embeddings.x, len(sentences) - len(data.texts)
    return Embedded(
        recipe=recipe.with_(revision=read.revision),
        data=data,
        corpus=corpus,
        x_fit=x[: n_fit or len(corpus)],
        x_texts=x[n_fit:],
        n_cut=len({*compress(sentences, read.embeddings.cut)}),
        n_sentences=len({*sentences}),
        encoder=read.description(recipe.tokens),
        seconds=time.perf_counter() - began,
    )


def _check_scorable(data: Texts) -> None:
    if data.targets is not None:
        metric_of(data.metric).check(data.targets)
    if len(data.texts) < 2:
        raise InputError(
            f"{quoted(data.name)} holds one sentence: expected at least two to compare"
        )
