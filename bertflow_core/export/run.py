"""From a saved calibrator to a folder that others load, compared with our vectors on the way."""

import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.catalog import plain_name
from bertflow_core.calibrators.persistence import load_calibrator
from bertflow_core.encoders import DeclaredEncoder, TransformerEncoder
from bertflow_core.errors import InputError
from bertflow_core.evaluation import Interval, pairwise_cosine
from bertflow_core.experiment import Lab
from bertflow_core.export.card import CardFacts, Judged, model_card
from bertflow_core.export.check import Agreement, compare_export
from bertflow_core.export.dense import dense_layers, residual_layers
from bertflow_core.export.pieces import pieces_of
from bertflow_core.export.sentence_transformers import Modules, write_modules
from bertflow_core.files import filled_folder
from bertflow_core.linalg import FloatArray, unit_rows
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.rho_changes import changes_of_rho
from bertflow_core.wording import quoted

__all__ = ["Exported", "check_export_folder", "export_model"]

N_COMPARED = 1_000
"""Sentences on which an export is compared with our vectors."""


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes:
        folder: Where.
        agreement: How far its vectors are from ours.
        n_bytes: Its size.
    """

    folder: Path
    agreement: Agreement
    n_bytes: int


def check_export_folder(folder: Path) -> None:
    """Refuse a folder that holds anything.

    Raises:
        InputError: It exists and is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{quoted(folder)} exists and is not empty: choose a new folder name")


def export_model(
    calibrator: Path,
    folder: Path,
    lab: Lab,
    *,
    normalize: bool = False,
    residual: bool = False,
    n_compared: int = N_COMPARED,
    progress: Progress = silent,
) -> Exported:
    """Write encoder and calibrator as a model of sentence-transformers, and compare its vectors.

    Args:
        calibrator: Folder of a saved calibrator with its recipe.
        folder: New folder to write.
        lab: Where the encoder runs.
        normalize: Whether vectors get length 1.
        residual: Whether a flow's layers are the smaller ones that sentence-transformers reads from
            version 5.7 on.
        n_compared: Sentences of the fit corpus to compare on.
        progress: Called with `(done, total, unit)`; may raise `Cancelled`.

    Raises:
        InputError: A calibrator that dense layers cannot say or that holds no recipe, or a folder
            whose vectors would not be ours; nothing is written then.
        ResourceError: The disk refused.
    """
    check_export_folder(folder)
    fitted, config = load_calibrator(calibrator)
    if not isinstance(config["recipe"], dict):
        raise InputError(f"{quoted(calibrator)} holds no recipe, so its encoder is not known")
    recipe = Recipe.from_dict(config["recipe"])
    encoder = lab.encoder(recipe, progress=progress)
    if not isinstance(encoder, TransformerEncoder | DeclaredEncoder):
        raise InputError(
            f"{quoted(calibrator)} was fitted on vectors of {quoted(recipe.model)}: expected those "
            "of a transformer, which can be written as a model"
        )
    make_layers = residual_layers if residual else dense_layers
    head = make_layers(pieces_of(fitted), fitted.n_features_in_)
    modules = Modules(encoder.model, recipe, head, normalize)
    sentences, expected = _expected(recipe, lab, fitted, n_compared, progress)
    if normalize:
        expected = unit_rows(expected)
    with filled_folder(folder) as new:
        agreement = _written(modules, new, sentences, expected)
        facts = CardFacts(
            recipe=recipe,
            model=encoder.model,
            plain=plain_name(recipe.calibrator),
            corpus=lab.corpus(recipe).description,
            corpus_licences=tuple(
                dict.fromkeys(source.licence for source in lab.corpus(recipe).sources)
            ),
            n_out=expected.shape[1],
            notes=fitted.notes_,
            agreement=agreement,
            judged=_judged(recipe, lab, fitted, progress),
            command=_command(calibrator, normalize=normalize, residual=residual),
        )
        (new / "README.md").write_text(model_card(facts), encoding="utf-8")
        n_bytes = sum(file.stat().st_size for file in new.rglob("*") if file.is_file())
    return Exported(folder, agreement, n_bytes)


def _expected(
    recipe: Recipe, lab: Lab, fitted: Calibrator, n: int, progress: Progress
) -> tuple[list[str], FloatArray]:
    """Return distinct sentences of the fit corpus, at most n, and our vectors of them."""
    distinct = sorted(set(lab.corpus(recipe).sentences))
    chosen = np.random.default_rng(0).permutation(len(distinct))[:n]
    sentences = [distinct[i] for i in chosen]
    return sentences, fitted.transform(lab.vectors(recipe, sentences, progress=progress).x)


def _written(
    modules: Modules, folder: Path, sentences: list[str], expected: FloatArray
) -> Agreement:
    """Fill the folder so that its vectors are ours; an encoder is first tried cut to its layer."""
    for cut in (True, False):
        write_modules(modules, folder, cut=cut)
        agreement = compare_export(folder, sentences, expected)
        if agreement.holds:
            return agreement
        _empty(folder)
    raise InputError(f"this encoder cannot be exported: {agreement}, expected at least 0.99999")


def _judged(recipe: Recipe, lab: Lab, fitted: Calibrator, progress: Progress) -> Judged | None:
    pairs = lab.pairs(recipe)
    if pairs.judged is None:
        return None
    prepared = lab.prepare(recipe, progress=progress)
    sides = (prepared.x_first, prepared.x_second)
    similarities = {
        "before": pairwise_cosine(*sides),
        "after": pairwise_cosine(*map(fitted.transform, sides)),
    }
    compared = changes_of_rho(similarities, pairs, recipe, baseline="before", progress=progress)
    change = compared.to_baseline[0]
    before, after = (
        _with_interval(compared.draws.rhos[i], compared.interval(name), sign="")
        for i, name in enumerate(compared.draws.names)
    )
    return Judged(
        data=f"{pairs.name} {pairs.split} ({len(pairs):,} pairs)",
        metric=compared.draws.metric.title,
        before=before,
        after=after,
        change=_with_interval(change.rho, change.interval, sign="+"),
        fitted_on_them=prepared.corpus.n_among((*pairs.first, *pairs.second)) > 0,
    )


def _with_interval(value: float, interval: Interval, *, sign: str) -> str:
    low, high = (format(100 * end, f"{sign}.2f") for end in (interval.low, interval.high))
    return f"{100 * value:{sign}.2f} ({low} to {high})"


def _command(calibrator: Path, *, normalize: bool, residual: bool) -> str:
    words = ["bertflow-lab", "export", str(calibrator), "--out", "NEW_FOLDER"]
    words += ["--normalize"] * normalize + ["--residual"] * residual
    return shlex.join(words)


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
