"""From a recipe to its numbers: data, embeddings, calibrators and scores in one place."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.calibrators.registry import build_calibrator
from bertflow_core.datasets import Corpus, SentencePairs, TableColumns, load_corpus, load_pairs
from bertflow_core.device import resolve_device
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import InputError
from bertflow_core.evaluation import StsScores, pairwise_cosine, random_pair_cosine, score_pairs
from bertflow_core.numerics import FloatArray
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.store import EmbeddingStore

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = [
    "Fitted",
    "Prepared",
    "Result",
    "evaluate",
    "evaluate_calibrator",
    "fit",
    "load_data",
    "make_encoder",
    "prepare",
    "table_columns",
    "table_scale",
]


@dataclass(frozen=True)
class Prepared:
    """The embeddings that every calibrator of a comparison shares.

    Attributes:
        recipe: With the hub commit that was found; its calibrator is not looked at.
        pairs: What is scored.
        corpus: What is fitted on.
        x_fit: Embeddings of the corpus, shape (M, D).
        x_first: Embeddings of the pairs' first sentences, shape (N, D).
        x_second: Of their second sentences, shape (N, D).
        n_cut: Distinct sentences that were longer than the maximum length.
        n_sentences: Distinct sentences.
        encoder: What decided the vectors.
        seconds: Time to embed, or to read what was stored.
    """

    recipe: Recipe
    pairs: SentencePairs
    corpus: Corpus
    x_fit: FloatArray = field(repr=False)
    x_first: FloatArray = field(repr=False)
    x_second: FloatArray = field(repr=False)
    n_cut: int
    n_sentences: int
    encoder: dict[str, Any]
    seconds: float


@dataclass(frozen=True)
class Result:
    """One calibrator's numbers and everything they depend on.

    Attributes:
        spec: The calibrator as it was asked for.
        recipe: What decides the numbers.
        scores: Correlations of cosine with gold.
        random_cosine: Mean cosine of random pairs of the scored sentences, a measure of the cone.
        similarity: Cosine of each pair, shape (N,).
        calibrator: Fitted.
        prepared: What it was fitted on and scored with.
        seconds: Time to embed, fit and transform.
    """

    spec: str
    recipe: Recipe
    scores: StsScores
    random_cosine: float
    similarity: FloatArray = field(repr=False)
    calibrator: "Calibrator" = field(repr=False)
    prepared: Prepared = field(repr=False)
    seconds: dict[str, float]

    @property
    def rho(self) -> float | None:
        """Spearman's rho under the recipe's aggregation."""
        rho: float | None = getattr(self.scores.spearman, self.recipe.aggregation)
        return rho

    @property
    def pearson(self) -> float | None:
        """Pearson's r under the recipe's aggregation."""
        r: float | None = getattr(self.scores.pearson, self.recipe.aggregation)
        return r

    def to_dict(self) -> dict[str, Any]:
        """Return what the command line prints, JSON-able."""
        prepared = self.prepared
        return {
            "spec": self.spec,
            "recipe": self.recipe.to_dict(),
            "fingerprint": self.recipe.fingerprint(),
            "parameters": self.calibrator.resolved_parameters(),
            "dataset": self.recipe.dataset,
            "split": self.recipe.split,
            **self.scores.to_dict(),
            "random_cosine": self.random_cosine,
            "n_sentences": prepared.n_sentences,
            "n_cut": prepared.n_cut,
            "fit_corpus": {
                "description": prepared.corpus.description,
                "n_sentences": len(prepared.corpus),
                "sources": [source.to_dict() for source in prepared.corpus.sources],
            },
            "data": prepared.pairs.provenance.to_dict(),
            "encoder": prepared.encoder,
            "notes": list(self.calibrator.notes_),
            "seconds": self.seconds,
        }


def evaluate(
    recipe: Recipe,
    specs: Sequence[str],
    *,
    data: tuple[SentencePairs, Corpus] | None = None,
    data_dir: Path | None = None,
    store: EmbeddingStore | None = None,
    device: str | None = None,
    batch_tokens: int | None = None,
    progress: Progress = silent,
) -> list[Result]:
    """Score calibrators on a data set, each fitted without labels.

    Args:
        recipe: The choices; its calibrator is replaced by each of `specs`.
        specs: Calibrators in the order of the results.
        data: What is scored and what is fitted on; None loads what the recipe names.
        data_dir: Where benchmark data lies; None looks at `BERTFLOW_DATA`.
        store: Where embeddings are kept; None is the user's cache.
        device: Where the encoder and the flow run; None takes the best device here.
        batch_tokens: Most tokens in one forward call; None suits the device.
        progress: Told of every stage; may raise `Cancelled`.

    Raises:
        InputError: No calibrator, or a recipe, data or model that cannot be used.
        ResourceError: The disk or the network failed.
    """
    if not specs:
        raise InputError("there is nothing to evaluate: name at least one calibrator")
    for spec in specs:
        build_calibrator(spec)  # a wrong option is refused before anything is computed
    prepared = prepare(
        recipe,
        data=data,
        data_dir=data_dir,
        store=store,
        device=device,
        batch_tokens=batch_tokens,
        progress=progress,
    )
    return [evaluate_calibrator(prepared, s, device=device, progress=progress) for s in specs]


@dataclass(frozen=True)
class Fitted:
    """A calibrator, what it was fitted on, and the recipe with the commit that was found."""

    calibrator: "Calibrator"
    corpus: Corpus
    recipe: Recipe


def fit(
    recipe: Recipe,
    *,
    data_dir: Path | None = None,
    store: EmbeddingStore | None = None,
    device: str | None = None,
    batch_tokens: int | None = None,
    progress: Progress = silent,
) -> Fitted:
    """Fit the recipe's calibrator on its fit corpus; arguments as of `evaluate`."""
    calibrator = build_calibrator(recipe.calibrator, seed=recipe.seed, device=device)
    corpus = load_corpus(recipe.dataset, recipe.fit_on, **_data_options(recipe, data_dir))
    encoder = make_encoder(recipe, device=device, batch_tokens=batch_tokens)
    embeddings = (store or EmbeddingStore()).embed(
        encoder, corpus.sentences, layers=recipe.layers, tokens=recipe.tokens, progress=progress
    )
    calibrator.fit(embeddings.x, progress=progress)
    return Fitted(calibrator, corpus, recipe.with_(revision=encoder.model.revision))


