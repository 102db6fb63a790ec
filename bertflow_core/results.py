"""What an experiment gives: shared embeddings, a fitted calibrator, and a calibrator's numbers."""

import json
import math
import re
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.datasets import Corpus, SentencePairs
from bertflow_core.datasets.draw import sized
from bertflow_core.datasets.nli import NLI_CORPUS
from bertflow_core.datasets.pairs import ROWS
from bertflow_core.errors import InputError
from bertflow_core.evaluation import AUC, RHO, LabelScores, Metric, PairScores, metric_of
from bertflow_core.files import resource
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = [
    "FEW_PAIRS",
    "MANY_PAIRS",
    "TRANSDUCTIVE",
    "WIDE",
    "Fitted",
    "Prepared",
    "Result",
    "TrackedResult",
    "cut_of",
    "departs_of",
    "doubt_of_pairs",
    "doubt_of_score",
    "few_pairs",
    "measured",
    "preset_note",
    "scores_document",
    "seen_of",
    "tracked_results",
    "why_unscored",
]

TRANSDUCTIVE = "Transductive"
"""What a fit is called that saw the scored sentences, without their scores."""

_NLI_PRESET = re.compile(r"\bpreset=nli\b")

FEW_PAIRS = 30
"""Fewer say little: with 30 pairs the standard error of rho is still about 0.2."""

WIDE = 0.1
"""Half the width of a 95 % interval from which a page says how wide it is: 10 points, more than a
calibrator mostly changes. A rho of 0.7 has 0.22 from 30 pairs, 0.16 from 50, 0.11 from 100 and
0.06 from 375; that of resampled pairs is within 0.04 of it from 30 pairs on."""

MANY_PAIRS = 400
"""From here on the number of pairs does not explain a wide interval: the widest, those of a rho of
0 and of an AUC of 0.5 with each label in half of the pairs, are below 0.1 from 385 and 130 on."""

_RARE = 1 / 4
"""A label of a smaller share is named as what makes an interval of AUC wide. At this share, that of
an AUC of 0.5 is 15 % wider than where half of as many pairs have each label."""


@dataclass(frozen=True)
class Prepared:
    """The embeddings that every calibrator of a comparison shares.

    Attributes:
        recipe: With the hub commit that was found; `recipe.calibrator` is ignored.
        pairs: What is scored.
        corpus: What is fitted on.
        x_fit: Embeddings of the corpus, shape (M, D).
        x_first: Embeddings of the pairs' first sentences, shape (N, D).
        x_second: Of their second sentences, shape (N, D); of single sentences, each one's partner:
            another sentence, drawn at random.
        n_cut: Distinct sentences that were longer than the maximum length.
        n_sentences: Distinct sentences.
        encoder: What decided the vectors.
        seconds: Time to embed, or to read what was stored.
        declared: What the model's folder declares, in words, where the recipe takes other vectors;
            else nothing.
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
    declared: str = ""

    @cached_property
    def n_seen(self) -> int:
        """Scored sentences that are among those fitted on; a repeated one counts each time."""
        return self.corpus.n_among(self.pairs.sentences())


@dataclass(frozen=True)
class Result:
    """One calibrator's numbers and everything they depend on.

    Attributes:
        spec: The calibrator as it was asked for.
        recipe: What decides the numbers.
        scores: Agreement of cosine with people: correlations with gold scores, all None where
            nobody judged the pairs, or AUC of labels.
        random_cosine: Mean cosine of 10,000 random pairs of the scored sentences: high in a cone.
        similarity: Cosine of each pair, or of each sentence and its partner, shape (N,).
        calibrator: Fitted.
        prepared: What it was fitted on and scored with.
        seconds: Time to embed, fit and transform, the last two without what is loaded once for all.
    """

    spec: str
    recipe: Recipe
    scores: PairScores
    random_cosine: float
    similarity: FloatArray = field(repr=False)
    calibrator: "Calibrator" = field(repr=False)
    prepared: Prepared = field(repr=False)
    seconds: dict[str, float]

    @property
    def metric(self) -> Metric:
        """What the pairs are scored by."""
        return metric_of(self.prepared.pairs.metric)

    @property
    def score(self) -> float | None:
        """The metric's value under the recipe's aggregation."""
        score: float | None = getattr(self.scores.main, self.recipe.aggregation)
        return score

    @property
    def rho(self) -> float:
        """Spearman's rho of cosine with gold under the recipe's aggregation, in [-1, 1].

        Raises:
            InputError: There is none: the pairs have no gold scores, or all of a subset are equal.
        """
        rho = measured(self.scores, "spearman", self.recipe)
        if rho is None:
            raise InputError(why_unscored(self.prepared.pairs))
        return rho

    @property
    def pearson(self) -> float | None:
        """Pearson's r under the recipe's aggregation; None where the metric is not rho."""
        return measured(self.scores, "pearson", self.recipe)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know about the fit, one sentence each, without full stops."""
        return (*self.calibrator.notes_, *preset_note(self.recipe), *self._epoch_note())

    def _epoch_note(self) -> tuple[str, ...]:
        """Say whose epochs a fit on a drawn part of a corpus counts."""
        names = {name.split("__")[-1] for name in self.calibrator.get_params()}
        if self.prepared.corpus.share == 1 or "epochs" not in names:
            return ()
        return ("its epochs are of the whole corpus, of which sentences were drawn",)

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
            **scores_document(self.scores, self.recipe),
            "random_cosine": self.random_cosine,
            "n_sentences": prepared.n_sentences,
            "n_cut": prepared.n_cut,
            "fit_corpus": {
                "description": prepared.corpus.description,
                "n_sentences": len(prepared.corpus),
                "n_scored_among": prepared.n_seen,
                "sources": [source.to_dict() for source in prepared.corpus.sources],
            },
            "data": prepared.pairs.provenance.to_dict(),
            "encoder": prepared.encoder,
            "notes": list(self.notes),
            "seconds": self.seconds,
        }


