"""Export a fitted calibrator: write a model folder, and check its vectors."""

import glob
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.arguments import checked
from bertflow_core.arrays.linalg import unit_rows
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.saved import load_calibrator
from bertflow_core.calibrators.spec import BASELINE
from bertflow_core.encoders import ModelFolder, TransformerEncoder
from bertflow_core.errors import InputError
from bertflow_core.export.card import THRESHOLD, compared, fewer_features, model_card
from bertflow_core.export.check import Agreement, compare_export
from bertflow_core.export.dense import dense_layers
from bertflow_core.export.folder import write_json, write_model
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe
from bertflow_core.lab.saved_thresholds import Threshold, owner_of, read_thresholds, threshold_of
from bertflow_core.runtime import context
from bertflow_core.runtime.files import SCRATCH, disk_errors
from bertflow_core.wording import DOCUMENT, QUERY, quoted

_SENTENCES = 1_000
"""Sentences of the fit corpus on which an export is compared."""


@dataclass(frozen=True)
class Exported:
    """A finished export."""

    folder: Path
    agreement: Agreement  # agreement of its vectors with ours
    n_bytes: int


@checked
def export_model(
    calibrator: Path | str,
    folder: Path | str,
    lab: Lab | None = None,
    *,
    normalize: bool = False,
    anyway: bool = True,
    threshold: Path | str | None = None,
) -> Exported:
    """Write encoder and calibrator as a sentence-transformers model, and compare its vectors.

    Args:
        calibrator: File of a saved calibrator, including its recipe.
        folder: New folder to write.
        lab: The lab that runs the encoder; None is `Lab()`.
        normalize: Whether vectors are scaled to length 1.
        anyway: Whether to export even if the export scores less than the model's plain output.
        threshold: JSON of `bertflow-lab analyse thresholds`. Its threshold for these vectors is
            added to the model as `threshold.json` and to the card. None adds none.

    Raises:
        InputError: A calibrator without a recipe or without dense layers, vectors that differ from
            ours or would score less, or a threshold of other vectors; nothing is written then.
        ResourceError: The disk or the network failed.

    Example:
        >>> from bertflow_core import export_model
        >>> done = export_model("calibrator", "model", normalize=True)  # doctest: +SKIP
    """
    fitted, config = load_calibrator(calibrator)
    if not isinstance(config["recipe"], dict):
        raise InputError(f"{quoted(calibrator)} holds no recipe, so its encoder is unknown")
    recipe = Recipe.from_dict(config["recipe"])
    if recipe.source.has_layers and glob.has_magic(recipe.dataset):
        raise InputError(
            f"{quoted(calibrator)} was fitted on the vectors of many files ({recipe.dataset}), "
            "but an export is checked on sentences of the fit corpus: fit it on a data set or a "
            "text file"
        )
    folder, lab = Path(folder), lab or Lab()
    options: dict[str, Any] = {"normalize": normalize, "anyway": anyway}
    if threshold is not None:
        owner = owner_of(recipe, lab.corpus(recipe))
        options["threshold"] = threshold_of(read_thresholds(Path(threshold)), owner, threshold)
    return export_fitted(fitted, recipe, lab, folder, **options)


def export_fitted(
    fitted: Calibrator,
    recipe: Recipe,
    lab: Lab,
    folder: Path,
    *,
    normalize: bool = False,
    anyway: bool = True,
    threshold: Threshold | None = None,
) -> Exported:
    """Export a calibrator that a recipe fitted, as in `export_model`.

    The encoder is first cut at the layer that is read. If the vectors then differ from ours, it is
    exported whole.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{quoted(folder)} exists and is not empty: choose a new folder name")
    layers = [] if recipe.spec == BASELINE else dense_layers(fitted)
    model, corpus = encoder_folder(recipe, lab), lab.corpus(recipe)
    distinct = sorted(set(corpus.sentences))
    chosen = np.random.default_rng(0).permutation(len(distinct))[:_SENTENCES]
    sentences = [distinct[i] for i in chosen]
    sides = (QUERY, DOCUMENT) if lab.sides_to_fit(recipe, corpus) else ("",)
    on_each = [side for side in sides for _ in sentences]
    (embeddings,) = lab.vectors([recipe], sentences * len(sides), sides=on_each)
    expected = fitted.transform(embeddings.x)
    expected = unit_rows(expected) if normalize else expected
    with disk_errors(folder, does="write"):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=folder.parent) as scratch:
            new = Path(scratch) / "model"
            for cut in (True, False):
                new.mkdir()
                context.report(1, 3, "steps of the export")
                n_layers = write_model(
                    new, model, recipe, layers, distinct, normalize=normalize, cut=cut
                )
                context.report(2, 3, "steps of the export")
                agreement = compare_export(new, sentences, expected, sides)
                if agreement.holds:
                    break
                shutil.rmtree(new)
            else:
                raise InputError(
                    f"this encoder cannot be exported: {agreement}, expected at least 0.99999"
                )
            loss, scores, results = compared(recipe, fitted, lab)  # last, as it takes longest
            if loss and not anyway:
                raise InputError(f"{loss} To export it anyway, add --anyway")
            options = (
                ("--normalize", normalize),
                ("--anyway", loss),
            )
            card = model_card(
                recipe,
                model,
                fitted,
                corpus,
                scores=scores,
                results=results,
                fewer=fewer_features(fitted),
                n_features=expected.shape[1],
                n_layers=n_layers,
                check=str(agreement),
                has_sides=len(sides) > 1,
                options="".join(f" {option}" for option, is_given in options if is_given),
                threshold=threshold,
            )
            (new / "README.md").write_text(card, encoding="utf-8")
            if threshold is not None:
                write_json(new / THRESHOLD, threshold)
            n_bytes = sum(file.stat().st_size for file in new.rglob("*") if file.is_file())
            if folder.exists():
                folder.rmdir()  # it is empty
            new.replace(folder)
    return Exported(folder, agreement, n_bytes)


def encoder_folder(recipe: Recipe, lab: Lab) -> ModelFolder:
    """Return the files of a recipe's encoder; refuse vectors without a transformer."""
    encoder = lab.encoder(recipe)
    if isinstance(encoder, TransformerEncoder) and encoder.model.n_layers:
        return encoder.model
    raise InputError(
        f"this calibrator was fitted on vectors of {quoted(recipe.model)}: expected vectors of a "
        "transformer, which can be exported as a model"
    )
