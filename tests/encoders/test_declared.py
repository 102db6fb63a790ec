"""What a model's folder declares is what `SentenceTransformer.encode` gives."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from tiny_models import FAMILIES, MAX_TOKENS, WORDS, save_tiny_model

from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.encoders.declared import DeclaredEncoder
from bertflow_core.encoders.declared_folder import open_declared
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

SENTENCES = ["a cat sat", "the big dog runs fast on a mat", "red", "Blue Cat " * 40, "a cat", "!?"]
PROMPTS = {"query": "the cat: ", "passage": "a dog: "}


class Makers:
    """Modules of sentence-transformers with random weights, in a folder of the test's own."""

    def __init__(self, folder: Path) -> None:
        from sentence_transformers.sentence_transformer import modules

        self.folder = folder
        self.st = modules
        torch.manual_seed(2)

    def bert(self, family: str = "bert", **options: Any) -> Any:
        return self.st.Transformer(str(save_tiny_model(self.folder / family, family)), **options)

    def pool(self, *modes: str, dim: int = 16, **options: Any) -> Any:
        return self.st.Pooling(dim, modes, **options)

    def dense(self, n_in: int = 16, **options: Any) -> Any:
        return self.st.Dense(n_in, 5, **options)

    def static(self) -> Any:
        from tokenizers import Tokenizer

        folder = save_tiny_model(self.folder / "bert", "bert")
        return self.st.StaticEmbedding(
            Tokenizer.from_file(str(folder / "tokenizer.json")), embedding_dim=7
        )

    def words(self) -> Any:
        from sentence_transformers.sentence_transformer.modules.tokenizer import WhitespaceTokenizer

        table = np.random.default_rng(4).normal(size=(1 + len(WORDS), 6)).astype(np.float32)
        tokenizer = WhitespaceTokenizer(("PADDING_TOKEN", *WORDS), ["the"])
        return self.st.WordEmbeddings(tokenizer, table)


OURS = {
    "cls": lambda m: (m.bert(), m.pool("cls")),
    "mean": lambda m: (m.bert(), m.pool("mean")),
    "max": lambda m: (m.bert(), m.pool("max")),
    "last token": lambda m: (m.bert(), m.pool("lasttoken")),
    "unit length": lambda m: (m.bert(), m.pool("mean"), m.st.Dropout(0.5), m.st.Normalize()),
    "a shorter length": lambda m: (m.bert(max_seq_length=6), m.pool("mean")),
    "a decoder": lambda m: (m.bert("qwen3"), m.pool("lasttoken"), m.st.Normalize()),
    "roberta": lambda m: (m.bert("roberta", max_seq_length=MAX_TOKENS), m.pool("cls")),
}
"""What runs as every layer set does, without sentence-transformers."""
THEIRS = {
    "dense": lambda m: (m.bert(), m.pool("mean"), m.dense(), m.st.Normalize()),
    "two poolings, dense": lambda m: (
        *(m.bert(), m.pool("cls", "mean")),
        m.dense(32, activation_function=torch.nn.Identity(), bias=False),
    ),
    "two poolings": lambda m: (m.bert(), m.pool("max", "cls")),
    "rising weights": lambda m: (m.bert(), m.pool("weightedmean")),
    "root of the length": lambda m: (m.bert(), m.pool("mean_sqrt_len_tokens")),
    "layer norm": lambda m: (m.bert(), m.pool("mean"), m.st.LayerNorm(16)),
    "prompt left out of the mean": lambda m: (m.bert(), m.pool("mean", include_prompt=False)),
    "lower case": lambda m: (m.bert(do_lower_case=True), m.pool("mean")),
    "a static table": lambda m: (m.static(),),
    "a static table, unit length": lambda m: (m.static(), m.st.Normalize()),
    "word averages": lambda m: (m.words(), m.pool("mean", dim=6)),
    "word averages, dense": lambda m: (
        m.words(),
        m.pool("mean", dim=6),
        m.dense(6),
        m.st.Normalize(),
    ),
}
DEFAULT = {"default_prompt_name": "passage"}
SETTINGS = [({}, 0), ({**DEFAULT, "truncate_dim": 4}, 0), (DEFAULT, 3), (DEFAULT, 0)]
SETTINGS.append(({**DEFAULT, "truncate_dim": 4}, 2))
"""What settings a folder has, and how many features are asked for; each case takes one in turn."""


