"""What a visitor takes home of a result beside its numbers: vectors and the fitted calibrator."""

import io
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from bertflow_core.space import Space


def calibrated_vectors(result: "Space") -> bytes:
    """Return a result's calibrated vectors as `.npy`: float32, in the order of `vector_rows`."""
    prepared = result.prepared
    sides = [prepared.x_first, *([prepared.x_second] if prepared.pairs.is_paired else [])]
    sides = [result.calibrator.transform(x) for x in sides]
    stream = io.BytesIO()
    np.save(stream, np.stack(sides, axis=1).reshape(-1, sides[0].shape[1]), allow_pickle=False)
    return stream.getvalue()


def vector_rows(result: "Space") -> str:
    """Say which row of the calibrated vectors belongs to which sentence; rows count from 0."""
    if result.prepared.pairs.is_paired:
        return "shape (2 N, K): pair i is at rows 2 i and 2 i + 1, counted from 0"
    return "shape (N, K): row i is sentence i, counted from 0"


def saved_calibrator(result: "Space") -> bytes:
    """Return a result's fitted calibrator as the file that the core saves."""
    from bertflow_core.calibrators.saved import save_calibrator

    with tempfile.TemporaryDirectory() as scratch:
        recipe = result.recipe.to_dict()
        path = Path(scratch) / "calibrator"
        return save_calibrator(
            result.calibrator, path, spec=result.spec, recipe=recipe
        ).read_bytes()


def zipped(folder: Path, *, compressed: bool = True) -> bytes:
    """Return a zip of a folder; weights of an encoder are hardly smaller when compressed."""
    stream = io.BytesIO()
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    with zipfile.ZipFile(stream, "w", method) as archive:
        for file in sorted(folder.rglob("*")):
            archive.write(file, f"{folder.name}/{file.relative_to(folder).as_posix()}")
    return stream.getvalue()
