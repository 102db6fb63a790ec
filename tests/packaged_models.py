"""A package of the tests' own size that holds a random Llama as a GGUF file."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from gguf import GGMLQuantizationType, GGUFWriter, TokenType
from gguf.quants import quantize
from tokenizers.pre_tokenizers import ByteLevel

from bertflow_core.encoders.packaged import SMOLLM2, PackagedModel
from bertflow_core.runtime.files import file_sha256

DIM, N_LAYERS, N_HEADS, N_KEY_HEADS, WIDE = 64, 2, 4, 2, 96
VERSION = "0.1.0"
SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MERGES = (("t", "h"), ("th", "e"), ("d", "o"), ("do", "g"))
CHAT = (
    "{% for message in messages %}<|im_start|>{{ message.role }} says {{ message.content }}"
    "<|im_end|>{% endfor %}"
)


def write_package(site: Path) -> PackagedModel:
    """Write an installed package `llm-tiny` below `site`, and return what is known of its model."""
    about = site / f"llm_tiny-{VERSION}.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Name: llm-tiny\nVersion: {VERSION}\n")
    file = site / "llm_tiny" / "tiny.gguf"
    file.parent.mkdir()
    _write_gguf(file)
    return replace(
        SMOLLM2,
        package="llm-tiny",
        version=VERSION,
        file=f"{file.parent.name}/{file.name}",
        sha256=file_sha256(file),
        n_layers=N_LAYERS,
        dim=DIM,
    )


def _write_gguf(file: Path) -> None:
    vocabulary = [*SPECIAL, *sorted(ByteLevel.alphabet()), *(a + b for a, b in MERGES)]
    kinds = [TokenType.CONTROL] * len(SPECIAL)
    kinds += [TokenType.NORMAL] * (len(vocabulary) - len(SPECIAL))
    writer = GGUFWriter(file, "llama")
    writer.add_name("tiny")
    writer.add_block_count(N_LAYERS)
    writer.add_context_length(128)
    writer.add_embedding_length(DIM)
    writer.add_feed_forward_length(WIDE)
    writer.add_head_count(N_HEADS)
    writer.add_head_count_kv(N_KEY_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(50_000.0)
    writer.add_vocab_size(len(vocabulary))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(vocabulary)
    writer.add_token_types(kinds)
    writer.add_token_merges([" ".join(pair) for pair in MERGES])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT)
    random = np.random.default_rng(5)
    shapes = {"token_embd": (len(vocabulary), DIM), "output_norm": (DIM,)}
    for layer in range(N_LAYERS):
        of_layer = {
            **{"attn_norm": (DIM,), "ffn_norm": (DIM,), "attn_q": (DIM, DIM)},
            **{"attn_k": (DIM * N_KEY_HEADS // N_HEADS, DIM)},
            **{"attn_v": (DIM * N_KEY_HEADS // N_HEADS, DIM), "attn_output": (DIM, DIM)},
            **{"ffn_gate": (WIDE, DIM), "ffn_up": (WIDE, DIM), "ffn_down": (DIM, WIDE)},
        }
        shapes |= {f"blk.{layer}.{name}": shape for name, shape in of_layer.items()}
    for name, shape in shapes.items():
        x = random.normal(0, 0.3, shape).astype(np.float32)
        kind = GGMLQuantizationType.Q4_1 if x.ndim == 2 else GGMLQuantizationType.F32
        writer.add_tensor(f"{name}.weight", quantize(x, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