def saved(folder: Path, name: str, **settings: Any) -> Path:
    """Save the modules of a case as a model, and return its folder."""
    from sentence_transformers import SentenceTransformer

    modules = [*{**OURS, **THEIRS}[name](Makers(folder))]
    network = SentenceTransformer(modules=modules, device="cpu", **settings)
    network.save_pretrained(str(folder / "model"), create_model_card=False)
    return folder / "model"


def opened(folder: Path, prompt: str | None = None, **options: Any) -> DeclaredEncoder:
    declared = open_declared(resolve_model(str(folder)), prompt_name=prompt)
    return DeclaredEncoder(declared, device="cpu", **options)


def check_same(folder: Path, kept: int = 0, prompts: tuple[str | None, ...] = (None,)) -> None:
    from sentence_transformers import SentenceTransformer

    network = SentenceTransformer(str(folder), device="cpu", truncate_dim=kept or None)
    for prompt in prompts:
        expected = network.encode(SENTENCES, prompt_name=prompt)
        encoder = opened(folder, prompt, truncate_dim=kept)
        block = encoder.encode(SENTENCES)
        np.testing.assert_allclose(block.vectors[0], expected, rtol=0, atol=1e-5)
        assert (encoder.dim, block.vectors.dtype) == (expected.shape[1], np.float32)


@pytest.mark.parametrize("name", [*OURS, *THEIRS])
def test_vectors_are_those_of_sentence_transformers(name, tmp_path, monkeypatch):
    settings, kept = SETTINGS[[*OURS, *THEIRS].index(name) % len(SETTINGS)]
    folder = saved(tmp_path, name, prompts=PROMPTS, **settings)
    check_same(folder, kept, (None, "query"))
    if name in OURS:
        monkeypatch.setitem(sys.modules, "sentence_transformers", None)
        assert len(opened(folder).encode(SENTENCES).rows) == len(SENTENCES)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_folder_that_declares_nothing_is_mean_pooled_whatever_its_family(family, tmp_path):
    from sentence_transformers import SentenceTransformer

    folder = save_tiny_model(tmp_path / family, family)
    plain = TransformerEncoder(folder, max_length=MAX_TOKENS, device="cpu")
    mean = plain.encode(SENTENCES[:3]).vectors[3, 0]
    found = opened(folder).encode(SENTENCES[:3]).vectors[0]
    np.testing.assert_allclose(found, mean, rtol=1e-4, atol=1e-4)
    expected = SentenceTransformer(str(folder), device="cpu").encode(SENTENCES[:3])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-4)


def test_a_conversation_is_what_sentence_transformers_makes_of_a_folder_for_one(tmp_path):
    folder = save_tiny_model(tmp_path / "model", "qwen3")
    template = "{% for message in messages %}cat {{ message.content }} dog{% endfor %}"
    before = resolve_model(str(folder)).digest
    (folder / "chat_template.jinja").write_text(template)
    assert resolve_model(str(folder)).digest != before
    check_same(folder)


def test_the_embedded_model_is_what_sentence_transformers_gives(own_cache, minilm):
    """256 tokens, mean, unit length."""
    from sentence_transformers import SentenceTransformer

    sentences = ["A dog runs.", "Rain falls on the town " * 40]
    expected = SentenceTransformer(str(minilm), device="cpu").encode(sentences)
    np.testing.assert_allclose(Lab(device="cpu").embed("minilm", sentences), expected, atol=1e-6)


def test_what_was_cut_is_told_and_words_are_counted(tmp_path):
    cut = {"dense": [3], "a shorter length": [1, 3], "word averages": []}
    for name, rows in cut.items():
        block = opened(saved(tmp_path / name, name)).encode(SENTENCES)
        assert np.flatnonzero(block.cut).tolist() == rows, name
        assert block.n_tokens[0] == (3 if name == "word averages" else 5)


# What follows is of folders in the older layout, as most are on the hub.


def module(folder, index, kind, config=None, weights=None):
    """Write a module as sentence-transformers lays it out; return its line of modules.json."""
    path = folder / f"{index}_{kind}"
    path.mkdir(exist_ok=True)
    if config is not None:
        (path / "config.json").write_text(json.dumps(config))
    if weights is not None:
        save_file(weights, path / "model.safetensors")
    return {"path": path.name, "type": f"sentence_transformers.models.{kind}"}


