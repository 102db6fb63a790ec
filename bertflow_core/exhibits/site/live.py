"""The live page: typed sentences under the embedded encoder, which the browser itself runs.

onnxruntime-web runs the networks and Hugging Face's `tokenizers` divides the text; npm installs
both from a locked list. Everything lies beside the page.
"""

import json
import logging
import shutil
import subprocess
import tempfile
from importlib.resources import files
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from bertflow_core.analysis.isotropy import directions
from bertflow_core.encoders import resolve_model
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.errors import InputError, ResourceError
from bertflow_core.exhibits.playground import Example, examples
from bertflow_core.exhibits.site.live_networks import Networks, export_encoder, export_spaces
from bertflow_core.figures.cone import circles, top_of_arrow
from bertflow_core.figures.pages import Page, picture_page
from bertflow_core.figures.style import colour_of
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.lazy import of_extra

PAGE = (
    *("live.html", "Try your own sentences"),
    "Type up to twelve sentences. An encoder in this page places them on spheres and compares "
    "every pair, before and after calibration.",
)
SPECS = ("identity", "null-top-k:k=6", "whiten", "flow")
_LEAST_COSINE, _MOST_RHO = 0.99, 0.5  # of vectors on average, and of rho x 100
_PACKAGES = {
    "onnxruntime-web": ("ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm"),
    "@huggingface/tokenizers": ("tokenizers.min.mjs",),
}
_UNRELATED = Example(
    "Unrelated topics",
    "No two of these sentences share a topic. How alike does each space make them?",
    (
        "A dog sleeps on the sofa.",
        "The train to Madrid leaves at noon.",
        "She plays the violin in an orchestra.",
        "Interest rates rose again this year.",
        "Add a pinch of salt to the soup.",
        "The volcano erupted during the night.",
    ),
    (),
)


def check_live(recipe: Recipe) -> None:
    """Refuse, before any work, what the page cannot show, and a machine that cannot build it."""
    shown = (recipe.model, recipe.tokens, recipe.revision, recipe.template)
    if shown != (Recipe.model, Recipe.tokens, None, None) or recipe.layers == PLAIN_LAYERS:
        raise InputError(
            f"--live shows a layer of {Recipe.model} under token pooling {Recipe.tokens}: leave "
            "out other models, revisions, templates, poolings and layers model"
        )
    for module in ("onnx", "onnxruntime", "onnxscript"):
        of_extra("live", module, "--live exports the encoder to ONNX and needs the extra live")
    if shutil.which("npm") is None:
        raise InputError("--live installs two packages with npm, which was not found: install Node")


def make_live(recipe: Recipe, lab: Lab, folder: Path, *, index: str) -> Page:
    """Write what the live page loads into a folder, measure it, and return the page."""
    evaluations = [
        *lab.evaluations(recipe, (), SPECS),
        *lab.evaluations(recipe.with_(layers=PLAIN_LAYERS), (), SPECS[:1]),
    ]
    _ = evaluations[0].rho  # data without gold scores are refused before anything is exported
    frames = [directions(np.concatenate(evaluation.z)) for evaluation in evaluations]
    folder.mkdir(parents=True, exist_ok=True)
    _install(folder)
    encoder, placing = folder / "encoder.onnx", folder / "spaces.onnx"
    logging.disable(logging.WARNING)  # the exporters report each layer
    try:
        export_encoder(recipe, encoder)
        export_spaces([evaluation.calibrator for evaluation in evaluations], frames, placing)
    finally:
        logging.disable(logging.NOTSET)
    networks = Networks(encoder, placing, recipe.max_length)
    agreement = _agreement(evaluations, networks, lab)
    recorded = []
    for title, watch, sentences, _ in (_UNRELATED, *examples().values()):
        vectors = (lab.vectors(evaluations[i].recipe, sentences).x for i in (0, -1))
        cosines, places = (np.round(each, 4).tolist() for each in networks.place(*vectors))
        answer = {"cosines": cosines, "places": places}
        recorded.append({"title": title, "watch": watch, "sentences": sentences, "answer": answer})
    payload = {
        "spaces": [
            {
                "spec": evaluation.spec,
                "layers": recipe.layers if evaluation is not evaluations[-1] else "plain output",
                "colour": colour_of(evaluation.spec),
                "top": top_of_arrow(frame.mean_length),
                "length": frame.mean_length,
            }
            for evaluation, frame in zip(evaluations, frames, strict=True)
        ],
        "circles": [{"x": x.tolist(), "y": y.tolist()} for x, y in circles()],
        "examples": recorded,
        "files": {path.name: path.stat().st_size for path in sorted(folder.iterdir())},
        "longest": recipe.max_length,
    }
    return picture_page(
        PAGE,
        ("live", "live.js", "live.css"),
        payload=json.dumps(payload, allow_nan=False).encode(),
        notes=[
            "The arrow is the mean direction of the data's sentences; it is long in a narrow cone.",
            *agreement,
            f"Fitted on {evaluations[0].embedded.corpus.description}",
        ],
        index=index,
        loads=True,
    )


