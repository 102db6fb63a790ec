"""Faithfulness of pictures, by brute force and on pictures whose share is known."""

import numpy as np
import pytest

from bertflow_core.analysis.faithfulness import faithfulness, judged_neighbours
from bertflow_core.errors import InputError

RNG = np.random.default_rng(5)


def nearest(x, k):
    """Return each row's k nearest others by a full sort."""
    distances = np.linalg.norm(x[:, None] - x[None], axis=2)
    np.fill_diagonal(distances, np.inf)
    return np.argsort(distances, axis=1, kind="stable")[:, :k]


def test_shares_are_those_of_a_full_sort():
    full = RNG.normal(size=(120, 9))
    picture = full[:, :2]
    result = faithfulness(picture, nearest(full, 20), k=10)
    shares = [
        len(set(a) & set(b)) / 10
        for a, b in zip(nearest(full, 10), nearest(picture, 10), strict=True)
    ]
    np.testing.assert_allclose(result.shares, shares)
    assert result.k == 10
    assert result.mean == pytest.approx(np.mean(shares))
    assert 0.1 < result.mean < 0.9


def test_a_picture_that_keeps_everything_has_share_one():
    x = RNG.normal(size=(200, 2))
    assert faithfulness(3 * x - 7, nearest(x, 15)).mean == 1.0


def test_a_shuffled_picture_has_the_share_of_chance():
    x = RNG.normal(size=(600, 2))
    result = faithfulness(RNG.permutation(x), nearest(x, 15))
    assert result.chance == pytest.approx(15 / 599)
    assert result.mean == pytest.approx(result.chance, abs=0.006)


def test_the_shares_tell_torn_points_from_kept_ones():
    x = np.concatenate([RNG.normal(size=(50, 2)), 100 + RNG.normal(size=(50, 2))])
    picture = x.copy()
    picture[50:] = RNG.permutation(picture[50:])
    shares = faithfulness(picture, nearest(x, 10), k=10).shares
    assert (shares[:50] == 1).all()
    assert shares[50:].mean() < 0.5


def test_hand_computed_line():
    """0 1 3 7 on a line, drawn with the last two points exchanged: k is 1 of 3 others."""
    neighbours = np.array([[1], [0], [1], [2]])
    result = faithfulness(np.array([[0.0, 0], [1, 0], [7, 0], [3, 0]]), neighbours)
    # In the picture the nearest are 1, 0, 3 (at 3, from 7) and 1 (at 1, from 3).
    assert result.k == 1
    assert result.shares.tolist() == [1, 1, 0, 0]
    assert result.mean == 0.5


def test_points_that_coincide_count_each_point_out_of_its_own_neighbours():
    picture = np.repeat([[0.0, 0], [9, 9]], 6, axis=0)
    neighbours = nearest(picture + 1e-3 * RNG.normal(size=picture.shape), 5)
    assert faithfulness(picture, neighbours, k=5).mean == 1.0


def test_one_point_is_no_picture():
    result = faithfulness(np.ones((40, 2)), nearest(RNG.normal(size=(40, 2)), 15))
    assert result.mean is None
    assert np.isnan(result.shares).all()
    assert result.describe() == "The picture is one point: it keeps no neighbours."


@pytest.mark.parametrize(("n", "k"), [(100, 15), (31, 15), (30, 14), (4, 1), (2, 1)])
def test_of_few_points_at_most_half_of_the_others_are_compared(n, k):
    assert judged_neighbours(n) == k


def test_the_sentence_names_k_mean_and_chance():
    x = RNG.normal(size=(201, 2))
    assert faithfulness(x, nearest(x, 15)).describe() == (
        "Of each point's 15 nearest in the full space, 100% are among its 15 nearest in the "
        "picture (chance: 7.5%)."
    )


@pytest.mark.parametrize(
    ("shape", "neighbours", "words"),
    [
        ((40, 2), (40, 14), "expected 15 neighbours"),
        ((40, 2), (39, 15), "of each of 40"),
        ((1, 2), (1, 15), "two points"),
        ((40,), (40, 15), "coordinates"),
    ],
)
def test_what_does_not_fit_is_refused(shape, neighbours, words):
    with pytest.raises(InputError, match=words):
        faithfulness(np.zeros(shape), np.zeros(neighbours, int))


def test_coordinates_must_be_finite():
    with pytest.raises(InputError, match="finite"):
        faithfulness(np.full((40, 2), np.inf), np.zeros((40, 15), int))


def test_more_points_in_one_place_than_are_asked_for():
    # Thirty points lie on each other, ten lie apart: a tree gives any 16 of the thirty.
    coordinates = np.concatenate([np.zeros((30, 2)), np.arange(20.0).reshape(10, 2) + 100])
    others = np.array([[j for j in range(40) if j != i][:15] for i in range(40)])
    result = faithfulness(coordinates, others, k=15)
    assert result.k == 15
    assert ((result.shares >= 0) & (result.shares <= 1)).all()
    near = np.array([[j for j in range(30, 40) if j != i] + list(range(6)) for i in range(30, 40)])
    lone = faithfulness(coordinates, np.concatenate([others[:30], near[:, :15]]), k=9)
    np.testing.assert_allclose(lone.shares[30:], 1.0)
