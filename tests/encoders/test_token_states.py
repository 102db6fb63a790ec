"""Token states, attention and parts left out, compared with plain transformers."""

import numpy as np
import pytest
import torch
from test_reading import SENTENCES, reader  # noqa: F401 - a fixture
from tiny_models import FAMILIES
from transformers import AutoModel, AutoTokenizer

from bertflow_core.encoders.token_states import token_states
from bertflow_core.errors import InputError


def _reference(folder, text):
    """Return hidden states, (L + 1, T, D), and attention, (L, heads, T, T), of one text."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    options = {"output_hidden_states": True, "output_attentions": True}
    with torch.no_grad():
        found = network(**tokenizer(text, return_tensors="pt"), **options)
    return (torch.cat(each).numpy() for each in (found.hidden_states, found.attentions))


@pytest.mark.parametrize("family", ["bert", "llama", "gpt2", "modernbert"])
def test_states_and_attention_are_those_of_transformers(shared_encoder, tiny_folder, family):
    folder = tiny_folder(family)
    encoder = shared_encoder(folder)
    before = encoder.encode(SENTENCES).vectors
    tokens, _ = encoder.tokenize(SENTENCES)
    seen = []
    for block in token_states(encoder, SENTENCES, tokens):
        for column, row in enumerate(block.rows):
            states, attention = _reference(folder, SENTENCES[row])
            np.testing.assert_allclose(block.states[:, column], states, atol=1e-4)
            on_first = attention[:, :, 1:, 0].mean(axis=(1, 2))
            np.testing.assert_allclose(block.sink[:, column], on_first, atol=1e-5)
            seen.append(row)
    assert sorted(seen) == [*range(len(SENTENCES))]
    np.testing.assert_array_equal(encoder.encode(SENTENCES).vectors, before)  # the kernel is back


@pytest.mark.parametrize("family", FAMILIES)
def test_tokens_of_every_family(shared_encoder, tiny_folder, family):
    encoder = shared_encoder(tiny_folder(family))
    tokens, _ = encoder.tokenize(SENTENCES[:2])
    for block in token_states(encoder, SENTENCES[:2], tokens):
        assert block.states.shape[0] == encoder.n_layers + 1
        assert block.sink is None or ((0 <= block.sink).all() and (block.sink <= 1).all())


def _mean_without_mlp(folder, ids, left_out):
    """Run a Llama layer by layer, written out; return each layer's mean over the tokens."""
    network = AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    with torch.no_grad():
        x = network.embed_tokens(torch.tensor([ids]))
        places = torch.arange(len(ids))[None]
        rotary = network.rotary_emb(x, places)
        mask = torch.full((len(ids), len(ids)), -torch.inf).triu(1)[None, None]
        means = [x.mean(1)]
        for number, layer in enumerate(network.layers, start=1):
            x = x + layer.self_attn(layer.input_layernorm(x), rotary, mask)[0]
            added = layer.mlp(layer.post_attention_layernorm(x))
            if number in left_out:
                added[:, 0] = 0
            x = x + added
            means.append((network.norm(x) if number == len(network.layers) else x).mean(1))
    return torch.cat(means).numpy()


@pytest.mark.parametrize(("part", "layers"), [("first-mlp", {1, 2, 3}), ("first-mlp:2", {2})])
def test_without_what_mlps_add_to_the_first_token(open_encoder, tiny_folder, part, layers):
    folder = tiny_folder("llama")
    encoder = open_encoder(folder, without=part)
    plain = open_encoder(folder)
    tokens, _ = plain.tokenize(SENTENCES)
    vectors = encoder.encode(SENTENCES).vectors[:, 0]
    for row, ids in enumerate(tokens):
        expected = _mean_without_mlp(folder, ids, layers)
        np.testing.assert_allclose(vectors[:, row], expected, atol=1e-4)
        whole = _mean_without_mlp(folder, ids, set())
        np.testing.assert_allclose(
            plain.encode([SENTENCES[row]]).vectors[:, 0, 0], whole, atol=1e-4
        )
    assert encoder.fingerprint != plain.fingerprint


@pytest.mark.parametrize("family", ["bert", "distilbert", "gpt2", "modernbert", "mpnet", "qwen3"])
def test_an_mlp_left_out_changes_its_own_layer_and_those_above(open_encoder, tiny_folder, family):
    folder = tiny_folder(family)
    found, plain = (
        open_encoder(folder, without=part).encode(SENTENCES).vectors[:, 0]
        for part in ("first-mlp:2", None)
    )
    np.testing.assert_array_equal(found[:2], plain[:2])
    assert (np.abs(found[2:] - plain[2:]).max(axis=(1, 2)) > 1e-3).all()


def test_without_the_special_token_before_every_text(open_encoder, reader):  # noqa: F811
    folder = reader("llama", "first")
    encoder = open_encoder(folder, without="first-token")
    tokens, _ = open_encoder(folder).tokenize(SENTENCES)
    vectors = encoder.encode(SENTENCES).vectors[:, 0]
    for row, ids in enumerate(tokens):
        expected = _mean_without_mlp(folder, ids[1:], set())
        np.testing.assert_allclose(vectors[:, row], expected, atol=1e-4)
    assert encoder.added_tokens == ((), ())


def test_parts_that_cannot_be_left_out_are_refused(open_encoder, tiny_folder, reader):  # noqa: F811
    for part in ("mlp", "first-mlp:0", "first-mlp:4"):
        with pytest.raises(InputError, match="cannot be left out: expected"):
            open_encoder(tiny_folder("llama"), without=part)
    with pytest.raises(InputError, match="adds no token before a text"):
        open_encoder(reader("llama", "none"), without="first-token").chosen("last", "mean")
    with pytest.raises(InputError, match="MLP of XLNetLayer is not known"):
        open_encoder(tiny_folder("xlnet"), without="first-mlp").encode(SENTENCES)


def test_the_mean_after_the_first_token(shared_encoder, tiny_folder):
    folder = tiny_folder("gpt2")
    encoder = shared_encoder(folder)
    texts = [*SENTENCES, "a"]
    kinds = [f"layer.{k}.mean-after-first" for k in range(4)]
    for block in encoder.encode_blocks(texts, kinds=kinds):
        for column, row in enumerate(block.rows):
            states, _ = _reference(folder, texts[row])
            rest = states[:, 1:] if states.shape[1] > 1 else states
            np.testing.assert_allclose(block.vectors[:, column], rest.mean(axis=1), atol=1e-4)