def measured(scores: PairScores, name: str, recipe: Recipe) -> float | None:
    """Return one of the measures under a recipe's aggregation; None where there is no such one."""
    measure = scores.measures.get(name)
    return None if measure is None else getattr(measure, recipe.aggregation)


def scores_document(scores: PairScores, recipe: Recipe) -> dict[str, Any]:
    """Return scores as JSON has them: each correlation in full; AUC as a number, and in full.

    Args:
        scores: Of either kind.
        recipe: Its aggregation is that of the one number.
    """
    if not isinstance(scores, LabelScores):
        return scores.to_dict()
    full = {f"auc_{name}": value for name, value in asdict(scores.auc).items()}
    return {"n_pairs": scores.n_pairs, "auc": getattr(scores.auc, recipe.aggregation), **full}


@dataclass(frozen=True)
class Fitted:
    """A calibrator, what it was fitted on, and the recipe with the commit that was found."""

    calibrator: "Calibrator"
    corpus: Corpus
    recipe: Recipe


@dataclass(frozen=True)
class TrackedResult:
    """One calibrator's numbers, computed before and shipped with the package.

    Attributes:
        recipe: What they depend on.
        n_pairs: Pairs that were scored.
        rho: Spearman's rho over all pairs.
        random_cosine: Mean cosine of random pairs.
        similarity: Cosine of each pair, shape (N,); of shape (0,) where it was not kept.
    """

    recipe: Recipe
    n_pairs: int
    rho: float
    random_cosine: float
    similarity: FloatArray

    @property
    def spec(self) -> str:
        """The calibrator."""
        return self.recipe.calibrator


def tracked_results(name: str) -> tuple[TrackedResult, ...]:
    """Return the results that `bertflow-lab evaluate --format json` wrote and the package ships.

    Args:
        name: Of the file in `data/results`, such as `teaching`.
    """
    results = json.loads(resource(f"results/{name}.json").read_text(encoding="utf-8"))["results"]
    return tuple(
        TrackedResult(
            recipe=Recipe.from_dict(result["recipe"]),
            n_pairs=result["n_pairs"],
            rho=result["spearman"]["all"],
            random_cosine=result["random_cosine"],
            similarity=np.array(result.get("similarity", [])),
        )
        for result in results
    )


def why_unscored(pairs: SentencePairs) -> str:
    """Say why pairs without gold scores, with labels, or single sentences, have no rho."""
    if pairs.labels is not None:
        return (
            f"Rho is passed over: the pairs of {quoted(pairs.name)} have labels (1 or 0), and rho "
            "needs graded scores; Calibrate, Compare and Is it real? show their AUC."
        )
    if pairs.is_paired:
        return (
            "Rho and Pearson's r are not available: they need gold scores, and no column of them "
            "was named."
        )
    return "Rho and Pearson's r are not available: they need pairs of sentences with gold scores."


