"""What is exported: a fitted calibrator with its recipe, and a lab that runs its encoder."""

import glob
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.persistence import load_calibrator
from bertflow_core.datasets import Corpus
from bertflow_core.encoders import DeclaredEncoder, TransformerEncoder
from bertflow_core.errors import InputError
from bertflow_core.experiment import Lab
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress, silent
from bertflow_core.recipe import Recipe
from bertflow_core.wording import quoted

__all__ = ["Subject", "saved_subject"]


@dataclass(frozen=True)
class Subject:
    """A fitted calibrator, and all it takes to say and to check what it does.

    Attributes:
        calibrator: Fitted.
        recipe: What it was fitted with.
        lab: Where the encoder runs.
        folder: Name of the folder that holds the calibrator, for commands.
    """

    calibrator: Calibrator
    recipe: Recipe
    lab: Lab = field(repr=False)
    folder: str = "calibrator"

    @cached_property
    def corpus(self) -> Corpus:
        """What it was fitted on."""
        return self.lab.corpus(self.recipe)

    def encoder(self, *, progress: Progress = silent) -> TransformerEncoder | DeclaredEncoder:
        """Return the encoder whose vectors it takes.

        Raises:
            InputError: They come from no transformer.
            ResourceError: The disk or the network failed.
        """
        encoder = self.lab.encoder(self.recipe, progress=progress)
        if not isinstance(encoder, TransformerEncoder | DeclaredEncoder):
            raise InputError(
                f"{quoted(self.folder)} was fitted on vectors of {quoted(self.recipe.model)}: "
                "expected those of a transformer, which can be written as a model"
            )
        return encoder

    def sentences(self, n: int) -> list[str]:
        """Return distinct sentences of the fit corpus, at most n, the same each time."""
        distinct = sorted(set(self.corpus.sentences))
        chosen = np.random.default_rng(0).permutation(len(distinct))[:n]
        return [distinct[i] for i in chosen]

    def embedded(self, sentences: list[str], *, progress: Progress = silent) -> FloatArray:
        """Return the encoder's vectors of sentences, shape (N, D)."""
        return self.lab.vectors(self.recipe, sentences, progress=progress).x


def saved_subject(folder: Path | str, lab: Lab) -> Subject:
    """Read a calibrator that was saved with its recipe.

    Raises:
        InputError: It is no saved calibrator, or holds no recipe, or was fitted on shards.
    """
    calibrator, config = load_calibrator(folder)
    if not isinstance(config["recipe"], dict):
        raise InputError(f"{quoted(folder)} holds no recipe, so its encoder is not known")
    recipe = Recipe.from_dict(config["recipe"])
    if not recipe.is_static and glob.has_magic(recipe.dataset):
        raise InputError(
            f"{quoted(folder)} was fitted on the vectors of many files ({recipe.dataset}), and an "
            "export is compared on the sentences of the fit: fit it on a data set or a text file"
        )
    return Subject(calibrator, recipe, lab, Path(folder).name)
