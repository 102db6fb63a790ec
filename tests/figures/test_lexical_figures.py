import numpy as np

from bertflow_core.figures import similarity_panels

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
