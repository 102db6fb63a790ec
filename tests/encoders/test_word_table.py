"""Word vectors: a model's table compared with transformers, and means of vectors of a file."""

import gzip
import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_models import BERT_TOKENS, ROBERTA_TOKENS

from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.given import WordVectors, words_of
from bertflow_core.encoders.word_table import read_word_table
from bertflow_core.errors import InputError
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe

WORDS = "embeddings.word_embeddings.weight"


def change_weights(folder, change):
    file = folder / "model.safetensors"
    tensors = load_file(file)
    change(tensors)
    save_file(tensors, file, metadata={"format": "pt"})


def read(folder):
    return read_word_table(resolve_model(str(folder)))


def test_rows_and_their_layer_norm_are_the_networks(tiny_model):
    from transformers import AutoModel, AutoTokenizer

    table = read(tiny_model)
    network = AutoModel.from_pretrained(tiny_model)
    np.testing.assert_array_equal(table.x, network.get_input_embeddings().weight.detach().numpy())
    tokenizer = AutoTokenizer.from_pretrained(tiny_model)
    assert list(table.tokens) == tokenizer.convert_ids_to_tokens(range(len(table.x)))
    special = tuple(np.array(table.tokens)[table.special])
    assert special in (BERT_TOKENS, ROBERTA_TOKENS)
    assert set(tokenizer.all_special_tokens) <= set(special)
    assert (table.special.astype(int) + table.piece + table.whole == 1).all()
    assert [token.startswith("##") for token in table.tokens] == table.piece.tolist()
    assert list(table.words) == [token.removeprefix("##") for token in table.tokens]
    norm = network.embeddings.LayerNorm
    norm.weight.data.uniform_(0.5, 2.0)
    norm.bias.data += 1
    scale, shift = (each.detach().numpy() for each in (norm.weight, norm.bias))
    expected = norm(torch.tensor(table.x)).detach().numpy()
    found = replace(table, scale=scale, shift=shift).after_layer_norm()
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_the_embedded_model_has_berts_vocabulary(minilm):
    table = read_word_table(resolve_model("minilm"))
    assert table.x.shape == (30_522, 384)
    assert table.x.dtype == np.float32
    assert [int(m.sum()) for m in (table.special, table.piece, table.whole)] == [999, 5828, 23_695]
    assert table.words[1996] == "the"


def test_unused_tokens_and_rows_without_a_token_count_as_special(folder):
    whole = read(folder).x

    def grow(tensors):
        tensors[WORDS] = torch.cat([tensors[WORDS], torch.ones(2, 16)]).to(torch.bfloat16)

    change_weights(folder, grow)
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace('"mat"', '"[unused7]"'))
    table = read(folder)
    assert table.x.dtype == np.float32
    np.testing.assert_allclose(table.x[:-2], whole, rtol=0.01)
    assert table.special[-2:].all()
    assert table.tokens[-2:] == ("", "")
    assert table.special[table.tokens.index("[unused7]")]


def test_byte_level_words_are_those_that_start_with_a_space(folder):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    tokens = ["<s>", "Ġthe", "the", "ing", "ĠcafÃ©", "."]
    tokenizer = Tokenizer(models.BPE({t: i for i, t in enumerate(tokens)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel()
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<s>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    table = read(folder)
    assert table.words[:6] == ("<s>", "the", "the", "ing", "café", ".")
    assert table.whole[:6].tolist() == [False, True, False, False, True, False]
    assert table.piece[:6].tolist() == [False, False, True, True, False, True]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda w: w.update(other=w.pop(WORDS)), "0 tensors that look like word embeddings"),
        (lambda w: w[WORDS][0].fill_(torch.nan), "not finite"),
        (
            lambda w: w.update({WORDS: w[WORDS][:20].clone()}),
            "more tokens than the weights have vectors",
        ),
        (lambda w: w.pop("embeddings.LayerNorm.bias"), "choose the raw table"),
    ],
)
def test_weights_without_a_usable_table_are_refused(folder, change, words):
    change_weights(folder, change)
    with pytest.raises(InputError, match=words):
        read(folder).after_layer_norm()


def test_damaged_and_missing_files_are_named(folder):
    for damage in (lambda path: path.write_text("{", encoding="utf-8"), Path.unlink):
        damage(folder / "tokenizer.json")
        with pytest.raises(InputError, match=r"tokenizer\.json' cannot be read|show its tokenizer"):
            read(folder)
    (folder / "model.safetensors").write_bytes(b"\0" * 64)
    with pytest.raises(InputError, match="cannot show its word embeddings"):
        read(folder)


LINES = {
    "the": [1.0, 0.0, 0.0],
    "cat": [0.0, 2.0, 0.0],
    "do": [0.0, 0.0, 3.0],
    "n't": [3.0, 3.0, 3.0],
    "Paris": [5.0, -5.0, 5.0],
    "été": [0.5, 0.5, 0.5],
}
GLOVE = "".join(f"{word} {' '.join(map(str, x))}\n" for word, x in LINES.items())
GLOVE += ". . . 9 9 9\nthe 7 7 7\n"  # a word with spaces, and a repeated word
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
    (result,) = Lab().evaluate([recipe])
    np.testing.assert_allclose(result.similarity, [0, 1 / np.sqrt(5), 0], atol=1e-6)
    assert result.rho == pytest.approx(0.8660254)
    assert "2 without a known word have the zero vector, such as 'zzz'" in (
        result.embedded.cut_remark
    )
    assert result.recipe.revision == hashlib.sha256(path.read_bytes()).hexdigest()[:40]
    path.write_text("the 1 2\n")
    with pytest.raises(InputError, match="digest"):
        Lab().evaluate([result.recipe])


def test_what_is_no_file_of_word_vectors_is_refused(tmp_path):
    path = tmp_path / "words.txt"
    with pytest.raises(InputError, match="does not exist"):
        WordVectors(f"glove:{path}")
    with pytest.raises(InputError, match="after the colon"):
        WordVectors("glove:")
    for content, why in [
        (b"", "not a text file"),
        (gzip.compress(GLOVE.encode(), mtime=0), "not a text file"),
        (b"3 2\nthe \x00\x01\x02", "not a text file"),
        (b"cat 1 2\nthe 1 x\n", "line 2"),
        (b"cat 1 2\nthe 1 1e300\n", "line 2"),
    ]:
        path.write_bytes(content)
        with pytest.raises(InputError, match=why):
            WordVectors(f"word2vec:{path}").encode(["the"])
