"""BERT-flow as a calibrator: numpy in, numpy out."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from bertflow_core import context
from bertflow_core.calibrators.options import FlowOptions
from bertflow_core.calibrators.trained import TrainedCalibrator
from bertflow_core.device import resolve_device
from bertflow_core.errors import InputError
from bertflow_core.flows import Flow, GlowConfig, fit_flow
from bertflow_core.flows.flow import FORMAT
from bertflow_core.flows.rows import ladj_of, latent_of, original_of
from bertflow_core.linalg import FloatArray, is_mapped, release_pages

__all__ = ["FlowCalibrator"]


class FlowCalibrator(FlowOptions, TrainedCalibrator):
    """Map embeddings to a standard normal by a normalizing flow fitted to them.

    The encoder stays as it is; only the flow is trained, without labels. Unlike the reference
    code, which trains with the encoder's dropout on, it is fitted on plain embeddings.

    Attributes:
        flow_: The fitted flow, on the CPU.
        steps_: One record per step; empty for a loaded calibrator.

    References:
        On the Sentence Embeddings from Pre-trained Language Models (Li et al., 2020),
        https://aclanthology.org/2020.emnlp-main.733.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import FlowCalibrator
        >>> x = np.random.default_rng(0).normal(3, [1, 2, 3, 4], size=(256, 4))
        >>> flow = FlowCalibrator(epochs=1, seed=0).fit(x)
        >>> flow.transform(x).shape, flow.score_samples(x).shape
        ((256, 4), (256,))
    """

    name: ClassVar[str] = "flow"
    flow_: Flow

    def get_state(self) -> dict[str, FloatArray]:
        """Return the flow's parameters by name."""
        return self.flow_.state()[1]

    def set_state(self, arrays: Mapping[str, FloatArray], n_features: int) -> None:
        """Restore parameters that `get_state` gave."""
        config = {
            "format": FORMAT,
            "n_features": n_features,
            "seed": self.seed or 0,
            "dtype": "float32",
            "glow": asdict(self._glow(n_features)),
        }
        self.flow_ = Flow.from_state(config, arrays)
        self.steps_, self.n_features_in_ = (), n_features

    def _glow(self, n_features: int) -> GlowConfig:
        """Return the architecture, with as many of the levels as so many features have halves."""
        options = {field.name: getattr(self, field.name) for field in fields(GlowConfig)}
        options["n_levels"] = min(self.n_levels, n_features.bit_length() - 1)
        return GlowConfig.from_mapping(options)

    def _transform(self, X: FloatArray) -> FloatArray:
        return latent_of(self.flow_, X)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        return original_of(self.flow_, Z)

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return ladj_of(self.flow_, X)

    def _fit(self, X: FloatArray) -> tuple[str, ...]:
        n_features = X.shape[1]
        if n_features < 2:
            raise InputError(f"a flow needs at least 2 features, got n_features = {n_features}")
        glow = self._glow(n_features)

        def release() -> None:
            release_pages(X)

        outer = context.listener()

        def report(done: int, total: int, unit: str) -> None:
            release()
            outer(done, total, unit)

        with context.reporting(report):
            result = fit_flow(
                _tensor(X),
                glow=glow,
                training=self._training(bias_correction=self.bias_correction == "yes"),
                device=resolve_device(self.device),
                on_step=self.on_step,
                release=release if is_mapped(X) else None,
            )
        self.flow_, self.steps_ = result.flow.cpu(), result.steps
        notes = self._training_notes()
        if glow.n_levels == self.n_levels:
            return notes
        fewer = f"{n_features} features allow {glow.n_levels} of the {self.n_levels} levels"
        return (fewer, *notes)


@dataclass(frozen=True)
class _Lent:
    """A mapped file's rows for torch, which warns of memory that it may not write; no fit does."""

    rows: FloatArray

    @property
    def __array_interface__(self) -> dict[str, Any]:
        place, _ = self.rows.__array_interface__["data"]
        return {**self.rows.__array_interface__, "data": (place, False)}


def _tensor(X: FloatArray) -> Tensor:
    """Return rows, shape (N, D), in float32: where they are in a mapped file, else a copy."""
    if is_mapped(X) and X.dtype == np.float32 and X.flags.c_contiguous:
        return torch.from_numpy(np.asarray(_Lent(X)))
    return torch.from_numpy(np.array(X, np.float32))
