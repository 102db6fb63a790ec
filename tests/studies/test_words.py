"""Measures of words by bin against numpy, and Table 1 of the embedded model."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from bertflow_core.analysis.frequency import runs
from bertflow_core.lab.lab import Lab
from bertflow_core.studies.words.prepared import prepare_words
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.studies.words.study import bins_figure, printed_measures, words

COVERED = ["the", "cat", "a", "dog", "mat", "red", "blue"]


@pytest.fixture
def recipe(tiny_bert, counts):
    return WordRecipe(model=str(tiny_bert), counts=counts, bins=(0, 2, 7), k=(1, 3))


@pytest.fixture
def rows(tiny_bert):
    """The word table in the file of the model, and its tokens."""
    x = load_file(tiny_bert / "model.safetensors")["embeddings.word_embeddings.weight"]
    found = json.loads((tiny_bert / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = found["model"]["vocab"]
    return x.astype(np.float64), sorted(vocabulary, key=vocabulary.get)


def means(x, at, candidates, k, metric):
    """Return the mean over the k nearest candidates, itself excluded, by a full sort."""
    found = []
    for row in at:
        others = [i for i in candidates if i != row]
        distances = np.sort(np.linalg.norm(x[others] - x[row], axis=1))
        products = np.sort(x[others] @ x[row])[::-1]
        found.append((distances if metric == "l2" else products)[:k].mean())
    return np.array(found)


def space_of(report):
    return report.objects["spaces"][0]


def test_measures_are_those_of_the_table_by_hand(recipe, rows):
    report = words(recipe.with_(bins=tuple(range(8))), Lab())  # one bin for each word
    space = space_of(report)
    x, tokens = rows
    at = [tokens.index(word) for word in COVERED]
    assert space.prepared.words == tuple(COVERED)
    assert space.prepared.rows.tolist() == at
    norms = np.linalg.norm(x[at], axis=1)
    np.testing.assert_allclose(space.norms, norms, rtol=1e-6)
    np.testing.assert_allclose([row["mean_norm"] for row in report.rows], norms, rtol=1e-6)
    for metric, k in product(("l2", "dot"), (1, 3)):
        found = [row[f"knn_{metric}_{k}"] for row in report.rows]
        np.testing.assert_allclose(found, means(x, at, range(len(x)), k, metric), rtol=1e-6)
    first, second = words(recipe, Lab()).rows
    assert (first["n"], second["n"]) == (2, 5)
    assert first["mean_norm"] == pytest.approx(norms[:2].mean())
    assert second["knn_dot_3"] == pytest.approx(np.mean(found[2:]))
    np.testing.assert_allclose(space.prepared.log_frequency[0], np.log10(90))
    assert report.facts["provenance"]["counts"]["n_covered"] == 7
    *_, slopes = report.tables
    assert slopes.rows[0]["norm_slope"] == pytest.approx(
        np.polyfit(np.log10([90, 70, 50, 40, 30, 20, 10]), norms, 1)[0]
    )


def test_each_switch_does_what_it_says(recipe, rows):
    x, tokens = rows
    whole = [i for i, t in enumerate(tokens) if i >= 5 and not t.startswith("##")]
    every = recipe.with_(bins=tuple(range(8)))

    def measured(**changes):
        return words(every.with_(**changes), Lab())

    among_whole = measured(neighbours="whole")
    prepared = space_of(among_whole).prepared
    assert sorted(whole) == prepared.candidates.tolist()
    found = [row["knn_l2_3"] for row in among_whole.rows]
    np.testing.assert_allclose(found, means(x, prepared.rows, whole, 3, "l2"), rtol=1e-6)
    assert len(prepare_words(every.with_(neighbours="no-special")).candidates) == len(x) - 5
    assert all(row["knn_l2_1"] == 0 for row in measured(itself="include").rows)
    assert prepare_words(every.with_(ranks="list")).ranks.tolist() == [0, 2, 4, 5, 6]
    dropped = prepare_words(every.with_(ranks="list", digits="drop"))
    assert dropped.ranks.tolist() == [0, 1, 3, 4, 5, 6]
    normed = space_of(measured(table="layer-norm")).norms
    np.testing.assert_allclose(normed, 3 * np.sqrt(16), rtol=1e-4)  # tiny models have weights of 3


def test_a_piece_stands_for_a_word_only_where_that_is_asked(recipe):
    Path(recipe.counts).write_text("the 9\ncat 8\na 7\ns 6\ndog 5\n", encoding="utf-8")
    any_word = prepare_words(recipe.with_(words="any"))
    assert any_word.words == ("the", "cat", "a", "s", "dog")
    assert any_word.table.tokens[any_word.rows[2]] == "a"  # the whole token, not the piece
    of_vocabulary = prepare_words(recipe.with_(counts="vocabulary", bins=(0, 5)))
    assert of_vocabulary.words == ("the", "cat", "dog", "sat", "on")


def test_a_calibrator_is_fitted_on_every_row_and_norms_have_a_trend(recipe):
    identity, whitened = words(recipe, Lab(), ["whiten", "identity"]).objects["spaces"]
    assert [each.calibrator for each in (identity, whitened)] == ["identity", "whiten"]
    np.testing.assert_allclose(np.cov(whitened.z.T, bias=True), np.eye(16), atol=0.05)
    np.testing.assert_array_equal(identity.z, identity.prepared.x)
    space = space_of(words(recipe.with_(counts="vocabulary", bins=(0, 14)), Lab()))
    ranks, middle, low, high = space.norm_trend()  # all words fall in one window
    assert middle == pytest.approx([space.norms.mean()])
    assert ranks == pytest.approx([np.exp(np.log(np.arange(1, len(space.norms) + 1)).mean()) - 1])
    assert low[0] < middle[0] < high[0]


def test_a_course_is_told_by_its_turns():
    assert runs((1.0, 1.2, 1.1, 1.3)) == [("rises", 1), ("falls", 2), ("rises", 3)]
    assert runs((1.0, 1.004, 1.0)) == [("hardly changes", 2)]
    assert runs((2.0, 1.0, 1.001, 0.5)) == [("falls", 3)]
    assert runs((1.0, 1.2, 1.199, 1.3)) == [("rises", 3)]


def test_neighbours_of_a_word_are_named(recipe, rows):
    space = space_of(words(recipe, Lab()))
    x, tokens = rows
    row = tokens.index("cat")
    distances = np.linalg.norm(x - x[row], axis=1)
    order = np.argsort(distances)[1:3]
    found = space.neighbours_of(row, 2)
    assert [(i, t) for i, t, _ in found] == [(i, tokens[i]) for i in order]
    assert [d for *_, d in found] == pytest.approx(distances[order])
    order = [i for i in np.argsort(-x @ x[row]) if i != row]
    assert [i for i, *_ in space.neighbours_of(row, 9, metric="dot")] == order[:9]


def test_table_1_of_the_embedded_model(minilm, data_dir):
    counts = data_dir / "word_counts" / "enwiki_vocab_min200.txt"
    if not counts.is_file():
        pytest.skip("the word counts are not among the data")
    report = words(WordRecipe(counts=str(counts)), Lab())
    assert [row["n"] for row in report.rows] == [100, 400, 4500, 5000]
    found = {name: [row[name] for row in report.rows] for name in report.rows[0]}
    assert found["mean_norm"] == pytest.approx([1.075, 1.261, 1.280, 1.183], abs=0.005)
    assert found["knn_l2_3"] == pytest.approx([1.007, 1.150, 1.147, 1.110], abs=0.005)
    assert found["knn_dot_3"] == pytest.approx([0.651, 0.848, 0.863, 0.705], abs=0.005)
    assert "both rises and falls" in report.text()
    *_, slopes = report.tables
    assert slopes.rows[0]["norm_low"] > 0  # frequent words have longer vectors, unlike BERT's


def drawn(bins, measure="mean_norm", **values):
    """Return the figure of a measure with one value for each bin."""
    rows = [
        {"calibrator": spec, "low": low, "high": high, measure: value}
        for spec, found in values.items()
        for (low, high), value in zip(bins, found, strict=True)
    ]
    return bins_figure(rows, measure)


def test_courses_start_at_1_in_the_first_bin_with_words_unless_one_is_not_above_0():
    bins = [(0, 100), (100, 500)]
    printed, raw, flow = drawn(bins, identity=[1.0, 1.25], flow=[20.0, 18.0]).data
    table = printed_measures()
    assert [*table["mean_norm"].values()] == [0.95, 1.04, 1.22, 1.45]
    assert (table["knn_l2_7"][0, 100], table["knn_dot_3"][5000, 10_000]) == (0.87, 1.63)
    absolute = [table["mean_norm"][each] for each in bins]
    assert list(printed.customdata) == absolute
    assert list(printed.y) == pytest.approx([1, absolute[1] / absolute[0]])
    assert (list(raw.y), list(flow.y)) == ([1, 1.25], [1, 0.9])
    assert (raw.name, flow.name) == ("identity (1 = 1)", "flow (1 = 20)")
    assert list(flow.customdata) == [20, 18]
    (raw,) = drawn([(0, 50), (50, 100), (100, 500)], identity=[None, 2.0, 3.0]).data
    assert list(raw.y) == [None, 1, 1.5]  # the published row has no such bin
    _, *lines = drawn(bins, "knn_dot_3", identity=[1.0, 2.0], whiten=[-0.1, 2.0]).data
    assert [list(line.y) for line in lines] == [[1, 2], [-0.1, 2]]
