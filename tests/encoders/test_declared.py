"""What a model's folder declares is what `SentenceTransformer.encode` gives, and is checked."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_models import MAX_TOKENS, OTHER_FAMILIES, WORDS, save_tiny_model

from bertflow_core.encoders import DeclaredEncoder, TransformerEncoder, open_declared, resolve_model
from bertflow_core.errors import InputError
from bertflow_core.lab import Lab
from bertflow_core.recipe import Recipe

SENTENCES = ["a cat sat", "the big dog runs fast on a mat", "red", "Blue Cat " * 40, "a cat", "!?"]
PROMPTS = {"query": "the cat: ", "passage": "a dog: "}
POOLINGS = ("cls", "mean", "max", "mean_sqrt_len_tokens", "weightedmean", "lasttoken")


def saved(folder: Path, *modules: Any, **settings: Any) -> Path:
    """Save modules of sentence-transformers as a model, and return its folder."""
    from sentence_transformers import SentenceTransformer

    network = SentenceTransformer(modules=list(modules), device="cpu", **settings)
    network.save_pretrained(str(folder), create_model_card=False)
    return folder


def transformer(tmp_path: Path, family: str = "bert", **options: Any) -> Any:
    from sentence_transformers.sentence_transformer.modules import Transformer

    return Transformer(str(save_tiny_model(tmp_path / family, family)), **options)


def pooling(*modes: str, dim: int = 16, **options: Any) -> Any:
    from sentence_transformers.sentence_transformer.modules import Pooling

    return Pooling(dim, modes, **options)


def dense(n_in: int = 16, **options: Any) -> Any:
    from sentence_transformers.sentence_transformer.modules import Dense

    torch.manual_seed(2)
    return Dense(n_in, 5, **options)


def unit() -> Any:
    from sentence_transformers.sentence_transformer.modules import Normalize

    return Normalize()


def dropout() -> Any:
    from sentence_transformers.sentence_transformer.modules import Dropout

    return Dropout(0.5)


def layer_norm() -> Any:
    from sentence_transformers.sentence_transformer.modules import LayerNorm

    return LayerNorm(16)


def static(tmp_path: Path) -> Any:
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer

    torch.manual_seed(3)
    tokenizer = Tokenizer.from_file(str(save_tiny_model(tmp_path / "bert", "bert") / TOKENIZER))
    return StaticEmbedding(tokenizer, embedding_dim=7)


def words() -> Any:
    from sentence_transformers.sentence_transformer.modules import WordEmbeddings
    from sentence_transformers.sentence_transformer.modules.tokenizer import WhitespaceTokenizer

    table = np.random.default_rng(4).normal(size=(1 + len(WORDS), 6)).astype(np.float32)
    return WordEmbeddings(WhitespaceTokenizer(("PADDING_TOKEN", *WORDS), ["the"]), table)


TOKENIZER = "tokenizer.json"
PLAIN = {
    **{mode: lambda p, mode=mode: (transformer(p), pooling(mode)) for mode in POOLINGS},
    "two poolings": lambda p: (transformer(p), pooling("max", "cls")),
    "unit length": lambda p: (transformer(p), pooling("mean"), dropout(), unit()),
    "a shorter length": lambda p: (transformer(p, max_seq_length=6), pooling("mean")),
    "a decoder": lambda p: (transformer(p, "qwen3"), pooling("lasttoken"), unit()),
    "roberta": lambda p: (transformer(p, "roberta", max_seq_length=MAX_TOKENS), pooling("cls")),
}
"""What runs as every layer set does, without sentence-transformers."""
OTHERS = {
    "dense": lambda p: (transformer(p), pooling("mean"), dense(), unit()),
    "two poolings, dense": lambda p: (
        *(transformer(p), pooling("cls", "mean")),
        dense(32, activation_function=torch.nn.Identity(), bias=False),
    ),
    "layer norm": lambda p: (transformer(p), pooling("mean"), layer_norm()),
    "prompt left out of the mean": lambda p: (
        *(transformer(p), pooling("mean", include_prompt=False)),
    ),
    "lower case": lambda p: (transformer(p, do_lower_case=True), pooling("mean")),
    "a static table": lambda p: (static(p),),
    "a static table, unit length": lambda p: (static(p), unit()),
    "word averages": lambda p: (words(), pooling("mean", dim=6)),
    "word averages, dense": lambda p: (words(), pooling("mean", dim=6), dense(6), unit()),
}


def check_same(folder: Path, **options: Any) -> None:
    """Compare with the library: the folder's own prompt and length, and a named prompt."""
    from sentence_transformers import SentenceTransformer

    network = SentenceTransformer(str(folder), device="cpu", **options)
    for prompt in (None, "query", "passage"):
        expected = network.encode(SENTENCES, prompt_name=prompt)
        encoder = DeclaredEncoder(
            open_declared(resolve_model(str(folder)), prompt_name=prompt), device="cpu", **options
        )
        block = encoder.encode(SENTENCES)
        np.testing.assert_allclose(block.vectors[0], expected, rtol=0, atol=1e-5)
        assert encoder.dim == expected.shape[1]
        assert block.vectors.dtype == np.float32