def few_pairs(
    n: int,
    metric: Metric = RHO,
    *,
    half_width: float = 0.0,
    judged: FloatArray | None = None,
) -> str:
    """Say that there are too few pairs for a close number; nothing where there are enough.

    Args:
        n: Pairs.
        metric: What they are scored by.
        half_width: Half the width of the 95 % interval of their score, where it is known; NaN
            where there is none.
        judged: What people gave to each pair, shape (N,), where it is known.
    """
    if n < FEW_PAIRS:
        return f"Only {n} pairs: {metric.one} of so few is mostly chance."
    if math.isnan(half_width) or half_width < WIDE:
        return ""
    known = (
        f"{metric.header} is known to about {100 * half_width:.0f} points either way "
        "(95 % interval)."
    )
    rare = "" if judged is None or metric is not AUC else _rare_label(judged)
    if rare or n < MANY_PAIRS:
        return f"Only {rare or f'{n:,} pairs'}: {known}"
    return f"The {known}"


def _rare_label(labels: FloatArray) -> str:
    """Say how many pairs have the rarer label, where it is rare."""
    n, n_ones = len(labels), int(np.sum(labels))
    rarer, label = min((n_ones, 1), (n - n_ones, 0))
    if rarer >= _RARE * n:
        return ""
    return f"{rarer:,} of {n:,} pairs {'has' if rarer == 1 else 'have'} label {label}"


def doubt_of_pairs(result: Result) -> str:
    """Say that a result comes from too few pairs; nothing where it has no score."""
    return doubt_of_score(result.score, result.prepared.pairs, result.metric)


def doubt_of_score(score: float | None, pairs: SentencePairs, metric: Metric) -> str:
    """Say that pairs are too few for a close score, in the same words and number on every page.

    Args:
        score: The metric's value; None where it is undefined.
        pairs: What is scored; of pairs that nobody judged nothing is said.
        metric: What they are scored by.
    """
    judged = pairs.judged
    if judged is None:
        return ""
    is_known = score is not None and len(judged) >= FEW_PAIRS
    half_width = metric.half_width(score or 0.0, judged) if is_known else 0.0
    return few_pairs(len(judged), metric, half_width=half_width, judged=judged)


def cut_of(prepared: Prepared) -> str:
    """Say how many sentences were longer than the encoder's longest input."""
    if prepared.recipe.is_static:
        return f"{prepared.n_sentences:,} distinct sentences, none of them cut{_zeros(prepared)}"
    return (
        f"{prepared.n_cut:,} of {prepared.n_sentences:,} distinct sentences were cut "
        f"(input {prepared.recipe.length})"
    )


def departs_of(prepared: Prepared) -> str:
    """Say that the vectors are not those that the model's makers declare, where that is so."""
    if not prepared.declared:
        return ""
    return (
        f"The makers of {prepared.recipe.model} recommend other vectors than these: "
        f"{prepared.declared}. Choose model as layers for those."
    )


def _zeros(prepared: Prepared) -> str:
    """Say how many sentences had no known word, where vectors are averaged words."""
    n = prepared.encoder.get("n_zero_vectors", 0)
    if not n:
        return ""
    first = quoted(prepared.encoder["first_zero_vector"])
    return f"; {n:,} without a known word have the zero vector, the first of them {first}"


def seen_of(prepared: Prepared) -> str:
    """Say how many scored sentences are among those fitted on, which makes a fit transductive."""
    seen, n = prepared.n_seen, len(prepared.pairs.sentences())
    if not seen and prepared.corpus.sources[0].layout == ROWS:
        return "Whether scored vectors are among those fitted on is not known."
    if not seen:
        return "No scored sentence is among those fitted on."
    return (
        f"{TRANSDUCTIVE}: {seen:,} of {n:,} scored sentences are among those fitted on, without "
        "their scores."
    )


def preset_note(recipe: Recipe) -> tuple[str, ...]:
    """Say where a flow was fitted by the choices for NLI sentences on another corpus."""
    if not _NLI_PRESET.search(recipe.calibrator) or sized(recipe.fit_on)[0] == NLI_CORPUS:
        return ()
    return (f"preset nli has the rate and the epochs for corpus nli, not for {recipe.fit_on}",)
