"""The live page: typed sentences under an encoder that runs in the browser.

onnxruntime-web runs the networks and Hugging Face's `tokenizers` tokenizes the text; npm installs
both from a locked list. All files lie beside the page.
"""

import gzip
import json
import logging
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import cast

import numpy as np
import torch
from scipy.stats import spearmanr
from torch import Tensor, nn
from torch.nn import functional

from bertflow_core.analysis.isotropy import Directions, directions
from bertflow_core.arrays.linalg import affine_parts
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.flow import FlowCalibrator
from bertflow_core.calibrators.spec import BASELINE, DEFAULT_SPECS
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.layers import PLAIN_LAYERS, LayerSet
from bertflow_core.encoders.loading import load_network, load_tokenizer
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.exhibits.playground import examples
from bertflow_core.exhibits.wall.recipe import space_of
from bertflow_core.figures.cone import arrow, circles, on_sphere
from bertflow_core.figures.pages import Page, picture_page
from bertflow_core.flows import Flow
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import PLAIN, Recipe
from bertflow_core.runtime import context
from bertflow_core.runtime.files import write_file
from bertflow_core.runtime.lazy import of_extra

PAGE = (
    *("live.html", "Try your own sentences"),
    "Type up to twelve sentences. An encoder in this page places them on spheres, before and after "
    "calibration.",
)
_SCRIPTS = (
    "onnxruntime-web/dist/ort.wasm.bundle.min.mjs",
    "onnxruntime-web/dist/ort-wasm-simd-threaded.wasm",
    "@huggingface/tokenizers/dist/tokenizers.min.mjs",
)
_STEPS = 4  # of the export
_LEAST_COSINE, _MOST_RHO = 0.99, 0.5  # mean cosine of vectors; difference of rho x 100


def check_live(recipe: Recipe) -> None:
    """Refuse, before any work, a recipe that the page cannot show, or a missing build tool."""
    shown = (recipe.model, recipe.tokens, recipe.revision, recipe.template)
    if shown != (Recipe.model, Recipe.tokens, None, None) or recipe.layers == PLAIN_LAYERS:
        raise InputError(
            f"--live shows a layer of {Recipe.model} under token pooling {Recipe.tokens}: leave "
            "out other models, revisions, templates and poolings, and `--layers model`"
        )
    for module in ("onnx", "onnxruntime", "onnxscript"):
        of_extra("live", module, "--live exports the encoder to ONNX and needs the extra live")
    if shutil.which("npm") is None:
        raise InputError("--live installs two packages with npm, which was not found: install Node")


def make_live(recipe: Recipe, lab: Lab, folder: Path, *, ways: str = "") -> Page:
    """Write the files of the live page into a folder, compare its networks, and return the page."""
    recipes, _ = lab.with_plain(recipe.each(calibrators=(BASELINE, *DEFAULT_SPECS)))
    plain, *found = lab.evaluations(recipes)
    spaces = {space_of(each.recipe): each for each in found} | {PLAIN: plain}
    _ = spaces[PLAIN].rho  # data without gold scores are refused before anything is exported
    frames = [directions(np.concatenate(space.z)) for space in spaces.values()]
    with tempfile.TemporaryDirectory() as scratch:
        context.report(0, _STEPS, "steps of the export")
        _install(Path(scratch))
        calibrators = [space.calibrator for space in spaces.values()]
        with _quiet():
            networks = Networks(recipe, _Spaces(calibrators, frames), Path(scratch))
        sizes = _packed(Path(scratch), folder)
    agreement = agreement_notes(spaces, networks)
    *others, unrelated = examples().values()
    recorded = []
    for example in (unrelated, *others):
        answer = networks.place(*networks.encode(example.sentences))
        numbers = [np.round(each, 4).ravel().tolist() for each in answer]
        recorded.append({**example._asdict(), "answer": numbers})
    payload = {
        "spaces": [
            {"spec": space.spec, **arrow(_in_words(title), space.spec, frame.mean_length)}
            for (title, space), frame in zip(spaces.items(), frames, strict=True)
        ],
        "circles": [{"x": x.tolist(), "y": y.tolist()} for x, y in circles()],
        "examples": recorded,
        "files": sizes,
        "longest": recipe.max_length,
    }
    corpus = next(iter(spaces.values())).embedded.corpus  # the plain output has no fit
    about = "The arrow is the mean direction of the data's sentences. It is long in a narrow cone."
    return picture_page(
        PAGE,
        ("live", "live.js", "live.css"),
        payload=json.dumps(payload, allow_nan=False).encode(),
        notes=[about, *agreement, f"Fitted on {corpus.description}"],
        ways=ways,
        loads=True,
    )


