"""Labelled texts: how well a classifier predicts their labels, and how well clusters match them.

Accuracy is that of scikit-learn's logistic regression on held-out folds. Vectors are centred and
divided by one number, so that C means the same for every calibrator; features are not standardised,
since that would itself be a calibration. MTEB's classification task instead trains on a few texts
of each label, with C = 1. V-measure (Rosenberg and Hirschberg, 2007,
https://aclanthology.org/D07-1043) is that of full k-means from ten starts; MTEB clusters
mini-batches.
"""

import warnings
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bertflow_core.arrays.sampling import distinct_rows
from bertflow_core.arrays.types import FloatArray
from bertflow_core.runtime import context

K = TypeVar("K", bound=Hashable)

FOLDS, STARTS = 5, 10  # folds that are held out in turn, and starts of k-means
_INNER_FOLDS = 3  # of the training texts, for the choice of C
CS = (1e-3, 1e-2, 1e-1, 1.0)  # the values of C to choose from
_MAX_STEPS = 1_000


def folds_of(texts: Sequence[str], targets: FloatArray, *, seed: int) -> NDArray[np.int64]:
    """Return the fold of each text, shape (N,): labels spread evenly, equal texts in one fold."""
    rows, of_text = distinct_rows(texts), dict[str, int]()
    for fold, (_, test) in enumerate(_stratified(FOLDS, targets[rows], seed)):
        of_text |= {texts[row]: fold for row in rows[test]}
    return np.array([of_text[text] for text in texts])


def _stratified(n: int, targets: FloatArray, seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the (training, test) rows of at most `n` folds; some may lack a rare label."""
    from sklearn.model_selection import StratifiedKFold  # late: slow to import

    n = min(n, int(np.unique(targets, return_counts=True)[1].max()))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        splitter = StratifiedKFold(n, shuffle=True, random_state=seed)
        return [*splitter.split(np.zeros(len(targets)), targets)]


def predict(train: FloatArray, targets: FloatArray, test: FloatArray, *, seed: int) -> FloatArray:
    """Return the labels that a logistic regression predicts, shape (N,); inner folds choose C."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from threadpoolctl import threadpool_limits

    mean, spread = train.mean(axis=0), float(train.std(axis=0).mean()) or 1.0
    model = LogisticRegression(max_iter=_MAX_STEPS)
    inner = _stratified(_INNER_FOLDS, targets, seed)
    # Threads that wait for busy cores make such small products a hundred times slower.
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore", ConvergenceWarning)
        search = GridSearchCV(model, {"C": CS}, cv=inner, scoring="accuracy")
        search.fit((train - mean) / spread, targets)
    found: FloatArray = search.predict((test - mean) / spread)
    return found


def hits(
    texts: Sequence[str],
    targets: FloatArray,
    vectors_without: Callable[[NDArray[np.bool_]], Iterable[tuple[K, FloatArray]]],
    *,
    seed: int,
) -> dict[K, FloatArray]:
    """Return 1 where the label of a held-out text was predicted and 0 elsewhere, shape (N,).

    `vectors_without` takes a mask of texts, (N,), and gives the vectors of all texts by named maps
    that were fitted without the marked ones. A value is NaN without vectors for its fold.
    """
    found, folds = dict[K, FloatArray](), folds_of(texts, targets, seed=seed)
    every = np.unique(folds).tolist()
    for fold in every:
        context.report(fold, len(every), "folds")
        held_out = folds == fold
        for name, z in vectors_without(held_out):
            predicted = predict(z[~held_out], targets[~held_out], z[held_out], seed=seed)
            of_texts = found.setdefault(name, np.full(len(targets), np.nan))
            of_texts[held_out] = predicted == targets[held_out]
    return found


def clusters(vectors: FloatArray, k: int, *, seed: int) -> FloatArray:
    """Return the cluster of each of N texts under each start of k-means, shape (N, `STARTS`)."""
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    found = []
    for start in range(STARTS):
        context.report(start, STARTS, "starts")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct points than k
            of_start = KMeans(k, n_init=1, random_state=(seed + start) % 2**32).fit(vectors)
        found.append(of_start.labels_.astype(np.float64))
    return np.stack(found, axis=1)
