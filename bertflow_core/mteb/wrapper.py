"""A calibrator around an encoder of MTEB."""

from typing import Any

import numpy as np

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.digest import fitted_digest
from bertflow_core.errors import InputError
from bertflow_core.linalg import FloatArray, unit_rows

__all__ = ["CalibrationWrapper"]

_DIGITS = 16


class CalibrationWrapper:
    """An encoder of MTEB whose vectors are calibrated; `mteb.evaluate` takes it as a model.

    Similarities are cosines, for which calibrators are made.

    Args:
        model: Any of MTEB's encoders, or a model of sentence-transformers.
        calibrator: Fitted on vectors of that model.

    Example:
        >>> import mteb  # doctest: +SKIP
        >>> from bertflow_core.mteb import CalibrationWrapper, pairs_task
        >>> wrapped = CalibrationWrapper(model, fitted)  # doctest: +SKIP
        >>> result = mteb.evaluate(wrapped, tasks=[pairs_task("captions")])  # doctest: +SKIP

    Raises:
        InputError: mteb is not installed, where `model` is one of sentence-transformers.
    """

    def __init__(self, model: Any, calibrator: Calibrator) -> None:  # noqa: ANN401 - mteb's own
        self.model = model if hasattr(model, "mteb_model_meta") else _as_mtebs(model)
        self.calibrator = calibrator

    @property
    def mteb_model_meta(self) -> Any:  # noqa: ANN401 - mteb's own
        """The model's description, with the calibrator and its fit in its revision.

        MTEB keeps results by name and revision: those of the plain model, and of a calibrator
        that was fitted on other vectors, stay apart.
        """
        meta = self.model.mteb_model_meta
        fit = fitted_digest(self.calibrator)[:_DIGITS]
        revision = f"{meta.revision or 'unknown'}+{self.calibrator.spec}+{fit}"
        return meta.model_copy(update={"revision": revision})

    def encode(self, inputs: Any, **options: Any) -> FloatArray:  # noqa: ANN401 - mteb's own
        """Return the calibrated vectors of MTEB's inputs, float32, shape (N, K).

        Args:
            inputs: Batches as MTEB gives them.
            options: Passed on to the model.
        """
        x = np.asarray(self.model.encode(inputs, **options), np.float32)
        return self.calibrator.transform(x)

    def similarity(self, embeddings1: Any, embeddings2: Any) -> FloatArray:  # noqa: ANN401 - mteb's own
        """Return the cosine of every pair, shape (N, M)."""
        first, second = (unit_rows(np.asarray(each)) for each in (embeddings1, embeddings2))
        cosines: FloatArray = first @ second.T
        return cosines

    def similarity_pairwise(self, embeddings1: Any, embeddings2: Any) -> FloatArray:  # noqa: ANN401 - mteb's own
        """Return the cosine of each row to its counterpart, shape (N,)."""
        first, second = (unit_rows(np.asarray(each)) for each in (embeddings1, embeddings2))
        cosines: FloatArray = np.sum(first * second, axis=1)
        return cosines


def _as_mtebs(model: Any) -> Any:  # noqa: ANN401 - mteb's own
    try:
        from mteb.models import SentenceTransformerEncoderWrapper
    except ImportError as error:
        raise no_mteb() from error
    return SentenceTransformerEncoderWrapper(model)


def no_mteb() -> InputError:
    """Return what to raise where mteb is not installed."""
    return InputError(
        'MTEB is not installed: pip install "bertflow-lab[mteb]", or pip install mteb'
    )