def _in_words(title: str) -> str:
    """Return a space's title in the words of the page, such as "layer 4, flow"."""
    return title.replace("layer:", "layer ").removesuffix(f", {BASELINE}")


def agreement_notes(spaces: Mapping[str, Evaluation], networks: "Networks") -> list[str]:
    """Compare the networks with the real encoder on the scored pairs; refuse large differences."""
    middle, *_, last = (space.embedded for space in spaces.values())
    pairs = middle.data
    both = (  # of each pair, the two real vectors, then the two of the page
        np.stack([real.x_first, real.x_second, page[0::2], page[1::2]], axis=1)
        for real, page in zip((middle, last), networks.encode(pairs.sentences()), strict=True)
    )
    cosines = np.stack([networks.place(*four)[0] for four in zip(*both, strict=True)], axis=1)
    lines = [
        f"The weights of the encoder have 8 bits in this page. Compared with the real encoder on "
        f"the {len(pairs):,} pairs of {pairs.name}, when the page was built:"
    ]
    for (title, space), cosine in zip(spaces.items(), cosines, strict=True):
        alike, similarity = cosine[:, [0, 1], [2, 3]], cosine[:, 2, 3]
        difference = np.abs(similarity - space.similarity).max()
        rho, real_rho = 100 * spearmanr(similarity, pairs.gold).statistic, 100 * space.rho
        lines.append(
            f"{title}: cosine with the real encoder's vectors {alike.mean():.4f} on average, "
            f"{alike.min():.4f} at least. Largest difference of a pair's cosine: {difference:.3f}. "
            f"Rho x 100: {rho:.2f}, real encoder {real_rho:.2f}."
        )
        if alike.mean() < _LEAST_COSINE or abs(rho - real_rho) > _MOST_RHO:
            raise ResourceError(
                f"the exported networks differ too much from the real encoder ({lines[-1]}): "
                f"expected a mean cosine of {_LEAST_COSINE} and rho x 100 within {_MOST_RHO}, so "
                "try other versions of onnxruntime"
            )
    return lines


def _install(folder: Path) -> None:
    """Copy the scripts of the npm packages, and the tokenizer's file, into a folder."""
    with tempfile.TemporaryDirectory() as temporary:
        for name in ("package.json", "package-lock.json"):
            Path(temporary, name).write_bytes((files(__package__) / name).read_bytes())
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=temporary, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = next(iter(done.stderr.splitlines()), "it gave no reason")
            raise ResourceError(f"npm could not install the scripts of the live page: {reason}")
        for script in _SCRIPTS:
            shutil.copy(Path(temporary, "node_modules", script), folder)
    shutil.copy(resolve_model(Recipe.model).path / "tokenizer.json", folder)


def _packed(scratch: Path, folder: Path) -> dict[str, int]:
    """Write files as the page loads them, with gzip if no script, and return their sizes in bytes.

    A web server would declare a file called `.gz` as compressed, and browsers would unpack it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for path in sorted(scratch.iterdir()):
        name, content = path.name, path.read_bytes()
        if path.suffix != ".mjs":
            name, content = f"{name}.gzip", gzip.compress(content, mtime=0)
        write_file(folder / name, content)
        sizes[name] = len(content)
    return sizes


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what the exporters log of every layer, and their warnings, from the user."""
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(logging.NOTSET)


