"""Typed sentences among real ones: a tiny encoder, and what numpy says of the same vectors."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn.decomposition import PCA
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows, tiny_recipe, write_pairs

from bertflow_core.analysis.edit_distance import edit_distances
from bertflow_core.calibrators.build import build_calibrator
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.store import EmbeddingStore
from bertflow_core.studies import playground as module
from bertflow_core.studies.playground import (
    Contrast,
    Preset,
    build_playground,
    compare_typed,
    contrast_finding,
    contrast_margins,
    corpus_neighbours,
    embed_typed,
    load_presets,
    map_typed,
    read_lines,
    typed_rows,
)

ROWS = pair_rows(30)
ROWS[4] = ROWS[7] = (ROWS[1][1], ROWS[1][1], 2.5, "even")  # one sentence in five places
REAL = tuple(dict.fromkeys(s for a, b, _, _ in ROWS for s in (a, b)))
SPECS = ("identity", "standardize", "null-top-k:k=2")
LINES = ("the cat sat", "a dog runs fast", REAL[5], "the dog sat", "a dog runs fast")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return EmbeddingStore(tmp_path_factory.mktemp("play-store"))


@pytest.fixture(scope="module")
def recipe(tiny_bert, tmp_path_factory):
    table = write_pairs(tmp_path_factory.mktemp("play") / "p.csv", ROWS)
    return tiny_recipe(tiny_bert, table, layers="first-last", tokens="max", seed=3)


@pytest.fixture(scope="module")
def playground(recipe, store):
    return build_playground(recipe, Lab(store), (*SPECS, "identity"))


@pytest.fixture(scope="module")
def typed(playground):
    return embed_typed(playground, Lab(), LINES)


@pytest.fixture(scope="module")
def encode(encode_tiny):
    """Layers 1 and 3 of any sentences, max pooled, in float64."""

    def vectors(sentences):
        found = encode_tiny(sentences)
        return (found[1, 2].astype(float) + found[3, 2]) / 2

    return vectors


def unit(z):
    return z / np.linalg.norm(z, axis=1, keepdims=True)


class TestSpaces:
    def test_hold_each_sentence_of_the_corpus_once(self, playground, encode):
        assert playground.sentences == REAL
        assert playground.specs == SPECS
        assert playground.rows == f"all {len(REAL)} different sentences of the fit corpus"
        np.testing.assert_allclose(playground.spaces[0].z, encode(REAL), atol=1e-5)

    def test_are_fitted_on_every_row_of_the_corpus_and_on_no_typed_sentence(
        self, playground, typed, encode
    ):
        corpus = [s for a, b, _, _ in ROWS for s in (a, b)]
        calibrator = build_calibrator("standardize").fit(encode(corpus))
        np.testing.assert_allclose(
            playground.spaces[1].z, calibrator.transform(encode(REAL)), atol=1e-4
        )
        np.testing.assert_allclose(
            typed.z["standardize"], calibrator.transform(encode(LINES)), atol=1e-4
        )

    def test_of_many_sentences_a_seeded_sample_is_taken(self, recipe, store, monkeypatch):
        monkeypatch.setattr(module, "MAX_ROWS", 10)
        found = build_playground(recipe, Lab(store), ["identity"])
        assert len(found.sentences) == 10
        assert set(found.sentences) < set(REAL)
        assert found.rows.startswith(f"a sample of 10 of {len(REAL)}")
        other = build_playground(recipe.with_(seed=4), Lab(store), ["identity"])
        assert other.sentences != found.sentences


class TestTyped:
    def test_vectors_are_the_encoders_and_nothing_is_stored(self, playground, typed, store, encode):
        np.testing.assert_allclose(typed.z["identity"], encode(LINES), atol=1e-5)
        assert not typed.cut.any()
        encoder = TransformerEncoder(
            resolve_model(playground.recipe.model), max_length=MAX_TOKENS, device="cpu"
        )
        assert store.missing(encoder, LINES) == len(set(LINES) - set(REAL))
        assert typed.pieces[0] == ("[CLS]", "the", "cat", "sat", "[SEP]")

    def test_lines_are_read(self):
        assert read_lines("  one \n\n\t\ntwo\r\n") == ("one", "two")
        assert len(read_lines("\n".join(["x" * 500] * 200))) == 200

    def test_long_sentences_are_cut_and_all_their_tokens_shown(self, playground):
        found = embed_typed(playground, Lab(), ["cat " * 60, "a cat"])
        assert found.cut.tolist() == [True, False]
        assert len(found.pieces[0]) == 62


class TestPairs:
    def test_have_cosines_ranks_and_edit_distances(self, typed):
        n = len(LINES)
        for spec, z in typed.z.items():
            cosine = unit(z.astype(float)) @ unit(z.astype(float)).T
            np.testing.assert_allclose(typed.cosines[spec], cosine, atol=1e-6)
            places = [(i, j) for i in range(n) for j in range(i + 1, n)]
            ranks = rankdata([-typed.cosines[spec][p].round(9) for p in places], method="min")
            assert [typed.ranks[spec][p] for p in places] == ranks.tolist()
            assert typed.ranks[spec][1, 4] == typed.ranks[spec][4, 1] == 1  # one and the same
            assert not typed.ranks[spec].diagonal().any()
        rows = typed_rows(typed, "whitespace")
        record = next(each for each in rows if (each["a"], each["b"]) == (1, 4))
        assert (record["a"], record["sentence_a"], record["sentence_b"]) == (1, LINES[0], LINES[3])
        assert record["edit_distance"] == 1
        assert record["rank identity"] == typed.ranks["identity"][0, 3]
        assert record["cosine identity"] == typed.cosines["identity"][0, 3]

    def test_word_pieces_are_a_unit(self, playground, typed):
        lines = [" ".join(pieces) for pieces in typed.pieces]
        rows = typed_rows(typed, "wordpiece")
        expected = edit_distances(
            [lines[row["a"] - 1] for row in rows],
            [lines[row["b"] - 1] for row in rows],
            unit="whitespace",
        )
        assert [row["edit_distance"] for row in rows] == expected.tolist()
        with pytest.raises(InputError, match="unknown unit"):
            compare_typed(playground, LINES, "word")

    def test_the_most_disputed_pair_comes_first(self, playground, typed):
        rows = compare_typed(playground, LINES).rows
        spread = [
            max(r[i, j] for r in typed.ranks.values()) - min(r[i, j] for r in typed.ranks.values())
            for i, j in zip(*np.triu_indices(len(LINES), k=1), strict=True)
        ]
        ranks = [[each[f"rank {spec}"] for spec in SPECS] for each in rows]
        assert np.ptp(ranks, axis=1).tolist() == sorted(spread, reverse=True)
        assert max(spread) > 0


class TestAmongRealSentences:
    def test_neighbours_are_the_nearest_by_cosine_without_the_sentence_itself(
        self, playground, typed
    ):
        found = corpus_neighbours(playground, typed, k=4)
        for i in (0, 2):
            first = None
            for space, each in zip(playground.spaces, found[i], strict=True):
                cosine = unit(space.z.astype(float)) @ unit(typed.z[space.name].astype(float))[i]
                order = [r for r in np.argsort(-cosine) if REAL[r] != LINES[i]][:4]
                assert each.rows.tolist() == order
                np.testing.assert_allclose(each.values, cosine[order], atol=1e-6)
                first = order if first is None else first
                assert each.stayed.tolist() == [row in first for row in order]
                assert each.left.tolist() == [row for row in first if row not in order]
        assert any(each.left.size for each in found[0])

    def test_the_map_is_a_pca_of_the_real_sentences_alone(self, playground, typed):
        _, real, typed_places = map_typed(playground, typed)
        for space in playground.spaces:
            pca = PCA(2).fit(unit(space.z.astype(float)))
            own = unit(typed.z[space.name].astype(float))
            for found, expected in (
                (real[space.name], pca.transform(unit(space.z.astype(float)))),
                (typed_places[space.name], pca.transform(own)),
            ):
                signs = np.sign((found * expected).sum(axis=0))
                np.testing.assert_allclose(found, signs * expected, atol=1e-4)
            np.testing.assert_allclose(
                playground.planes[space.name].explained, pca.explained_variance_ratio_, atol=1e-6
            )

    def test_one_feature_has_one_axis(self, recipe, store):
        found = build_playground(recipe, Lab(store), ["whiten:n_components=1"])
        _, real, _ = map_typed(found, embed_typed(found, Lab(), LINES))
        (points,) = real.values()
        assert points.shape == (len(REAL), 2)
        assert not points[:, 1].any()


class TestPresets:
    def test_the_distractor_of_a_contrast_shares_more_words(self):
        for preset in load_presets().values():
            for each in preset.contrasts:
                anchor, same, other = (
                    preset.sentences[i - 1] for i in (each.anchor, each.same, each.other)
                )
                near, far = edit_distances([anchor] * 2, [other, same])
                assert near < far

    def test_margins_are_differences_of_cosines_as_shown(self, typed):
        preset = Preset("X", "", LINES, (Contrast(1, 4, 2), Contrast(2, 5, 1)))
        margins = contrast_margins(preset, typed)
        assert list(margins) == list(SPECS)
        for spec, values in margins.items():
            u = unit(typed.z[spec].astype(float))
            shown = (u @ u.T).round(3)
            expected = [shown[0, 3] - shown[0, 1], shown[1, 4] - shown[1, 0]]
            np.testing.assert_allclose(values, expected, atol=1e-9)
        (wins,) = {sum(value > 0 for value in values) for values in margins.values()}
        said = contrast_finding(preset, typed)
        assert said.endswith(f"the words {wins} of 2 times under every calibrator.")
        apart = replace(typed, z=typed.z | {SPECS[1]: np.eye(len(LINES))})  # no pair is nearer
        assert f"{wins} of 2 times under identity, 0 under {SPECS[1]}" in contrast_finding(
            preset, apart
        )
        other = Preset("X", "", LINES[:2], (Contrast(1, 2, 2),))
        assert contrast_margins(other, typed) == {}
        assert contrast_finding(other, typed) == ""
