"""From a recipe to its numbers: data, embeddings, calibrators and scores in one place."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.datasets import Corpus, SentencePairs, TableColumns, load_corpus, load_pairs
from bertflow_core.device import resolve_device
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import InputError
from bertflow_core.evaluation import (
    Correlations,
    StsScores,
    pairwise_cosine,
    random_pair_cosine,
    score_pairs,
)
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.results import Fitted, Prepared, Result
from bertflow_core.store import EmbeddingStore

__all__ = [
    "Fitted",
    "Prepared",
    "Result",
    "data_options",
    "evaluate",
    "evaluate_calibrator",
    "fit",
    "load_data",
    "make_encoder",
    "prepare",
    "table_columns",
    "table_scale",
]


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
    corpus = load_corpus(recipe.dataset, recipe.fit_on, **data_options(recipe, data_dir))
    encoder = make_encoder(recipe, device=device, batch_tokens=batch_tokens)
    embeddings = (store or EmbeddingStore()).embed(
        encoder, corpus.sentences, layers=recipe.layers, tokens=recipe.tokens, progress=progress
    )
    calibrator.fit(embeddings.x, progress=progress)
    return Fitted(calibrator, corpus, recipe.with_(revision=encoder.model.revision))


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
    if pairs.gold is not None:
        score_pairs(pairs.gold, pairs.gold, pairs.subsets)  # refuses gold that nothing agrees with
    if len(pairs.sentences()) < 2:
        raise InputError(f"{pairs.name!r} holds one sentence: expected at least two to compare")
    encoder = make_encoder(recipe, device=device, batch_tokens=batch_tokens)
    sentences = (*corpus.sentences, *pairs.first, *pairs.second)
    start = time.perf_counter()
    embeddings = (store or EmbeddingStore()).embed(
        encoder, sentences, layers=recipe.layers, tokens=recipe.tokens, progress=progress
    )
    x_fit, x_first, x_second = np.split(
        embeddings.x, [len(corpus), len(corpus) + len(pairs)], axis=0
    )
    if not pairs.is_paired:
        x_second = x_first[_partners(len(pairs), seed=recipe.seed)]
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
    return Result(
        spec=spec,
        recipe=recipe,
        scores=_scores(similarity, prepared.pairs),
        random_cosine=random_pair_cosine(
            np.concatenate([z_first, z_second]) if prepared.pairs.is_paired else z_first,
            seed=recipe.seed,
        ),
        similarity=similarity,
        calibrator=calibrator,
        prepared=prepared,
        seconds={
            "embed": round(prepared.seconds, 4),
            "fit": round(fitted - start, 4),
            "transform": round(transformed - fitted, 4),
        },
    )


def _partners(n: int, *, seed: int) -> NDArray[np.int64]:
    """Return for each of `n` >= 2 rows another one, drawn at random, each used once."""
    order = np.random.default_rng(seed).permutation(n)
    partners = np.empty_like(order)
    partners[order] = np.roll(order, 1)
    return partners


def _scores(similarity: FloatArray, pairs: SentencePairs) -> StsScores:
    if pairs.gold is None:
        unknown = Correlations(None, None, None, {})
        return StsScores(len(pairs) if pairs.is_paired else 0, unknown, unknown)
    return score_pairs(similarity, pairs.gold, pairs.subsets)


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


def load_data(recipe: Recipe, data_dir: Path | None = None) -> tuple[SentencePairs, Corpus]:
    """Load what a recipe scores and what it fits on."""
    options = data_options(recipe, data_dir)
    pairs = load_pairs(recipe.dataset, split=recipe.split, **options)
    return pairs, load_corpus(recipe.dataset, recipe.fit_on, **options)


def data_options(recipe: Recipe, data_dir: Path | None) -> dict[str, Any]:
    """Return the keyword arguments of `load_pairs` and `load_corpus` that a recipe names."""
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
    if recipe.sentence1 is None:
        raise InputError(
            "name the columns of sentences: --sentence1 and --sentence2, or --sentence1 alone for "
            "single sentences"
        )
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
