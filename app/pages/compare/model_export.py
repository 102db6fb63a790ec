"""Take home the encoder with its calibrator, as a model that sentence-transformers loads."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st
from bertflow_app.pages.compare.take_home import zipped
from bertflow_app.parts.components import follow
from bertflow_app.shared_jobs import run

from bertflow_core.errors import InputError
from bertflow_core.recipe import Recipe
from bertflow_core.wording import size_text

if TYPE_CHECKING:
    from bertflow_core.export.check import Agreement
    from bertflow_core.lab import Lab
    from bertflow_core.space import Space

MOST_BYTES = 512_000_000
"""Of an encoder's weights that the server packs for a visitor."""

FOLDER = "model"
_CALIBRATOR = "calibrator"
"""Folder of the fitted calibrator, as the commands name it."""


@dataclass(frozen=True)
class _Packed:
    """An exported model.

    Attributes:
        content: A zip of its folder.
        agreement: How far its vectors are from this package's.
    """

    content: bytes
    agreement: "Agreement"


def model_panel(recipe: Recipe, chosen: "Space") -> None:
    """Offer the encoder with the calibrator of `chosen` as one model, and the command beside it."""
    pressed = st.button(
        f"Encoder with {chosen.spec} as one model",
        icon=":material/deployed_code:",
        help="Writes encoder and calibrator as one model of sentence-transformers, loads it in a "
        "new process and compares its vectors with those of this page.",
    )
    job = run(_packed, recipe, chosen.spec, given=[chosen], start=pressed)
    if job is not None and follow(job):
        packed: _Packed = job.result
        st.text(f"Loaded by sentence-transformers in a new process: {packed.agreement}.")
        st.download_button(
            f"model.zip, {size_text(len(packed.content))}",
            lambda: packed.content,
            f"{FOLDER}.zip",
            "application/zip",
            icon=":material/download:",
            on_click="ignore",
            help="Unpack it; SentenceTransformer('model') loads the folder, and its README.md says "
            "how it was made.",
        )
    st.write(
        "The same on the command line: fit and save the calibrator, then make the model of it:"
    )
    fit = chosen.recipe.without("split", "aggregation").to_command(
        (chosen.spec,), command="bertflow-lab fit", options=[("--out", _CALIBRATOR)]
    )
    st.code(
        f"{fit}\nbertflow-lab export {_CALIBRATOR} --out {FOLDER}",
        language="shell",
        wrap_lines=True,
    )


def _packed(_: Recipe, lab: "Lab", spec: str, chosen: "Space") -> _Packed:
    from bertflow_core.export.run import encoder_folder, export_fitted

    weights = encoder_folder(chosen.recipe, lab).path.glob("*.safetensors")
    n_bytes = sum(file.stat().st_size for file in weights)
    if n_bytes > MOST_BYTES:
        raise InputError(
            f"this encoder has {size_text(n_bytes)} of weights, and the page packs at most "
            f"{size_text(MOST_BYTES)}: download the fitted calibrator and run the command below"
        )
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / FOLDER
        done = export_fitted(chosen.calibrator, chosen.recipe, lab, folder)
        return _Packed(zipped(folder, compressed=False), done.agreement)
