"""The printed Table 1, and sentences on where bins go another way."""

from bertflow_core.studies.words.published import departures, published_table1

EDGES = ((0, 100), (100, 500), (500, 5000), (5000, 10_000))


def rows(norms, l2=None, dot=None, edges=EDGES):
    none = [None] * len(edges)
    return [
        {"low": low, "high": high, "mean_norm": norm, "knn_l2_3": a, "knn_dot_3": b}
        for (low, high), norm, a, b in zip(edges, norms, l2 or none, dot or none, strict=True)
    ]


def test_the_printed_numbers_are_these():
    table = published_table1()
    assert table.bins == EDGES
    assert [table.value("mean_norm", each) for each in EDGES] == [0.95, 1.04, 1.22, 1.45]
    assert table.value("knn_l2_7", (0, 100)) == 0.87
    assert table.value("knn_dot_3", (5000, 10_000)) == 1.63
    assert table.value("knn_dot_4", (0, 100)) is None
    assert table.value("mean_norm", (0, 101)) is None
    assert "Li et al. (2020)" in table.citation
    assert all(len(values) == 4 for values in table.values.values())


def test_bins_that_go_as_printed_and_other_bins_are_not_named():
    assert [*departures(rows([0.9, 1.0, 1.1, 1.2]))] == []
    assert [*departures(rows([1.0, 1.2, 1.197, 1.3]))] == []  # less than the print can show
    assert len([*departures(rows([1.0, 1.2, 1.19, 1.3]))]) == 1
    edges = ((0, 100), (100, 600), (600, 5000), (5000, 10_000))
    assert [*departures(rows([4.0, 3.0, 2.0, 1.0], edges=edges))] == []
    assert [*departures([])] == []
