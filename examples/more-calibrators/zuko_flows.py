"""Flows of the library zuko as calibrators: RealNVP, neural splines and masked autoregression."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import torch
import zuko
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from bertflow_core.arrays.blocks import in_blocks
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators import Calibrator, Standardize
from bertflow_core.errors import InputError
from bertflow_core.flows import StepRecord, TrainingConfig, fit_density
from bertflow_core.params import param, same_param
from bertflow_core.runtime.device import resolve_device

_HARDLY_TRAINED = 50  # optimiser steps below which a fit is hardly trained, as in `flow`
_ROWS_AT_ONCE = 256  # a spline needs 23 numbers per feature and row


@dataclass
class _Density:
    """A zuko flow as `fit_density` wants it."""

    flow: Any  # a torch module; calling it returns a distribution
    n_features: int

    def parameters(self) -> Iterator[nn.Parameter]:
        parameters: Iterator[nn.Parameter] = self.flow.parameters()
        return parameters

    def log_prob(self, x: Tensor) -> Tensor:
        log_density: Tensor = self.flow().log_prob(x)
        return log_density


class _Drawing(TorchFunctionMode):
    """Draw initial weights from a seed of our own; zuko draws from the global generator."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._generator = torch.Generator().manual_seed(seed)

    def __torch_function__(self, of: Any, _: Any, args: Any = (), kw: Any = None) -> Any:  # noqa: ANN401
        kw = dict(kw or {})
        if of in (nn.init.uniform_, nn.init.kaiming_uniform_):
            kw["generator"] = self._generator
        return of(*args, **kw)


def undone(transform: Any, z: Tensor) -> Tensor:  # noqa: ANN401 - zuko's composed transform
    """Return the rows x, shape (N, D), that a composed transform of zuko maps to the rows z.

    An autoregressive transform is inverted in passes, each of which completes at least one more
    feature. Zuko always makes D passes. Here a pass that changes nothing is the last, which saves
    most of them.
    """
    for part in reversed(transform.transforms):
        if not hasattr(part, "passes"):
            z = part.inv(z)
            continue
        x, before = torch.zeros_like(z), torch.full_like(z, torch.nan)
        for _ in range(part.passes):
            if torch.equal(x, before):
                break
            x, before = part.meta(x).inv(z), x
        z = x
    return z


@torch.no_grad()
def _in_float64(function: Any, X: FloatArray) -> FloatArray:  # noqa: ANN401 - of rows of torch
    def of(rows: FloatArray) -> FloatArray:
        found: FloatArray = function(torch.from_numpy(np.array(rows, np.float64))).numpy()
        return found

    return in_blocks(of, X, n_rows=_ROWS_AT_ONCE, dtype=np.float64)


