"""Malformed or hostile model folders are refused in one sentence; their code never runs."""

import base64
import json
import logging
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from test_declared import declare, module, old_dense, old_pooling
from waiting import stopping

from bertflow_core.encoders import TransformerEncoder, loading, resolve_model
from bertflow_core.encoders.declared import DeclaredEncoder
from bertflow_core.encoders.declared_folder import open_declared
from bertflow_core.errors import Cancelled, InputError

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"
TOKENIZER_CONFIG, INDEX = "tokenizer_config.json", "model.safetensors.index.json"
LENGTHS = "sentence_bert_config.json"
WORD_TABLE = "embeddings.word_embeddings.weight"
EMBED = "cannot be loaded as an encoder"
BOTH, DECLARED = ("last", "model"), ("model",)


def encode(folder: Path, layers: str) -> np.ndarray:
    model, sentences = resolve_model(str(folder)), ["The cat sat!", "zebra"]
    if layers == "model":
        return DeclaredEncoder(open_declared(model), device="cpu").encode(sentences).vectors
    return TransformerEncoder(model, max_length=20, device="cpu").encode(sentences).vectors


def edit(name: str, **changes: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        known = json.loads((folder / name).read_text()) if (folder / name).exists() else {}
        (folder / name).write_text(json.dumps(known | changes))

    return change


def weights(change: Callable[[dict[str, torch.Tensor]], Any]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        tensors = load_file(folder / WEIGHTS)
        save_file(change(tensors) or tensors, folder / WEIGHTS, metadata={"format": "pt"})

    return write


def content(name: str, text: bytes) -> Callable[[Path], Any]:
    return lambda folder: (folder / name).write_bytes(text)


def sparse(name: str) -> Callable[[Path], None]:
    def grow(folder: Path) -> None:
        with (folder / name).open("ab") as stream:
            stream.truncate(1 << 40)

    return grow


def without(*names: str) -> Callable[[Path], Any]:
    return lambda folder: [(folder / name).unlink() for name in names]


def indexed(name: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        shutil.copy(folder / WEIGHTS, folder.parent / "outside.safetensors")
        (folder / WEIGHTS).rename(folder / "part.safetensors")
        names = {key: "part.safetensors" for key in load_file(folder / "part.safetensors")}
        content = {"metadata": {}, "weight_map": {**names, "b": name}}
        (folder / INDEX).write_text(json.dumps(content))

    return write


def dense(**config: object) -> Callable[[Path], Path]:
    return lambda folder: declare(folder, old_pooling(folder, "mean"), old_dense(folder, **config))


def listed(value: object) -> Callable[[Path], None]:
    return content("modules.json", json.dumps(value).encode())


def of(kind: str, path: str = "1_x") -> dict[str, str]:
    return {"path": path, "type": f"sentence_transformers.models.{kind}"}


def replaced(regex: str, new: str) -> dict[str, object]:
    return {"type": "Replace", "pattern": {"Regex": regex}, "content": new}


def sequence(*steps: object) -> dict[str, object]:
    return {"type": "Sequence", "normalizers": [*steps], "pretokenizers": [*steps]}


def longest_word(n: int) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        model = json.loads((folder / TOKENIZER).read_text())["model"]
        edit(TOKENIZER, model=model | {"max_input_chars_per_word": n})(folder)

    return change


LONG_ENTRY = base64.b64encode(bytes(4) + b"a" * 3000).decode()
ALBERT = {"model_type": "albert", "embedding_size": 8}


class Trap:
    """Makes a folder when it is unpickled."""

    def __reduce__(self) -> tuple:
        return Path.mkdir, (Path("sprung"),)


PICKLE = content("pytorch_model.bin", pickle.dumps(Trap()))
LAST_LAYER = weights(lambda w: {k: v for k, v in w.items() if ".layer.2." not in k})

BAD = [
    # missing or damaged files, and files of another model
    (without(CONFIG), "no config.json", BOTH),
    (without(WEIGHTS), "no weights: expected model.safetensors", BOTH),
    (LAST_LAYER, r"lacks 16 of its weights, such as encoder\.layer\.2", BOTH),
    (lambda f: (LAST_LAYER(f), dense()(f)), "lacks 16 of its weights", DECLARED),
    (edit(CONFIG, intermediate_size=25), "lacks 9 of its weights", BOTH),
    (weights(lambda w: {k: v * torch.nan for k, v in w.items()}), "not finite", BOTH),
    (content(WEIGHTS, b"\xff" * 999), EMBED, BOTH),
    (content(CONFIG, b"[" * 100_000), "cannot be read", BOTH),
    (content(CONFIG, b"[1]"), "must hold a JSON dict", BOTH),
    (content(TOKENIZER, b"{}"), EMBED, BOTH),
    (without(TOKENIZER, TOKENIZER_CONFIG), "tokenizer|UNK", BOTH),
    (edit(TOKENIZER_CONFIG, model_max_length="40"), "model_max_length", ("last",)),
    (edit(TOKENIZER_CONFIG, model_max_length=float("nan")), "model_max_length", BOTH),
    (edit(TOKENIZER, post_processor=None, normalizer={"type": "Replace",
     "pattern": {"Regex": ".*"}, "content": ""}), "finds no word in a text", BOTH),
    (edit(TOKENIZER, normalizer=replaced("(.|\\s)+", "")), "finds no word in a text", BOTH),
    (weights(lambda w: {k: v.mul(9).int() for k, v in w.items()}), "weights of integers", BOTH),
    (lambda f: (weights(lambda w: w | {WORD_TABLE: w[WORD_TABLE][:6].clone()})(f),
                edit(CONFIG, vocab_size=6)(f)), "more tokens than the weights have vectors", BOTH),
    (content("adapter_config.json", b"{}"), "adapter", BOTH),
    # sizes
    (edit(CONFIG, num_hidden_layers=1_000_000), "has 'num_hidden_layers' 1000000: .* 1,024$", BOTH),
    (edit(CONFIG, n_layers=1_000_000), "has 'n_layers' 1000000", BOTH),  # a second name
    (edit(CONFIG, more={"block_sizes": [1, 2000]}), "has 'block_sizes' 2000", BOTH),
    (edit(CONFIG, num_labels=10**9), "has 'num_labels' 1000000000: .* 65,536$", BOTH),
    (edit(CONFIG, model_type="bark", n_codes_total=1 << 26), "at most 1,048,576", BOTH),
    (edit(CONFIG, intermediate_size=10**9), "at most 67,108,864", BOTH),
    (edit(CONFIG, intermediate_size=10**7), "describes .* parameters, but", BOTH),
    (edit(CONFIG, hidden_size=0), "has hidden_size 0: expected 1 to", BOTH),
    (lambda f: (f / CONFIG).write_text((f / CONFIG).read_text().replace("hidden_size", "size")),
     "lacks hidden_size: expected 1 to", BOTH),
    (edit(CONFIG, max_position_embeddings=40.5), "max_position_embeddings", BOTH),
    # numbers that are small one by one, and endless together
    (edit(CONFIG, **ALBERT, num_hidden_groups=1024, inner_group_num=1024),
     "than 2,000 parts", BOTH),
    (edit(CONFIG, model_type="nllb-moe", d_model=16, decoder_layers=1024, num_experts=1 << 16),
     "than 2,000 parts", BOTH),
    (edit(CONFIG, model_type="canine", num_hash_functions=1 << 20), "than 2,000 parts", BOTH),
    (edit(CONFIG, model_type="dac", n_codebooks=1 << 20), "reads no text", BOTH),
    (edit(CONFIG, model_type="encodec", target_bandwidths=[1e9]), "reads no text", BOTH),
    (edit(CONFIG, model_type="patchtst", num_input_channels=1 << 20), "reads no text", BOTH),
    (edit(TOKENIZER, normalizer=sequence(*[replaced("a", "aa")] * 40)), "2,048 times", BOTH),
    (edit(TOKENIZER, normalizer=sequence(*[replaced("(?=a)", "a")] * 40)), "2,048 times", BOTH),
    (edit(TOKENIZER, normalizer=sequence(*[{"type": "Prepend", "prepend": "aa"}] * 40)),
     "2,048 times", BOTH),
    (edit(TOKENIZER, normalizer={"type": "Precompiled", "precompiled_charsmap": LONG_ENTRY}),
     "2,048 times", BOTH),
    (edit(TOKENIZER, post_processor={"special_tokens": {"[CLS]": {"ids": [0] * 200_000}}}),
     "2,048 times", BOTH),
    (edit(TOKENIZER, pre_tokenizer=sequence(*[{"type": "Whitespace"}] * 2000)), "1,024 parts",
     BOTH),
    (longest_word(10**9), "'max_input_chars_per_word' 1000000000: .* 1,000$", BOTH),
    (edit(TOKENIZER_CONFIG, extra_ids=10**9), "'extra_ids' 1000000000", BOTH),
    (edit(CONFIG, is_encoder_decoder=True), "is an encoder-decoder", BOTH),
    (edit(CONFIG, model_type="no-such-model"), EMBED, BOTH),
    (sparse(WEIGHTS), f"{WEIGHTS}' is too large", BOTH),
    (sparse("vocab.txt"), "vocab.txt' is too large", BOTH),
    (dense(out_features=10**9), "sizes up to 1,000,000,000", DECLARED),
    (dense(in_features=10**5, out_features=10**5), "product 10,000,000,000", DECLARED),
    (lambda f: (dense()(f), edit(TOKENIZER, normalizer=replaced("(.|\\s)+", ""))(f)),
     "finds no word in a text", DECLARED),
    # paths out of the folder, and code
    (indexed("../outside.safetensors"), "expected only .*files in the same folder", BOTH),
    (indexed(""), "names '': expected only .*files in the same folder", BOTH),
    (lambda f: (without(WEIGHTS)(f), PICKLE(f)), "no weights.* can run code", BOTH),
    (listed([{"path": "", "type": "trap.Module"}]), "never run", DECLARED),
    (listed([of("Transformer", ""), of("Pooling", "../x")]), "own subfolder", DECLARED),
    (listed([of("Transformer", ""), of("Pooling", "x" * 300)]), "own subfolder", DECLARED),
    (listed([of("Normalize", "")]), "must begin with", DECLARED),
    (listed({}), "JSON list", BOTH),
    (listed([of("StaticEmbedding", "")]), "cannot be loaded|no tokenizer", DECLARED),
    (listed([of("Transformer", ""), of("Dense")]), "'.*1_x' does not exist", DECLARED),
    (dense(activation_function="os.system"), "activation 'os.system'", DECLARED),
    (dense(activation_function="torch.nn.init.ones_"), EMBED, DECLARED),
    (lambda f: declare(f, module(f, 1, "Pooling", {"pooling_mode": "<b>"})), EMBED, DECLARED),
    (edit(LENGTHS, tokenizer_name_or_path="/etc"), "tokenizer_name_or_path", DECLARED),
    (edit(LENGTHS, modality_config={"text": 1}), "modality_config", DECLARED),
    (edit(LENGTHS, max_seq_length="8"), "max_seq_length", DECLARED),
    (lambda f: declare(f, default_prompt_name="q"), "no prompt 'q'.* none", DECLARED),
    (lambda f: declare(f, truncate_dim="8"), "truncate_dim", DECLARED),
]  # fmt: skip


@pytest.fixture
def folder(folder, monkeypatch) -> Path:
    """A copy of the tiny BERT to damage, with code that must not run."""
    monkeypatch.chdir(folder.parent)
    monkeypatch.setattr(loading, "_MOST_PARTS", 2_000)
    (folder / "trap.py").write_text("import os; os.mkdir('sprung')\n")
    return folder


@pytest.mark.parametrize("number", range(len(BAD)), ids=lambda n: f"{n}-{BAD[n][1][:30]}")
def test_a_folder_that_is_not_as_it_should_be_is_refused(folder, number):
    damage, pattern, layer_sets = BAD[number]
    damage(folder)
    for layers in layer_sets:
        with pytest.raises(InputError, match=pattern) as caught:
            encode(folder, layers)
        assert "\n" not in str(caught.value)
    assert not Path("sprung").exists()


def test_stop_ends_the_building_of_a_network_and_the_wait_for_another(folder, monkeypatch):
    undamaged = (folder / CONFIG).read_text()
    edit(CONFIG, **ALBERT, num_hidden_groups=1024, inner_group_num=1024)(folder)
    monkeypatch.setattr(loading, "_MOST_PARTS", 1 << 60)

    with stopping(), pytest.raises(Cancelled):
        loading.load_network(resolve_model(str(folder)))
    (folder / CONFIG).write_text(undamaged)
    encode(folder, "last")
    with loading._LOADING, stopping(), pytest.raises(Cancelled):
        loading.load_network(resolve_model(str(folder)))


@pytest.mark.parametrize("name", ["dense", "a static table", "word averages"])
def test_weights_that_are_missing_in_a_module_are_refused(name, saved, tmp_path):
    folder = saved(tmp_path, name)
    files = sorted(folder.rglob("*.safetensors"), key=lambda file: file.parent.name)
    save_file({f"other.{key}": value for key, value in load_file(files[-1]).items()}, files[-1])
    with pytest.raises(InputError, match=r"cannot be loaded|lacks"):
        encode(folder, "model")


def test_a_tokenizer_class_of_another_library_is_not_called(saved, tmp_path):
    folder = saved(tmp_path, "word averages")
    for file in folder.rglob("wordembedding_config.json"):
        edit(file.name, tokenizer_class="os.mkdir")(file.parent)
    with pytest.raises(InputError, match="cannot be loaded"):
        encode(folder, "model")


@pytest.mark.parametrize("name", ["a static table", "word averages"])
def test_a_table_of_words_has_no_layers_and_says_so(name, saved, tmp_path):
    model = resolve_model(str(saved(tmp_path, name)))
    assert (model.n_layers, model.max_positions) == (0, None)
    with pytest.raises(InputError, match=r"no transformer.*layer set 'model'"):
        TransformerEncoder(model)


def head(prefix: str) -> Callable[[Path], None]:
    """Rename the weights as in older published models: with a head and without a pooler."""

    def publish(tensors: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        old = {k.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): v
               for k, v in tensors.items() if "pooler" not in k}  # fmt: skip
        return {f"{prefix}{k}": v for k, v in old.items()} | {"cls.bias": torch.zeros(2)}

    return weights(publish)


def vocabulary(folder: Path) -> None:
    """Replace tokenizer.json by vocab.txt."""
    ids = json.loads((folder / TOKENIZER).read_text())["model"]["vocab"]
    (folder / "vocab.txt").write_text("\n".join(sorted(ids, key=ids.get)) + "\n")
    (folder / TOKENIZER_CONFIG).write_text('{"do_lower_case": true}')
    (folder / TOKENIZER).unlink()


HARMLESS = {
    "parts": indexed("part.safetensors"),
    "an older head": head("bert."),
    "output: a tuple of all": edit(CONFIG, output_hidden_states=True, return_dict=False),
    "vocab.txt": vocabulary,
    "large numbers that build nothing": edit(
        CONFIG, rope_theta=10_000_000, more={"shared_expert_intermediate_size": 5632}
    ),
    "other weights": sparse("other.safetensors"),
    "a pickle beside": PICKLE,
    "code": edit(CONFIG, auto_map={"AutoConfig": "trap.Config", "AutoModel": "trap.Model"}),
    "code of a tokenizer": edit(TOKENIZER_CONFIG, auto_map={"AutoTokenizer": ["trap.Trap", None]}),
}


@pytest.mark.parametrize("name", HARMLESS)
def test_what_does_not_matter_changes_nothing_and_is_not_spoken_of(folder, name):
    undamaged = encode(folder, "last")
    said, listener = [], logging.Handler()
    listener.emit = said.append
    HARMLESS[name](folder)
    logging.getLogger("transformers").addHandler(listener)
    found = encode(folder, "last")
    logging.getLogger("transformers").removeHandler(listener)
    atol = 1e-5 if name.startswith("output") else 0
    np.testing.assert_allclose(found, undamaged, rtol=0, atol=atol)
    assert not Path("sprung").exists()
    assert [record.getMessage() for record in said] == []
