import numpy as np

from bertflow_core.figures import similarity_panels

GOLD, COSINE = np.array([0.0, 2, 5, 4]), np.array([0.9, 0.8, 0.7, 0.95])
EDITS = np.array([1, 9, 4, 5])


def test_a_panel_each_with_close_pairs_apart():
    figure = similarity_panels(
        {"gold": GOLD, "flow": COSINE}, EDITS, threshold=4, texts=["<b>a</b> | b", "c", "d", "e"]
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
