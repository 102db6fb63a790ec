"""Words from model and list to bins: against numpy, and the embedded model against its numbers."""

import json
from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file

from bertflow_core import context
from bertflow_core.analysis.courses import runs_text
from bertflow_core.errors import Cancelled, InputError
from bertflow_core.lab import Lab
from bertflow_core.studies.words.measure import analyse_words, compare_words, prepare_words
from bertflow_core.studies.words.norms import norm_finding
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.studies.words.report import words_report

LISTED = "the 90\none 80\ncat 70\nzebra 60\na 50\ndog 40\nmat 30\nred 20\nblue 10\n"
COVERED = ["the", "cat", "a", "dog", "mat", "red", "blue"]


@pytest.fixture
def recipe(tiny_bert, tmp_path):
    path = tmp_path / "counts.txt"
    path.write_text(LISTED, encoding="utf-8")
    return WordRecipe(model=str(tiny_bert), counts=str(path), bins=(0, 2, 7), k=(1, 3))


@pytest.fixture
def rows(tiny_bert):
    """The table as it lies in the file, and its tokens."""
    x = load_file(tiny_bert / "model.safetensors")["embeddings.word_embeddings.weight"]
    found = json.loads((tiny_bert / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = found["model"]["vocab"]
    return x.astype(np.float64), sorted(vocabulary, key=vocabulary.get)


def means(x, at, candidates, k, metric):
    """Return the mean over the k nearest candidates, itself excluded, by a full sort."""
    found = []
    for row in at:
        others = [i for i in candidates if i != row]
        values = x[others] @ x[row]
        if metric == "l2":
            values = -np.linalg.norm(x[others] - x[row], axis=1)
        found.append(abs(np.sort(values)[::-1][:k].mean()) if metric == "l2" else np.nan)
        if metric == "dot":
            found[-1] = np.sort(values)[::-1][:k].mean()
    return np.array(found)


def test_measures_are_those_of_the_table_by_hand(recipe, rows):
    (result,) = compare_words(recipe, Lab())
    x, tokens = rows
    at = [tokens.index(word) for word in COVERED]
    assert result.prepared.words == tuple(COVERED)
    assert result.prepared.rows.tolist() == at
    np.testing.assert_allclose(result.norms, np.linalg.norm(x[at], axis=1), rtol=1e-6)
    everyone = range(len(x))
    for k in (1, 3):
        np.testing.assert_allclose(result.knn_l2[k], means(x, at, everyone, k, "l2"), rtol=1e-6)
        np.testing.assert_allclose(result.knn_dot[k], means(x, at, everyone, k, "dot"), rtol=1e-6)
    first, second = result.bins
    assert (first.n, second.n) == (2, 5)
    assert first.mean_norm == pytest.approx(result.norms[:2].mean())
    assert second.knn_dot[3] == pytest.approx(result.knn_dot[3][2:].mean())
    np.testing.assert_allclose(result.prepared.log_frequency[0], np.log10(90))
    assert result.norm_slope.slope == pytest.approx(
        np.polyfit(np.log10([90, 70, 50, 40, 30, 20, 10]), result.norms, 1)[0]
    )


def test_each_switch_does_what_it_says(recipe, rows):
    x, tokens = rows
    whole = [i for i, t in enumerate(tokens) if i >= 5 and not t.startswith("##")]

    def measured(**changes):
        return analyse_words(prepare_words(recipe.with_(**changes)))

    among_whole = measured(neighbours="whole")
    at = among_whole.prepared.rows
    assert sorted(whole) == among_whole.prepared.candidates.tolist()
    np.testing.assert_allclose(among_whole.knn_l2[3], means(x, at, whole, 3, "l2"), rtol=1e-6)
    assert len(measured(neighbours="no-special").prepared.candidates) == len(x) - 5
    assert (measured(itself="include").knn_l2[1] == 0).all()
    assert measured(ranks="list").prepared.ranks.tolist() == [0, 2, 4, 5, 6]
    assert measured(ranks="list", digits="drop").prepared.ranks.tolist() == [0, 1, 3, 4, 5, 6]
    normed = measured(table="layer-norm").norms
    np.testing.assert_allclose(normed, 3 * np.sqrt(16), rtol=1e-4)  # tiny models have weights of 3


def test_a_piece_stands_for_a_word_only_where_that_is_asked(tiny_bert, tmp_path):
    path = tmp_path / "counts.txt"
    path.write_text("the 9\ncat 8\na 7\ns 6\ndog 5\n", encoding="utf-8")
    recipe = WordRecipe(model=str(tiny_bert), counts=str(path), bins=(0, 9), k=(1,))
    table = prepare_words(recipe).table
    any_word = prepare_words(recipe.with_(words="any"))
    assert any_word.words == ("the", "cat", "a", "s", "dog")
    assert table.tokens[any_word.rows[2]] == "a"  # a whole token before a piece
    assert not table.piece[any_word.rows[3]]
    assert table.tokens[any_word.rows[3]] == "s"


def test_a_calibrator_is_fitted_on_every_row(recipe, rows):
    identity, whitened = compare_words(recipe, Lab(), ["whiten", "identity"])
    assert [r.recipe.calibrator for r in (identity, whitened)] == ["identity", "whiten"]
    np.testing.assert_allclose(np.cov(whitened.z.T, bias=True), np.eye(16), atol=0.05)
    np.testing.assert_array_equal(identity.z, identity.prepared.x)
    assert whitened.recipe.with_(calibrator="identity") == identity.recipe
    assert whitened.departures() == ()
    assert set(whitened.seconds) == {"fit", "map", "neighbours"}


def test_the_trend_is_the_mean_norm_of_words_of_like_rank(tiny_bert):
    (result,) = compare_words(WordRecipe(model=str(tiny_bert), bins=(0, 14), k=(1,)), Lab())
    ranks, middle, low, high = result.norm_trend()
    assert middle == pytest.approx([result.norms.mean()])
    assert ranks == pytest.approx([np.exp(np.log(np.arange(1, len(result.norms) + 1)).mean()) - 1])
    assert low[0] < middle[0] < high[0]


def test_a_norm_that_rises_and_falls_is_remarked(recipe):
    (result,) = compare_words(recipe, Lab())

    def with_norms(*norms):
        bins = [replace(result.bins[0], mean_norm=norm) for norm in norms]
        return replace(result, bins=tuple(bins))

    assert with_norms(1.0, 1.2, 1.1).turns()
    assert not with_norms(1.0, 1.2, 1.199, None, 1.3).turns()
    assert not with_norms(1.3, 1.2, 1.1).turns()
    assert any(
        "rises and falls" in text for text in words_report([with_norms(1.0, 1.2, 1.1)]).remarks
    )


def test_the_finding_tells_the_turn_and_what_decides_the_correlation_over_all_words(recipe):
    (result,) = compare_words(recipe, Lab())
    first, *_ = result.bins
    bins = [
        replace(first, low=low, high=high, mean_norm=norm)
        for low, high, norm in (
            (0, 100, 1.05),
            (100, 500, 1.2),
            (500, 5_000, 1.27),
            (5_000, 9_000, 1.19),
        )
    ]
    frequency = result.prepared.log_frequency
    turned = replace(result, bins=tuple(bins), norms=frequency)
    assert norm_finding(turned) == (
        f"From frequent to rare words, the mean norm in {recipe.model}'s word table (raw) rises "
        "from 1.05 (ranks 1 to 100) to 1.27 (501 to 5,000), then falls to 1.19 (5,001 to 9,000). "
        f"Over all {len(frequency)} words, frequent ones have the larger norms as a rule: the "
        "rank correlation of norm and frequency is +1.00."
    )
    assert "the smaller norms" in norm_finding(replace(turned, norms=-frequency))
    alone = replace(turned, bins=bins[:1], norms=0 * frequency)
    assert norm_finding(alone).endswith("is 1.05 (ranks 1 to 100).")


@pytest.mark.parametrize(
    ("values", "course"),
    [
        ((1.0, 1.2, 1.1, 1.3), "rises, then falls, then rises"),
        ((1.0, 1.004, 1.0), "hardly changes"),
        ((2.0, 1.0, 1.001, 0.5), "falls"),
    ],
)
def test_a_course_is_told_by_its_turns(values, course):
    assert runs_text(values) == course


def test_neighbours_of_a_word_are_named(recipe, rows):
    (result,) = compare_words(recipe, Lab())
    x, tokens = rows
    row = tokens.index("cat")
    found = result.neighbours_of(row, 2)
    distances = np.linalg.norm(x - x[row], axis=1)
    order = np.argsort(distances)[1:3]
    assert [(i, t) for i, t, _ in found] == [(i, tokens[i]) for i in order]
    assert [d for *_, d in found] == pytest.approx(distances[order])
    products = x @ x[row]
    products[row] = -np.inf
    assert result.neighbours_of(row, 1, metric="dot")[0][0] == np.argmax(products)


def test_the_vocabulary_needs_no_list(tiny_bert):
    recipe = WordRecipe(model=str(tiny_bert), bins=(0, 5), k=(1,))
    assert prepare_words(recipe).words == ("the", "cat", "dog", "sat", "on")


def test_the_writers_say_what_the_numbers_depend_on(recipe):
    results = compare_words(recipe, Lab(), ["null-top-k:k=2"])
    found = json.loads(words_report(results).write("json"))
    assert found["recipe"]["bins"] == [0, 2, 7]
    assert found["bins"][0]["range"] == [0, 2]
    assert list(found["bins"][0]) == ["range", "n", "mean_norm", "knn_l2", "knn_dot"]
    assert list(found["bins"][0]["knn_l2"]) == ["1", "3"]
    assert found["calibrated"][0]["recipe"]["calibrator"] == "null-top-k:k=2"
    assert found["provenance"]["counts"]["n_covered"] == 7
    assert found["provenance"]["counts"]["file"]["name"] == "counts.txt"
    assert "--calibrator null-top-k:k=2" in found["command"]
    assert len(words_report(results).records()) == 4
    assert words_report(results).write("csv").count("\n") == 4
    assert any("fitted on every row" in text for text in words_report(results).remarks)
    for form in ("table", "markdown", "latex"):
        text = words_report(results).write(form)
        assert "slope of norm" in text
        assert "3-NN L2 distance" in text


def test_the_command_of_a_recipe_names_what_is_not_default(recipe):
    command = recipe.with_(digits="drop", calibrator="whiten").to_command()
    assert command.startswith("bertflow-lab analyse words --model ")
    for part in ("--bins 0,2,7", "--k 1,3", "--digits drop", "--calibrator whiten"):
        assert part in command
    assert "--neighbours" not in command
    assert WordRecipe().to_command() == "bertflow-lab analyse words"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bins": (0,)}, "bins must be"),
        ({"bins": (0, 5, 5)}, "bins must be rising"),
        ({"k": (3, 2)}, "k must be rising"),
        ({"k": (0,)}, "k must be rising"),
        ({"k": (101,)}, "from 1 to 100"),
        ({"digits": "dropp"}, "one of keep, drop"),
        ({"neighbours": "some"}, "neighbours must be one of"),
        ({"calibrator": "whitten"}, "whiten"),
        ({"counts": ""}, "counts must be"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_recipe_refuses_what_it_cannot_mean(change, words):
    with pytest.raises(InputError, match=words):
        WordRecipe(**change)


def test_bins_beyond_the_words_and_k_beyond_the_rows_are_refused(recipe):
    with pytest.raises(InputError, match="no word lies in the bins"):
        prepare_words(recipe.with_(bins=(10, 20)))
    with pytest.raises(InputError, match="k must be from 1 to"):
        compare_words(recipe.with_(k=(100,), neighbours="whole"), Lab())


def test_work_can_be_stopped(recipe):
    def stop(*_):
        raise Cancelled("stopped")

    with pytest.raises(Cancelled), context.reporting(stop):
        compare_words(recipe, Lab())


def test_table_1_of_the_embedded_model(minilm, data_dir):
    counts = data_dir / "word_counts" / "enwiki_vocab_min200.txt"
    if not counts.is_file():
        pytest.skip("the word counts are not among the data")
    (result,) = compare_words(WordRecipe(counts=str(counts)), Lab())
    bins = result.bins
    assert [each.n for each in bins] == [100, 400, 4500, 5000]
    norms = [each.mean_norm for each in bins]
    assert norms == pytest.approx([1.075, 1.261, 1.280, 1.183], abs=0.005)
    l2 = [each.knn_l2[3] for each in bins]
    assert l2 == pytest.approx([1.007, 1.150, 1.147, 1.110], abs=0.005)
    dot = [each.knn_dot[3] for each in bins]
    assert dot == pytest.approx([0.651, 0.848, 0.863, 0.705], abs=0.005)
    (remark,) = result.departures()
    assert remark.startswith("Bin 5,001 to 10,000 departs from the published row of BERT: mean")
    assert f"{norms[-1]:.3f}" in remark
    assert remark in words_report([result]).remarks
    assert result.turns()
    assert result.norm_slope.low > 0  # frequent words are long on the whole, unlike BERT's