@pytest.mark.parametrize("name", [*PLAIN, *OTHERS])
def test_vectors_are_those_of_sentence_transformers(name, tmp_path):
    modules = {**PLAIN, **OTHERS}[name](tmp_path)
    check_same(saved(tmp_path / "model", *modules, prompts=PROMPTS))


@pytest.mark.parametrize("name", ["mean", "unit length", "dense", "a static table"])
@pytest.mark.parametrize(("kept", "chosen"), [(4, None), (None, 3), (4, 2)])
def test_kept_features_and_a_default_prompt_are_those_of_sentence_transformers(
    name, kept, chosen, tmp_path
):
    modules = {**PLAIN, **OTHERS}[name](tmp_path)
    settings = {"prompts": PROMPTS, "default_prompt_name": "passage", "truncate_dim": kept}
    folder = saved(tmp_path / "model", *modules, **settings)
    check_same(folder, **({} if chosen is None else {"truncate_dim": chosen}))


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "mpnet", *OTHER_FAMILIES])
def test_a_folder_that_declares_nothing_is_mean_pooled_whatever_its_family(family, tmp_path):
    folder = save_tiny_model(tmp_path / family, family)
    plain = TransformerEncoder(resolve_model(str(folder)), max_length=MAX_TOKENS, device="cpu")
    mean = plain.encode(SENTENCES[:3]).named(plain.tensors)["layer.3.mean"]
    declared = DeclaredEncoder(open_declared(resolve_model(str(folder))), device="cpu")
    found = declared.encode(SENTENCES[:3]).vectors[0]
    np.testing.assert_allclose(found, mean, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(found, reference(folder).encode(SENTENCES[:3]), rtol=0, atol=1e-4)


def test_a_conversation_is_what_sentence_transformers_makes_of_a_folder_for_one(tmp_path):
    folder = save_tiny_model(tmp_path / "model", "qwen3")
    template = "{% for message in messages %}cat {{ message.content }} dog{% endfor %}"
    (folder / "chat_template.jinja").write_text(template)
    declared = DeclaredEncoder(open_declared(resolve_model(str(folder))), device="cpu")
    found = declared.encode(SENTENCES[:3]).vectors[0]
    np.testing.assert_allclose(found, reference(folder).encode(SENTENCES[:3]), rtol=0, atol=1e-5)


def reference(folder: Path) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu")


@pytest.mark.parametrize("name", PLAIN)
def test_poolings_of_a_transformer_need_no_sentence_transformers(name, tmp_path, monkeypatch):
    folder = saved(tmp_path / "model", *PLAIN[name](tmp_path), prompts=PROMPTS)
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    encoder = DeclaredEncoder(open_declared(resolve_model(str(folder))), device="cpu")
    assert len(encoder.encode(SENTENCES).rows) == len(SENTENCES)


def test_the_embedded_model_is_what_sentence_transformers_gives(own_cache, minilm):
    """256 tokens, mean, unit length."""
    sentences = ["A dog runs.", "Rain falls on the town " * 40]
    found = Lab(device="cpu").embed("minilm", sentences)
    np.testing.assert_allclose(found, reference(minilm).encode(sentences), atol=1e-6)


def test_what_was_cut_is_told_and_words_are_counted(tmp_path):
    cut = {"mean": [3], "dense": [3], "a shorter length": [1, 3], "word averages": []}
    for name, rows in cut.items():
        modules = {**PLAIN, **OTHERS}[name](tmp_path / name)
        folder = saved(tmp_path / name / "model", *modules)
        block = DeclaredEncoder(open_declared(resolve_model(str(folder)))).encode(SENTENCES)
        assert np.flatnonzero(block.cut).tolist() == rows, name
        assert block.n_tokens[0] == (3 if name == "word averages" else 5)


# What follows is of folders in the older layout, as most are on the hub.

TRANSFORMER = {
    "idx": 0,
    "name": "0",
    "path": "",
    "type": "sentence_transformers.models.Transformer",
}


def module(folder, index, kind, config=None, weights=None):
    """Write a module as sentence-transformers lays it out; return its line of modules.json."""
    path = folder / f"{index}_{kind}"
    path.mkdir(exist_ok=True)
    if config is not None:
        (path / "config.json").write_text(json.dumps(config))
    if weights is not None:
        save_file(weights, path / "model.safetensors")
    kind_of = f"sentence_transformers.models.{kind}"
    return {"idx": index, "name": str(index), "path": path.name, "type": kind_of}


def declare(folder, *modules, first=TRANSFORMER, **settings):
    (folder / "modules.json").write_text(json.dumps([first, *modules]))
    (folder / "config_sentence_transformers.json").write_text(json.dumps(settings))
    return folder


def old_pooling(folder, mode):
    keys = {"mean": "mean_tokens", "cls": "cls_token", "max": "max_tokens"}
    config = {f"pooling_mode_{key}": name == mode for name, key in keys.items()}
    return module(folder, 1, "Pooling", {"word_embedding_dimension": 16, **config})


def old_dense(folder, activation="torch.nn.modules.activation.Tanh", **changes):
    weights = {"linear.weight": torch.randn(5, 16), "linear.bias": torch.randn(5)}
    config = {"in_features": 16, "out_features": 5, "bias": True, "activation_function": activation}
    return module(folder, 2, "Dense", config | changes, weights)


def settings_of(folder, **settings):
    (folder / "sentence_bert_config.json").write_text(json.dumps(settings))


@pytest.fixture
def folder(tiny_bert, tmp_path):
    return shutil.copytree(tiny_bert, tmp_path / "model")


@pytest.mark.parametrize("mode", ["mean", "cls", "max"])
def test_the_older_layout_is_read_as_well(folder, mode):
    settings_of(folder, max_seq_length=12, do_lower_case=False)
    check_same(declare(folder, old_pooling(folder, mode), prompts=PROMPTS))
    check_same(declare(folder, old_pooling(folder, mode), old_dense(folder), prompts=PROMPTS))


def test_what_is_declared_can_be_read(folder):
    unit_length = module(folder, 3, "Normalize")
    settings = {"prompts": PROMPTS, "default_prompt_name": "query", "truncate_dim": 4}
    declare(folder, old_pooling(folder, "mean"), old_dense(folder), unit_length, **settings)
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
    settings_of(folder, max_seq_length=5)
    assert np.abs(lab.embed(str(folder), SENTENCES) - declared).max() > 0.1


STATIC = "sentence_transformers.models.StaticEmbedding"
WORD_AVERAGES = "sentence_transformers.models.WordEmbeddings"


def word_tokenizer(folder, kind):
    line = module(folder, 0, "WordEmbeddings", {}, {"emb_layer.weight": torch.ones(2, 3)})
    path = folder / line["path"] / "wordembedding_config.json"
    path.write_text(json.dumps({"tokenizer_class": kind}))
    return declare(folder, first=line)


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda f: declare(f, {"path": "x", "type": "strange.Module"}), "never run"),
        (lambda f: declare(f, {"path": "../x", "type": TRANSFORMER["type"]}), "beside it"),
        (lambda f: declare(f, module(f, 1, "Router")), "never run"),
        (lambda f: declare(f, first=module(f, 0, "Pooling", {})), "must begin with"),
        (lambda f: declare(f, first={"path": "../x", "type": STATIC}), "beside it"),
        (lambda f: (f / "modules.json").write_text("{"), "cannot be read"),
        (lambda f: (f / "modules.json").write_text("{}"), "JSON list"),
        (lambda f: declare(f, old_dense(f, "os.system")), "activation function 'os.system'"),
        (lambda f: declare(f, old_dense(f, out_features=10**9)), "out_features 1000000000"),
        (lambda f: declare(f, old_dense(f, out_features=10**6, in_features=10**6)), "describes"),
        (lambda f: declare(f, module(f, 1, "Dense", {"out_features": 5})), "no model.safetensors"),
        (lambda f: declare(f, first=module(f, 0, "StaticEmbedding")), "no model.safetensors"),
        (lambda f: declare(f, prompts={}, default_prompt_name="q"), "no prompt 'q'.* none"),
        (lambda f: declare(f, prompts={"q": 1}, default_prompt_name=["q"]), "no prompt"),
        (lambda f: declare(f, truncate_dim="8"), "truncate_dim that is no number"),
        (lambda f: declare(f, module(f, 1, "Pooling", {"pooling_mode": 5})), "the mode 5"),
        (lambda f: declare(f, module(f, 1, "Pooling", {"pooling_mode": "<b>"})), "the mode '<b>'"),
        (lambda f: settings_of(declare(f), tokenizer_name_or_path="/etc"), "tokenizer_name_or"),
        (lambda f: settings_of(declare(f), model_args={"subfolder": "../x"}), "model_args"),
        (lambda f: settings_of(declare(f), modality_config={"text": 1}), "modality_config"),
        (lambda f: settings_of(declare(f), max_seq_length="8"), "max_seq_length"),
        (lambda f: word_tokenizer(f, "os.system"), "tokenizer class 'os.system'"),
        (lambda f: (f / "adapter_config.json").write_text("{}"), "adapter"),
    ],
)
def test_what_cannot_be_trusted_is_refused_before_anything_is_loaded(folder, break_it, words):
    break_it(folder)
    with pytest.raises(InputError, match=words):
        open_declared(resolve_model(str(folder)))