def _agreement(evaluations: list[Evaluation], networks: Networks, lab: Lab) -> list[str]:
    """Compare the exported networks with the real encoder on the scored pairs, a line a space.

    Raises:
        ResourceError: They agree less than the page may.
    """
    pairs = evaluations[0].embedded.pairs
    rows = {sentence: row for row, sentence in enumerate(dict.fromkeys(pairs.sentences()))}
    first, second = ([rows[text] for text in side] for side in (pairs.first, pairs.second))
    real = (lab.vectors(evaluations[i].recipe, list(rows)).x for i in (0, -1))
    both = (np.concatenate(each) for each in zip(real, networks.encode(list(rows)), strict=True))
    n, (cosines, _) = len(rows), networks.place(*both)
    lines = [
        f"The weights of the encoder have 8 bits in this page. Compared with the real encoder on "
        f"the {len(pairs):,} pairs of {pairs.name}, when the page was built:"
    ]
    for evaluation, cosine in zip(evaluations, cosines, strict=True):
        alike = np.diagonal(cosine, n)  # each real vector and the page's
        similarity = cosine[n:, n:][first, second]
        difference = np.abs(similarity - evaluation.similarity).max()
        rho = 100 * spearmanr(similarity, pairs.gold).statistic
        name = "plain output" if evaluation.recipe.layers == PLAIN_LAYERS else evaluation.spec
        lines.append(
            f"{evaluation.recipe.layers}, {name}: cosine of the vectors {alike.mean():.4f} on "
            f"average, {alike.min():.4f} at least. Largest difference of a pair's cosine: "
            f"{difference:.3f}. Rho x 100: {rho:.2f}, real encoder {100 * evaluation.rho:.2f}."
        )
        if alike.mean() < _LEAST_COSINE or abs(rho - 100 * evaluation.rho) > _MOST_RHO:
            raise ResourceError(
                f"the exported networks differ too much from the real encoder ({lines[-1]}): "
                f"expected a mean cosine of {_LEAST_COSINE} and rho x 100 within {_MOST_RHO}, so "
                "try other versions of onnxruntime"
            )
    return lines


def _install(folder: Path) -> None:
    """Copy the scripts of the npm packages, and the tokenizer's files, into a folder."""
    with tempfile.TemporaryDirectory() as temporary:
        for name in ("package.json", "package-lock.json"):
            (Path(temporary) / name).write_bytes((files(__package__) / name).read_bytes())
        command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        done = subprocess.run(command, cwd=temporary, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = next(iter(done.stderr.splitlines()), "it gave no reason")
            raise ResourceError(f"npm could not install {', '.join(_PACKAGES)}: {reason}")
        for package, names in _PACKAGES.items():
            for name in names:
                shutil.copy(Path(temporary) / "node_modules" / package / "dist" / name, folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(resolve_model(Recipe.model).path / name, folder)
