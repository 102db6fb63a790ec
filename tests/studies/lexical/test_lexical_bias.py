import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr
from tiny_pairs import tiny_recipe, write_pairs

from bertflow_core import experiment
from bertflow_core.analysis.lexical import edit_distances
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.evaluation.rank_matrix import rank_matrix
from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical.measure import Fooled, lexical_bias
from bertflow_core.studies.lexical.report import LEXICAL_WRITERS, matrix_records, pair_records, said


@pytest.fixture(scope="module")
def results(tiny_bert, tmp_path_factory):
    table = write_pairs(tmp_path_factory.mktemp("pairs") / "pairs.csv")
    return experiment.evaluate(tiny_recipe(tiny_bert, table), ["identity", "null-top-k:k=2"])


@pytest.fixture(scope="module")
def found(results):
    return lexical_bias(results, unit="whitespace", threshold=4, n_draws=200)


def test_the_matrix_is_of_gold_every_similarity_and_edit_distance(results, found):
    pairs, prepared = found.pairs, results[0].prepared
    columns = [
        pairs.gold,
        pairwise_cosine(prepared.x_first, prepared.x_second),
        results[1].similarity,
        edit_distances(pairs.first, pairs.second, unit="whitespace"),
    ]
    assert found.every.names == ("gold", "identity", "null-top-k:k=2", "edit_distance")
    expected = spearmanr(np.column_stack(columns)).statistic
    np.testing.assert_allclose(found.every.rhos, expected, atol=1e-12)
    near = columns[3] <= 4
    assert 1 < near.sum() < len(pairs)
    close = spearmanr(np.column_stack([column[near] for column in columns])).statistic
    np.testing.assert_allclose(found.close.rhos, close, atol=1e-12)
    printed = found.to_dict()
    assert printed["close"]["n"] == near.sum()
    assert printed["spearman"]["identity"]["edit_distance"] == found.every.rhos[1, 3]
    assert printed["close"]["spearman"]["gold"]["identity"] == found.close.rhos[0, 1]
    assert set(printed["intervals"]) == set(found.every.names)


