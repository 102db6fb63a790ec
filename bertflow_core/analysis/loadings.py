"""The meaning of directions in an embedding space, by the sentences and words that load on them.

Projections are standardised, so loadings are in standard deviations. Equal sentences count once.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bertflow_core.arrays.correlation import spearman
from bertflow_core.arrays.linalg import centred
from bertflow_core.arrays.rounding import precision_of, varying
from bertflow_core.arrays.sampling import distinct_rows
from bertflow_core.arrays.types import FloatArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

CHANCE = 4.0
"""Number of standard errors subtracted from a word's mean.

By chance, the mean of one word in 16,000 is farther than so many standard errors from 0.
"""

_TOKEN = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")


@dataclass(frozen=True)
class SentenceLoading:
    """A sentence at one end of a direction, with its first row and standardised projection."""

    row: int
    sentence: str
    loading: float


@dataclass(frozen=True)
class WordLoading:
    """A lower-case word or punctuation mark whose sentences lie towards one end of a direction.

    `mean` is the mean projection of its `n_sentences` distinct sentences, in standard deviations.
    `score` is `mean` moved `CHANCE` standard errors towards 0, which allows for chance.
    """

    word: str
    n_sentences: int
    mean: float
    score: float


@dataclass(frozen=True)
class DirectionLoadings:
    """One direction, whose two ends are "low" and "high", since its sign is arbitrary."""

    number: int
    share: float
    length_rho: float | None
    low_sentences: tuple[SentenceLoading, ...]
    high_sentences: tuple[SentenceLoading, ...]
    low_words: tuple[WordLoading, ...]
    high_words: tuple[WordLoading, ...]


def direction_loadings(
    projections: FloatArray,
    sentences: Sequence[str],
    shares: Sequence[float],
    *,
    n_sentences: int = 10,
    n_words: int = 10,
    min_count: int = 10,
) -> tuple[DirectionLoadings, ...]:
    """Find the sentences and words with the largest loadings on each of K directions.

    `projections` are the coordinates of N sentences, shape (N, K), `shares` each direction's share
    of the variance. A word is ranked if at least `min_count` distinct sentences contain it and its
    loading is not 0.
    """
    rows = distinct_rows(sentences)
    texts, n = [sentences[row] for row in rows], len(rows)
    projections = np.asarray(projections, np.float64)[rows]
    less = centred(projections)
    deviation = less.std(axis=0)
    varies = varying(projections.mean(axis=0), deviation**2, precision_of(projections))
    loadings = np.divide(less, deviation, out=np.zeros_like(less), where=varies)
    words, held = texts_with(texts, lower_words, min_count)
    counts = np.asarray(held.sum(axis=0), np.int64)[:, None]
    means = np.asarray(held.T @ loadings) / counts
    # The error of the mean of c out of n values of variance 1, without replacement (Cochran, 1977,
    # Sampling Techniques, section 2.5).
    error = np.sqrt((n - counts) / (counts * max(1, n - 1)))
    # A word in every sentence has a mean of 0 up to rounding, and no error.
    remaining = np.where(counts < n, np.maximum(0.0, np.abs(means) - CHANCE * error), 0.0)
    scores = np.sign(means) * remaining
    lengths = [len(lower_words(text)) for text in texts]

    def sentences_at(k: int, sign: int) -> tuple[SentenceLoading, ...]:
        end = np.argsort(sign * -loadings[:, k], kind="stable")[:n_sentences]
        return tuple(SentenceLoading(int(rows[i]), texts[i], float(loadings[i, k])) for i in end)

    def words_at(k: int, sign: int) -> tuple[WordLoading, ...]:
        end = np.argsort(sign * -scores[:, k], kind="stable")[:n_words]
        return tuple(
            WordLoading(words[i], int(counts[i, 0]), float(means[i, k]), float(scores[i, k]))
            for i in end
            if sign * scores[i, k] > 0
        )

    return tuple(
        DirectionLoadings(
            k + 1,
            float(share),
            spearman(loadings[:, k], lengths),
            low_sentences=sentences_at(k, -1),
            high_sentences=sentences_at(k, 1),
            low_words=words_at(k, -1),
            high_words=words_at(k, 1),
        )
        for k, share in enumerate(shares)
    )


def lower_words(sentence: str) -> list[str]:
    """Return the words and punctuation marks of a sentence, in lower case and in order."""
    return _TOKEN.findall(sentence.lower())


def texts_with(
    texts: Sequence[str], words: Callable[[str], list[str]], fewest: int
) -> tuple[list[str], "csr_array"]:
    """Return T words in at least `fewest` of N texts, and the binary text-word matrix, (N, T)."""
    from scipy.sparse import csr_array
    from sklearn.feature_extraction.text import CountVectorizer

    counter = CountVectorizer(analyzer=words, binary=True, min_df=fewest, dtype=np.float64)
    try:
        held = csr_array(counter.fit_transform(texts))
    except ValueError:  # no word is in as many texts as `fewest`
        return [], csr_array((len(texts), 0))
    return list(counter.get_feature_names_out()), held
