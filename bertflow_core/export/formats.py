"""What can be written, and how each is called in a card."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

__all__ = ["FORMATS", "Form", "Format"]


class Format(StrEnum):
    """What can be written."""

    SENTENCE_TRANSFORMERS = "sentence-transformers"
    ONNX = "onnx"
    FAISS = "faiss"


@dataclass(frozen=True)
class Form:
    """How a card speaks of a format.

    Attributes:
        library: As the hub names it.
        what: One sentence on what the folder holds; `{calibrator}` stands for the spec.
        usage: Python that uses it; `{place}` stands for its folder or its name on the hub, and
            `{n_out}` for the features of a vector.
        checked: How it was compared with this package's vectors.
        read_by: Library and versions that read it.
        residual_read_by: The same where a flow's layers are the smaller ones.
        compares: What its vectors are compared by, as they are.
        unit_compares: What they are compared by where they have length 1.
    """

    library: str
    what: str
    usage: str
    checked: str
    read_by: str
    residual_read_by: str = ""
    compares: str = "cosine similarity"
    unit_compares: str = "cosine similarity"

    def readers(self, *, residual: bool) -> str:
        """Return library and versions that read it."""
        return self.residual_read_by if residual and self.residual_read_by else self.read_by

    def comparison(self, *, normalize: bool) -> str:
        """Return what its vectors are compared by."""
        return self.unit_compares if normalize else self.compares


_SENTENCE_TRANSFORMERS = """\
from sentence_transformers import SentenceTransformer

model = SentenceTransformer("{place}")
vectors = model.encode(["A dog runs.", "Rain falls."])  # shape (2, {n_out})
"""
_ONNX = """\
import numpy as np
from onnxruntime import InferenceSession
from tokenizers import Tokenizer

tokenizer = Tokenizer.from_file("tokenizer.json")  # it cuts and pads
batch = tokenizer.encode_batch(["A dog runs.", "Rain falls."])
inputs = {{
    "input_ids": np.array([each.ids for each in batch]),
    "attention_mask": np.array([each.attention_mask for each in batch]),
}}
(vectors,) = InferenceSession("model.onnx").run(None, inputs)  # shape (2, {n_out})
"""
_FAISS = """\
import faiss

index = faiss.read_index("index.faiss")  # empty; it calibrates what is added and searched
index.add(x)  # the encoder's plain vectors, float32
similarities, rows = index.search(queries, 10)
"""
FORMATS: Mapping[Format, Form] = MappingProxyType(
    {
        Format.SENTENCE_TRANSFORMERS: Form(
            "sentence-transformers",
            "The encoder is unchanged; behind it lie dense layers that say exactly what the "
            "calibrator `{calibrator}` does.",
            _SENTENCE_TRANSFORMERS,
            "Loaded by sentence-transformers in a new process",
            "sentence-transformers from version 3 on",
            "sentence-transformers from version 6 on",
        ),
        Format.ONNX: Form(
            "onnx",
            "Encoder and calibrator `{calibrator}` are one graph, from token ids to the vector; "
            "batch and length are free.",
            _ONNX,
            "Run by ONNX Runtime in a new process",
            "ONNX Runtime from version 1.20 on",
        ),
        Format.FAISS: Form(
            "faiss",
            "The calibrator `{calibrator}` is a linear map in front of an empty index: it takes "
            "the encoder's plain vectors.",
            _FAISS,
            "Read back by FAISS in a new process",
            "FAISS from version 1.9 on",
            compares="dot product",
        ),
    }
)
