"""Convert the Llama of a GGUF file to a folder of bfloat16 weights, config and tokenizer.

The folder has no chat template, so that sentence-transformers puts no conversation around a text:
the plain output is the mean of the last layer.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bertflow_core.encoders.loading import loading
from bertflow_core.encoders.model_folder import ModelFolder
from bertflow_core.runtime import context
from bertflow_core.wording import reason

if TYPE_CHECKING:
    import torch

_CONFIG = {
    "hidden_size": "embedding_length",
    "intermediate_size": "feed_forward_length",
    "max_position_embeddings": "context_length",
    "num_attention_heads": "attention.head_count",
    "num_hidden_layers": "block_count",
    "num_key_value_heads": "attention.head_count_kv",
    "rms_norm_eps": "attention.layer_norm_rms_epsilon",
    "rope_theta": "rope.freq_base",
    "vocab_size": "vocab_size",
}
"""Fields of a Llama's config.json, and their names in a GGUF."""
_MODULES = {
    "token_embd": "embed_tokens",
    "output_norm": "norm",
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
"""Modules of a GGUF, and their names in a Llama's weights."""
_HEADS = {"attn_q": "num_attention_heads", "attn_k": "num_key_value_heads"}
"""Modules whose rows a GGUF orders in pairs, and the field with their number of heads."""


def write_llama(file: Path, model: ModelFolder) -> None:
    """Write the Llama of a GGUF file into the model's folder, which is empty."""
    from gguf import GGUFReader
    from safetensors.torch import save

    reader = GGUFReader(file)
    config: dict[str, Any] = {name: _value(reader, f"llama.{key}") for name, key in _CONFIG.items()}
    _write_tokenizer(file, model)
    weights = save(dict(_weights(reader, config)), metadata={"format": "pt"})
    (model.path / "model.safetensors").write_bytes(weights)
    # sentence-transformers then computes in this precision, as recipes do by default.
    config |= {"architectures": ["LlamaModel"], "model_type": "llama", "dtype": "float32"}
    text = json.dumps(config, indent=2, sort_keys=True)
    (model.path / "config.json").write_text(text + "\n", encoding="utf-8")


def _write_tokenizer(file: Path, model: ModelFolder) -> None:
    from transformers import PreTrainedTokenizerFast

    with loading(model):
        tokenizer = PreTrainedTokenizerFast.from_pretrained(
            file.parent, gguf_file=file.name, local_files_only=True
        )
    tokenizer.chat_template = None
    try:
        tokenizer.save_pretrained(model.path)
    except Exception as error:  # tokenizers raises no OSError, even if the disk is full
        raise OSError(reason(error)) from error


def _weights(reader: Any, config: dict[str, Any]) -> Iterator[tuple[str, "torch.Tensor"]]:  # noqa: ANN401 - gguf has no types
    """Yield each weight by its name; report the size of those that are finished."""
    import torch
    from gguf import dequantize

    done, total = 0, sum(int(tensor.n_elements) for tensor in reader.tensors)
    for tensor in reader.tensors:
        *block, module, _ = tensor.name.split(".")
        x = dequantize(tensor.data, tensor.tensor_type)
        if module in _HEADS:  # a GGUF puts the two features of each rotation side by side
            n_heads, n_features = config[_HEADS[module]], x.shape[1]
            x = x.reshape(n_heads, -1, 2, n_features).swapaxes(1, 2).reshape(x.shape)
        prefix = f"layers.{block[1]}." if block else ""
        yield f"{prefix}{_MODULES[module]}.weight", torch.from_numpy(x.copy()).to(torch.bfloat16)
        done += int(tensor.n_elements)
        context.report(round(2e-6 * done), max(1, round(2e-6 * total)), "MB unpacked")


def _value(reader: Any, key: str) -> int | float:  # noqa: ANN401 - gguf has no types
    field = reader.fields[key]
    value: int | float = field.parts[field.data[0]][0].item()
    return value
