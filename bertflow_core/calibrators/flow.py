"""BERT-flow as a calibrator: numpy in, numpy out."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from typing import ClassVar

import numpy as np
import torch

from bertflow_core.calibrators.trained import TrainedCalibrator
from bertflow_core.device import resolve_device
from bertflow_core.flows import Flow, GlowConfig, StepRecord, fit_flow
from bertflow_core.flows.flow import FORMAT
from bertflow_core.linalg import FloatArray
from bertflow_core.progress import Progress

__all__ = ["FlowCalibrator"]


class FlowCalibrator(TrainedCalibrator):
    """Map embeddings to a standard normal by a normalizing flow fitted to them.

    The encoder stays as it is; only the flow is trained, without labels. Unlike the reference
    code, which trains with the encoder's dropout on, it is fitted on plain embeddings.

    Args:
        lr: Learning rate of AdamW, constant.
        epochs: Passes over the fit corpus. Few steps are the method's regulariser: training far
            longer raises the likelihood and lowers the agreement with people.
        batch_size: Sentences a step, at most N; a last partial step is dropped.
        n_levels: Scales of the multi-scale arrangement.
        depth: Steps a level.
        coupling_width: Hidden features of a coupling's network.
        coupling: `additive` or `affine`.
        permutation: `reversal`, `random` or `linear`.
        initialization: `data`, or `random` as in the released code.
        weight_decay: Decoupled weight decay.
        clip_norm: Largest global gradient norm.
        bias_correction: `yes`, or `no` as in the reference code, whose optimiser leaves the bias
            of its moments: its first few hundred steps are 2 to 6.5 times as long.
        seed: Start and order of the fit; None is 0.
        device: Where it is fitted; None takes the best device here.
        on_step: Called with each step's record, a few dozen at a time.

    Attributes:
        flow_: The fitted flow, on the CPU.
        steps_: A record a step; empty for a loaded calibrator.

    References:
        On the Sentence Embeddings from Pre-trained Language Models (Li et al., 2020),
        https://aclanthology.org/2020.emnlp-main.733.
    """

    name: ClassVar[str] = "flow"
    flow_: Flow

    def __init__(
        self,
        *,
        lr: float = 1e-3,
        epochs: float = 1.0,
        batch_size: int = 64,
        n_levels: int = 2,
        depth: int = 3,
        coupling_width: int = 32,
        coupling: str = "additive",
        permutation: str = "reversal",
        initialization: str = "data",
        weight_decay: float = 0.01,
        clip_norm: float = 1.0,
        bias_correction: str = "yes",
        seed: int | None = None,
        device: str | None = None,
        on_step: Callable[[StepRecord], None] | None = None,
    ) -> None:
        self.lr = lr
        self.epochs = epochs
        self.batch_size = batch_size
        self.n_levels = n_levels
        self.depth = depth
        self.coupling_width = coupling_width
        self.coupling = coupling
        self.permutation = permutation
        self.initialization = initialization
        self.weight_decay = weight_decay
        self.clip_norm = clip_norm
        self.bias_correction = bias_correction
        self.seed = seed
        self.device = device
        self.on_step = on_step

    def get_state(self) -> dict[str, FloatArray]:
        """Return the flow's parameters by name."""
        return self.flow_.state()[1]

    def set_state(self, arrays: Mapping[str, FloatArray], n_features: int) -> None:
        """Take up parameters that `get_state` gave."""
        config = {
            "format": FORMAT,
            "n_features": n_features,
            "seed": self.seed or 0,
            "dtype": "float32",
            "glow": asdict(self._glow()),
        }
        self.flow_ = Flow.from_state(config, arrays)
        self.steps_, self.n_features_in_ = (), n_features

    def _glow(self) -> GlowConfig:
        names = [field.name for field in fields(GlowConfig)]
        return GlowConfig.from_mapping({name: getattr(self, name) for name in names})

    def _fit(self, X: FloatArray, progress: Progress) -> tuple[str, ...]:
        result = fit_flow(
            torch.from_numpy(np.array(X, np.float32)),
            glow=self._glow(),
            training=self._training(bias_correction=self.bias_correction == "yes"),
            device=resolve_device(self.device),
            progress=progress,
            on_step=self.on_step,
        )
        self.flow_, self.steps_ = result.flow.cpu(), result.steps
        return ()
