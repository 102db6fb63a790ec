"""Averaged word vectors: hand-worked means, and files that are none."""

import gzip
import hashlib

import numpy as np
import pytest

from bertflow_core.encoders.given import WordVectors, words_of
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

LINES = {
    "the": [1.0, 0.0, 0.0],
    "cat": [0.0, 2.0, 0.0],
    "do": [0.0, 0.0, 3.0],
    "n't": [3.0, 3.0, 3.0],
    "Paris": [5.0, -5.0, 5.0],
    "été": [0.5, 0.5, 0.5],
}
GLOVE = "".join(f"{word} {' '.join(map(str, x))}\n" for word, x in LINES.items())
GLOVE += ". . . 9 9 9\nthe 7 7 7\n"  # a word with spaces, and one that comes again
MEANS = {
    "The cat": [0.5, 1.0, 0.0],
    "the the cat": [2 / 3, 2 / 3, 0.0],
    "Don't unknown!": [1.5, 1.5, 3.0],
    "Paris": [5.0, -5.0, 5.0],
    "PARIS Été": [0.5, 0.5, 0.5],
    "zzz . ?": [0.0, 0.0, 0.0],
}


@pytest.fixture(params=["", "8 3\n"], ids=["glove", "word2vec"])
def path(request, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text(request.param + GLOVE, encoding="utf-8")
    return path


def test_a_sentence_is_the_mean_of_its_known_words(path):
    encoder = WordVectors(f"glove:{path}")
    block = encoder.encode(list(MEANS))
    np.testing.assert_allclose(block.vectors[0], list(MEANS.values()), atol=1e-6)
    assert list(block.n_tokens) == [2, 3, 2, 1, 1, 0]
    again = encoder.encode(["cat Paris"]).vectors[0, 0]
    np.testing.assert_allclose(again, [2.5, -1.5, 2.5])


def test_words():
    assert words_of("It's Tom's.") == ["It", "'s", "Tom", "'s", "."]
    assert words_of("cannot can't") == ["cannot", "ca", "n't"]
    assert words_of("a-b 'quoted' 3.5%") == ["a", "-", "b", "'", "quoted", "'", "3", ".", "5", "%"]


def test_it_is_an_encoder_of_recipes_and_names_what_has_no_vector(path, tmp_path):
    table = tmp_path / "pairs.csv"
    table.write_text("sentence1,sentence2,score\nthe,cat,1\nthe,the cat,4\nzzz,qqq,0\n")
    recipe = Recipe(model=f"glove:{path}", dataset=str(table))
    (result,) = Lab().evaluate(recipe)
    np.testing.assert_allclose(result.similarity, [0, 1 / np.sqrt(5), 0], atol=1e-6)
    assert result.rho == pytest.approx(0.8660254)
    assert "2 without a known word have the zero vector, the first 'zzz'" in (
        result.prepared.cut_remark
    )
    assert result.recipe.revision == hashlib.sha256(path.read_bytes()).hexdigest()[:40]
    path.write_text("the 1 2\n")
    with pytest.raises(InputError, match="digest"):
        Lab().evaluate(result.recipe)
    with pytest.raises(InputError, match="no layers"):
        Recipe(model=f"glove:{path}", layers="last")


def test_what_is_no_file_of_word_vectors_is_refused(tmp_path):
    path = tmp_path / "words.txt"
    with pytest.raises(InputError, match="does not exist"):
        WordVectors(f"glove:{path}")
    with pytest.raises(InputError, match="after the colon"):
        WordVectors("glove:")
    for content, why in [
        (b"", "no text file"),
        (gzip.compress(GLOVE.encode(), mtime=0), "no text file"),
        (b"3 2\nthe \x00\x01\x02", "no text file"),
        (b"cat 1 2\nthe 1 x\n", "line 2"),
        (b"cat 1 2\nthe 1 1e300\n", "line 2"),
    ]:
        path.write_bytes(content)
        with pytest.raises(InputError, match=why):
            WordVectors(f"word2vec:{path}").encode(["the"])
