"""The networks of the live page: the encoder and fitted calibrators, exported to ONNX.

The encoder, its weights in 8 bits, takes the tokens of one sentence and gives its vectors in two
layer sets. The spaces, in 32 bits, take the vectors of n sentences and give what the page draws.
"""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bertflow_core.analysis.isotropy import Directions
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.layers import LayerSet
from bertflow_core.encoders.loading import load_network, load_tokenizer
from bertflow_core.export.dense import Coupling, Dense, pieces
from bertflow_core.figures.cone import TILT
from bertflow_core.lab.recipe import Recipe


class _Encoder(nn.Module):
    """The vectors of one sentence in a recipe's layers and in the last, shape (1, D) each."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        folder = resolve_model(recipe.model)
        self.network = load_network(folder)
        self.layers = LayerSet(recipe.layers).indices(folder.n_layers)

    def forward(self, input_ids: Tensor) -> tuple[Tensor, Tensor]:
        states = self.network(input_ids=input_ids, output_hidden_states=True).hidden_states
        middle = torch.stack([states[k].mean(1) for k in self.layers]).mean(0)
        return middle, states[-1].mean(1)


class _Coupled(nn.Module):
    """An additive coupling."""

    def __init__(self, coupling: Coupling) -> None:
        super().__init__()
        first, second, third = map(_linear, coupling)
        self.added = nn.Sequential(first, nn.ReLU(), second, nn.ReLU(), third)
        self.n_read = first.in_features

    def forward(self, x: Tensor) -> Tensor:
        added = self.added(x[:, : self.n_read])
        return x + functional.pad(added, (self.n_read, x.shape[1] - self.n_read - added.shape[1]))


class _Spaces(nn.Module):
    """Cosines, shape (S, n, n), and places on spheres, shape (S, n, 3), of n sentences.

    The last space is of the last layer. A place is across, up and near, as in `on_sphere`.
    """

    def __init__(self, calibrators: Sequence[Calibrator], frames: Sequence[Directions]) -> None:
        super().__init__()
        self.maps = nn.ModuleList(map(_network, calibrators))
        self.axes = nn.ModuleList(
            _linear(Dense(np.vstack([frame.pole, frame.axes]), np.zeros(3))) for frame in frames
        )

    def forward(self, middle: Tensor, last: Tensor) -> tuple[Tensor, Tensor]:
        cosines, places = [], []
        sine, cosine = np.sin(TILT).item(), np.cos(TILT).item()
        for number, (calibrate, axes) in enumerate(zip(self.maps, self.axes, strict=True)):
            x = last if number == len(self.maps) - 1 else middle
            unit = functional.normalize(calibrate(x))
            cosines.append(unit @ unit.T)
            height, flat = axes(unit).split((1, 2), dim=1)
            to_side = (1 - height.square()).clamp(min=0).sqrt()  # the sine of the angle to the pole
            across, depth = (functional.normalize(flat) * to_side).split(1, dim=1)
            up, near = height * cosine - depth * sine, depth * cosine + height * sine
            places.append(torch.cat([across, up, near], 1))
        return torch.stack(cosines), torch.stack(places)


def _network(calibrator: Calibrator) -> nn.Sequential:
    """Return a fitted calibrator as dense layers; affine maps that follow each other are one."""
    found: list[Dense | Coupling] = []
    for piece in pieces(calibrator):
        before = found[-1] if found else None
        if isinstance(piece, Dense) and isinstance(before, Dense):
            found[-1] = piece.after(before)
        else:
            found.append(piece)
    return nn.Sequential(*(_linear(e) if isinstance(e, Dense) else _Coupled(e) for e in found))


def _linear(dense: Dense) -> nn.Linear:
    n_out, n_in = dense.matrix.shape
    linear = nn.Linear(n_in, n_out)
    linear.weight.data, linear.bias.data = (
        torch.tensor(each, dtype=torch.float32) for each in (dense.matrix, dense.shift)
    )
    return linear


def export_encoder(recipe: Recipe, file: Path) -> None:
    """Write the encoder of a recipe: matrices in 8 bits in blocks of 32, word vectors in 8 bits.

    Dynamic quantisation, which also rounds what flows between the layers, is faster in a browser,
    but its vectors agree less with the real ones than the page accepts.
    """
    import onnx
    from onnxruntime.quantization import matmul_nbits_quantizer as weights
    from onnxruntime.quantization import quantize_dynamic

    with tempfile.TemporaryDirectory() as temporary:
        whole, half = (Path(temporary) / name for name in ("whole.onnx", "half.onnx"))
        _export(_Encoder(recipe), (torch.arange(9)[None],), whole, ("input_ids",), 1)
        config = weights.DefaultWeightOnlyQuantConfig(block_size=32, bits=8)
        quantizer = weights.MatMulNBitsQuantizer(onnx.load(whole), algo_config=config)
        quantizer.process()
        quantizer.model.save_model_to_file(str(half))
        quantize_dynamic(half, file, op_types_to_quantize=["Gather"])


def export_spaces(
    calibrators: Sequence[Calibrator], frames: Sequence[Directions], file: Path
) -> None:
    """Write fitted calibrators of one middle layer, and last that of the last layer."""
    model = _Spaces(calibrators, frames)
    vectors = tuple(torch.rand(3, calibrators[i].n_features_in_) for i in (0, -1))
    _export(model, vectors, file, ("middle", "last"), 0)


def _export(
    model: nn.Module, example: tuple[Tensor, ...], file: Path, inputs: Sequence[str], axis: int
) -> None:
    """Write a model whose inputs may have any size along an axis."""
    torch.onnx.export(
        model.eval().requires_grad_(False),
        example,
        file,
        input_names=inputs,
        output_names=("cosines", "places") if isinstance(model, _Spaces) else ("middle", "last"),
        dynamic_shapes=({axis: torch.export.Dim.DYNAMIC},) * len(example),
        external_data=False,
        dynamo=True,
        verbose=False,
    )


class Networks:
    """Both exported models under onnxruntime, and the tokenizer: what the page computes."""

    def __init__(self, encoder: Path, spaces: Path, longest: int) -> None:
        from onnxruntime import InferenceSession

        cpu = ["CPUExecutionProvider"]
        self._encoder, self._spaces = (
            InferenceSession(e, providers=cpu) for e in (encoder, spaces)
        )
        self._tokenizer, self._longest = load_tokenizer(resolve_model(Recipe.model)), longest

    def encode(self, sentences: Sequence[str]) -> list[FloatArray]:
        """Return the vectors of N sentences in both layer sets, shape (N, D) each."""
        tokens = self._tokenizer(list(sentences), truncation=True, max_length=self._longest)
        found = [self._encoder.run(None, {"input_ids": [ids]}) for ids in tokens["input_ids"]]
        return [np.concatenate(each) for each in zip(*found, strict=True)]

    def place(self, middle: FloatArray, last: FloatArray) -> list[FloatArray]:
        """Return cosines (S, N, N) and places (S, N, 3) of vectors in both layer sets."""
        found: list[FloatArray] = self._spaces.run(None, {"middle": middle, "last": last})
        return found
