"""The token vectors of sentences: entropy, first token, and words in contexts.

Functions take the T token vectors of one sentence, `x` of shape (T, D), or the occurrences of
words in different sentences. Self-similarity, intra-sentence similarity and maximum explainable
variance are those of Ethayarajh (2019, https://aclanthology.org/D19-1006, section 3.2).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bertflow_core.analysis.isotropy import mean_cosine
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.arrays.types import FloatArray, Rows

LEAST_CONTEXTS = 5
"""Words of fewer sentences do not count, as in Ethayarajh (2019)."""
MOST_CONTEXTS, MOST_WORDS = 10, 50


def token_entropy(x: FloatArray) -> float | None:
    """Return the entropy of the squared singular values of `x`, from 0 to 1; None if T < 2.

    With p_j the share of each squared singular value, it is -sum_j p_j log p_j, divided by its
    largest value log min(T, D): the matrix-based entropy of Queipo-de-Llano et al. (2025,
    https://arxiv.org/abs/2510.06477). The tokens are not centred. It is near 0 where one token is
    much longer than the others.
    """
    largest = np.abs(x).max()
    if min(x.shape) < 2 or largest == 0:
        return None
    rows = np.asarray(x, np.float64) / largest  # no square overflows or vanishes
    narrow = rows if len(rows) <= rows.shape[1] else rows.T
    shares = np.linalg.eigvalsh(narrow @ narrow.T).clip(min=0.0)
    shares = shares[shares > 0] / shares.sum()
    return float(-(shares * np.log(shares)).sum() / np.log(min(x.shape)))


def first_norm(x: FloatArray) -> float | None:
    """Return the first token's norm over the mean norm of the others; None if T < 2 or these are 0.

    A first token of many times the others' norm has massive activations (Sun et al., 2024).
    """
    norms = np.linalg.norm(np.asarray(x, np.float64), axis=1)
    others = norms[1:].mean() if len(norms) > 1 else 0.0
    return float(norms[0] / others) if others > 0 else None


def intra_similarity(x: FloatArray) -> float:
    """Return the mean cosine of a sentence's tokens with their mean."""
    mean = np.asarray(x, np.float64).mean(axis=0, keepdims=True)
    return float((unit_rows(x) @ unit_rows(mean).T).mean())


def explainable_variance(x: FloatArray) -> float | None:
    """Return the share of the largest squared singular value of a word's occurrences, (n, D).

    They are not centred, so that 1 means that one vector could replace the word in every context.
    """
    squares = np.linalg.svd(np.asarray(x, np.float64), compute_uv=False) ** 2
    return float(squares[0] / squares.sum()) if squares.any() else None


@dataclass(frozen=True)
class Occurrences:
    """Occurrences of some words in different sentences, and as many tokens drawn at random."""

    sentences: Rows  # of the words' occurrences, then of the random tokens, shape (2 O,)
    places: Rows  # the position of each in its sentence, shape (2 O,)
    counts: Rows  # occurrences of each of the W words, shape (W,); they sum to O


def draw_occurrences(
    tokens: Sequence[Sequence[int]], left_out: tuple[int, int] = (0, 0), *, seed: int = 0
) -> Occurrences:
    """Draw words that occur in at least 5 of the sentences, and for each at most 10 occurrences.

    At most 50 words are drawn. A word is a token id. The first and last `left_out` tokens of each
    sentence, which the tokenizer adds, do not count; of a word that is repeated in a sentence only
    the first occurrence does.
    """
    before, after = left_out
    content = [
        (row, place, ids[place])
        for row, ids in enumerate(tokens)
        for place in range(before, len(ids) - after)
    ]
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for row, place, word in content:
        found[word].setdefault(row, place)
    often = [[*places.items()] for places in found.values() if len(places) >= LEAST_CONTEXTS]
    rng = np.random.default_rng(seed)
    chosen = [often[i] for i in rng.permutation(len(often))[:MOST_WORDS]]
    kept = [[own[i] for i in sorted(rng.permutation(len(own))[:MOST_CONTEXTS])] for own in chosen]
    words = [each for own in kept for each in own]
    drawn = [content[i][:2] for i in rng.permutation(len(content))[: len(words)]]
    sentences, places = np.array([*words, *drawn], np.int64).reshape(-1, 2).T
    return Occurrences(sentences, places, np.array([*map(len, kept)], np.int64))


def words_in_context(x: FloatArray, drawn: Occurrences) -> dict[str, float | None]:
    """Return what words' vectors, (2 O, D), share in all contexts beyond what random tokens share.

    `token_cosine` is the mean cosine of two random tokens. `self_similarity`, the mean cosine of
    two occurrences of a word, and `explainable_variance` are minus the same of random tokens.
    """
    if not len(drawn.counts):
        return dict.fromkeys(("token_cosine", "self_similarity", "explainable_variance"))
    words, random = (
        np.split(half, np.cumsum(drawn.counts)[:-1])
        for half in (x[: len(x) // 2], x[len(x) // 2 :])
    )
    token_cosine = mean_cosine(x[len(x) // 2 :])
    shares = [[explainable_variance(own) or 0.0 for own in each] for each in (words, random)]
    return {
        "token_cosine": token_cosine,
        "self_similarity": float(np.mean([*map(mean_cosine, words)]) - token_cosine),
        "explainable_variance": float(np.mean(shares[0]) - np.mean(shares[1])),
    }
