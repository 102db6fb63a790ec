"""BERT-flow as a calibrator of numpy arrays."""

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bertflow_core.arrays.blocks import is_mapped, release_pages
from bertflow_core.arrays.moments import feature_moments
from bertflow_core.arrays.rounding import varying
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.base import Calibrator, check_varies
from bertflow_core.errors import InputError
from bertflow_core.flows.config import GlowConfig, TrainingConfig
from bertflow_core.params import Preset, Value, param, same_param
from bertflow_core.runtime import context
from bertflow_core.wording import FIT_ON_MORE, counted

if TYPE_CHECKING:  # torch takes long to import, and forms list this class
    from bertflow_core.flows import Flow, StepRecord

# Optimiser steps below which a fit counts as hardly trained: an epoch of 3,200 sentences.
_HARDLY_TRAINED = 50

# The released code adds the mean losses of both sides of its pairs and clips the gradient of the
# sum to a norm of 1.0. The sum is twice the mean over all 64 sentences, so here the norm is 0.5.
_RELEASED_CODE: dict[str, Value] = {
    "weight_decay": 0.01,
    "clip_norm": 0.5,
    "bias_correction": "no",
    "n_levels": 3,
    "permutation": "reversal",
    "initialization": "random",
}


@dataclass(kw_only=True, eq=False, repr=False)
class FlowCalibrator(Calibrator):
    """Map embeddings to a standard normal by a normalizing flow fitted to them.

    The encoder stays as it is; only the flow is trained, without labels. Unlike the reference
    code, which trains with the encoder's dropout on, it is fitted on plain embeddings. It is fitted
    and applied in float32, whatever the dtype of the embeddings.

    Two fields are not parameters, since they describe the run and not the result. `device` is where
    the flow is fitted. `share`, in (0, 1], is the part of a larger corpus that `fit` will get;
    `epochs` counts passes over the whole corpus.

    Attributes:
        flow_: The fitted flow, on the CPU.
        steps_: One record per step; empty for a loaded calibrator.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import FlowCalibrator
        >>> x = np.random.default_rng(0).normal(3, [1, 2, 3, 4], size=(256, 4))
        >>> flow = FlowCalibrator(epochs=1, seed=0).fit(x)
        >>> flow.transform(x).shape, flow.score_samples(x).shape
        ((256, 4), (256,))
    """

    name = "flow"
    plain = "BERT-flow"
    formula = "f(x), a Glow fitted by maximum likelihood"
    source = "Li et al. 2020"
    url = "https://aclanthology.org/2020.emnlp-main.733"
    invertible = "yes"
    density = "yes"
    offered = ("flow", "flow:preset=released-code")
    presets = (
        Preset(
            "paper",
            "What the paper says: 2 levels, random permutations, Adam at 1e-3 for 1 epoch.",
            {},  # the defaults are the paper's
        ),
        Preset(
            "released-code",
            "What the released code does: 3 levels, reversals, a random start, Adam with decay and "
            "clipping and without bias correction.",
            _RELEASED_CODE,
        ),
        Preset(
            "nli",
            "The paper's fit on NLI: as `paper`, at a learning rate of 2e-5, 0.15 epochs.",
            {"lr": 2e-5, "epochs": 0.15},
        ),
    )

    lr: float = same_param(TrainingConfig, "lr")
    epochs: float = same_param(TrainingConfig, "epochs")
    batch_size: int = same_param(TrainingConfig, "batch_size")
    weight_decay: float = same_param(TrainingConfig, "weight_decay")
    clip_norm: float | None = same_param(TrainingConfig, "clip_norm")
    seed: int | None = param(
        None, "Seed of initial weights and batches; by default the recipe's.", low=0
    )
    n_levels: int = same_param(GlowConfig, "n_levels")
    depth: int = same_param(GlowConfig, "depth")
    coupling_width: int = same_param(GlowConfig, "coupling_width")
    permutation: str = same_param(GlowConfig, "permutation")
    initialization: str = same_param(GlowConfig, "initialization")
    bias_correction: str = param(
        "yes",
        "Whether Adam corrects the bias of its moments; the released code does not.",
        choices=("yes", "no"),
    )
    device: str | None = None
    share: float = 1.0
    flow_: "Flow" = field(init=False)  # on the CPU
    steps_: "tuple[StepRecord, ...]" = field(init=False)  # empty for a loaded calibrator

    def get_state(self) -> dict[str, FloatArray]:
        """Return the flow's parameters by name."""
        return self.flow_.arrays()

    def set_state(self, arrays: Mapping[str, FloatArray], n_features: int) -> None:
        """Restore parameters from `get_state`."""
        from bertflow_core.flows import Flow

        glow, seed = self._glow(n_features), self.seed or 0
        self.flow_ = Flow.from_arrays(n_features, glow, arrays, seed=seed)
        self.steps_, self.n_features_in_ = (), n_features

    def _glow(self, n_features: int) -> GlowConfig:
        """Return the architecture, with no more levels than the times that D can be halved."""
        options = {each.name: getattr(self, each.name) for each in fields(GlowConfig)}
        options["n_levels"] = min(self.n_levels, n_features.bit_length() - 1)
        return GlowConfig(**options)

    def _training(self) -> TrainingConfig:
        return TrainingConfig(
            lr=self.lr,
            epochs=self.epochs / self.share,  # as many steps as on the whole corpus
            batch_size=self.batch_size,
            weight_decay=self.weight_decay,
            clip_norm=self.clip_norm,
            bias_correction=self.bias_correction == "yes",
            seed=self.seed or 0,
        )

    def _transform(self, X: FloatArray) -> FloatArray:
        with context.loading():
            from bertflow_core.flows.rows import latent_of

        return latent_of(self.flow_, X)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        from bertflow_core.flows.rows import original_of

        return original_of(self.flow_, Z)

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        from bertflow_core.flows.rows import ladj_of

        return ladj_of(self.flow_, X)

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        with context.loading():
            import torch

            from bertflow_core.flows import fit_flow
            from bertflow_core.runtime.device import resolve_device

        n_features, mapped = X.shape[1], is_mapped(X)
        if n_features < 2:
            raise InputError(
                f"{self.name} needs at least 2 features, got n_features = {n_features}"
            )
        check_varies(self.name, int(varying(*feature_moments(X), precision).sum()))
        glow = self._glow(n_features)
        if mapped and X.dtype == np.float32 and X.flags.c_contiguous:
            # Use the rows in the file without a copy, since a fit only reads them.
            place = (ctypes.c_byte * X.nbytes).from_address(X.ctypes.data)
            rows = torch.frombuffer(place, dtype=torch.float32).view(X.shape)
        else:
            rows = torch.from_numpy(np.array(X, np.float32))
        result = fit_flow(
            rows,
            glow=glow,
            training=self._training(),
            device=resolve_device(self.device),
            release=partial(release_pages, X) if mapped else None,
        )
        self.flow_, self.steps_ = result.flow.cpu(), result.steps
        notes = []
        if glow.n_levels < self.n_levels:
            notes.append(
                f"{n_features} features allow {glow.n_levels} of the {self.n_levels} levels"
            )
        if len(self.steps_) < _HARDLY_TRAINED:
            taken = counted(len(self.steps_), "step")
            notes.append(f"hardly trained ({taken}); {FIT_ON_MORE} or raise epochs")
        return tuple(notes)
