"""Typed sentences among real ones: a tiny encoder against numpy on the same vectors."""

from dataclasses import replace

import numpy as np
import pytest
from plotly_numbers import numbers
from scipy.stats import rankdata
from sklearn.decomposition import PCA
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.preprocessing import normalize
from tiny_models import MAX_TOKENS
from tiny_pairs import pair_rows

from bertflow_core.analysis.edit_distance import edit_distances
from bertflow_core.calibrators import build_calibrator
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.exhibits.playground import (
    MAPS,
    Example,
    build_playground,
    compare_typed,
    corpus_neighbours,
    embed_typed,
    examples,
    meaning_finding,
    meaning_margins,
    read_lines,
    typed_rows,
)
from bertflow_core.lab.lab import Lab
from bertflow_core.store import EmbeddingStore

ROWS = pair_rows(30)
ROWS[4] = ROWS[7] = (ROWS[1][1], ROWS[1][1], 2.5, "even")  # one sentence in five places
CORPUS = [s for a, b, _, _ in ROWS for s in (a, b)]
REAL = tuple(dict.fromkeys(CORPUS))
SPECS = ("identity", "standardize", "null-top-k:k=2")
LINES = ("the cat sat", "a dog runs fast", REAL[5], "the dog sat", "a dog runs fast")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    return EmbeddingStore(tmp_path_factory.mktemp("play-store"))


@pytest.fixture(scope="module")
def playground(recipe_of, store):
    recipe = recipe_of(ROWS, layers="first-last", tokens="max", seed=3)
    return build_playground(recipe, Lab(store), (*SPECS, "identity"))


@pytest.fixture(scope="module")
def typed(playground, store):
    return embed_typed(playground, Lab(store), LINES)


def test_spaces_hold_each_sentence_once_and_are_fitted_on_every_row_but_no_typed_one(
    playground, typed, encode_tiny
):
    def encode(sentences):
        """Layers 1 and 3, max pooled."""
        vectors = encode_tiny(sentences)
        return (vectors[1, 2].astype(float) + vectors[3, 2]) / 2

    assert (playground.sentences, playground.specs) == (REAL, SPECS)
    assert playground.rows == f"all {len(REAL)} different sentences of the fit corpus"
    for space in playground.spaces:
        calibrator = build_calibrator(space.name).fit(encode(CORPUS))
        for found, sentences in ((space.z, REAL), (typed.z[space.name], LINES)):
            expected = calibrator.transform(encode(sentences))
            np.testing.assert_allclose(found, expected, atol=1e-4)


def test_what_is_typed_is_read_but_not_stored_and_what_is_cut_is_told(playground, typed, store):
    model = resolve_model(playground.recipe.model)
    encoder = TransformerEncoder(model, max_length=MAX_TOKENS, device="cpu")
    assert store.missing(encoder, LINES) == len(set(LINES) - set(REAL))
    assert typed.pieces[0] == ("[CLS]", "the", "cat", "sat", "[SEP]")
    assert not typed.cut.any()
    long = embed_typed(playground, Lab(), ["cat " * 60, "a cat"])
    assert long.cut.tolist() == [True, False]
    assert len(long.pieces[0]) == 62
    assert read_lines("  one \n\n\t\ntwo\r\n") == ("one", "two")
    assert len(read_lines("\n".join(["x" * 500] * 200))) == 200


def test_pairs_have_cosines_ranks_and_edit_distances_the_most_disputed_first(typed):
    pairs = np.triu_indices(len(LINES), k=1)
    for spec, z in typed.z.items():
        cosines, ranks = typed.cosines[spec], typed.ranks[spec]
        np.testing.assert_allclose(cosines, cosine_similarity(z), atol=1e-6)
        expected = rankdata(-cosines[pairs].round(9), method="min")
        assert ranks[pairs].tolist() == expected.tolist()
        assert ranks[1, 4] == ranks[4, 1] == 1  # one and the same
        assert not ranks.diagonal().any()
    rows = typed_rows(typed, "whitespace")
    record = next(row for row in rows if (row["a"], row["b"]) == (1, 4))
    assert (record["sentence_a"], record["sentence_b"]) == (LINES[0], LINES[3])
    assert record["edit_distance"] == 1
    assert record["rank identity"] == typed.ranks["identity"][0, 3]
    assert record["cosine identity"] == typed.cosines["identity"][0, 3]
    spread = np.ptp([[row[f"rank {spec}"] for spec in SPECS] for row in rows], axis=1)
    expected = np.ptp([ranks[pairs] for ranks in typed.ranks.values()], axis=0)
    assert spread.tolist() == sorted(expected, reverse=True)
    assert max(spread) > 0
    lines = [" ".join(pieces) for pieces in typed.pieces]
    rows = typed_rows(typed, "wordpiece")
    sides = ([lines[row[side] - 1] for row in rows] for side in "ab")
    expected, _ = edit_distances(*sides, unit="whitespace")
    assert [row["edit_distance"] for row in rows] == expected.tolist()


def test_neighbours_are_the_nearest_by_cosine_without_the_sentence_itself(playground, typed):
    found = corpus_neighbours(playground, typed, k=4)
    for i in (0, 2):
        for space, each in zip(playground.spaces, found[i], strict=True):
            cosine = cosine_similarity(space.z, typed.z[space.name])[:, i]
            order = [r for r in np.argsort(-cosine) if REAL[r] != LINES[i]][:4]
            assert each.rows.tolist() == order
            np.testing.assert_allclose(each.values, cosine[order], atol=1e-6)
    assert any(each.left.size for each in found[0])


def test_the_map_is_a_pca_of_the_real_sentences_alone(playground, typed):
    marks = compare_typed(playground, LINES).figures()[MAPS].data
    for space, real, own in zip(playground.spaces, marks[::2], marks[1::2], strict=True):
        pca = PCA(2).fit(normalize(space.z))
        for found, z in ((real, space.z), (own, typed.z[space.name])):
            expected = pca.transform(normalize(z))
            places = np.column_stack([numbers(found.x), numbers(found.y)])
            signs = np.sign((places * expected).sum(axis=0))
            np.testing.assert_allclose(places, signs * expected, atol=1e-4)
        np.testing.assert_allclose(
            playground.planes[space.name].explained, pca.explained_variance_ratio_, atol=1e-6
        )


def test_the_third_sentence_of_a_triple_shares_more_words():
    for example in examples().values():
        for each in example.triples:
            first, same, other = (example.sentences[i - 1] for i in each)
            (near, far), _ = edit_distances([first] * 2, [other, same])
            assert near < far


def test_margins_are_differences_of_cosines_as_shown(typed):
    example = Example("X", "", LINES, ((1, 4, 2), (2, 5, 1)))
    margins = meaning_margins(example, typed)
    assert list(margins) == list(SPECS)
    for spec, values in margins.items():
        shown = typed.cosines[spec].astype(float).round(3)
        expected = [shown[0, 3] - shown[0, 1], shown[1, 4] - shown[1, 0]]
        np.testing.assert_allclose(values, expected, atol=1e-9)
    (wins,) = {sum(value > 0 for value in values) for values in margins.values()}
    assert f"{wins} of 2 times under every calibrator" in meaning_finding(example, typed)
    apart = replace(typed, z=typed.z | {SPECS[1]: np.eye(len(LINES))})  # no pair is nearer
    said = f"{wins} of 2 times under identity, 0 under {SPECS[1]}"
    assert said in meaning_finding(example, apart)