def test_who_is_fooled_and_how_much_it_is_mended(results, found):
    gold, n = found.pairs.gold, len(found.pairs)
    near = set(found.fooled(Fooled.NEAR_WORDS))
    far = set(found.fooled(Fooled.FAR_WORDS))
    assert near == {i for i in range(n) if found.distances[i] <= 4 and gold[i] < 2.5}
    middle = np.sort(found.distances)[n // 2 - 1 : n // 2 + 1].mean()
    assert far == {i for i in range(n) if found.distances[i] > middle and gold[i] > 2.5}
    assert near and far
    before, after = (rankdata(result.similarity) - rankdata(gold) for result in results)
    np.testing.assert_allclose(found.errors("identity"), before / n)
    np.testing.assert_allclose(
        found.mended("null-top-k:k=2"), (np.abs(before) - np.abs(after)) / n, atol=1e-12
    )


def test_word_pieces_are_those_of_the_model(results):
    pieces = lexical_bias(results, unit="wordpiece", n_draws=100)
    words = edit_distances(pieces.pairs.first, pieces.pairs.second, unit="whitespace")
    assert (pieces.distances == words).all()  # every word of the tiny vocabulary is one piece
    assert (pieces.distances < lexical_bias(results, unit="character", n_draws=100).distances).all()


def test_pairs_without_gold_have_a_matrix_without_it(results):
    prepared = results[0].prepared
    plain = dataclasses.replace(
        prepared, pairs=dataclasses.replace(prepared.pairs, gold=None), recipe=prepared.recipe
    )
    found = lexical_bias([dataclasses.replace(r, prepared=plain) for r in results], n_draws=100)
    assert found.every.names == ("identity", "null-top-k:k=2", "edit_distance")
    assert "given_gold" not in found.to_dict()
    assert said(found) == ("Only 24 pairs: a rho of so few is mostly chance.",)
    assert pair_records(found, np.array([0]))[0]["gold"] is None
    with pytest.raises(InputError, match="gold"):
        found.fooled(Fooled.NEAR_WORDS)


def test_the_recipe_names_no_choice_that_decides_nothing_here(results):
    by_subset = dataclasses.replace(
        results[0].prepared, recipe=results[0].prepared.recipe.with_(aggregation="wmean")
    )
    found = lexical_bias([dataclasses.replace(r, prepared=by_subset) for r in results], n_draws=100)
    shown = found.to_dict()["recipe"]
    assert shown["aggregation"] == "all"  # rho is over all pairs, whatever the sidebar says
    assert shown["calibrators"] == ["identity", "null-top-k:k=2"]
    assert "calibrator" not in shown
    assert "recipe_calibrator" not in LEXICAL_WRITERS["csv"](found).partition("\n")[0]
    assert "aggregation wmean" not in LEXICAL_WRITERS["table"](found)


def test_every_form_has_the_recipe_and_every_two_columns(found):
    records = matrix_records(found)
    assert len(records) == 2 * 6
    assert {record["pairs"] for record in records} == {"all", "close"}
    table = LEXICAL_WRITERS["table"](found)
    assert "Only 24 pairs" in table
    assert "whitespace units" in table and "at most 4 apart" in table
    assert LEXICAL_WRITERS["csv"](found).count("\n") == len(records)
    assert "threshold" in LEXICAL_WRITERS["csv"](found).partition("\n")[0]
    assert r"\toprule" in LEXICAL_WRITERS["latex"](found)
    row = pair_records(found, np.array([3]))[0]
    assert row["pair"] == 4
    assert row["first"] == found.pairs.first[3]
    assert row["rank error identity (%)"] == pytest.approx(
        100 * found.errors("identity")[3], abs=0.05
    )


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (-1.0, -0.3, "it follows the words less; rho with gold goes from"),
        (-0.3, -1.0, "it follows the words more; rho with gold goes from"),
        (-1.0, 1.0, "it turns round; rho with gold goes from"),
        (-1.0, 0.01, "it follows the words less; rho with gold goes from"),
        (-1.0, -1.0, "no difference in how closely it follows the words can be told; rho with"),
    ],
)
def test_what_is_said_follows_the_change_and_its_interval(before, after, words):
    rng = np.random.default_rng(0)
    edits, noise = rng.normal(size=200), rng.normal(size=200)
    gold = noise + 0.1 * edits
    columns = {
        "gold": gold,
        "identity": before * edits + noise / 2,
        "flow": after * edits + noise / 2,
    }
    matrix = rank_matrix({**columns, "edit_distance": edits}, n_draws=300)
    found = SimpleNamespace(
        specs=("identity", "flow"),
        every=matrix,
        pairs=type("Pairs", (), {"gold": gold, "__len__": lambda self: 200})(),
        change=lambda spec, to: matrix.change(spec, "identity", to),
    )
    assert words in said(found)[0]
    assert said(found)[-1].startswith("People's own scores: rho ")


def test_a_unit_that_does_not_exist_is_refused(results):
    with pytest.raises(InputError, match="expected one of treebank, whitespace, character, word"):
        lexical_bias(results, unit="letters")


def test_the_paper_s_table_on_the_development_pairs(data_dir, real_store):
    # On SentEval's tokenised text. Calibration loosens the hold of words, as the paper says.
    recipe = Recipe(dataset="stsb", layout="senteval", split="dev")
    results = experiment.evaluate(
        recipe, ["identity", "whiten"], data_dir=data_dir, store=real_store
    )
    found = lexical_bias(results, n_draws=200)
    assert 100 * found.every.rho("gold", "edit_distance").value == pytest.approx(-24.56, abs=0.03)
    assert found.change("whiten", "edit_distance").low > 0
    assert found.change("whiten", "gold").low > 0
    assert "Gold similarity, published" in LEXICAL_WRITERS["table"](found)