def load_data(recipe: Recipe, data_dir: Path | None = None) -> tuple[SentencePairs, Corpus]:
    """Load what a recipe scores and what it fits on."""
    options = _data_options(recipe, data_dir)
    pairs = load_pairs(recipe.dataset, split=recipe.split, **options)
    return pairs, load_corpus(recipe.dataset, recipe.fit_on, **options)


def prepare(
    recipe: Recipe,
    *,
    data: tuple[SentencePairs, Corpus] | None = None,
    data_dir: Path | None = None,
    store: EmbeddingStore | None = None,
    device: str | None = None,
    batch_tokens: int | None = None,
    progress: Progress = silent,
) -> Prepared:
    """Load a recipe's data and embed it; arguments as of `evaluate`."""
    pairs, corpus = data or load_data(recipe, data_dir)
    if pairs.gold is None:
        raise InputError(
            f"{pairs.name!r} has no gold scores: evaluation needs a column of them (see --score)"
        )
    score_pairs(pairs.gold, pairs.gold, pairs.subsets)  # refuses gold that nothing agrees with
    encoder = make_encoder(recipe, device=device, batch_tokens=batch_tokens)
    sentences = (*corpus.sentences, *pairs.first, *pairs.second)
    start = time.perf_counter()
    embeddings = (store or EmbeddingStore()).embed(
        encoder, sentences, layers=recipe.layers, tokens=recipe.tokens, progress=progress
    )
    x_fit, x_first, x_second = np.split(
        embeddings.x, [len(corpus), len(corpus) + len(pairs)], axis=0
    )
    cut = {s for s, was_cut in zip(sentences, embeddings.cut, strict=True) if was_cut}
    return Prepared(
        recipe=recipe.with_(revision=encoder.model.revision),
        pairs=pairs,
        corpus=corpus,
        x_fit=x_fit,
        x_first=x_first,
        x_second=x_second,
        n_cut=len(cut),
        n_sentences=len(set(sentences)),
        encoder=encoder.description,
        seconds=time.perf_counter() - start,
    )


def evaluate_calibrator(
    prepared: Prepared, spec: str, *, device: str | None = None, progress: Progress = silent
) -> Result:
    """Fit one calibrator on the corpus and score it on the pairs."""
    recipe = prepared.recipe.with_(calibrator=spec)
    calibrator = build_calibrator(spec, seed=recipe.seed, device=device)
    start = time.perf_counter()
    calibrator.fit(prepared.x_fit, progress=progress)
    fitted = time.perf_counter()
    z_first = calibrator.transform(prepared.x_first)
    z_second = calibrator.transform(prepared.x_second)
    transformed = time.perf_counter()
    similarity = pairwise_cosine(z_first, z_second)
    assert prepared.pairs.gold is not None  # `prepare` refuses pairs without gold
    return Result(
        spec=spec,
        recipe=recipe,
        scores=score_pairs(similarity, prepared.pairs.gold, prepared.pairs.subsets),
        random_cosine=random_pair_cosine(np.concatenate([z_first, z_second]), seed=recipe.seed),
        similarity=similarity,
        calibrator=calibrator,
        prepared=prepared,
        seconds={
            "embed": round(prepared.seconds, 4),
            "fit": round(fitted - start, 4),
            "transform": round(transformed - fitted, 4),
        },
    )


def make_encoder(
    recipe: Recipe, *, device: str | None = None, batch_tokens: int | None = None
) -> TransformerEncoder:
    """Return the encoder of a recipe; nothing is loaded yet."""
    if device is not None:
        resolve_device(device)  # also where every vector is stored and the encoder never runs
    return TransformerEncoder(
        resolve_model(recipe.model, revision=recipe.revision),
        max_length=recipe.max_length,
        device=device,
        dtype=recipe.dtype,
        batch_tokens=batch_tokens,
    )


def _data_options(recipe: Recipe, data_dir: Path | None) -> dict[str, Any]:
    return {
        "data_dir": data_dir,
        "layout": recipe.layout,
        "columns": table_columns(recipe),
        "scale": table_scale(recipe),
    }


def table_columns(recipe: Recipe) -> TableColumns | None:
    """Return the columns a recipe names, or None where they are to be recognised."""
    named = (recipe.sentence1, recipe.sentence2, recipe.score, recipe.subset)
    if not any(named):
        return None
    if recipe.sentence1 is None or recipe.sentence2 is None:
        raise InputError("name both columns of sentences: --sentence1 and --sentence2")
    return TableColumns(recipe.sentence1, recipe.sentence2, recipe.score, recipe.subset)


def table_scale(recipe: Recipe) -> tuple[float, float] | None:
    """Return the gold scale a recipe names, or None where it is to be inferred."""
    if recipe.scale is None:
        return None
    try:
        low, high = map(float, recipe.scale.split(","))
    except ValueError:
        raise InputError(
            f"scale must be the lowest and highest gold score as LOW,HIGH, got {recipe.scale!r}"
        ) from None
    return low, high
