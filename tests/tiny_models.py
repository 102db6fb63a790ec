"""Tiny random encoders in Hugging Face's folder format: real classes, real files, no network."""

import json
import shutil
import string
from pathlib import Path
from typing import Any

__all__ = ["MAX_TOKENS", "OTHER_FAMILIES", "declare", "save_tiny_model"]

MAX_TOKENS = 40
"""Longest input of every tiny model, special tokens included."""

SIZES = {
    **{"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2},
    **{"intermediate_size": 24, "max_position_embeddings": 64},
}
_UNBOUNDED = {"max_position_embeddings": None}
_GROUPED = {"num_key_value_heads": 2, "head_dim": 8}
OTHER_FAMILIES: dict[str, dict[str, Any]] = {
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
"""Families with what sets their sizes, where that is not as in BERT."""

BERT_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ROBERTA_TOKENS = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
WORDS = tuple("the a cat dog sat on mat runs fast slow red blue green big small".split())


def save_tiny_model(
    folder: Path, family: str, *, head: str = "Model", n_unused: int = 0, **config: Any
) -> Path:
    """Save a random encoder of a family, with a tokenizer, and return its folder.

    Args:
        folder: Where to write.
        family: bert, distilbert, roberta or mpnet, or one of `OTHER_FAMILIES`.
        head: What the class's name ends in: `ForMaskedLM` for one that predicts words.
        n_unused: Tokens `[unused0]`, ... at the end of the vocabulary.
        config: What the model's configuration should have otherwise.
    """
    import torch

    is_bert = family not in ("roberta", "mpnet")
    special = BERT_TOKENS if is_bert else ROBERTA_TOKENS
    vocabulary_size = _save_tokenizer(folder, special, n_unused)
    torch.manual_seed(7)
    network = _network(family, vocabulary_size, head, **config)
    for parameter in network.parameters():  # larger than at birth, so that layers differ clearly
        parameter.data.mul_(3.0)
    network.save_pretrained(folder)
    return folder


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


def _save_tokenizer(folder: Path, special: tuple[str, ...], n_unused: int) -> int:
    """Save a word-piece tokenizer that spells unknown words, and return its vocabulary's size."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    signs = string.ascii_lowercase + string.digits + ".,!?'"
    pieces = (*special, *WORDS, *(s for s in signs if s != "a"), *(f"##{s}" for s in signs))
    pieces += tuple(f"[unused{i}]" for i in range(n_unused))
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


def _network(family: str, vocabulary_size: int, head: str, **config: Any) -> Any:
    import transformers

    if family in OTHER_FAMILIES:
        sizes = {**SIZES, **OTHER_FAMILIES[family], "pad_token_id": 0}
        sizes = {name: size for name, size in sizes.items() if size is not None}
        known = transformers.AutoConfig.for_model(family, vocab_size=vocabulary_size, **sizes)
        for name in ("bos_token_id", "eos_token_id", "cls_token_id", "sep_token_id"):
            setattr(known, name, 0)  # theirs are beyond so small a vocabulary
        return transformers.AutoModel.from_config(known)
    names = {"bert": "Bert", "roberta": "Roberta", "mpnet": "MPNet", "distilbert": "DistilBert"}
    if family == "distilbert":
        sizes = {"dim": 16, "n_layers": 3, "n_heads": 2, "hidden_dim": 24}
        dropout = {"dropout": 0.5, "attention_dropout": 0.5}
    else:
        sizes = {"hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2}
        sizes["intermediate_size"] = 24
        dropout = {"hidden_dropout_prob": 0.5, "attention_probs_dropout_prob": 0.5}
    # RoBERTa and MPNet number positions from 2, after the padding token's id of 1.
    start = 2 if family in ("roberta", "mpnet") else 0
    options = {
        "vocab_size": vocabulary_size,
        "max_position_embeddings": MAX_TOKENS + start,
        "pad_token_id": max(0, start - 1),
        **sizes,
        **dropout,
        **config,
    }
    configuration = getattr(transformers, f"{names[family]}Config")(**options)
    return getattr(transformers, f"{names[family]}{head}")(configuration)