@pytest.mark.parametrize("name", ["a static table", "word averages"])
def test_a_table_of_words_has_no_layers_and_says_so(name, tmp_path, own_cache):
    folder = saved(tmp_path / "model", *OTHERS[name](tmp_path))
    model = resolve_model(str(folder))
    assert (model.n_layers, model.max_positions) == (0, None)
    with pytest.raises(InputError, match=r"no transformer.*layers model"):
        Lab(device="cpu").embed(str(folder), SENTENCES, layers="last")


@pytest.mark.parametrize("name", ["dense", "a static table", "word averages"])
def test_weights_that_are_missing_in_a_module_are_refused(name, tmp_path):
    folder = saved(tmp_path / "model", *OTHERS[name](tmp_path))
    file = next(iter(folder.glob("2_*/*.safetensors"))) if name == "dense" else None
    file = file or next(iter(folder.rglob("*.safetensors")))
    weights = load_file(file)
    save_file({f"other.{key}": value for key, value in weights.items()}, file)
    with pytest.raises(InputError, match=r"cannot be loaded|lacks"):
        DeclaredEncoder(open_declared(resolve_model(str(folder)))).encode(SENTENCES)


def test_layers_model_brings_its_pooling_and_length_and_takes_them_along():
    recipe = Recipe(layers="model")
    assert (recipe.tokens, recipe.max_length) == ("model", 0)
    assert recipe.to_args() == ["--layers", "model"]
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    assert recipe.with_(layers="last") == Recipe(layers="last")
    assert recipe.without("layers") == Recipe().without("layers")
    for wrong in ({"tokens": "cls"}, {"max_length": 32}):
        with pytest.raises(InputError, match="the model's folder decides"):
            Recipe(layers="model", **wrong)
    with pytest.raises(InputError, match="token pooling"):
        Recipe(layers="last", tokens="model")


