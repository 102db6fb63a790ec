import dataclasses
import json
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import rankdata, spearmanr
from tiny_pairs import tiny_recipe, write_pairs

from bertflow_core.analysis.edit_distance import edit_distances
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.evaluation.rank_matrix import rank_matrix
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.studies.lexical.bias import LENGTH, NORMALISED, Distance, Fooled
from bertflow_core.studies.lexical.length import length_conclusions, length_table
from bertflow_core.studies.lexical.measure import compare_with_edits, lexical_bias
from bertflow_core.studies.lexical.report import (
    conclusions,
    lexical_report,
    matrix_records,
    pair_records,
    pairs_report,
)

SPECS = ("identity", "null-top-k:k=2")
DISTANCES = ("edit_distance", "normalised_edit_distance", "length")


@pytest.fixture(scope="module")
def recipe(tiny_bert, tmp_path_factory):
    return tiny_recipe(tiny_bert, write_pairs(tmp_path_factory.mktemp("pairs") / "pairs.csv"))


@pytest.fixture(scope="module")
def results(recipe):
    return Lab().evaluate(recipe, SPECS)


@pytest.fixture(scope="module")
def found(recipe):
    return compare_with_edits(recipe, Lab(), SPECS, unit="whitespace", n_draws=200)


def document(bias):
    return json.loads(lexical_report(bias).write("json"))


def without_gold(results):
    prepared = results[0].prepared
    blind = dataclasses.replace(prepared, pairs=dataclasses.replace(prepared.pairs, gold=None))
    return [dataclasses.replace(result, prepared=blind) for result in results]


def test_the_matrix_is_of_gold_every_similarity_and_edit_distance(results, found):
    pairs, prepared = found.pairs, results[0].prepared
    columns = [
        pairs.gold,
        pairwise_cosine(prepared.x_first, prepared.x_second),
        results[1].similarity,
        edit_distances(pairs.first, pairs.second, unit="whitespace"),
    ]
    longer = [
        max(len(a.split()), len(b.split())) for a, b in zip(pairs.first, pairs.second, strict=True)
    ]
    columns += [columns[3] / longer, np.array(longer)]
    assert found.every.names == ("gold", "identity", "null-top-k:k=2", *DISTANCES)
    expected = spearmanr(np.column_stack(columns)).statistic
    np.testing.assert_allclose(found.every.rhos, expected, atol=1e-12)
    near = columns[3] <= 4
    assert 1 < near.sum() < len(pairs)
    close = spearmanr(np.column_stack([column[near] for column in columns[:4]])).statistic
    np.testing.assert_allclose(found.close.rhos, close, atol=1e-12)
    printed = document(found)
    assert printed["close"]["n"] == near.sum()
    assert printed["spearman"]["identity"]["edit_distance"] == found.every.rhos[1, 3]
    assert printed["close"]["spearman"]["gold"]["identity"] == found.close.rhos[0, 1]
    assert set(printed["intervals"]) == set(found.every.names)


def test_which_pairs_fool_cosine_and_how_much_a_calibrator_corrects(results, found):
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
        found.improvement("null-top-k:k=2"), (np.abs(before) - np.abs(after)) / n, atol=1e-12
    )


def test_word_pieces_are_those_of_the_model(results):
    pieces = lexical_bias(results, unit="wordpiece", n_draws=100)
    words = edit_distances(pieces.pairs.first, pieces.pairs.second, unit="whitespace")
    assert (pieces.distances == words).all()  # every word of the tiny vocabulary is one piece
    assert (pieces.distances < lexical_bias(results, unit="character", n_draws=100).distances).all()


def test_pairs_without_gold_have_a_matrix_without_it(results):
    found = lexical_bias(without_gold(results), n_draws=100)
    assert found.every.names == ("identity", "null-top-k:k=2", *DISTANCES)
    assert "given_gold" not in document(found)
    (few,) = conclusions(found)
    assert "24 pairs" in few
    assert pair_records(found, np.array([0]))[0]["gold"] is None
    with pytest.raises(InputError, match="gold"):
        found.fooled(Fooled.NEAR_WORDS)


def test_the_recipe_names_no_choice_that_decides_nothing_here(recipe, found):
    by_subset = recipe.with_(aggregation="wmean", calibrator="whiten")
    again = compare_with_edits(by_subset, Lab(), SPECS, unit="whitespace", n_draws=200)
    assert again.recipe == found.recipe
    shown = document(again)["recipe"]
    assert shown["aggregation"] == "all"  # rho is over all pairs, whatever the recipe says
    assert shown["calibrators"] == ["identity", "null-top-k:k=2"]
    assert "calibrator" not in shown
    report = lexical_report(again)
    header = report.write("csv").partition("\n")[0]
    assert "recipe_calibrator" not in header and "recipe_aggregation" not in header
    assert "wmean" not in report.write("table") + report.command
    assert "whiten" not in report.write("table") + report.command


