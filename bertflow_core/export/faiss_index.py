"""A linear calibrator in front of an index of FAISS: the index calibrates what it is given."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.errors import InputError
from bertflow_core.export.check import agreement_of, run_apart
from bertflow_core.export.checked import Comparison, Options
from bertflow_core.export.pieces import Affine, pieces_of
from bertflow_core.export.subject import Subject
from bertflow_core.files import read_npy
from bertflow_core.linalg import FloatArray, unit_rows
from bertflow_core.progress import Progress, silent
from bertflow_core.wording import quoted

__all__ = ["INDEX", "TRANSFORM", "write_index"]

TRANSFORM, INDEX = "calibrator.vt", "index.faiss"
_TO_ITSELF = 1e-4
_READ = f"""
import sys
from pathlib import Path
import faiss
import numpy as np

folder, plain, mapped, found = map(Path, sys.argv[1:])
x = np.load(plain, allow_pickle=False)
z = faiss.read_VectorTransform(str(folder / "{TRANSFORM}")).apply(x)
np.save(mapped, z, allow_pickle=False)
index = faiss.read_index(str(folder / "{INDEX}"))
index.add(x)
np.save(found, index.search(x, 1)[0], allow_pickle=False)
"""


def write_index(
    subject: Subject, folder: Path, options: Options, *, progress: Progress = silent
) -> Comparison:
    """Fill a folder with the map as a `VectorTransform`, and as the front of an empty index.

    The index compares by dot product, which for vectors of length 1 is the cosine.

    Raises:
        InputError: The calibrator is not affine, faiss is not installed, or what is read back gives
            other vectors.
        ResourceError: The disk or the network failed.
    """
    faiss = _faiss()
    if options.residual:
        raise InputError("--residual belongs to a flow, which no index holds: leave it out")
    affine = _affine_of(subject)
    steps = [_linear_transform(faiss, affine)]
    n_out = affine.matrix.shape[0]
    if options.normalize:
        steps.append(faiss.NormalizationTransform(n_out, 2.0))
    index = faiss.IndexFlatIP(n_out)
    for step in reversed(steps):
        index = faiss.IndexPreTransform(step, index)
    faiss.write_VectorTransform(steps[0], str(folder / TRANSFORM))
    faiss.write_index(index, str(folder / INDEX))
    sentences = subject.sentences(options.n_compared)
    x = np.ascontiguousarray(subject.embedded(sentences, progress=progress), np.float32)
    plain = subject.calibrator.transform(x)
    expected = unit_rows(plain) if options.normalize else plain
    mapped, found = _read_back(folder, x)
    agreement = agreement_of(mapped, plain.astype(np.float64))
    if not agreement.holds or not _are_largest(found, expected):
        raise InputError(f"the index gives other vectors: {agreement}, expected at least 0.99999")
    return Comparison(sentences, expected, agreement)


def _faiss() -> Any:  # noqa: ANN401 - a library without types
    try:
        import faiss
    except ImportError as error:
        raise InputError(
            "an index needs FAISS, which is not installed: pip install faiss-cpu"
        ) from error
    return faiss


def _affine_of(subject: Subject) -> Affine:
    pieces = pieces_of(subject.calibrator)
    if len(pieces) == 1 and isinstance(pieces[0], Affine):
        return pieces[0]
    raise InputError(
        f"calibrator {quoted(subject.recipe.calibrator)} is not linear, and the map in front of an "
        "index must be: expected one such as whiten or null-top-k, or export it to "
        "sentence-transformers"
    )


def _linear_transform(faiss: Any, affine: Affine) -> Any:  # noqa: ANN401 - faiss' own
    n_out, n_in = affine.matrix.shape
    linear = faiss.LinearTransform(n_in, n_out, True)
    for name, values in (("A", affine.matrix.ravel()), ("b", affine.shift)):
        faiss.copy_array_to_vector(np.ascontiguousarray(values, np.float32), getattr(linear, name))
    linear.is_trained = True
    return linear


def _read_back(folder: Path, x: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Let FAISS read a folder in a new process.

    Returns:
        The map's vectors of `x`, shape (N, K), and the largest dot product that the index, filled
        with `x`, finds for each row, shape (N, 1).
    """
    with tempfile.TemporaryDirectory() as scratch:
        plain, mapped, found = (Path(scratch) / f"{name}.npy" for name in ("x", "z", "found"))
        np.save(plain, x, allow_pickle=False)
        run_apart(_READ, folder, plain, mapped, found, fault="FAISS cannot load the export")
        return read_npy(mapped).astype(np.float64), read_npy(found)


def _are_largest(found: FloatArray, expected: FloatArray) -> bool:
    """Tell whether what the index found are the largest dot products of the expected vectors."""
    best = (expected @ expected.T).max(axis=1)
    return bool(np.allclose(found[:, 0], best, rtol=_TO_ITSELF, atol=_TO_ITSELF))
