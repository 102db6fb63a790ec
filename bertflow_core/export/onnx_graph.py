"""Encoder, pooling and calibrator as one graph of ONNX, with a tokenizer that cuts and pads."""

import json
import tempfile
from importlib.util import find_spec
from pathlib import Path

from bertflow_core.encoders.declared_folder import SETTINGS_FILE
from bertflow_core.errors import InputError
from bertflow_core.export.check import Reader, compare_export, run_apart
from bertflow_core.export.checked import Comparison, Options, write_checked
from bertflow_core.export.subject import Subject
from bertflow_core.progress import Progress, silent

__all__ = ["write_graph"]

_LIBRARIES = ("onnx", "onnxruntime", "onnxscript")
_EXPORT = """
import sys
from pathlib import Path
import torch
from sentence_transformers import SentenceTransformer

source, out = map(Path, sys.argv[1:])
model = SentenceTransformer(
    str(source), device="cpu", trust_remote_code=False, local_files_only=True,
    model_kwargs={"attn_implementation": "eager"},
)

class Graph(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = torch.nn.ModuleList(model)

    def forward(self, input_ids, attention_mask):
        features = {"input_ids": input_ids, "attention_mask": attention_mask}
        for part in self.parts:
            features = part(features)
        return features["sentence_embedding"]

mask = torch.tensor([[1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 0, 0]])
ids = mask * torch.arange(2, 9)
free = {0: torch.export.Dim("batch"), 1: torch.export.Dim("length")}
with torch.inference_mode():
    torch.onnx.export(
        Graph().eval(), (ids, mask), str(out / "model.onnx"), dynamo=True, verbose=False,
        input_names=["input_ids", "attention_mask"], output_names=["sentence_embedding"],
        dynamic_shapes=(free, free), external_data=False,
    )
slow = model.tokenizer
fast = slow.backend_tokenizer
fast.enable_truncation(model.max_seq_length)
fast.enable_padding(
    direction=slow.padding_side, pad_id=slow.pad_token_id, pad_token=slow.pad_token
)
fast.save(str(out / "tokenizer.json"))
"""
_READER = Reader(
    "ONNX Runtime",
    """
import json, sys
import numpy as np
from onnxruntime import InferenceSession
from tokenizers import Tokenizer

folder, sentences, out = sys.argv[1:]
tokenizer = Tokenizer.from_file(folder + "/tokenizer.json")
session = InferenceSession(folder + "/model.onnx", providers=["CPUExecutionProvider"])
with open(sentences, encoding="utf-8") as file:
    texts = json.load(file)
parts = []
for start in range(0, len(texts), 64):
    batch = tokenizer.encode_batch(texts[start:start + 64])
    ids = np.array([each.ids for each in batch], np.int64)
    mask = np.array([each.attention_mask for each in batch], np.int64)
    parts += session.run(None, {"input_ids": ids, "attention_mask": mask})
np.save(out, np.concatenate(parts).astype(np.float32), allow_pickle=False)
""",
)


def write_graph(
    subject: Subject, folder: Path, options: Options, *, progress: Progress = silent
) -> Comparison:
    """Fill an empty folder with `model.onnx`, without layers nobody reads, and `tokenizer.json`.

    Raises:
        InputError: What is missing to write it, an encoder that cannot be one graph, or a graph
            whose vectors are not ours.
        ResourceError: The disk or the network failed.
    """
    missing = [name for name in _LIBRARIES if find_spec(name) is None]
    if missing:
        raise InputError(
            f'a graph of ONNX needs {", ".join(missing)}: pip install "bertflow-lab[onnx]"'
        )
    with tempfile.TemporaryDirectory() as scratch:
        modules = Path(scratch) / "model"
        modules.mkdir()
        compared = write_checked(subject, modules, options, progress=progress)
        _refuse_prompt(modules)
        run_apart(_EXPORT, modules, folder, fault="this encoder cannot be written as one graph")
    agreement = compare_export(folder, compared.sentences, compared.expected, _READER)
    if not agreement.holds:
        raise InputError(f"the graph gives other vectors: {agreement}, expected at least 0.99999")
    return Comparison(compared.sentences, compared.expected, agreement)


def _refuse_prompt(folder: Path) -> None:
    """Refuse a model that puts words before each text, which a graph of token ids cannot do."""
    file = folder / SETTINGS_FILE
    settings = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    if settings.get("default_prompt_name") is not None:
        raise InputError(
            "this model puts a prompt before each text, which a graph of token ids cannot do: "
            "export it to sentence-transformers"
        )