def test_a_choice_that_the_model_does_not_have_is_refused_with_those_it_has(folder, own_cache):
    declare(folder, old_pooling(folder, "mean"), prompts=PROMPTS, truncate_dim=8)
    lab = Lab(device="cpu")
    assert lab.embed(str(folder), SENTENCES).shape == (6, 8)
    assert lab.embed(str(folder), SENTENCES, truncate_dim=12).shape == (6, 12)
    with pytest.raises(InputError, match="no prompt 'question': it declares 'query', 'passage'"):
        lab.embed(str(folder), SENTENCES, prompt="question")
    with pytest.raises(InputError, match=r"has 16 features.* got 17"):
        lab.embed(str(folder), SENTENCES, truncate_dim=17)


def test_prompt_and_kept_features_belong_to_layers_model():
    recipe = Recipe(layers="model", prompt="query", truncate_dim=128)
    options = ["--layers", "model", "--prompt", "query", "--truncate-dim", "128"]
    assert recipe.to_args() == options
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    assert "folder declares, prompt 'query', first 128 features" in recipe.caption()
    assert recipe.with_(layers="last") == Recipe(layers="last")
    assert recipe.fingerprint() != recipe.with_(prompt=None).fingerprint()
    for wrong in ({"prompt": "query"}, {"truncate_dim": 8}):
        with pytest.raises(InputError, match="belongs to layers model"):
            Recipe(layers="last", **wrong)
    with pytest.raises(InputError, match="truncate_dim must be"):
        Recipe(layers="model", truncate_dim=-1)
