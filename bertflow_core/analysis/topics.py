r"""Regions of a picture and their distinctive words.

Regions come from the picture's coordinates: k-means makes many small regions, and neighbouring
regions are joined while the result stays narrower than a share of the picture. Each zoom halves
that share, so its regions lie within those of the previous zoom.

A region is named by class-based tf-idf. For term t in class c,

.. math:: W_{t,c} = tf_{t,c} \log(1 + A / f_t)

with tf the share of the class's terms, f_t the number of occurrences of t in all classes, and A the
mean number of terms of a class. A term counts once per text.

References:
    BERTopic: Neural topic modeling with a class-based TF-IDF procedure (Grootendorst, 2022),
    https://arxiv.org/abs/2203.05794
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bertflow_core.analysis.loadings import lower_words, texts_with
from bertflow_core.arrays.sampling import sample_rows
from bertflow_core.arrays.types import FloatArray

if TYPE_CHECKING:
    from scipy import sparse

ZOOMS = (1, 2, 4, 8)  # the zooms with their own regions
WIDEST = 0.35  # a region's largest width, as a share of the picture's at zoom 1
_MOST_PARTS = 256
_ROWS_PER_PART = 8
_SAMPLE = 10_000  # rows that k-means is fitted on; any others join the nearest region
_FEWEST = 2  # smallest number of texts with a term, in all and in the region
_FEWEST_ROWS = 5  # smallest number of rows of a named region
_N_WORDS = 3
_CONTRACTED = re.compile(r"['\u2019](?:t|s|re|ve|ll|d|m)$")  # don't, it's, we'll


@dataclass(frozen=True, eq=False)
class Terms:
    """The T terms in at least two of N texts, sorted, and the binary text-term matrix, (N, T)."""

    names: tuple[str, ...] = field(repr=False)
    held: "sparse.csr_array" = field(repr=False)


@dataclass(frozen=True)
class Topic:
    """A region of a picture at one zoom."""

    zoom: int  # one of `ZOOMS`
    words: tuple[str, ...]  # one to three, the most distinctive first
    place: tuple[float, ...]  # mean coordinates of its rows
    n_rows: int


def count_terms(texts: Sequence[str]) -> Terms:
    """Return the terms of texts: words of at least two letters except English function words."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    def terms_of(text: str) -> list[str]:
        return [
            each for each in lower_words(text) if _is_word(each) and each not in ENGLISH_STOP_WORDS
        ]

    names, held = texts_with(texts, terms_of, _FEWEST)
    return Terms(tuple(names), held)


def _is_word(text: str) -> bool:
    return len(text) > 1 and not text[0].isdigit() and not _CONTRACTED.search(text)


def distinctive_words(terms: Terms, labels: npt.NDArray[np.int64]) -> list[tuple[str, ...]]:
    """Return the terms of largest class-based tf-idf of each class; a class may have none."""
    from scipy import sparse

    of_class = sparse.csr_array((np.ones(len(labels)), (labels, np.arange(len(labels)))))
    held = (of_class @ terms.held).toarray()
    total = held.sum(axis=0)
    share = held / np.maximum(1, held.sum(axis=1, keepdims=True))
    weight = np.log1p(total.sum() / len(held) / total)
    is_own = (held >= _FEWEST) & (share > total / total.sum())
    words = []
    for score in np.where(is_own, share * weight, 0):
        found = np.flatnonzero(score)
        best = found[np.argsort(-score[found], kind="stable")][:_N_WORDS]
        words.append(tuple(terms.names[term] for term in best))
    return words


def topics_of(coordinates: FloatArray, terms: Terms, *, seed: int = 0) -> tuple[Topic, ...]:
    """Name the regions of a picture of N texts, (N, 2), at every zoom, the largest first."""
    from sklearn.cluster import AgglomerativeClustering, KMeans

    points = np.asarray(coordinates, np.float64)
    n_parts = min(_MOST_PARTS, len(points) // _ROWS_PER_PART)
    width = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    if n_parts < 2 or not terms.names or width == 0:
        return ()
    shown = points[sample_rows(len(points), _SAMPLE, seed=seed)]
    n_parts = min(n_parts, len(np.unique(shown, axis=0)))
    means = KMeans(n_parts, n_init=1, random_state=seed).fit(shown)
    parts = means.predict(points)
    found: list[Topic] = []
    for zoom in ZOOMS:
        joined = AgglomerativeClustering(
            n_clusters=None, linkage="complete", distance_threshold=WIDEST * width / zoom
        )
        labels = joined.fit_predict(means.cluster_centers_)[parts].astype(np.int64)
        sizes, words = np.bincount(labels), distinctive_words(terms, labels)
        for label in np.argsort(-sizes, kind="stable"):  # the largest first
            if words[label] and sizes[label] >= _FEWEST_ROWS:
                place = tuple(map(float, points[labels == label].mean(axis=0)))
                found.append(Topic(zoom, words[label], place, int(sizes[label])))
    return tuple(found)
