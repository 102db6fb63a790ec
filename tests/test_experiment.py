"""The runner's numbers, against encodings and formulas of their own."""

import json

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe
from bertflow_core.remarks import preset_note
from bertflow_core.store import EmbeddingStore

LONG = "the cat sat on a mat " * 20
ROWS = pair_rows()
# Some sentences occur twice, on either side; one is longer than the model takes, and there twice.
ROWS[5] = (ROWS[3][1], LONG, 3.5, "odd")
ROWS[8] = (LONG, ROWS[3][0], 1.5, "even")
FIRST, SECOND, GOLD, SUBSETS = (np.array(column) for column in zip(*ROWS, strict=True))


@pytest.fixture
def recipe(tiny_bert, tmp_path):
    return tiny_recipe(tiny_bert, write_pairs(tmp_path / "pairs.csv", ROWS))


@pytest.fixture
def encode(tiny_bert):
    """Layer 2 of the tiny model, mean pooling, without a store."""
    model = resolve_model(str(tiny_bert))
    encoder = TransformerEncoder(model, max_length=MAX_TOKENS, device="cpu")
    return lambda sentences: encoder.encode([str(s) for s in sentences]).vectors[2, 0]


def cosine(a, b):
    return (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)


class TestWhatWasSeen:
    def test_scored_sentences_in_the_fit_corpus_are_counted_by_their_text(self, recipe, tmp_path):
        path = tmp_path / "fit.txt"
        path.write_text(f"{FIRST[0]}\na dog\n{SECOND[1]}\nthe cat\n", encoding="utf-8")
        expected = sum(s in (FIRST[0], SECOND[1]) for s in (*FIRST, *SECOND))
        assert expected >= 2
        prepared = Lab().prepare(recipe.with_(fit_on=str(path)))
        assert prepared.n_seen == expected
        assert prepared.seen_remark.startswith(
            f"Transductive: {expected} of {2 * len(ROWS)} scored"
        )
        path.write_text("a dog\nthe cat\n", encoding="utf-8")
        unseen = Lab().prepare(recipe.with_(fit_on=str(path))).seen_remark
        assert unseen == "No scored sentence is among those fitted on."
        assert Lab().prepare(recipe).n_seen == 2 * len(ROWS)

    def test_the_preset_of_nli_is_noted_on_another_corpus(self):
        spec = "standardize+flow:preset=nli"
        assert "not for target" in preset_note(Recipe(calibrator=spec))[0]
        for recipe in (Recipe(calibrator=spec, fit_on="nli"), Recipe(calibrator="flow")):
            assert preset_note(recipe) == ()


class TestPrepared:
    def test_rows_are_those_of_the_sentences(self, recipe, encode):
        prepared = Lab().prepare(recipe)
        corpus = [sentence for pair in zip(FIRST, SECOND, strict=True) for sentence in pair]
        for found, sentences in (
            (prepared.x_fit, corpus),
            (prepared.x_first, FIRST),
            (prepared.x_second, SECOND),
        ):
            np.testing.assert_allclose(found, encode(sentences), rtol=0, atol=1e-5)

    def test_the_fit_corpus_may_be_a_file(self, recipe, encode, tmp_path):
        path = tmp_path / "fit.txt"
        path.write_text("a dog\n\nthe cat\na dog\n", encoding="utf-8")
        prepared = Lab().prepare(recipe.with_(fit_on=str(path)))
        np.testing.assert_allclose(
            prepared.x_fit, encode(["a dog", "the cat", "a dog"]), rtol=0, atol=1e-5
        )
        assert prepared.corpus.description == "3 sentences of fit.txt (1 blank lines skipped)."

    def test_what_was_cut_is_counted_once(self, recipe):
        prepared = Lab().prepare(recipe)
        assert prepared.n_cut == 1
        assert prepared.n_sentences == len({*FIRST, *SECOND}) == 45

    def test_what_is_stored_is_not_computed_again(self, recipe, monkeypatch, tmp_path):
        store = EmbeddingStore(tmp_path / "store")
        before = Lab(store=store).prepare(recipe)
        monkeypatch.setattr(TransformerEncoder, "encode_blocks", None)
        after = Lab(store=store).prepare(recipe)
        np.testing.assert_array_equal(before.x_fit, after.x_fit)
        assert after.n_cut == 1

    def test_the_encoder_is_described(self, recipe, tiny_bert):
        encoder = Lab().prepare(recipe).encoder
        assert encoder["model"] == str(tiny_bert)
        assert (encoder["n_layers"], encoder["dim"], encoder["max_length"]) == (3, 16, MAX_TOKENS)


