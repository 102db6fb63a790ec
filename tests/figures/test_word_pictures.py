import numpy as np

from bertflow_core.figures import (
    coordinate_bars,
    measure_by_bin,
    norm_against_rank,
    similarity_panels,
)

RANKS = np.array([0, 1, 9, 99])
NORMS = np.array([1.0, 1.5, 1.2, 1.4])
WORDS = ["the", "of", "cat", "zebra"]


def test_a_mark_a_word_at_its_rank_from_one():
    figure = norm_against_rank(RANKS, NORMS, WORDS)
    (marks,) = figure.data
    assert list(marks.x) == [1, 2, 10, 100]
    assert list(marks.y) == NORMS.tolist()
    assert list(marks.customdata) == WORDS


def test_the_trend_lies_in_its_interval_in_the_order_of_ranks():
    at = np.array([99, 0, 9])
    middle = np.array([3.0, 1.0, 2.0])
    figure = norm_against_rank(RANKS, NORMS, WORDS, trend=(at, middle, middle - 0.5, middle + 0.25))
    _, band, line = figure.data
    assert list(line.x) == [1, 10, 100]
    assert list(line.y) == [1, 2, 3]
    assert list(band.x) == [1, 10, 100, 100, 10, 1]
    assert list(band.y) == [0.5, 1.5, 2.5, 3.25, 2.25, 1.25]


def test_bins_stand_beside_the_published_row():
    figure = measure_by_bin(
        [(0, 100), (100, 5000)],
        {"identity": [1.0, None], "whiten": [2.0, 3.0]},
        label="mean norm",
        published=[0.95, None],
    )
    printed, raw, whitened = figure.data
    assert list(printed.y) == [0.95, None]
    assert list(raw.x) == ["1 to 100", "101 to 5,000"]
    assert list(raw.y) == [1.0, None]
    assert len({each.marker.symbol for each in (printed, raw, whitened)}) == 3


def test_without_a_published_number_there_is_no_such_line():
    figure = measure_by_bin([(0, 9)], {"flow": [1.0]}, label="norm", published=[None])
    assert [trace.name for trace in figure.data] == ["flow"]


def test_coordinates_are_bars_from_one_before_and_after():
    figure = coordinate_bars({"identity": [0.4, None], "flow": [0.1, 0.2]})
    before, after = figure.data
    assert list(before.x) == [1, 2]
    assert list(before.y) == [0.4, None]
    assert list(after.y) == [0.1, 0.2]


GOLD, COSINE = np.array([0.0, 2, 5, 4]), np.array([0.9, 0.8, 0.7, 0.95])
EDITS = np.array([1, 9, 4, 5])


def test_a_panel_each_with_close_pairs_apart():
    figure = similarity_panels(
        {"gold": GOLD, "flow": COSINE},
        EDITS,
        near=EDITS <= 4,
        threshold=4,
        texts=["<b>a</b> | b", "c", "d", "e"],
    )
    far, near, far_again, near_again = figure.data
    assert list(near.x) == [0.0, 5.0]
    assert list(near.y) == [1, 4]
    assert list(far.y) == list(far_again.y) == [9, 5]
    np.testing.assert_allclose(near_again.x, [0.9, 0.7], rtol=1e-6)
    assert near.marker.symbol != far.marker.symbol  # not told apart by colour alone
    assert near.text[0].startswith("&lt;b>")
    assert [each.text for each in figure.layout.annotations] == ["gold", "flow"]
    assert figure.layout.xaxis.title.text == "gold score"
    assert figure.layout.xaxis2.title.text == "cosine"


def test_another_distance_is_drawn_with_the_same_close_pairs():
    share = EDITS / np.array([4, 9, 16, 10])
    figure = similarity_panels(
        {"flow": COSINE}, share, near=EDITS <= 4, threshold=4, distance="normalised edit distance"
    )
    far, near = figure.data
    assert list(near.y) == [0.25, 0.25]
    assert list(far.y) == [1, 0.5]
    assert figure.layout.yaxis.title.text == "normalised edit distance"