def declare(folder, *modules, **settings):
    first = {"path": "", "type": "sentence_transformers.models.Transformer"}
    listed = [{"idx": i, "name": str(i), **each} for i, each in enumerate((first, *modules))]
    (folder / "modules.json").write_text(json.dumps(listed))
    (folder / "config_sentence_transformers.json").write_text(json.dumps(settings))
    return folder


def old_pooling(folder, mode):
    keys = {"mean": "mean_tokens", "cls": "cls_token", "max": "max_tokens"}
    config = {f"pooling_mode_{key}": name == mode for name, key in keys.items()}
    return module(folder, 1, "Pooling", {"word_embedding_dimension": 16, **config})


def old_dense(folder):
    weights = {"linear.weight": torch.randn(5, 16), "linear.bias": torch.randn(5)}
    config = {"in_features": 16, "out_features": 5, "bias": True}
    config["activation_function"] = "torch.nn.modules.activation.Tanh"
    return module(folder, 2, "Dense", config, weights)


@pytest.fixture
def folder(tiny_bert, tmp_path):
    return shutil.copytree(tiny_bert, tmp_path / "model")


@pytest.mark.parametrize(("mode", "has_dense"), [("mean", False), ("cls", True), ("max", False)])
def test_the_older_layout_is_read_as_well(folder, mode, has_dense):
    lengths = {"max_seq_length": 12, "do_lower_case": False}
    (folder / "sentence_bert_config.json").write_text(json.dumps(lengths))
    modules = [old_pooling(folder, mode), *([old_dense(folder)] if has_dense else [])]
    check_same(declare(folder, *modules, prompts=PROMPTS), prompts=("query",))


def test_what_is_declared_can_be_read(folder):
    modules = old_pooling(folder, "mean"), old_dense(folder), module(folder, 3, "Normalize")
    declare(folder, *modules, prompts=PROMPTS, default_prompt_name="query", truncate_dim=4)
    assert str(open_declared(resolve_model(str(folder)))) == (
        "prompt 'the cat: ', last layer, mean tokens, dense layer to 5 features, unit length, "
        "first 4 features"
    )


def test_the_lab_stores_what_is_declared_apart_and_knows_a_changed_module(folder, own_cache):
    declare(folder, old_pooling(folder, "cls"))
    lab = Lab(device="cpu")
    declared = lab.embed(str(folder), SENTENCES)
    cls = lab.embed(str(folder), SENTENCES, layers="last", tokens="cls", max_length=MAX_TOKENS)
    np.testing.assert_allclose(declared, cls, atol=1e-4)
    np.testing.assert_array_equal(lab.embed(str(folder), SENTENCES[::-1]), declared[::-1])
    declare(folder, old_pooling(folder, "max"))
    assert np.abs(lab.embed(str(folder), SENTENCES) - declared).max() > 0.1
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 5}')
    assert np.abs(lab.embed(str(folder), SENTENCES) - declared).max() > 0.1


def test_a_choice_that_the_model_does_not_have_is_refused_with_those_it_has(folder, own_cache):
    declare(folder, old_pooling(folder, "mean"), prompts=PROMPTS, truncate_dim=8)
    lab = Lab(device="cpu")
    assert lab.embed(str(folder), SENTENCES).shape == (6, 8)
    assert lab.embed(str(folder), SENTENCES, truncate_dim=12).shape == (6, 12)
    with pytest.raises(InputError, match="no prompt 'question': it declares 'query', 'passage'"):
        lab.embed(str(folder), SENTENCES, prompt="question")
    with pytest.raises(InputError, match=r"has 16 features.* got 17"):
        lab.embed(str(folder), SENTENCES, truncate_dim=17)


def test_layers_model_brings_its_own_choices_and_takes_them_along():
    recipe = Recipe(layers="model", prompt="query", truncate_dim=128)
    assert (recipe.tokens, recipe.max_length) == ("model", 0)
    assert "folder declares, prompt 'query', first 128 features" in recipe.caption()
    assert recipe.with_(layers="last") == Recipe(layers="last")
    assert recipe.without("layers") == Recipe().without("layers")
    assert recipe.fingerprint() != recipe.with_(prompt=None).fingerprint()
    for wrong in ({"tokens": "cls"}, {"max_length": 32}, {"truncate_dim": -1}):
        with pytest.raises(InputError):
            Recipe(layers="model", **wrong)
    for wrong in ({"prompt": "query"}, {"truncate_dim": 8}, {"tokens": "model"}):
        with pytest.raises(InputError):
            Recipe(layers="last", **wrong)