@dataclass(kw_only=True, eq=False, repr=False)
class ZukoCalibrator(Calibrator):
    """Standardize each feature, then map to a standard normal by one of zuko's flows.

    Like BERT-flow, the flow is fitted in float32, on `device`; `share` is the part of a larger
    corpus that `fit` will get. zuko's flows expect standardized embeddings, so the bits per
    dimension of a fit are those of standardized embeddings. The flow is applied in float64, so that
    its inverse is exact up to rounding.
    """

    invertible = "yes"
    density = "yes"

    n_layers: int = param(3, "Transforms, applied one after another.", low=1, high=32)
    width: int = param(64, "Units of each of the two hidden layers.", low=1, high=1024)
    lr: float = same_param(TrainingConfig, "lr")
    epochs: float = same_param(TrainingConfig, "epochs")
    batch_size: int = same_param(TrainingConfig, "batch_size")
    weight_decay: float = same_param(TrainingConfig, "weight_decay")
    clip_norm: float | None = same_param(TrainingConfig, "clip_norm")
    seed: int | None = param(
        None, "Seed of initial weights and batches; by default the recipe's.", low=0
    )
    device: str | None = None
    share: float = 1.0
    standardize_: Standardize = field(init=False)
    flow_: Any = field(init=False)  # zuko's module of torch
    steps_: tuple[StepRecord, ...] = field(init=False)  # empty for a loaded calibrator

    def get_state(self) -> dict[str, FloatArray]:
        """Return the standardization and the flow's parameters by name."""
        own = self.flow_.named_parameters()
        parameters = {f"flow.{name}": p.numpy(force=True).astype(np.float32) for name, p in own}
        return {**self.standardize_.get_state(), **parameters}

    def set_state(self, arrays: Mapping[str, FloatArray], n_features: int) -> None:
        """Restore arrays from `get_state`; masks and orders follow from the architecture."""
        standardize, of_flow = Standardize(), dict(arrays)
        own = {name: of_flow.pop(name) for name in Standardize._fitted if name in of_flow}
        standardize.set_state(own, n_features)
        standardize.notes_ = ()
        flow = self._start(n_features)
        parameters = {f"flow.{name}": each for name, each in flow.named_parameters()}
        shapes = {name: tuple(each.shape) for name, each in parameters.items()}
        is_whole = all(np.isfinite(array).all() for array in of_flow.values())
        if {name: array.shape for name, array in of_flow.items()} != shapes or not is_whole:
            raise InputError(f"its arrays are not those of {self}: save the calibrator again")
        flow.double()
        for name, parameter in parameters.items():
            parameter.data = torch.tensor(of_flow[name], dtype=torch.float64)
        self.standardize_, self.flow_ = standardize, flow
        self.steps_, self.n_features_in_ = (), n_features

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        if X.shape[1] < 2:
            raise InputError(
                f"{self.name} needs at least 2 features, got n_features = {X.shape[1]}"
            )
        standardize = Standardize().fit(X, precision=precision)
        density, steps = fit_density(
            lambda x, order: _Density(self._start(x.shape[1]).to(x.device), x.shape[1]),
            torch.from_numpy(standardize._transform(X).astype(np.float32)),
            training=TrainingConfig(
                lr=self.lr,
                epochs=self.epochs / self.share,  # as many steps as on the whole corpus
                batch_size=self.batch_size,
                weight_decay=self.weight_decay,
                clip_norm=self.clip_norm,
                seed=self.seed or 0,
            ),
            device=resolve_device(self.device),
        )
        self.flow_ = density.flow.cpu().double()
        self.standardize_, self.steps_ = standardize, steps
        few = f"hardly trained ({len(steps)} steps); fit on more sentences or raise epochs"
        return (*standardize.notes_, *((few,) if len(steps) < _HARDLY_TRAINED else ()))

    def _start(self, n_features: int) -> Any:  # noqa: ANN401 - a module of torch
        with _Drawing(self.seed or 0):
            return self._make(n_features)

    def _make(self, n_features: int) -> Any:  # noqa: ANN401 - a module of torch
        """Return zuko's flow with initial weights."""
        return getattr(zuko.flows, type(self).__name__)(n_features, **self._size)

    @property
    def _size(self) -> dict[str, Any]:
        return {"transforms": self.n_layers, "hidden_features": (self.width,) * 2}

    def _transform(self, X: FloatArray) -> FloatArray:
        standard = self.standardize_._transform(X.astype(np.float64))
        return _in_float64(self.flow_().transform, standard)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        standard = _in_float64(lambda z: undone(self.flow_().transform, z), Z)
        return self.standardize_._inverse_transform(standard)

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        def ladj(x: Tensor) -> Tensor:
            return self.flow_().transform.call_and_ladj(x)[1]

        standard = self.standardize_._transform(X.astype(np.float64))
        return _in_float64(ladj, standard) + self.standardize_._log_abs_det_jacobian(X)


class RealNVP(ZukoCalibrator):
    """Affine couplings: every second feature determines how the others are scaled and shifted."""

    name = "realnvp"
    plain = "RealNVP flow"
    formula = "f(standardized x), affine couplings fitted by maximum likelihood"
    source = "Dinh et al. 2017; library zuko"
    url = "https://arxiv.org/abs/1605.08803"


class SplineFlow(ZukoCalibrator):
    """Couplings by increasing rational-quadratic splines of 8 bins between -5 and 5.

    Beyond 5 standard deviations a spline is the identity. Couplings replace zuko's autoregressive
    default, so that the inverse is as fast as the map.
    """

    name = "spline-flow"
    plain = "neural spline flow"
    formula = "f(standardized x), spline couplings fitted by maximum likelihood"
    source = "Durkan et al. 2019; library zuko"
    url = "https://arxiv.org/abs/1906.04032"

    def _make(self, n_features: int) -> Any:  # noqa: ANN401
        spline = partial(zuko.transforms.MonotonicRQSTransform, slope=1e-3)
        shapes = [(8,), (8,), (7,)]
        return zuko.flows.NICE(n_features, **self._size, univariate=spline, shapes=shapes)


class MAF(ZukoCalibrator):
    """Affine maps of each feature, given the features before it; each layer reverses the order.

    The inverse computes the features in order of their dependence, in at most D passes, so it is
    much slower than the map.
    """

    name = "maf"
    plain = "masked autoregressive flow"
    formula = "f(standardized x), autoregressive, fitted by maximum likelihood"
    source = "Papamakarios et al. 2017; library zuko"
    url = "https://arxiv.org/abs/1705.07057"
