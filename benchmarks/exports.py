"""How near an export's vectors are to the package's own, its size, and its time a sentence.

A middle layer, the last and an average of two of the embedded model, under two token poolings, each
with calibrators fitted on `captions`, written as `bertflow-lab export` writes them and used by
sentence-transformers in a process of its own: `exports_reader.py`.

`value_difference` is the largest absolute difference of a value on sentences of `captions`,
`minimum_cosine` the smallest cosine of a vector to its counterpart. `megabytes` is the whole
folder. `own_milliseconds` is the package's own way from text to vector, with an empty store. Every
time is that of one thread, a sentence. With `--quick` nothing is timed.

`BERTFLOW_PYTHONS` names more interpreters, separated as in PATH, with other versions of
sentence-transformers.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from threadpoolctl import threadpool_limits

from bertflow_core import EmbeddingStore, Lab, Recipe
from bertflow_core.calibrators import Calibrator
from bertflow_core.export.check import agreement_of
from bertflow_core.export.run import export_fitted, some_sentences
from bertflow_core.linalg import FloatArray

from .exports_reader import median_seconds
from .record import Outcome

__all__ = ["run"]

_FLOW = "flow"
_SPECS = ("null-top-k:k=6", "whiten", _FLOW)
_SPACES = (("layer:4", "mean"), ("last", "cls"), ("first-last", "mean"))


@dataclass(frozen=True)
class _Own:
    """This package's vectors, and the seconds that they take; None where nothing is timed."""

    z: FloatArray
    seconds: float | None


@dataclass(frozen=True)
class _Export:
    """A folder that was written, of what, and what it should give."""

    recipe: Recipe
    folder: Path
    own: _Own

    def row(self, read_by: str, seconds: float | None, given: FloatArray) -> dict[str, Any]:
        """Return what was found when a library used it."""
        agreement = agreement_of(given, self.own.z)
        times = {"milliseconds": seconds, "own_milliseconds": self.own.seconds}
        size = sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())
        return {
            "name": self.recipe.calibrator,
            "layers": self.recipe.layers,
            "tokens": self.recipe.tokens,
            "read_by": read_by,
            "value_difference": agreement.max_difference,
            "minimum_cosine": round(agreement.min_cosine, 8),
            "megabytes": round(size / 1e6, 2),
            **{key: round(1e3 * each / len(given), 4) for key, each in times.items() if each},
        }


def run(*, quick: bool) -> Outcome:
    """Write every export, and let every library that is there use it."""
    n_sentences, repeats = (64, 0) if quick else (1_000, 3)
    with tempfile.TemporaryDirectory() as home:
        lab = Lab(device="cpu")
        sentences = some_sentences(Recipe(), lab, n_sentences)
        exports = [
            _exported(recipe, lab, Path(home) / str(number), sentences, repeats)
            for number, recipe in enumerate(_recipes(quick=quick))
        ]
        others = [each for each in os.environ.get("BERTFLOW_PYTHONS", "").split(os.pathsep) if each]
        rows = [
            row
            for python in (*others, sys.executable)
            for row in _rows(python, exports, sentences, repeats)
        ]
    recipe = {"model": Recipe.model, "fitted_on": Recipe.dataset}
    return Outcome({**recipe, "sentences": len(sentences), "repeats": repeats}, rows)


def _recipes(*, quick: bool) -> Iterator[Recipe]:
    """Give every calibrator on every kind of vector; with `quick` on one."""
    for layers, tokens in _SPACES[:1] if quick else _SPACES:
        for spec in _SPECS:
            yield Recipe(layers=layers, tokens=tokens, calibrator=spec)


def _exported(
    recipe: Recipe, lab: Lab, folder: Path, sentences: Sequence[str], repeats: int
) -> _Export:
    fitted = lab.fit(recipe)
    own = _own(fitted.calibrator, fitted.recipe, lab, sentences, repeats)
    export_fitted(fitted.calibrator, fitted.recipe, lab, folder)
    return _Export(fitted.recipe, folder, own)


def _own(
    calibrator: Calibrator, recipe: Recipe, lab: Lab, sentences: Sequence[str], repeats: int
) -> _Own:
    encoder = lab.encoder(recipe)

    def embedded() -> FloatArray:
        with tempfile.TemporaryDirectory() as root:
            lab = Lab(store=EmbeddingStore(Path(root), whole_bytes=0), device="cpu")
            return np.array(lab.vectors(recipe, sentences, encoder=encoder).x)

    x = embedded()
    with _one_thread():
        seconds = median_seconds(lambda: calibrator.transform(embedded()), repeats)
    return _Own(calibrator.transform(x), seconds)


@contextmanager
def _one_thread() -> Iterator[None]:
    """Let torch and numpy compute in one thread; the readers are told by OMP_NUM_THREADS."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with threadpool_limits(1):
            yield
    finally:
        torch.set_num_threads(before)


def _rows(
    python: str, exports: Sequence[_Export], sentences: Sequence[str], repeats: int
) -> Iterator[dict[str, Any]]:
    """Let an interpreter's sentence-transformers use the exports."""
    with tempfile.TemporaryDirectory() as scratch:
        home = Path(scratch)
        question = home / "question.json"
        folders = [str(each.folder) for each in exports]
        asked = {"sentences": list(sentences), "folders": folders, "repeats": repeats}
        question.write_text(json.dumps(asked), encoding="utf-8")
        reader = Path(__file__).with_name("exports_reader.py")
        answer = json.loads(_output(python, "-P", str(reader), str(question), scratch))
        for number, export in enumerate(exports):
            given = np.load(home / f"{number}.npy")
            yield export.row(answer["read_by"], answer["seconds"][number], given)


def _output(*command: str) -> str:
    """Return the last line that a command prints."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.splitlines()[-1]