def standardized(x, fit):
    return (x - fit.mean(0)) / fit.std(0)


def without_top(x, fit, k):
    directions = np.linalg.svd(fit - fit.mean(0))[2][:k]
    centred = x - fit.mean(0)
    return centred - centred @ directions.T @ directions


def whitened(x, fit):
    variances, directions = np.linalg.eigh(np.cov(fit.T))
    kept = variances > 1e-6 * variances.max()
    return (x - fit.mean(0)) @ directions[:, kept] / np.sqrt(variances[kept])


FORMULAS = {
    "identity": lambda x, fit: x,
    "standardize": standardized,
    "null-top-k:k=3": lambda x, fit: without_top(x, fit, 3),
    "standardize+null-top-k:k=3": lambda x, fit: without_top(
        standardized(x, fit), standardized(fit, fit), 3
    ),
    "whiten": whitened,
}


class TestScores:
    @pytest.fixture
    def vectors(self, encode):
        return [encode(s).astype(np.float64) for s in (np.r_[FIRST, SECOND], FIRST, SECOND)]

    @pytest.mark.parametrize("spec", FORMULAS)
    def test_are_those_of_the_formulas(self, recipe, vectors, spec):
        (result,) = Lab().evaluate(recipe, [spec])
        fit, first, second = vectors
        z_first, z_second = FORMULAS[spec](first, fit), FORMULAS[spec](second, fit)
        expected = cosine(z_first, z_second)
        np.testing.assert_allclose(result.similarity, expected, rtol=0, atol=1e-4)
        for correlation, found in (
            (spearmanr, result.scores.spearman),
            (pearsonr, result.scores.pearson),
        ):
            assert found.all == pytest.approx(correlation(expected, GOLD).statistic, abs=2e-3)
            each = {
                name: correlation(expected[name == SUBSETS], GOLD[name == SUBSETS]).statistic
                for name in ("even", "odd")
            }
            assert found.subsets == pytest.approx(each, abs=2e-2)
            assert found.mean == pytest.approx(np.mean(list(each.values())), abs=2e-2)
        z = np.concatenate([z_first, z_second])
        unit = z / np.linalg.norm(z, axis=1, keepdims=True)
        mean = ((unit @ unit.T).sum() - len(z)) / (len(z) * (len(z) - 1))
        assert result.random_cosine == pytest.approx(mean, abs=0.02)

    def test_of_the_flow_are_those_of_its_vectors(self, recipe, vectors):
        (result,) = Lab().evaluate(recipe.with_(seed=2), ["flow:epochs=3"])
        fitted = result.calibrator
        assert fitted.seed == 2
        expected = cosine(*(fitted.transform(x.astype(np.float32)) for x in vectors[1:]))
        np.testing.assert_allclose(result.similarity, expected, rtol=0, atol=1e-5)
        assert np.abs(result.similarity - cosine(*vectors[1:])).max() > 0.01

    def test_gold_plays_no_part_in_the_fit(self, recipe, tmp_path):
        rows = [(*row[:2], 5 - row[2], row[3]) for row in ROWS]
        other = recipe.with_(dataset=str(write_pairs(tmp_path / "other.csv", rows)))
        for a, b in zip(
            *(Lab().evaluate(r, ["whiten", "flow:epochs=2"]) for r in (recipe, other)),
            strict=True,
        ):
            np.testing.assert_array_equal(a.similarity, b.similarity)
            assert a.scores.spearman.all == pytest.approx(-b.scores.spearman.all)

    def test_what_is_shared_is_left_as_it_was(self, recipe):
        prepared = Lab().prepare(recipe)
        before = [x.copy() for x in (prepared.x_fit, prepared.x_first, prepared.x_second)]
        for spec in ("whiten", "flow", "standardize"):
            prepared.under(spec)
        for old, new in zip(
            before, (prepared.x_fit, prepared.x_first, prepared.x_second), strict=True
        ):
            np.testing.assert_array_equal(old, new)

    @pytest.mark.parametrize("aggregation", ["all", "mean", "wmean"])
    def test_the_recipe_chooses_the_headline(self, recipe, aggregation):
        (result,) = Lab().evaluate(recipe.with_(aggregation=aggregation), ["identity"])
        assert result.rho == getattr(result.scores.spearman, aggregation)
        assert result.pearson == getattr(result.scores.pearson, aggregation)


