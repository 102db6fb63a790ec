"""What tells two fitted calibrators apart: a digest of their arrays."""

import hashlib

import numpy as np

from bertflow_core.calibrators.base import Calibrator

__all__ = ["fitted_digest"]


def fitted_digest(calibrator: Calibrator) -> str:
    """Return the SHA-256 of a fitted calibrator's arrays, in hexadecimal.

    Raises:
        InputError: It is not fitted.
    """
    digest = hashlib.sha256()
    for name, array in sorted(calibrator.get_state().items()):
        digest.update(f"{name} {array.dtype} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
