"""Tiny random encoders in Hugging Face's folder format: real classes, real files, no network."""

import json
import shutil
import string
import threading
from pathlib import Path
from typing import Any

MAX_TOKENS = 40
"""Longest input of every tiny model, special tokens included."""

SIZES = {
    **{"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2},
    **{"intermediate_size": 24, "max_position_embeddings": 64, "pad_token_id": 0},
}
_BERT = {
    **{"max_position_embeddings": MAX_TOKENS},
    **{"hidden_dropout_prob": 0.5, "attention_probs_dropout_prob": 0.5},
}
# RoBERTa and MPNet number positions from 2, after the padding token's id of 1.
_ROBERTA = {**_BERT, "max_position_embeddings": MAX_TOKENS + 2, "pad_token_id": 1}
_UNBOUNDED = {"max_position_embeddings": None}
_GROUPED = {"num_key_value_heads": 2, "head_dim": 8}
FAMILIES: dict[str, dict[str, Any]] = {
    "bert": _BERT,
    "roberta": _ROBERTA,
    "distilbert": {
        **{"max_position_embeddings": MAX_TOKENS, "dropout": 0.5, "attention_dropout": 0.5},
        **{"dim": 16, "n_layers": 3, "n_heads": 2, "hidden_dim": 24},
    },
    "mpnet": _ROBERTA,
    "albert": {"embedding_size": 8},
    "electra": {"embedding_size": 16},
    "deberta": {},
    "deberta-v2": {},
    "xlm-roberta": {},
    "modernbert": {"global_attn_every_n_layers": 1, "local_attention": 8},
    "gpt2": {"n_layer": 3, "n_embd": 16, "n_head": 2, "n_positions": 64},
    "llama": _GROUPED,
    "qwen3": _GROUPED,
    "xlnet": {"n_layer": 3, "d_model": 16, "n_head": 2, "d_inner": 24, **_UNBOUNDED},
    "t5": {"num_layers": 3, "d_model": 16, "num_heads": 2, "d_ff": 24, "d_kv": 8},
}
"""With what sets their sizes, where that is not as in `SIZES`; dropout shows who left it on."""

BERT_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ROBERTA_TOKENS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
WORDS = tuple("the a cat dog sat on mat runs fast slow red blue green big small".split())


def save_tiny_model(folder: Path, family: str, **config: Any) -> Path:
    """Save a random encoder of a family, with a tokenizer, and return its folder.

    Args:
        folder: Where to write.
        family: One of `FAMILIES`.
        config: What the model's configuration should have otherwise.
    """
    from transformers import AutoConfig, AutoModel

    special = ROBERTA_TOKENS if family in ("roberta", "mpnet") else BERT_TOKENS
    options = {
        **SIZES,
        **FAMILIES[family],
        "vocab_size": _save_tokenizer(folder, special),
        **config,
    }
    options = {name: value for name, value in options.items() if value is not None}
    known = AutoConfig.for_model(family, **options)
    for name in ("bos_token_id", "eos_token_id", "cls_token_id", "sep_token_id"):
        setattr(known, name, 0)  # theirs may be beyond so small a vocabulary
    network = AutoModel.from_config(known)
    _draw_weights(network)
    for parameter in network.parameters():
        if parameter.ndim == 1:  # gains larger than at birth, so that layers differ clearly
            parameter.data.mul_(3.0)
    network.save_pretrained(folder)
    return folder


def _draw_weights(network: Any) -> None:
    """Draw all but the gains and biases of a network, the same numbers whatever the versions."""
    import numpy as np
    import torch

    random = np.random.RandomState(7)
    for _, weights in sorted(network.named_parameters()):
        if weights.ndim > 1:
            weights.data = torch.from_numpy(random.normal(0, 0.06, weights.shape)).float()


def declare(model: Path, folder: Path, pooling: str = "mean") -> Path:
    """Copy a model to a folder that declares this pooling and unit length, and return it."""
    shutil.copytree(model, folder, dirs_exist_ok=True)
    kinds = {"Transformer": "", "Pooling": "1_Pooling", "Normalize": "2_Normalize"}
    modules = [
        {"idx": i, "name": str(i), "type": f"sentence_transformers.models.{kind}", "path": where}
        for i, (kind, where) in enumerate(kinds.items())
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    mode = {"embedding_dimension": 16, "pooling_mode": pooling}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(mode))
    return folder


_SMALL = threading.Lock()  # two jobs may ask at once


def save_small_minilm(minilm: Path, folder: Path) -> Path:
    """Return a folder that holds all of minilm but a random network of its depth, 32 wide."""
    with _SMALL:
        if not folder.exists():
            import transformers

            new = Path(shutil.copytree(minilm, folder.with_name("new-minilm"), dirs_exist_ok=True))
            sizes = {"hidden_size": 32, "num_attention_heads": 2, "intermediate_size": 64}
            config = transformers.AutoConfig.from_pretrained(minilm, **sizes)
            network = transformers.AutoModel.from_config(config)
            _draw_weights(network)
            network.save_pretrained(new)
            pooling = new / "1_Pooling" / "config.json"
            pooling.write_text(pooling.read_text().replace("384", "32"))
            new.rename(folder)
    return folder


def _save_tokenizer(folder: Path, special: tuple[str, ...]) -> int:
    """Save a word-piece tokenizer that spells unknown words, and return its vocabulary's size."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    signs = string.ascii_lowercase + string.digits + ".,!?'"
    pieces = (*special, *WORDS, *(s for s in signs if s != "a"), *(f"##{s}" for s in signs))
    ids = {piece: i for i, piece in enumerate(pieces)}
    is_bert = special is BERT_TOKENS
    first, last = (special[2], special[3]) if is_bert else (special[0], special[2])
    unknown, padding = (special[1], special[0]) if is_bert else (special[3], special[1])
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token=unknown))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}", special_tokens=[(first, ids[first]), (last, ids[last])]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token=unknown,
        pad_token=padding,
        cls_token=first,
        sep_token=last,
    ).save_pretrained(folder)
    return len(ids)
