"""Export: a model with its threshold, calibrated or plain, and its score before it leaves."""

import io
import tempfile
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import streamlit as st
from bertflow_app import state
from bertflow_app.navigation import link
from bertflow_app.shared import Shared
from bertflow_app.show import Origin, drawer, headline
from bertflow_app.widgets.choices import calibrator_box
from bertflow_app.widgets.components import save_button, show_rows
from bertflow_app.widgets.scores import say_how_scored
from bertflow_app.widgets.work import Fold, ask, follow

from bertflow_core.calibrators.spec import BASELINE, Spec, offered_specs
from bertflow_core.datasets import Pairs
from bertflow_core.encoders.layers import PLAIN_LAYERS
from bertflow_core.errors import InputError
from bertflow_core.export.card import commands, fewer_features, loss
from bertflow_core.lab.evaluation import Evaluation
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.wording import percent, size_text

MOST_BYTES = 512_000_000
"""Largest size in bytes of an encoder's weights that the server packs for a visitor."""

FOLDER, CALIBRATOR = "model", "calibrator"
"""Names of the exported model and of the fitted calibrator in the commands."""

NAMES = ("What it replaces", "Uncalibrated", "What you export")


def draw() -> None:
    """Let the visitor choose a calibrator or none, see its score, and export it."""
    recipe, fold = state.current_recipe(), Fold("export")
    with fold.drawing():
        spec = calibrator_box(
            "Calibrator",
            offered_specs(),
            "flow",
            key="take",
            help="Choose, or type any other with its options, such as null-top-k:k=12. identity "
            "exports the model as it is, with its threshold.",
        )
    evaluations: list[Evaluation] = ask(
        "Fit it",
        Shared(_leaving, recipe, spec),
        fold=fold,
        is_quick=True,
        choices=(spec, recipe.vectors),
        help="Fits the calibrator on the sidebar's data, and scores it next to the plain output: "
        "about 10 seconds.",
    )
    chosen = evaluations[-1]
    lost = loss(evaluations[0].score, chosen.score, evaluations[0].too_few)
    headline(_answer(evaluations))
    _table(evaluations)
    if lost:
        st.warning(lost, icon=":material/warning:")
        link(
            "export",
            "Export the plain output with its threshold",
            asking={**state.recipe_parameters(), "layers": PLAIN_LAYERS, "take": BASELINE},
        )
    else:
        say_how_scored(evaluations[0])
    if fewer := fewer_features(chosen.calibrator):
        st.warning(fewer, icon=":material/warning:")
    if not lost or st.toggle("Export it anyway", key="take_anyway", help="Shows the files."):
        _files(chosen)
        _model(recipe, chosen)
    made = commands(chosen.recipe, " --anyway" if lost else "", with_threshold=True)
    drawer(Origin(f"{chosen.recipe.caption()}.", made))


def _leaving(recipe: Recipe, lab: Lab, spec: Spec) -> list[Evaluation]:
    """Evaluate the plain output, and the recipe's vectors before and after calibration."""
    recipes, _ = lab.with_plain(recipe.each(calibrators=[*dict.fromkeys((BASELINE, spec))]))
    return lab.evaluate(recipes)


def _answer(evaluations: Sequence[Evaluation]) -> str:
    """Say what the export scores; empty without scores."""
    plain, taken = evaluations[0].score, evaluations[-1].score
    if plain is None or taken is None:
        return ""
    title, first = evaluations[0].metric.header, evaluations[0].recipe.vectors
    other = f", the {first} {percent(plain)}" if len(evaluations) > 1 else ""
    return f"The export scores {percent(taken)}{other} ({title})."


def _table(evaluations: Sequence[Evaluation]) -> None:
    header = evaluations[0].metric.header
    show_rows(
        [
            {
                "What": name,
                "Vectors": evaluation.recipe.vectors,
                "Calibrator": evaluation.spec,
                header: percent(evaluation.score),
                "Random cosine": f"{evaluation.random_cosine:.3f}",
            }
            for name, evaluation in zip(NAMES[-len(evaluations) :], evaluations, strict=True)
        ],
        alt="The plain output, the same layers uncalibrated, and the export",
    )


