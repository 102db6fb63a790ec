"""Data of the studies' tests, and the states of a network as transformers gives them."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tiny_pairs import write_stsb

from bertflow_core.lab.lab import Lab


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """Files of STS-B as SentEval has them: three splits of 40 random pairs."""
    return Lab(data_dir=write_stsb(tmp_path_factory.mktemp("data"), n=120), device="cpu")


@pytest.fixture(scope="session")
def tokens_of(tiny_bert: Path) -> Callable[[str], tuple[Any, list[float]]]:
    """Return a function from a text to its states, (layers, T, D), and attention on the first."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(tiny_bert)
    model = transformers.AutoModel.from_pretrained(tiny_bert, attn_implementation="eager").eval()
    options = {"output_hidden_states": True, "output_attentions": True}

    @cache
    def states(text: str) -> tuple[Any, list[float]]:
        with torch.no_grad():
            found = model(**tokenizer(text, return_tensors="pt"), **options)
        on_first = [each[0, :, 1:, 0].mean().item() for each in found.attentions]
        return torch.cat(found.hidden_states).double().numpy(), on_first

    return states


@pytest.fixture
def counts(tmp_path: Path) -> str:
    """A list of nine words, of which the tiny models lack `one` and `zebra`."""
    words = "the one cat zebra a dog mat red blue".split()
    path = tmp_path / "counts.txt"
    path.write_text("".join(f"{word} {90 - 10 * i}\n" for i, word in enumerate(words)))
    return str(path)
