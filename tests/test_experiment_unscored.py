"""Single sentences, and pairs without gold scores: what can be measured, and nothing made up."""

import csv
import io
import json

import numpy as np
import pytest
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows, tiny_recipe

from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.lab import Lab
from bertflow_core.studies.scores import scores_report

SENTENCES = tuple(dict.fromkeys(row[0] for row in pair_rows(60)))[:30]
SPECS = ["identity", "standardize", "whiten:n_components=4"]


@pytest.fixture
def table(tmp_path):
    """Return a function that writes columns as a table and gives a recipe for it."""

    def table(model, **columns):
        path = tmp_path / "mine.csv"
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows([columns, *zip(*columns.values(), strict=True)])
        return tiny_recipe(model, path)

    return table


@pytest.fixture
def encode(tiny_bert):
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=MAX_TOKENS, device="cpu")
    return lambda sentences: encoder.encode(list(sentences)).vectors[2, 0]


@pytest.fixture
def singles(tiny_bert, table):
    return Lab().evaluate(table(tiny_bert, id=range(30), sentence=SENTENCES), SPECS)


@pytest.fixture
def pairs(tiny_bert, table):
    columns = {"sentence1": SENTENCES[:15], "sentence2": SENTENCES[15:]}
    return Lab().evaluate(table(tiny_bert, **columns), SPECS)


def test_of_sentences_each_is_embedded_once_and_fitted_on(singles, encode):
    prepared = singles[0].prepared
    assert prepared.pairs.sentences() == prepared.corpus.sentences == SENTENCES
    for x in (prepared.x_first, prepared.x_fit):
        np.testing.assert_allclose(x, encode(SENTENCES), rtol=0, atol=1e-5)
    assert "every sentence" in prepared.corpus.description
    assert prepared.n_sentences == 30


def test_the_partner_of_a_sentence_is_another_one_and_each_is_once(singles):
    prepared = singles[0].prepared
    distances = np.abs(prepared.x_second[:, None] - prepared.x_first[None]).max(axis=2)
    partners = distances.argmin(axis=1)
    assert distances.min(axis=1).max() == 0
    assert sorted(partners) == list(range(30))
    assert (partners != np.arange(30)).all()
    np.testing.assert_allclose(
        singles[0].similarity, pairwise_cosine(prepared.x_first, prepared.x_first[partners])
    )


def test_the_seed_decides_the_partners(singles):
    recipe = singles[0].recipe
    again, other = (Lab().prepare(r).x_second for r in (recipe, recipe.with_(seed=recipe.seed + 1)))
    np.testing.assert_array_equal(again, singles[0].prepared.x_second)
    assert (other != again).any()


@pytest.mark.parametrize("kind", ["singles", "pairs"])
def test_the_random_cosine_is_that_of_distinct_sentences(kind, encode, request):
    result = request.getfixturevalue(kind)[0]
    x = encode(result.prepared.pairs.sentences())
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    mean = ((unit @ unit.T).sum() - len(x)) / (len(x) * (len(x) - 1))
    assert result.random_cosine == pytest.approx(mean, abs=0.01)


def test_the_cosines_of_pairs_need_no_gold(pairs, encode):
    expected = pairwise_cosine(encode(SENTENCES[:15]), encode(SENTENCES[15:]))
    np.testing.assert_allclose(pairs[0].similarity, expected, atol=1e-4)


@pytest.mark.parametrize(("kind", "n_pairs"), [("singles", 0), ("pairs", 15)])
def test_no_number_is_made_up(kind, n_pairs, request):
    for result in request.getfixturevalue(kind):
        assert result.pearson is None
        with pytest.raises(InputError, match="gold scores"):
            _ = result.rho
        found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert found["n_pairs"] == n_pairs
        assert found["spearman"]["all"] is None
        assert found["spearman"]["subsets"] == {}
        assert -1 < found["random_cosine"] < 1


@pytest.mark.parametrize(
    ("kind", "size", "words"),
    [("singles", "30 sentences", "pairs of sentences"), ("pairs", "15 pairs", "no column of them")],
)
def test_every_report_says_that_rho_is_missing_and_why(kind, size, words, request):
    results = request.getfixturevalue(kind)
    table, latex = (scores_report(results).write(form) for form in ("table", "latex"))
    for text in (table, latex):
        assert size in text
        assert words in text
        assert "not available" in text
    assert table.splitlines()[2].split()[:3] == ["identity", "-", "-"]
    row = next(csv.DictReader(io.StringIO(scores_report(results).write("csv"))))
    assert row["spearman_all"] == row["pearson_all"] == ""
    assert row["random_cosine"]


def test_a_recipe_of_one_column_names_and_reads_that_column(tiny_bert, table):
    recipe = table(tiny_bert, left=SENTENCES[:15], right=SENTENCES[15:]).with_(sentence1="right")
    assert recipe.sentence2 is None
    assert "--sentence1 right" in recipe.to_command()
    assert "--sentence2" not in recipe.to_command()
    measured, corpus = Lab().load(recipe)
    assert measured.first == corpus.sentences == SENTENCES[15:]
    assert not measured.is_paired


def test_a_calibrator_is_fitted_on_single_sentences(tiny_bert, table, encode):
    recipe = table(tiny_bert, sentence=SENTENCES).with_(calibrator="standardize")
    z = Lab().fit(recipe).calibrator.transform(encode(SENTENCES))
    np.testing.assert_allclose(z.mean(axis=0), 0, atol=1e-4)