def _files(chosen: Evaluation) -> None:
    with st.container(horizontal=True):
        save_button(
            f"Vectors under {chosen.spec}",
            partial(calibrated_vectors, chosen),
            "calibrated.npy",
            help=f"float32, {vector_rows(chosen)}.",
        )
        if chosen.spec == BASELINE:
            return
        save_button(
            f"Fitted {chosen.spec}",
            partial(saved_calibrator, chosen),
            "calibrator.safetensors",
            help="A file for `bertflow-lab calibrate --calibrator` and `bertflow-lab export`.",
        )


def _model(recipe: Recipe, chosen: Evaluation) -> None:
    calibrated = "" if chosen.spec == BASELINE else f" with {chosen.spec}"
    pressed = st.button(
        f"Model{calibrated} and its threshold",
        icon=":material/deployed_code:",
        help="Writes a folder for sentence-transformers with its card and its threshold, loads it "
        "in a new process and compares its vectors with those of this page.",
    )
    packing = Shared(packed, recipe, chosen.spec, given=[chosen])
    if not follow(packing.find(start=pressed)):
        return
    content, agreement = packing.result
    st.text(f"Loaded by sentence-transformers in a new process: {agreement}.")
    save_button(
        f"model.zip, {size_text(len(content))}",
        lambda: content,
        f"{FOLDER}.zip",
        help="Unpack it; SentenceTransformer('model') loads the folder, and its README.md says how "
        "it was made.",
    )


def calibrated_vectors(result: Evaluation) -> bytes:
    """Return a result's calibrated vectors as `.npy`: float32, in the order of `vector_rows`."""
    z, n = result.calibrator.transform(result.embedded.x_texts), len(result.embedded.data)
    sides = np.split(z, len(z) // n)  # one of single texts
    stream = io.BytesIO()
    np.save(stream, np.stack(sides, axis=1).reshape(z.shape), allow_pickle=False)
    return stream.getvalue()


def vector_rows(result: Evaluation) -> str:
    """Say which row of the calibrated vectors belongs to which sentence; rows count from 0."""
    if isinstance(result.embedded.data, Pairs):
        return "shape (2 N, K): pair i is at rows 2 i and 2 i + 1, counted from 0"
    return "shape (N, K): row i is sentence i, counted from 0"


def saved_calibrator(result: Evaluation) -> bytes:
    """Return a result's fitted calibrator as bytes in the core's file format."""
    from bertflow_core.calibrators.saved import save_calibrator

    with tempfile.TemporaryDirectory() as scratch:
        path, recipe = Path(scratch) / CALIBRATOR, result.recipe.to_dict()
        file = save_calibrator(result.calibrator, path, spec=result.spec, recipe=recipe)
        return file.read_bytes()


def packed(_: Recipe, lab: Lab, spec: Spec, chosen: Evaluation) -> tuple[bytes, str]:
    """Return a zip of encoder and fitted calibrator, and how well its vectors match this page's."""
    from bertflow_core.export.run import encoder_folder, export_fitted
    from bertflow_core.studies.thresholds import ThresholdRecipe, measured

    weights = encoder_folder(chosen.recipe, lab).path.glob("*.safetensors")
    n_bytes = sum(file.stat().st_size for file in weights)
    if n_bytes > MOST_BYTES:
        raise InputError(
            f"this encoder has {size_text(n_bytes)} of weights, and the page packs at most "
            f"{size_text(MOST_BYTES)}: download the fitted calibrator and run the command below"
        )
    asked, threshold = ThresholdRecipe(**chosen.recipe.to_dict()), None
    with suppress(InputError):  # there are too few sentences for one
        threshold = measured(chosen, asked, (), lab)[1]
    stream = io.BytesIO()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / FOLDER
        done = export_fitted(chosen.calibrator, chosen.recipe, lab, folder, threshold=threshold)
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:  # weights hardly compress
            for file in sorted(folder.rglob("*")):
                archive.write(file, file.relative_to(scratch))
    return stream.getvalue(), str(done.agreement)
