"""Model folders that are not as they should be: refused in a sentence, and never run."""

import json
import logging
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_models import save_tiny_model

from bertflow_core.encoders import DeclaredEncoder, open_declared, resolve_model
from bertflow_core.errors import InputError

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"


@pytest.fixture
def folder(tiny_bert, tmp_path) -> Path:
    """A copy of the tiny BERT to damage."""
    return shutil.copytree(tiny_bert, tmp_path / "model")


@pytest.fixture
def refuses(open_encoder) -> Callable[[Path, str], None]:
    """Expect that encoding with a folder fails in one sentence that holds a pattern."""

    def expect(folder: Path, pattern: str) -> None:
        with pytest.raises(InputError, match=pattern) as caught:
            open_encoder(folder, max_length=20).encode(["the cat sat"])
        assert "\n" not in str(caught.value)

    return expect


def edit(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def edit_weights(folder: Path, change: Callable[[dict[str, torch.Tensor]], dict]) -> None:
    save_file(change(load_file(folder / WEIGHTS)), folder / WEIGHTS, metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("missing", "pattern"),
    [(CONFIG, "no config.json"), (WEIGHTS, "no weights: expected model.safetensors")],
)
def test_a_folder_without_its_files_says_which(folder, refuses, missing, pattern):
    (folder / missing).unlink()
    refuses(folder, pattern)


def test_weights_that_are_no_file_are_refused(folder, refuses):
    (folder / WEIGHTS).unlink()
    (folder / WEIGHTS).mkdir()
    refuses(folder, "no weights")


@pytest.mark.parametrize("length", [[], "40", {"a": 1}])
def test_a_tokenizer_for_no_number_of_tokens_is_refused(folder, refuses, length):
    edit(folder / "tokenizer_config.json", model_max_length=length)
    refuses(folder, "model_max_length")


@pytest.mark.parametrize(
    ("content", "pattern"),
    [
        (b"", "cannot be read"),
        (b"{", "cannot be read"),
        (b"\xff\xfe{}", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (b"[1]", "must hold a JSON dict"),
        (b"{}", "lacks num_hidden_layers"),
    ],
)
def test_a_configuration_that_is_none_is_refused(folder, refuses, content, pattern):
    (folder / CONFIG).write_bytes(content)
    refuses(folder, pattern)


@pytest.mark.parametrize(
    ("changes", "pattern"),
    [
        ({"is_encoder_decoder": True}, "is an encoder-decoder"),
        ({"num_hidden_layers": None}, "lacks num_hidden_layers"),
        ({"num_hidden_layers": True}, "lacks num_hidden_layers"),
        ({"num_hidden_layers": "3"}, "lacks num_hidden_layers"),
        ({"num_hidden_layers": 1_000_000}, "num_hidden_layers 1000000: expected at most"),
        ({"n_layers": 1_000_000}, "n_layers 1000000: expected at most"),
        ({"text_config": {"num_experts": 1_000_000}}, "num_experts"),
        ({"vocab_size": 10**9}, "describes another encoder"),
        ({"intermediate_size": 10**9}, "describes another encoder"),
        ({"hidden_size": 0}, "lacks hidden_size"),
        ({"model_type": "no-such-model"}, "cannot be loaded as an encoder"),
        ({"num_attention_heads": "two"}, "cannot be loaded as an encoder"),
        ({"num_attention_heads": 3}, "cannot be loaded as an encoder"),
        ({"hidden_act": "no-such-function"}, "cannot be loaded as an encoder"),
    ],
)
def test_a_configuration_of_no_encoder_is_refused(folder, refuses, changes, pattern):
    edit(folder / CONFIG, **changes)
    refuses(folder, pattern)


def test_a_huge_json_file_is_refused_unread(folder, refuses):
    with (folder / CONFIG).open("ab") as stream:
        stream.truncate(1 << 40)
    refuses(folder, r"config.json .* is no small regular file")


@pytest.mark.parametrize("damage", ["truncated", "empty", "garbage"])
def test_damaged_weights_are_refused(folder, refuses, damage):
    path = folder / WEIGHTS
    content = {"truncated": path.read_bytes()[:-100], "empty": b"", "garbage": b"\xff" * 999}
    path.write_bytes(content[damage])
    refuses(folder, "cannot be loaded as an encoder")


@pytest.mark.parametrize("name", ["outside.safetensors", "../outside.safetensors", 1, None])
def test_an_index_names_only_files_beside_it(folder, refuses, name):
    shutil.copy(folder / WEIGHTS, folder.parent / "outside.safetensors")
    (folder / WEIGHTS).rename(folder / "part.safetensors")
    index = {"metadata": {}, "weight_map": {"a": "part.safetensors", "b": name}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    refuses(folder, "expected .*files beside it")


def test_weights_in_parts_give_the_same_vectors(folder, tiny_bert, open_encoder):
    weights = load_file(folder / WEIGHTS)
    (folder / WEIGHTS).rename(folder / "part.safetensors")
    index = {"metadata": {}, "weight_map": dict.fromkeys(weights, "part.safetensors")}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    result = open_encoder(folder).encode(["the cat sat"]).vectors
    np.testing.assert_array_equal(result, open_encoder(tiny_bert).encode(["the cat sat"]).vectors)


@pytest.mark.parametrize("name", [WEIGHTS, "vocab.txt", TOKENIZER])
def test_a_sparse_file_of_a_terabyte_is_refused_unread(folder, refuses, name):
    with (folder / name).open("ab") as stream:
        stream.truncate(1 << 40)
    refuses(folder, f"{name} is larger than")


def test_weights_that_loading_does_not_read_are_not_hashed(folder, open_encoder):
    with (folder / "other.safetensors").open("ab") as stream:
        stream.truncate(1 << 40)
    open_encoder(folder).encode(["the cat sat"])


def test_a_layer_without_weights_is_refused_and_not_made_up(folder, refuses):
    edit_weights(folder, lambda w: {k: v for k, v in w.items() if ".layer.2." not in k})
    refuses(folder, r"lacks 16 of its weights, encoder\.layer\.2")


def test_a_layer_without_weights_is_refused_where_the_folder_declares_the_vectors(folder):
    edit_weights(folder, lambda w: {k: v for k, v in w.items() if ".layer.2." not in k})
    encoder = DeclaredEncoder(open_declared(resolve_model(str(folder))))
    with pytest.raises(InputError, match=r"lacks 16 of its weights, encoder\.layer\.2"):
        encoder.encode(["the cat sat"])


def test_a_configuration_with_more_layers_than_weights_is_refused(folder, refuses):
    edit(folder / CONFIG, num_hidden_layers=4)
    refuses(folder, r"lacks 16 of its weights, encoder\.layer\.3")


def test_weights_of_another_size_are_refused_and_not_made_up(folder, refuses):
    edit(folder / CONFIG, intermediate_size=25)
    refuses(folder, r"lacks 9 of its weights, encoder\.layer\.0\.intermediate")


def test_weights_of_another_model_are_refused(folder, refuses):
    save_file({"x": torch.zeros(3)}, folder / WEIGHTS, metadata={"format": "pt"})
    refuses(folder, "of its weights")


def test_weights_that_are_not_finite_are_refused(folder, refuses):
    def poison(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        weights["embeddings.word_embeddings.weight"].fill_(float("nan"))
        return weights

    edit_weights(folder, poison)
    refuses(folder, "not finite")


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_a_published_layout_without_pooler_and_with_a_head_gives_the_same_vectors(
    folder, tiny_bert, open_encoder, prefix
):
    def publish(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        old = {k.replace("Norm.weight", "Norm.gamma").replace("Norm.bias", "Norm.beta"): v
               for k, v in weights.items() if "pooler" not in k}  # fmt: skip
        return {f"{prefix}{k}": v for k, v in old.items()} | {"cls.bias": torch.zeros(2)}

    edit_weights(folder, publish)
    result = open_encoder(folder).encode(["the cat sat"]).vectors
    np.testing.assert_array_equal(result, open_encoder(tiny_bert).encode(["the cat sat"]).vectors)


@pytest.mark.parametrize("option", ["return_dict", "output_hidden_states", "output_attentions"])
@pytest.mark.parametrize("value", [True, False])
def test_how_a_configuration_wants_its_output_does_not_matter(
    folder, tiny_bert, open_encoder, option, value
):
    edit(folder / CONFIG, **{option: value})
    result = open_encoder(folder).encode(["the cat sat"]).vectors
    expected = open_encoder(tiny_bert).encode(["the cat sat"]).vectors
    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-5)


def test_loading_says_nothing_of_what_does_not_matter(folder, open_encoder):
    edit_weights(folder, lambda w: {k: v for k, v in w.items() if "pooler" not in k})
    said, listener = [], logging.Handler()
    listener.emit = said.append
    logger = logging.getLogger("transformers")
    level = logger.level
    logger.addHandler(listener)
    open_encoder(folder).encode(["the cat sat"])
    logger.removeHandler(listener)
    assert [record.getMessage() for record in said] == []
    assert logger.level == level


@pytest.mark.parametrize("family", ["bert", "roberta", "distilbert", "mpnet"])
def test_a_folder_without_a_tokenizer_is_refused_and_none_is_made_up(tmp_path, refuses, family):
    folder = save_tiny_model(tmp_path, family)
    (folder / TOKENIZER).unlink()
    (folder / "tokenizer_config.json").unlink()
    refuses(folder, r"tokenizer|UNK")


def test_a_vocabulary_without_tokenizer_json_gives_the_same_tokens(
    tiny_bert, tmp_path, open_encoder
):
    folder = shutil.copytree(tiny_bert, tmp_path / "model")
    ids = json.loads((folder / TOKENIZER).read_text())["model"]["vocab"]
    (folder / "vocab.txt").write_text("\n".join(sorted(ids, key=ids.get)) + "\n")
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    (folder / TOKENIZER).unlink()
    sentences = ["The cat sat!", "zebra"]
    result = open_encoder(folder).encode(sentences).vectors
    np.testing.assert_array_equal(result, open_encoder(tiny_bert).encode(sentences).vectors)


@pytest.mark.parametrize(
    ("name", "content"),
    [(TOKENIZER, "{"), (TOKENIZER, "{}"), ("tokenizer_config.json", "[]")],
)
def test_a_damaged_tokenizer_is_refused(folder, refuses, name, content):
    (folder / name).write_text(content)
    refuses(folder, "cannot be loaded as an encoder")


def test_a_tokenizer_with_more_tokens_than_the_weights_have_is_refused(folder, refuses):
    def shrink(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        name = "embeddings.word_embeddings.weight"
        return weights | {name: weights[name][:6].clone()}

    edit_weights(folder, shrink)
    edit(folder / CONFIG, vocab_size=6)
    refuses(folder, r"tokens that its weights have no vectors for \(6 vectors\)")


def test_a_sentence_that_the_tokenizer_leaves_nothing_of_is_refused(folder, open_encoder):
    edit(folder / TOKENIZER, post_processor=None)
    with pytest.raises(InputError, match="sentence 2 has no tokens"):
        open_encoder(folder).encode(["the cat", "\u200b"])


class Trap:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "weights.pkl", "model.ckpt"])
def test_a_pickle_is_refused_by_name_and_never_unpickled(folder, refuses, tmp_path, name):
    sprung = tmp_path / "sprung"
    (folder / WEIGHTS).unlink()
    (folder / name).write_bytes(pickle.dumps(Trap(sprung)))
    refuses(folder, rf"only as {name}, which can run code")
    assert not sprung.exists()
    pickle.loads((folder / name).read_bytes())
    assert sprung.exists(), "the trap works"


def test_a_pickle_beside_safetensors_is_left_alone(folder, open_encoder, tmp_path):
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    open_encoder(folder).encode(["the cat"])
    assert not (tmp_path / "sprung").exists()


def test_a_pickle_is_no_way_out_when_the_safetensors_have_another_name(folder, refuses):
    torch.save(load_file(folder / WEIGHTS), folder / "pytorch_model.bin")
    (folder / WEIGHTS).rename(folder / "adapter_model.safetensors")
    refuses(folder, "which can run code")


@pytest.mark.parametrize("model_type", ["bert", "no-such-model"])
def test_code_in_the_folder_is_never_run(folder, open_encoder, tmp_path, model_type):
    sprung = tmp_path / "sprung"
    (folder / "trap.py").write_text(f"import pathlib\npathlib.Path({str(sprung)!r}).touch()\n")
    names = {"AutoConfig": "trap.Config", "AutoModel": "trap.Model"}
    edit(folder / CONFIG, model_type=model_type, auto_map=names)
    tokenizer = {"tokenizer_class": "Trap", "auto_map": {"AutoTokenizer": ["trap.Trap", None]}}
    edit(folder / "tokenizer_config.json", **tokenizer)
    if model_type == "bert":
        open_encoder(folder).encode(["the cat"])
    else:
        with pytest.raises(InputError, match="code in the folder is never run"):
            open_encoder(folder).encode(["the cat"])
    assert not sprung.exists()
