"""A calibrated encoder as modules of sentence-transformers, written and compared with ours."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.export.check import Agreement, compare_export
from bertflow_core.export.dense import dense_layers
from bertflow_core.export.pieces import pieces_of
from bertflow_core.export.sentence_transformers import Modules, write_modules
from bertflow_core.export.subject import Subject
from bertflow_core.linalg import FloatArray, unit_rows
from bertflow_core.progress import Progress, silent

__all__ = ["N_COMPARED", "Comparison", "Options", "write_checked"]

N_COMPARED = 1_000
"""Sentences on which an export is compared with our vectors."""


@dataclass(frozen=True)
class Options:
    """How something is exported.

    Attributes:
        normalize: Whether vectors get length 1.
        n_compared: Sentences of the fit corpus to compare on.
    """

    normalize: bool = False
    n_compared: int = N_COMPARED

    def words(self) -> list[str]:
        """Return them as words of a command."""
        return ["--normalize"] * self.normalize


@dataclass(frozen=True)
class Comparison:
    """Sentences on which an export was compared, and our vectors of them.

    Attributes:
        sentences: N texts.
        expected: This package's vectors, shape (N, K).
        agreement: How far the export's are from them.
    """

    sentences: list[str]
    expected: FloatArray
    agreement: Agreement


def write_checked(
    subject: Subject, folder: Path, options: Options, *, progress: Progress = silent
) -> Comparison:
    """Fill an empty folder so that its vectors are ours; first with an encoder cut to its layer.

    Raises:
        InputError: What the modules cannot say, or say otherwise.
        ResourceError: The disk or the network failed.
    """
    fitted = subject.calibrator
    head = dense_layers(pieces_of(fitted), fitted.n_features_in_)
    model = subject.encoder(progress=progress).model
    modules = Modules(model, subject.recipe, head, options.normalize)
    sentences = subject.sentences(options.n_compared)
    expected = fitted.transform(subject.embedded(sentences, progress=progress))
    if options.normalize:
        expected = unit_rows(expected)
    for cut in (True, False):
        write_modules(modules, folder, cut=cut)
        agreement = compare_export(folder, sentences, expected)
        if agreement.holds:
            return Comparison(sentences, expected, agreement)
        _empty(folder)
    raise InputError(f"this encoder cannot be exported: {agreement}, expected at least 0.99999")


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
