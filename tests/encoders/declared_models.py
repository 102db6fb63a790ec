"""Models of several modules, as sentence-transformers makes and saves them."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tiny_models import MAX_TOKENS, WORDS


class Makers:
    """Modules of sentence-transformers with random weights."""

    def __init__(self, tiny_folder: Callable[[str], Path]) -> None:
        from sentence_transformers.sentence_transformer import modules

        self.tiny_folder = tiny_folder
        self.st = modules
        torch.manual_seed(2)

    @cache  # noqa: B019 - there is one of these in a run
    def bert(self, family: str = "bert", **options: Any) -> Any:
        return self.st.Transformer(str(self.tiny_folder(family)), **options)

    def pool(self, *modes: str, dim: int = 16, **options: Any) -> Any:
        return self.st.Pooling(dim, modes, **options)

    def dense(self, n_in: int = 16, **options: Any) -> Any:
        return self.st.Dense(n_in, 5, **options)

    def static(self) -> Any:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self.tiny_folder("bert") / "tokenizer.json"))
        return self.st.StaticEmbedding(tokenizer, embedding_dim=7)

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
"""Models that we run without sentence-transformers."""
THEIRS = {
    "dense": lambda m: (m.bert(), m.pool("mean"), m.dense(), m.st.Normalize()),
    "two poolings, dense": lambda m: (
        *(m.bert(), m.pool("cls", "mean")),
        m.dense(32, activation_function=torch.nn.Identity(), bias=False),
    ),
    "rising weights": lambda m: (m.bert(), m.pool("weightedmean")),
    "root of the length": lambda m: (m.bert(), m.pool("mean_sqrt_len_tokens")),
    "layer norm": lambda m: (m.bert(), m.pool("mean"), m.st.LayerNorm(16)),
    "prompt left out of the mean": lambda m: (m.bert(), m.pool("mean", include_prompt=False)),
    "lower case": lambda m: (m.bert(do_lower_case=True), m.pool("mean")),
    "a static table": lambda m: (m.static(),),
    "word averages": lambda m: (m.words(), m.pool("mean", dim=6)),
}
