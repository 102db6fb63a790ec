"""The numbers of a lab, recomputed from encodings and formulas; the model's plain output."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr, spearmanr
from tiny_models import MAX_TOKENS, declare
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.calibrators import build_calibrator
from bertflow_core.encoders import TransformerEncoder
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.remarks import preset_note
from bertflow_core.report.remark import Kind
from bertflow_core.store import EmbeddingStore, Unstored
from bertflow_core.studies.evaluate.axes import EvaluateRecipe
from bertflow_core.studies.evaluate.study import evaluate

LONG = "the cat sat on a mat " * 20
ROWS = pair_rows()
# Two sentences occur on both sides; one of them is longer than the model's longest input.
ROWS[5] = (ROWS[3][1], LONG, 3.5, "odd")
ROWS[8] = (LONG, ROWS[3][0], 1.5, "even")
FIRST, SECOND, GOLD, SUBSETS = (np.array(column) for column in zip(*ROWS, strict=True))
SENTENCES = tuple(dict.fromkeys(row[0] for row in pair_rows(60)))[:30]


@pytest.fixture(scope="module")
def recipe(recipe_of):
    return recipe_of(ROWS)


def recipe_for(model, path, **columns):
    """Write columns as a table and return a recipe for it."""
    pd.DataFrame(columns).to_csv(path, index=False)
    return tiny_recipe(model, path)


def cosine(a, b):
    return (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


def mean_cosine(x):
    """Return the mean cosine of all pairs of different rows."""
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    return ((unit @ unit.T).sum() - len(x)) / (len(x) * (len(x) - 1))


FRAME = pd.DataFrame(
    {"sentence1": FIRST, "sentence2": SECOND, "score": GOLD, "subset": SUBSETS},
    index=[7] * len(FIRST),  # as after a selection of rows
)


@pytest.mark.parametrize("name", ["own.parquet", "own"])
def test_a_dataframe_has_the_numbers_of_the_same_table_as_a_file(name, recipe):
    specs = ("identity", "standardize")
    of_file = Lab().evaluate(recipe.each(calibrators=specs))
    of_frame = Lab(files={name: FRAME}).evaluate(recipe.with_(dataset=name).each(calibrators=specs))
    for one, other in zip(of_file, of_frame, strict=True):
        assert one.scores == other.scores
        np.testing.assert_array_equal(one.similarity, other.similarity)


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (FRAME[:0], "'own.parquet' has a header but no rows"),
        (FRAME.drop(columns="score"), "unknown column of 'own.parquet' 'score'"),
        (FRAME.assign(score=None), "24 of 24 rows cannot be used .row 1: score is blank"),
        (FRAME.assign(score="high"), "score is not a number: 'high'"),
        (
            FRAME.assign(sentence1=[1, "a"] * 12),
            "with columns of text, numbers or lists of numbers .*sentence1",
        ),
        (FRAME.set_axis(["a", "a", "b", "c"], axis=1), "'own.parquet': .*Duplicate column names"),
        (FRAME.to_dict(), "'own.parquet' must be a RawFile or a DataFrame, got .*dict"),
    ],
)
def test_a_dataframe_that_cannot_be_read_is_refused_in_a_sentence(recipe, frame, said):
    own = recipe.with_(
        dataset="own.parquet", sentence1="sentence1", sentence2="sentence2", score="score"
    )
    with pytest.raises(InputError, match=said):
        Lab(files={"own.parquet": frame}).evaluate([own])


def test_what_is_prepared_are_the_vectors_of_the_sentences(recipe, encode, tiny_bert):
    embedded = next(Lab().embedded([recipe]))
    corpus = [sentence for pair in zip(FIRST, SECOND, strict=True) for sentence in pair]
    arrays = (embedded.x_fit, embedded.x_first, embedded.x_second)
    for found, sentences in zip(arrays, (corpus, FIRST, SECOND), strict=True):
        np.testing.assert_allclose(found, encode(sentences), rtol=0, atol=1e-5)
    assert (embedded.n_cut, embedded.n_sentences) == (1, len({*FIRST, *SECOND}))
    described = embedded.encoder
    assert described["model"] == str(tiny_bert)
    assert (described["n_layers"], described["dim"], described["max_length"]) == (3, 16, MAX_TOKENS)


def test_the_fit_corpus_may_be_a_file_and_what_it_shares_is_counted(recipe, encode, tmp_path):
    path = tmp_path / "fit.txt"
    path.write_text(f"{FIRST[0]}\na dog\n\n{SECOND[1]}\na dog\n", encoding="utf-8")
    embedded = next(Lab().embedded([recipe.with_(fit_on=str(path))]))
    x = encode([FIRST[0], "a dog", SECOND[1], "a dog"])
    np.testing.assert_allclose(embedded.x_fit, x, rtol=0, atol=1e-5)
    assert embedded.corpus.description == "4 sentences of fit.txt (1 blank lines skipped)."
    expected = sum(s in (FIRST[0], SECOND[1]) for s in (*FIRST, *SECOND))
    assert embedded.n_seen == expected >= 2
    assert embedded.seen_remark.startswith(f"Transductive: {expected} of {2 * len(ROWS)} scored")
    path.write_text("a dog\nthe cat\n", encoding="utf-8")
    assert next(Lab().embedded([recipe.with_(fit_on=str(path))])).n_seen == 0
    assert next(Lab().embedded([recipe])).n_seen == 2 * len(ROWS)


FORMULAS = {
    "identity": lambda x, fit: x,
    "standardize": lambda x, fit: (x - fit.mean(0)) / fit.std(0),
}


@pytest.mark.parametrize("spec", FORMULAS)
def test_scores_are_those_of_the_formulas(recipe, encode, spec):
    """tests/calibrators/test_closed_forms.py tests the other calibrators."""
    (result,) = Lab().evaluate([recipe.with_(calibrator=spec)])
    sides = (np.r_[FIRST, SECOND], FIRST, SECOND)
    fit, first, second = (encode(side).astype(np.float64) for side in sides)
    z_first, z_second = FORMULAS[spec](first, fit), FORMULAS[spec](second, fit)
    expected = cosine(z_first, z_second)
    np.testing.assert_allclose(result.similarity, expected, rtol=0, atol=1e-4)
    scores = result.scores
    for correlation, found in ((spearmanr, scores.spearman), (pearsonr, scores.pearson)):
        assert found.all == pytest.approx(correlation(expected, GOLD).statistic, abs=2e-3)
        each = {
            name: correlation(expected[name == SUBSETS], GOLD[name == SUBSETS]).statistic
            for name in ("even", "odd")
        }
        assert found.subsets == pytest.approx(each, abs=2e-2)
        assert found.mean == pytest.approx(np.mean(list(each.values())), abs=2e-2)
    assert (result.rho, result.measure("pearson")) == (scores.spearman.all, scores.pearson.all)
    every = np.concatenate([z_first, z_second])
    assert result.random_cosine == pytest.approx(mean_cosine(every), abs=0.02)


def test_gold_plays_no_part_in_the_fit(recipe, tmp_path):
    rows = [(*row[:2], 5 - row[2], row[3]) for row in ROWS]
    other = recipe.with_(dataset=str(write_pairs(tmp_path / "other.csv", rows)))
    a, b = (Lab().evaluate([each.with_(calibrator="flow:epochs=2")])[0] for each in (recipe, other))
    np.testing.assert_array_equal(a.similarity, b.similarity)
    assert a.scores.spearman.all == pytest.approx(-b.scores.spearman.all)


def test_each_result_is_json_with_its_recipe_provenance_and_times(recipe):
    specs = ["standardize", "flow", "whiten:n_components=2"]
    results = Lab().evaluate(recipe.each(calibrators=specs))
    assert [each.recipe for each in results] == [recipe.with_(calibrator=spec) for spec in specs]
    assert len({each.recipe.fingerprint() for each in results}) == 3
    for result in results:
        found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert found["recipe"] == result.recipe.to_dict()
        assert found["fingerprint"] == result.recipe.fingerprint()
        (file,) = found["data"]["files"]
        assert (file["name"], len(file["sha256"]), file["lines"]) == ("pairs.csv", 64, 25)
        assert found["data"]["counts"] == {"even": 12, "odd": 12}
        assert found["fit_corpus"]["sources"] == [found["data"]]
        assert found["fit_corpus"]["n_sentences"] == 48
        assert (found["n_cut"], found["n_sentences"], found["n_pairs"]) == (1, 45, 24)
        assert set(found["seconds"]) == {"embed", "fit", "transform"}


def test_notes_tell_what_the_fit_met(recipe, tmp_path):
    (tmp_path / "few.txt").write_text("the cat\na dog\nred mat\n", encoding="utf-8")
    few = recipe.with_(fit_on=str(tmp_path / "few.txt"))
    notes = [
        evaluation.notes
        for evaluation in Lab().evaluations(few.each(calibrators=["whiten", "identity"]))
    ]
    assert any("too few for" in note for note in notes[0])
    assert notes[1] == ()
    spec = "standardize+flow:preset=nli"
    assert "not for target" in preset_note(Recipe(calibrator=spec))[0]
    for other in (Recipe(calibrator=spec, fit_on="nli"), Recipe(calibrator="flow")):
        assert preset_note(other) == ()


def test_of_single_sentences_each_is_compared_with_another(tiny_bert, tmp_path, encode):
    recipe = recipe_for(tiny_bert, tmp_path / "mine.csv", id=range(30), sentence=SENTENCES)
    result = Lab().evaluate([recipe])[0]
    embedded = result.embedded
    assert embedded.data.sentences() == embedded.corpus.sentences == SENTENCES
    for x in (embedded.x_first, embedded.x_fit):
        np.testing.assert_allclose(x, encode(SENTENCES), rtol=0, atol=1e-5)
    assert embedded.n_sentences == 30
    distances = np.abs(embedded.x_second[:, None] - embedded.x_first[None]).max(axis=2)
    partners = distances.argmin(axis=1)
    assert distances.min(axis=1).max() == 0
    assert sorted(partners) == list(range(30))
    assert (partners != np.arange(30)).all()
    expected = pairwise_cosine(embedded.x_first, embedded.x_first[partners])
    np.testing.assert_allclose(result.similarity, expected)
    assert result.random_cosine == pytest.approx(mean_cosine(encode(SENTENCES)), abs=0.01)
    again, other = (next(Lab().embedded([recipe.with_(seed=seed)])).x_second for seed in (0, 1))
    np.testing.assert_array_equal(again, embedded.x_second)
    assert (other != again).any()
    z = Lab().fit(recipe.with_(calibrator="standardize")).calibrator.transform(encode(SENTENCES))
    np.testing.assert_allclose(z.mean(axis=0), 0, atol=1e-4)


def test_pairs_without_gold_have_cosines_and_no_number_is_made_up(tiny_bert, tmp_path, encode):
    first, second = SENTENCES[:15], SENTENCES[15:]
    recipe = recipe_for(tiny_bert, tmp_path / "mine.csv", sentence1=first, sentence2=second)
    plain, white = Lab().evaluate(recipe.each(calibrators=["identity", "whiten:n_components=4"]))
    expected = pairwise_cosine(encode(first), encode(second))
    np.testing.assert_allclose(plain.similarity, expected, atol=1e-4)
    assert plain.random_cosine == pytest.approx(mean_cosine(encode(SENTENCES)), abs=0.01)
    for result in (plain, white):
        assert result.measure("pearson") is None
        with pytest.raises(InputError, match="gold scores"):
            _ = result.rho
        found = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        spearman = found["spearman"]
        assert (found["n_pairs"], spearman["all"], spearman["subsets"]) == (15, None, {})


@pytest.fixture
def folder(tiny_bert, tmp_path):
    """An encoder whose folder declares mean pooling, unit length and at most seven tokens."""
    path = declare(tiny_bert, tmp_path / "bert")
    (path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 7}))
    return path


@pytest.fixture
def declared(folder, tmp_path):
    long = [(f"{a} the cat sat on the mat", b, score, s) for a, b, score, s in pair_rows(4)]
    return tiny_recipe(folder, write_pairs(tmp_path / "pairs.csv", [*pair_rows(), *long]))


@pytest.mark.parametrize("max_length", [5, 40])
def test_the_plain_output_is_the_folders_own_whatever_the_recipe_asks(
    declared, folder, own_cache, max_length
):
    plain = Lab().evaluate([declared.with_(max_length=max_length).plain])[0]
    expected = Lab().embed(str(folder), list(plain.embedded.data.first))
    np.testing.assert_allclose(plain.embedded.x_first, expected, atol=1e-6)
    np.testing.assert_array_equal(plain.z[0], plain.embedded.x_first)
    assert (plain.spec, plain.recipe.layers, plain.recipe.tokens) == ("identity", "model", "model")
    assert plain.embedded.n_cut > 0  # by the longest input that the folder declares


@pytest.fixture
def passes(monkeypatch):
    """The number of sentences of each forward pass of a network."""
    found, encode = [], TransformerEncoder.encode_blocks

    def note(encoder, sentences, **options):
        found.append(len(sentences))
        return encode(encoder, sentences, **options)

    monkeypatch.setattr(TransformerEncoder, "encode_blocks", note)
    return found


def test_the_plain_output_is_in_the_pass_for_another_layer(declared, tmp_path, passes):
    store = EmbeddingStore(tmp_path / "store", whole_bytes=0)
    report = evaluate(EvaluateRecipe.of(declared), Lab(store=store), ["whiten"], ["layer:2"])
    assert [row["vectors"] for row in report.rows] == ["plain output", "layer:2", "layer:2"]
    whole, long = passes  # sentences that the folder cuts are embedded again
    assert 0 < long < whole
    apart = Lab(store=Unstored()).evaluate([declared.plain])[0]
    assert report.rows[0]["score"] == pytest.approx(apart.score, abs=1e-9)


@pytest.mark.parametrize("is_stored", [True, False])
def test_all_recipes_that_read_alike_share_one_pass(declared, tmp_path, passes, is_stored):
    store = EmbeddingStore(tmp_path / "store", whole_bytes=0) if is_stored else Unstored()
    inside = [*declared.each(layers=["layer:1", "last"]), declared.with_(tokens="cls")]
    recipes = [declared.with_(max_length=5), inside[0], declared.plain, *inside[1:], inside[0]]
    texts = ["a cat", "the dog sat", "a cat"]
    found = [each.x for each in Lab(store=store).vectors(recipes, texts)]
    assert passes == [2, 2]  # one for each length, of distinct sentences
    for recipe, x in zip(recipes, found, strict=True):
        alone = next(Lab(store=Unstored()).vectors([recipe], texts)).x
        np.testing.assert_allclose(x, alone, rtol=0, atol=1e-6)


def test_the_plain_output_is_embedded_without_a_fit_corpus_that_it_does_not_need(
    declared, tmp_path, passes
):
    (tmp_path / "fit.txt").write_text("a dog\nthe cat\n", encoding="utf-8")
    plain = declared.plain.with_(fit_on=str(tmp_path / "fit.txt"))
    lab = Lab(store=Unstored())
    (alone,) = lab.evaluate([plain])
    sentences = alone.embedded.data.texts
    assert passes == [len({*sentences})]
    assert alone.embedded.corpus.sentences == sentences
    expected = next(lab.vectors([plain], sentences)).x
    np.testing.assert_array_equal(alone.embedded.x_fit, expected)
    for each in lab.evaluate(plain.each(calibrators=["identity", "standardize"])):
        assert each.embedded.corpus.sentences == ("a dog", "the cat")
        np.testing.assert_array_equal(each.embedded.x_first, alone.embedded.x_first)


def test_the_plain_output_is_one_row_where_asked_for_and_none_where_it_cannot_be_read(
    declared, folder, own_cache
):
    report = evaluate(EvaluateRecipe.of(declared.plain), Lab(), ["whiten"], ["model"])
    assert [row["vectors"] for row in report.rows] == ["plain output"] * 2
    assert report.rows[1]["to_plain"] == report.rows[1]["change"]
    (folder / "modules.json").write_text(json.dumps([{"type": "other.Thing", "path": ""}]))
    report = evaluate(EvaluateRecipe.of(declared), Lab(), ["whiten"], ["layer:2"])
    assert [row["vectors"] for row in report.rows] == ["layer:2", "layer:2"]
    assert report.text(Kind.MISSING).startswith("There is no plain output")


@pytest.mark.parametrize("spec", ["whiten", "standardize+flow:epochs=2,permutation=random"])
def test_fit_gives_the_calibrator_of_the_corpus_as_evaluate_does(recipe, encode, spec):
    chosen = recipe.with_(calibrator=spec, seed=4)
    fitted = Lab().fit(chosen)
    assert fitted.recipe == chosen
    assert len(fitted.corpus) == 48
    x = encode(fitted.corpus.sentences)
    expected = build_calibrator(spec, seed=4, device="cpu").fit(x).transform(x)
    np.testing.assert_allclose(fitted.calibrator.transform(x), expected, rtol=0, atol=1e-3)
    (result,) = Lab().evaluate([chosen])
    for name, array in result.calibrator.get_state().items():
        np.testing.assert_array_equal(fitted.calibrator.get_state()[name], array)