def test_every_form_has_the_recipe_and_every_two_columns(found):
    records = matrix_records(found)
    assert len(records) == 15 + 6
    assert {record["pairs"] for record in records} == {"all", "close"}
    report = lexical_report(found)
    table = report.write("table")
    assert "24 pairs" in table
    assert "whitespace units" in table and "at most 4 apart" in table
    assert report.write("csv").count("\n") == len(records)
    assert "threshold" in report.write("csv").partition("\n")[0]
    assert r"\toprule" in report.write("latex")
    row = pair_records(found, np.array([3]))[0]
    assert row["pair"] == 4
    assert row["first"] == found.pairs.first[3]
    assert row["rank error identity (%)"] == pytest.approx(
        100 * found.errors("identity")[3], abs=0.05
    )
    listed = json.loads(pairs_report(found, np.array([3])).write("json"))
    assert listed["records"] == [row]
    assert listed["recipe"]["unit"] == "whitespace"
    assert "threshold" in pairs_report(found, np.array([3])).write("csv").partition("\n")[0]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (-1.0, -0.3, "follows the words less"),
        (-0.3, -1.0, "follows the words more"),
        (-1.0, 1.0, "sign changes"),
        (-1.0, 0.01, "follows the words less"),
        (-1.0, -1.0, "not significant"),
    ],
)
def test_a_conclusion_follows_from_the_change_and_its_interval(before, after, words):
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
        shown=Distance.EDITS,
        pairs=type("Pairs", (), {"gold": gold, "__len__": lambda self: 200})(),
        change=lambda spec, to: matrix.change(spec, "identity", to),
    )
    first, last = conclusions(found)
    assert words in first
    for to in ("edit_distance", "gold"):
        start, end = (100 * matrix.rho(spec, to).value for spec in ("identity", "flow"))
        assert f"from {start:.2f} to {end:.2f}" in first
    assert f"{100 * matrix.rho('gold', 'edit_distance').value:.2f}" in last


def made_up(edits, length, **similarities):
    """Return a bias of columns by hand."""
    columns = {**similarities, "edit_distance": edits, NORMALISED: edits / length, LENGTH: length}
    matrix = rank_matrix(columns, n_draws=300)
    gold = similarities["gold"]
    return SimpleNamespace(
        specs=tuple(name for name in similarities if name != "gold"),
        every=matrix,
        pairs=type("Pairs", (), {"gold": gold, "__len__": lambda self: len(gold)})(),
        given_length=lambda name: matrix.partial(name, "edit_distance", LENGTH),
    )


def test_a_partial_correlation_is_that_of_what_length_leaves_of_the_ranks(found):
    ranks = {
        name: rankdata(column)
        for name, column in {
            "identity": found.similarities["identity"],
            "edits": found.distances,
            "length": found.lengths,
        }.items()
    }
    design = np.column_stack([np.ones(24), ranks["length"]])
    left = [
        ranks[name] - design @ np.linalg.lstsq(design, ranks[name], rcond=None)[0]
        for name in ("identity", "edits")
    ]
    expected = np.corrcoef(left)[0, 1]
    assert found.given_length("identity").value == pytest.approx(expected)
    given = document(found)["given_length"]
    assert given["identity"]["rho"] == pytest.approx(expected)
    assert set(given) == {"gold", *SPECS}


def test_who_follows_the_words_is_told_with_and_without_length():
    """People follow the share of edited words; cosine follows the number of edits."""
    rng = np.random.default_rng(0)
    length = rng.integers(4, 40, 300)
    share = rng.uniform(0, 1, 300)
    edits = np.rint(share * length)
    noise = rng.normal(size=300)
    found = made_up(edits, length, gold=-share + 0.1 * noise, identity=-edits + noise)
    grows, hidden, against = length_conclusions(found)
    rho = spearmanr(edits, length).statistic
    assert grows == f"Edit distance grows with length: rho {100 * rho:.2f}."
    raw, _, normalised = against.partition(" with edits, ")
    assert "more closely than people" in raw
    assert "less closely than people" in normalised
    people = spearmanr(found.pairs.gold, edits / length).statistic
    assert f"against {100 * people:.2f}" in normalised
    assert hidden.endswith(f"{100 * people:.2f} with edits / length: length hides a part of it.")
    gold, identity = length_table(found).rows
    assert (gold[0], identity[0]) == ("gold", "identity")
    assert gold[2].startswith(f"{100 * people:.2f} [")


def test_the_normalised_distance_can_lead(results, found):
    shown = lexical_bias(results, unit="whitespace", shown=Distance.NORMALISED, n_draws=200)
    assert shown.every.rhos == pytest.approx(found.every.rhos)
    np.testing.assert_allclose(shown.apart, found.distances / found.lengths)
    table = lexical_report(shown).write("table")
    assert "normalised edit distance" in table.splitlines()[0]
    assert "--distance normalised" in shown.command()
    assert shown.command().replace(" --distance normalised", "") == found.command()
    partial = found.every.partial("identity", NORMALISED, "gold")
    assert shown.given_gold("identity") == partial
    assert document(shown)["recipe"]["distance"] == "normalised"
    with pytest.raises(InputError, match="expected one of 'edits', 'normalised'"):
        compare_with_edits(shown.recipe, Lab(), SPECS, shown="words")


def test_an_unknown_unit_is_refused_before_anything_is_embedded(results, recipe, monkeypatch):
    words = "expected one of treebank, whitespace, character, word"
    with pytest.raises(InputError, match=words):
        lexical_bias(results, unit="letters")
    monkeypatch.setattr(Lab, "evaluate", None)
    with pytest.raises(InputError, match=words):
        compare_with_edits(recipe, Lab(), SPECS, unit="letters")


def test_the_paper_s_table_on_the_development_pairs(real_lab):
    # On SentEval's tokenised text. Calibration loosens the hold of words, as the paper says.
    recipe = Recipe(dataset="stsb", split="dev")
    found = compare_with_edits(recipe, real_lab, ["identity", "whiten"], n_draws=200)
    assert 100 * found.every.rho("gold", "edit_distance").value == pytest.approx(-24.56, abs=0.005)
    assert found.is_close.sum() == 369
    assert 100 * found.every.rho("gold", NORMALISED).value == pytest.approx(-48.57, abs=0.005)
    assert found.change("whiten", "edit_distance").low > 0
    assert found.change("whiten", "gold").low > 0
    assert "Gold similarity, published" in lexical_report(found).write("table")
