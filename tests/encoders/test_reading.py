"""Templates, added tokens, maximum lengths and pooling, compared with plain transformers."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import test_declared
from plain_transformers import of_kinds, token_vectors
from tiny_models import declare
from transformers import AutoTokenizer

from bertflow_core import Lab, Recipe
from bertflow_core.encoders import TransformerEncoder
from bertflow_core.errors import InputError
from bertflow_core.store import EmbeddingStore

SENTENCES = ("a cat", "the cat sat on the mat.", "zebra", "big dog!", "the dog runs, " * 3)
TEMPLATE = 'the dog: "{text}" is a cat. '
SPECIAL = ("[CLS]", "[SEP]")
ADDED = {
    "both": ("[CLS]", "[SEP]"),
    "first": ("[CLS]",),
    "last": ("[SEP]",),
    "none": (),
}
"""Special tokens that tokenizers add, as those of BERT, Gemma, T5 and GPT-2 do."""


@pytest.fixture(scope="module")
def reader(tiny_folder, tmp_path_factory):
    """Return a function that copies a tiny model, with a tokenizer that adds these tokens."""

    def copy(family: str, added: str, *, padding: bool = True) -> Path:
        folder = tmp_path_factory.mktemp("reader") / "model"
        shutil.copytree(tiny_folder(family), folder)
        file = folder / "tokenizer.json"
        content = json.loads(file.read_text())
        ids = content["model"]["vocab"]
        step = {name: {"SpecialToken": {"id": name, "type_id": 0}} for name in SPECIAL}
        before = [step["[CLS]"]] if "[CLS]" in ADDED[added] else []
        after = [step["[SEP]"]] if "[SEP]" in ADDED[added] else []
        processor = content["post_processor"]
        processor["single"] = [*before, {"Sequence": {"id": "A", "type_id": 0}}, *after]
        processor["special_tokens"] = {
            name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in ADDED[added]
        }
        file.write_text(json.dumps(content))
        if not padding:
            file = folder / "tokenizer_config.json"
            named = json.loads(file.read_text())
            del named["pad_token"]
            file.write_text(json.dumps(named))
        return folder

    return copy


@pytest.mark.parametrize("template", [None, TEMPLATE, "{text} cat", "cat {text}"])
@pytest.mark.parametrize(
    ("family", "added"), [("bert", "both"), ("gpt2", "first"), ("llama", "none"), ("gpt2", "last")]
)
def test_poolings_of_what_is_read_are_those_of_plain_transformers(reader, family, added, template):
    folder = reader(family, added)
    encoder = TransformerEncoder(folder, max_length=40, device="cpu", template=template)
    texts = [(template or "{text}").format(text=each) for each in SENTENCES]
    found = token_vectors(folder, texts)
    special = AutoTokenizer.from_pretrained(folder).convert_tokens_to_ids([*SPECIAL])
    by_hand = {
        "mean": lambda ids, x: x.mean(1),
        "mean-content": lambda ids, x: x[:, ~np.isin(ids, special)].mean(1),
        "cls": lambda ids, x: x[:, 0],
        "last": lambda ids, x: x[:, -1],
    }
    before, after = encoder.added_tokens
    assert before + after == ADDED[added]
    for tokens, pool in by_hand.items():
        expected = np.array([pool(ids, x) for ids, x in found])
        kinds = [f"layer.{layer}.{tokens}" for layer in range(4)]
        assert kinds[:1] == [*encoder.chosen("layer:0", tokens)]
        vectors = of_kinds(encoder, SENTENCES, kinds)
        np.testing.assert_allclose(vectors.swapaxes(0, 1), expected, rtol=0, atol=1e-5)


def test_a_missing_padding_token_changes_nothing(reader):
    with_one, without = (
        TransformerEncoder(
            reader("gpt2", "first", padding=padding), max_length=40, device="cpu", template=TEMPLATE
        )
        for padding in (True, False)
    )
    assert (with_one._tokenizer.pad_token, without._tokenizer.pad_token) == ("[PAD]", None)
    vectors = [each.encode(SENTENCES).vectors for each in (with_one, without)]
    np.testing.assert_array_equal(*vectors)


@pytest.mark.parametrize("added", ADDED)
@pytest.mark.parametrize("template", [TEMPLATE, "cat {text}", "{text} cat"])
def test_a_long_sentence_is_cut_and_its_template_is_not(reader, added, template):
    folder = reader("gpt2", added)
    words = ("the red cat sat on the mat runs fast slow blue green big small dog " * 2).split()
    sentences = [" ".join(words[:n]) for n in (1, 5, 9, 20)]
    whole = TransformerEncoder(folder, max_length=40, device="cpu", template=template)
    short = TransformerEncoder(folder, max_length=16, device="cpu", template=template)
    block, n_whole = short.encode(sentences), whole.encode(sentences).n_tokens
    room = 16 - int(n_whole[0]) + 1  # tokens left for the sentence; each word is one token
    kept = whole.encode([" ".join(words[: min(n, room)]) for n in (1, 5, 9, 20)])
    assert block.n_tokens.tolist() == np.minimum(n_whole, 16).tolist()
    assert block.cut.tolist() == (n_whole > 16).tolist()
    assert block.cut[-1]
    assert not block.cut[0]
    np.testing.assert_allclose(block.vectors, kept.vectors, rtol=0, atol=1e-5)


def test_a_template_that_leaves_no_room_is_refused(reader):
    folder = reader("bert", "both")
    encoder = TransformerEncoder(folder, max_length=12, device="cpu", template=TEMPLATE)
    with pytest.raises(InputError, match=r"max_length 12 leaves no room.* takes 12 tokens"):
        encoder.encode(["cat"])


def test_a_template_is_part_of_whatever_names_a_number(reader, own_cache):
    folder = str(reader("bert", "both"))
    plain = Recipe(model=folder, layers="last", max_length=40)
    read = plain.with_(template=TEMPLATE)
    assert plain.fingerprint() != read.fingerprint()
    assert f"template {TEMPLATE!r}" in read.caption()
    assert "--template 'the dog: \"{text}\" is a cat. '" in read.to_command()
    assert read.plain == plain.plain, "the plain output has none"
    lab = Lab(device="cpu")
    vectors = [next(lab.vectors([each], SENTENCES)).x for each in (plain, read, plain)]
    np.testing.assert_array_equal(vectors[0], vectors[2])
    assert np.abs(vectors[1] - vectors[0]).max() > 0.1
    assert len(lab.store.entries()) == 2


def test_layers_model_reads_the_template_in_the_place_of_the_folders_prompt(
    reader, tmp_path, own_cache
):
    folder = declare(reader("bert", "both"), tmp_path / "declared")
    settings = {"prompts": {"q": "mat "}, "default_prompt_name": "q"}
    (folder / "config_sentence_transformers.json").write_text(json.dumps(settings))
    lab = Lab(device="cpu")
    found = lab.embed(str(folder), SENTENCES, template="cat {text}")
    mean = lab.embed(str(folder), SENTENCES, layers="last", template="cat {text}", max_length=40)
    expected = mean / np.linalg.norm(mean, axis=1, keepdims=True)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    assert np.abs(lab.embed(str(folder), SENTENCES) - found).max() > 0.01, "it has the prompt"


def test_a_model_that_the_library_runs_reads_it_too(reader, own_cache):
    folder = reader("gpt2", "first")
    lab, declared = Lab(device="cpu"), {"template": TEMPLATE, "layers": "model"}
    mode = {"embedding_dimension": 16, "pooling_mode": "weightedmean"}
    test_declared.declare(folder, test_declared.module(folder, 1, "Pooling", mode))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 24}))
    short = SENTENCES[:4]
    found = lab.embed(str(folder), short, **declared)
    texts = [TEMPLATE.format(text=each) for each in short]
    expected = [
        np.average(x[-1], axis=0, weights=np.arange(1, len(ids) + 1))
        for ids, x in token_vectors(folder, texts)
    ]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)
    with pytest.raises(InputError, match=r"'cat cat.* and its template have 41 tokens.*reads 24"):
        lab.embed(str(folder), ["a cat", "cat " * 30], **declared)


def test_a_sentence_of_special_tokens_alone_has_no_content(reader):
    folder = reader("bert", "both")
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text())
    removed = {"type": "Replace", "pattern": {"String": "zebra"}, "content": ""}
    content["normalizer"] = {"type": "Sequence", "normalizers": [content["normalizer"], removed]}
    file.write_text(json.dumps(content))
    encoder = TransformerEncoder(folder, max_length=40, device="cpu")
    assert encoder.encode(["zebra"]).n_tokens.tolist() == [2]
    kinds = encoder.chosen("last", "mean-content")
    with pytest.raises(InputError, match="'zebra' has only special tokens"):
        list(encoder.encode_blocks(["a cat", "zebra"], kinds=kinds))


def test_what_mean_content_leaves_out_is_said(reader, own_cache):
    lab = Lab(device="cpu")
    for added, left_out in (("both", "[CLS], [SEP]"), ("none", "nothing, since the tokenizer")):
        model = str(reader("gpt2", added))
        recipe = Recipe(model=model, dataset="teaching", layers="last", max_length=40)
        content = next(lab.embedded([recipe.with_(tokens="mean-content")])).cut_remark
        assert f"mean-content leaves out {left_out}" in content
        assert "mean-content" not in next(lab.embedded([recipe])).cut_remark


def test_mean_content_is_kept_where_it_was_asked_for_alone(reader, tmp_path):
    encoder = TransformerEncoder(reader("bert", "both"), max_length=40, device="cpu")
    store = EmbeddingStore(tmp_path)
    content = next(store.embed(encoder, SENTENCES, [("last", "mean-content")])).x
    assert store.missing(encoder, SENTENCES) == 0, "the usual kinds are stored too"
    n_bytes = store.entries()[0].n_bytes
    usual = EmbeddingStore(tmp_path / "usual")
    next(usual.embed(encoder, SENTENCES, [("last", "mean")]))
    assert usual.entries()[0].n_bytes < n_bytes
    assert set(encoder.tensors).isdisjoint(encoder.chosen("last", "mean-content"))
    again = next(store.embed(encoder, SENTENCES, [("last", "mean-content")])).x
    np.testing.assert_array_equal(again, content)
