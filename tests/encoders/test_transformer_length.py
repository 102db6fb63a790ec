"""What is longer than the maximum length: cut, counted exactly, refused where it cannot run."""

import json
import shutil

import numpy as np
import pytest
from tiny_models import MAX_TOKENS, save_tiny_model

from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.errors import InputError


def test_only_what_exceeds_the_maximum_length_is_cut_and_counted(tiny_model, open_encoder):
    sentences = ["the " * n for n in (1, 7, 8, 9, 30)]  # and two special tokens each
    block = open_encoder(tiny_model, max_length=10).encode(sentences)
    assert block.n_tokens.tolist() == [3, 9, 10, 10, 10]
    assert block.cut.tolist() == [False, False, False, True, True]


def test_a_cut_sentence_is_the_sentence_of_its_first_tokens(tiny_bert, open_encoder):
    encoder = open_encoder(tiny_bert, max_length=5)
    cut, short = encoder.encode(["the red cat sat on mat", "the red cat"]).vectors.swapaxes(0, 2)
    np.testing.assert_allclose(cut, short, rtol=0, atol=1e-5)


def test_a_longer_maximum_length_gives_another_vector_for_a_long_sentence(tiny_bert, open_encoder):
    sentence = ["the red cat sat on mat"]
    short = open_encoder(tiny_bert, max_length=5).encode(sentence).vectors
    assert np.abs(short - open_encoder(tiny_bert).encode(sentence).vectors).max() > 0.05


def test_a_sentence_of_ten_thousand_words_is_cut_once(tiny_bert, open_encoder):
    block = open_encoder(tiny_bert).encode(["the cat " * 5_000, "a dog"])
    assert block.n_tokens.tolist() == [MAX_TOKENS, 4]
    assert block.cut.tolist() == [True, False]


def test_every_family_runs_at_its_longest_and_says_what_that_is(tiny_model, open_encoder):
    model = resolve_model(str(tiny_model))
    assert model.max_positions == MAX_TOKENS
    block = open_encoder(tiny_model, max_length=MAX_TOKENS).encode(["the " * 100])
    assert block.n_tokens.tolist() == [MAX_TOKENS]


@pytest.mark.parametrize("max_length", [-1, 0, 2, MAX_TOKENS + 1, 10_000])
def test_a_maximum_length_out_of_range_is_refused_with_the_range(tiny_model, max_length):
    with pytest.raises(InputError, match=rf"from 3 to {MAX_TOKENS} tokens.*got {max_length}"):
        TransformerEncoder(resolve_model(str(tiny_model)), max_length=max_length)


def test_the_tokenizers_own_bound_holds_too(tiny_bert, tmp_path, open_encoder):
    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    path = folder / "tokenizer_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "model_max_length": 20}))
    assert open_encoder(folder, max_length=20).encode(["a cat"]).n_tokens.tolist() == [4]
    with pytest.raises(InputError, match=r"at most 20 tokens.*got 21"):
        open_encoder(folder, max_length=21).encode(["a cat"])


@pytest.mark.parametrize("unbounded", [None, -1])
def test_a_model_that_names_no_bound_has_none(tmp_path, unbounded):
    folder = save_tiny_model(tmp_path, "bert")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"max_position_embeddings": unbounded}))
    assert resolve_model(str(folder)).max_positions is None


@pytest.mark.parametrize("value", ["40", [40], 40.5, 0, -2, True])
def test_a_bound_that_is_no_number_of_tokens_is_refused(tiny_bert, tmp_path, value):
    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"max_position_embeddings": value}))
    with pytest.raises(InputError, match="max_position_embeddings"):
        resolve_model(str(folder))
