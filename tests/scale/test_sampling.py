"""A sample follows from ids and seed alone: not from shards, their order, or the bound."""

from hashlib import blake2b

import numpy as np
import pytest

from bertflow_core.errors import InputError
from bertflow_core.scale.sampling import sampled

N = 400
X = np.random.default_rng(0).normal(size=(N, 4)).astype(np.float32)
IDS = np.array([f"row {i}" for i in range(N)], object)


def over(cuts, ids=IDS, x=X):
    """Return what draws from a corpus that is cut into batches."""
    parts = np.split(np.arange(len(x)), cuts)
    return lambda draw: [draw({"id": ids[p], "vector": x[p]}) for p in parts if len(p)]


def take(parts, n, *, seed=0, total=N):
    return sampled(parts, n, total, seed=seed, column="vector", key="id").x


def by_hand(n, seed):
    def number(name):
        digest = blake2b(name.encode(), digest_size=8, key=seed.to_bytes(8, "little")).digest()
        return int.from_bytes(digest, "little")

    return X[sorted(range(N), key=lambda i: number(IDS[i]))[:n]]


@pytest.mark.parametrize("n", [1, 50, N, 10 * N])
@pytest.mark.parametrize("seed", [0, 7])
def test_it_is_the_rows_with_the_smallest_numbers(n, seed):
    np.testing.assert_array_equal(take(over([100, 101, 300]), n, seed=seed), by_hand(n, seed))


@pytest.mark.parametrize("total", [1, N, 10**9])
def test_what_is_taken_for_the_whole_decides_nothing(total):
    np.testing.assert_array_equal(take(over([]), 50, total=total), by_hand(50, 0))


def test_the_order_of_rows_decides_nothing_even_where_ids_are_not_unique():
    ids = np.array([f"row {i // 2}" for i in range(N)], object)
    mixed = np.random.default_rng(1).permutation(N)
    one = take(over([200], ids), 51)
    np.testing.assert_array_equal(one, take(over([7, 90], ids[mixed], X[mixed]), 51))


def test_every_row_is_as_likely_as_any_other():
    drawn = np.concatenate([take(over([]), 40, seed=seed)[:, 0] for seed in range(50)])
    times = np.array([(drawn == value).sum() for value in X[:, 0]])
    chi_squared = np.square(times - 5).sum() / 5 / 0.9  # each is binomial, 50 draws of 0.1
    assert 300 < chi_squared < 510  # mean N - 1 = 399, standard deviation 28


def test_rows_that_cannot_be_used_are_counted_and_passed_over():
    x = X.copy()
    x[3] = np.nan
    drawn = sampled(over([10], x=x), N, N, seed=0, column="vector", key="id")
    assert (len(drawn.x), drawn.n_usable, drawn.refused) == (N - 1, N - 1, 1)
    assert "finite" in drawn.reason


@pytest.mark.parametrize(
    ("parts", "n", "word"),
    [
        (over([]), 0, "at least 1"),
        (over([], x=X * np.nan), 5, "no row"),
        (lambda draw: [draw({"id": IDS[:2], "vector": X[:2, :k]}) for k in (2, 3)], 5, "widths"),
        (lambda draw: [draw({"vector": X})], 5, "no column 'id'"),
    ],
)
def test_what_cannot_be_sampled_is_refused(parts, n, word):
    with pytest.raises(InputError, match=word):
        take(parts, n)
