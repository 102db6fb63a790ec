"""Comparison of an exported model, loaded in a new process, with our own vectors."""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bertflow_core.arrays.npy import open_npy
from bertflow_core.arrays.types import FloatArray
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.runtime.child import run_child
from bertflow_core.wording import quoted

_READER = """
import json, sys
import numpy as np
from bertflow_core.runtime.child import follow_parent
follow_parent()
from sentence_transformers import SentenceTransformer
folder, sentences, out, *sides = sys.argv[1:]
model = SentenceTransformer(folder, device="cpu", trust_remote_code=False, local_files_only=True)
encode = {"": "encode", "query": "encode_query", "document": "encode_document"}
with open(sentences, encoding="utf-8") as file:
    texts = json.load(file)
vectors = [getattr(model, encode[side])(texts, show_progress_bar=False) for side in sides]
np.save(out, np.concatenate(vectors).astype(np.float32), allow_pickle=False)
"""
_ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}
_SECONDS = 1800


@dataclass(frozen=True)
class Agreement:
    """Agreement of an exported model's vectors with this package's."""

    n_sentences: int
    max_difference: float  # the largest absolute difference of a value
    max_value: float  # the largest absolute value
    min_cosine: float  # the smallest cosine of a vector and its counterpart

    @property
    def holds(self) -> bool:
        """Whether every cosine is at least 0.99999."""
        return self.min_cosine >= 0.99999

    def __str__(self) -> str:
        return (
            f"on {self.n_sentences:,} sentences the smallest cosine to our own vectors is "
            f"{self.min_cosine:.8f}, and values up to {self.max_value:.1f} differ by at most "
            f"{self.max_difference:.1e}"
        )


def agreement_of(given: FloatArray, expected: FloatArray) -> Agreement:
    """Compare given vectors with expected ones, shape (N, K) each."""
    given, expected = np.asarray(given, np.float64), np.asarray(expected, np.float64)
    difference, value = (float(np.abs(each).max()) for each in (given - expected, expected))
    return Agreement(len(given), difference, value, float(pairwise_cosine(given, expected).min()))


def compare_export(
    folder: Path, sentences: Sequence[str], expected: FloatArray, sides: Sequence[str] = ("",)
) -> Agreement:
    """Let sentence-transformers load a folder in a new process without network.

    `expected` are this package's vectors of the N sentences, shape (S N, K): first as texts of the
    first of S `sides`, such as `query`, then of the next.
    """
    with tempfile.TemporaryDirectory() as scratch:
        texts, vectors = Path(scratch) / "sentences.json", Path(scratch) / "vectors.npy"
        texts.write_text(json.dumps(list(sentences)), encoding="utf-8")
        command = ["-c", _READER, *map(str, (folder, texts, vectors)), *sides]
        try:
            code, said = run_child(command, env=_ENVIRONMENT, seconds=_SECONDS)
        except TimeoutError:
            raise ResourceError(
                f"sentence-transformers took more than {_SECONDS} seconds for the export"
            ) from None
        if code:
            why = quoted(said or f"exit code {code}")
            raise InputError(f"sentence-transformers cannot load the export: {why}")
        given = np.array(open_npy(vectors))
    if given.shape != expected.shape:
        raise InputError(
            f"the export gives vectors of shape {given.shape}, expected {expected.shape}"
        )
    return agreement_of(given, expected)