class Networks:
    """The encoder and the spaces, written to a folder and run as the page runs them.

    Weight matrices are quantised to 8 bits, with a scale for each block of 128 weights. Dynamic
    quantisation rounds activations too: it is faster in a browser but agrees too little with the
    encoder, so only the word embeddings use it.
    """

    def __init__(self, recipe: Recipe, model: "_Spaces", folder: Path) -> None:
        from onnxruntime import InferenceSession, SessionOptions
        from onnxruntime.quantization import quantize_dynamic
        from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer

        encoder, spaces = folder / "encoder.onnx", folder / "spaces.onnx"
        context.report(1, _STEPS, "steps of the export")
        exported = _export(_Encoder(recipe), torch.arange(9), names=("middle", "last"))
        context.report(2, _STEPS, "steps of the export")
        quantizer = MatMulNBitsQuantizer(exported.model_proto, bits=8, block_size=128)
        quantizer.process()
        quantize_dynamic(quantizer.model.model, encoder, op_types_to_quantize=["Gather"])
        context.report(3, _STEPS, "steps of the export")
        vectors = torch.rand(2, 3, len(model.axes[-1]))
        _export(model, *vectors, names=("cosines", "places")).save(spaces)
        context.report(4, _STEPS, "steps of the export")
        options = SessionOptions()
        options.intra_op_num_threads = 1  # more take longer for one sentence
        self._encoder, self._spaces = (
            InferenceSession(path, options) for path in (encoder, spaces)
        )
        self._tokenizer = load_tokenizer(resolve_model(recipe.model))
        self._max_length = recipe.max_length

    def encode(self, sentences: Sequence[str]) -> list[FloatArray]:
        """Return the vectors of N sentences at the recipe's and at the last layer, (N, D) each."""
        tokens = self._tokenizer(list(sentences), truncation=True, max_length=self._max_length)
        found = []
        for done, ids in enumerate(tokens["input_ids"]):
            context.report(done, len(sentences), "sentences in the page's encoder")
            found.append(self._encoder.run(None, {"input_ids": ids}))
        return [np.concatenate(each) for each in zip(*found, strict=True)]

    def place(self, middle: FloatArray, last: FloatArray) -> list[FloatArray]:
        """Return cosines, shape (S, N, N), and places on spheres, (S, N, 3), of these vectors."""
        found: list[FloatArray] = self._spaces.run(None, {"middle": middle, "last": last})
        return found


def _export(model: nn.Module, *inputs: Tensor, names: Sequence[str]) -> torch.onnx.ONNXProgram:
    """Export a model for inputs of any length; `names` are the names of its outputs."""
    lengths = ({0: torch.export.Dim.DYNAMIC},) * len(inputs)
    program = torch.onnx.export(
        model.eval(), inputs, output_names=names, dynamic_shapes=lengths, verbose=False
    )
    return cast(torch.onnx.ONNXProgram, program)


class _Encoder(nn.Module):
    """The vectors of one sentence in a recipe's layers and in the last, shape (1, D) each."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        folder = resolve_model(recipe.model)
        self.network = load_network(folder)
        self.layers = LayerSet(recipe.layers).indices(folder.n_layers)

    def forward(self, input_ids: Tensor) -> tuple[Tensor, Tensor]:
        output = self.network(input_ids=input_ids[None], output_hidden_states=True)
        means = torch.stack(output.hidden_states).mean(2)  # of the tokens, shape (L + 1, 1, D)
        return means[list(self.layers)].mean(0), means[-1]


class _Spaces(nn.Module):
    """Cosines, (S, n, n), and places on spheres, (S, n, 3); the last space is the last layer."""

    def __init__(self, calibrators: Sequence[Calibrator], frames: Sequence[Directions]) -> None:
        super().__init__()
        self.maps = nn.ModuleList(map(_network, calibrators))
        axes = [np.vstack([frame.axes, frame.pole]).T for frame in frames]
        view = np.transpose(on_sphere([90, 90, 0], [0, 90, 0]))  # where the three axes are drawn
        *self.axes, self.view = (torch.from_numpy(each).float() for each in (*axes, view))

    def forward(self, middle: Tensor, last: Tensor) -> tuple[Tensor, Tensor]:
        vectors = [middle] * (len(self.maps) - 1) + [last]
        cosines, places = [], []
        for x, calibrate, axes in zip(vectors, self.maps, self.axes, strict=True):
            z = calibrate.to_latent(x) if isinstance(calibrate, Flow) else calibrate(x)
            unit = functional.normalize(z)
            cosines.append(unit @ unit.T)
            flat, height = torch.tensor_split(unit @ axes, (2,), dim=1)
            to_side = (1 - height.square()).clamp(min=0).sqrt()  # the sine of the angle to the pole
            places.append(torch.cat([functional.normalize(flat) * to_side, height], 1) @ self.view)
        return torch.stack(cosines), torch.stack(places)


def _network(fitted: Calibrator) -> nn.Module:
    """Return a fitted flow or affine map as a network of dense layers."""
    if isinstance(fitted, FlowCalibrator):
        return fitted.flow_
    matrix, shift = map(torch.from_numpy, affine_parts(fitted.transform, fitted.n_features_in_))
    linear = nn.Linear(*matrix.shape)
    linear.load_state_dict({"weight": matrix.T, "bias": shift})
    return linear
