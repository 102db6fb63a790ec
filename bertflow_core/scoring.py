"""The score of a calibrator: fitted on a corpus, its cosines are held against judged pairs."""

import numpy as np

from bertflow_core import context
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation import (
    Correlations,
    PairScores,
    StsScores,
    metric_of,
    pairwise_cosine,
    random_pair_cosine,
)
from bertflow_core.linalg import FloatArray
from bertflow_core.results import Prepared, Result
from bertflow_core.wording import quoted

__all__ = ["check_scorable", "evaluate_calibrator"]


def check_scorable(pairs: SentencePairs) -> None:
    """Refuse pairs that no calibrator could be scored on, before anything is embedded.

    Raises:
        InputError: Scores or labels that their metric refuses, or fewer than two sentences.
    """
    if pairs.judged is not None:
        metric_of(pairs.metric).check(pairs.judged)
    if len(pairs.sentences()) < 2:
        raise InputError(
            f"{quoted(pairs.name)} holds one sentence: expected at least two to compare"
        )


def evaluate_calibrator(prepared: Prepared, spec: str, *, device: str | None = None) -> Result:
    """Fit one calibrator on the corpus and score it on the pairs.

    Raises:
        InputError: A calibrator that cannot be built, or fitted on these rows.
    """
    recipe = prepared.recipe.with_(calibrator=spec)
    share = prepared.corpus.share
    calibrator = build_calibrator(spec, seed=recipe.seed, device=device, share=share)
    start = context.seconds()
    calibrator.fit(prepared.x_fit)
    fitted = context.seconds()
    z_first = calibrator.transform(prepared.x_first)
    z_second = calibrator.transform(prepared.x_second)
    transformed = context.seconds()
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


def _scores(similarity: FloatArray, pairs: SentencePairs) -> PairScores:
    if pairs.judged is None:
        unknown = Correlations(None, None, None, {})
        return StsScores(len(pairs) if pairs.is_paired else 0, unknown, unknown)
    return metric_of(pairs.metric).score(similarity, pairs.judged, pairs.subsets)
