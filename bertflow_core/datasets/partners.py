"""Which sentences are each other's partner in a pair: often nearly the same sentence twice.

Half of a corpus of pairs is nearly a copy of the other half. The nearest neighbour of a sentence is
then its partner, which says how pairs were collected, and not how sentences fill their space.
"""

from collections.abc import Mapping

import numpy as np

from bertflow_core.datasets.corpus import Corpus
from bertflow_core.linalg import Rows, distinct_rows

Partners = Mapping[str, frozenset[str]]


def partners_of(corpus: Corpus) -> Partners:
    """Return, by sentence, those that it is paired with; it is not its own partner.

    Sentences without a partner are left out.
    """
    found: dict[str, set[str]] = {}
    for i in range(corpus.n_pairs):
        first, second = corpus.sentences[2 * i : 2 * i + 2]
        if first != second:
            found.setdefault(first, set()).add(second)
            found.setdefault(second, set()).add(first)
    return {sentence: frozenset(others) for sentence, others in found.items()}


def one_side(corpus: Corpus) -> Rows:
    """Return rows of different sentences of which no two are partners, rising.

    In the order of the corpus each sentence is taken unless a partner of it has been: of most pairs
    that is the first side.
    """
    partners = partners_of(corpus)
    taken: set[str] = set()
    rows = []
    for row in distinct_rows(corpus.sentences):
        sentence = corpus.sentences[row]
        if taken.isdisjoint(partners.get(sentence, ())):
            taken.add(sentence)
            rows.append(row)
    return np.array(rows, np.int64)