class TestResult:
    @pytest.fixture
    def results(self, recipe):
        return Lab().evaluate(recipe, ["standardize", "flow", "whiten:n_components=2"])

    def test_each_has_its_own_recipe(self, recipe, results):
        for result, spec in zip(
            results, ["standardize", "flow", "whiten:n_components=2"], strict=True
        ):
            assert result.spec == spec
            assert result.recipe == recipe.with_(calibrator=spec)
        assert len({result.recipe.fingerprint() for result in results}) == 3

    def test_is_json_with_its_provenance(self, results):
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
            assert str(found["encoder"]["digest"]).isalnum()

    def test_has_its_times(self, results):
        for result in results:
            assert set(result.seconds) == {"embed", "fit", "transform"}
            assert all(0 <= seconds < 60 for seconds in result.seconds.values())
        assert len({result.seconds["embed"] for result in results}) == 1

    def test_tells_what_the_fit_met(self, recipe, tmp_path):
        (tmp_path / "few.txt").write_text("the cat\na dog\nred mat\n", encoding="utf-8")
        recipe = recipe.with_(fit_on=str(tmp_path / "few.txt"))
        notes = [r.to_dict()["notes"] for r in Lab().evaluate(recipe, ["whiten", "identity"])]
        assert any("too few for" in note for note in notes[0])
        assert notes[1] == []


@pytest.mark.parametrize("spec", ["whiten", "standardize+flow:permutation=random"])
def test_fit_gives_the_calibrator_of_the_corpus(recipe, encode, spec):
    fitted = Lab().fit(recipe.with_(calibrator=spec, seed=4))
    assert fitted.recipe == recipe.with_(calibrator=spec, seed=4)
    assert len(fitted.corpus) == 48
    x = encode(fitted.corpus.sentences)
    expected = build_calibrator(spec, seed=4, device="cpu").fit(x).transform(x)
    np.testing.assert_allclose(fitted.calibrator.transform(x), expected, rtol=0, atol=1e-3)


def test_fit_and_evaluate_fit_the_same(recipe):
    spec = "standardize+flow:epochs=2"
    (result,) = Lab().evaluate(recipe, [spec])
    fitted = Lab().fit(recipe.with_(calibrator=spec)).calibrator
    for name, array in result.calibrator.get_state().items():
        np.testing.assert_array_equal(fitted.get_state()[name], array)


def test_what_a_lab_has_ahead_is_embedded_with_what_is_asked_for_first(
    recipe, tmp_path, monkeypatch
):
    store = EmbeddingStore(tmp_path / "store", whole_bytes=0)
    ahead = (recipe.with_(layers="layer:1"), recipe.with_(layers="last"))
    Lab(store=store, ahead=ahead).evaluate(recipe, ["identity"])
    monkeypatch.setattr(TransformerEncoder, "encode_blocks", None)
    for layers in ("layer:1", "layer:2", "last"):
        Lab(store=store).evaluate(recipe.with_(layers=layers), ["identity"])
    with pytest.raises(TypeError):
        Lab(store=store).evaluate(recipe.with_(layers="layer:0"), ["identity"])
