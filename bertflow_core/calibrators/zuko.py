"""Flows of the library zuko as calibrators: RealNVP, neural splines and masked autoregression."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.affine import Standardize
from bertflow_core.calibrators.flow import TrainedCalibrator
from bertflow_core.params import param
from bertflow_core.runtime import context
from bertflow_core.runtime.lazy import of_extra
from bertflow_core.wording import quoted

if TYPE_CHECKING:  # torch takes long to import, and forms list these classes
    from torch import Tensor, nn

_ROWS_AT_ONCE = 256  # a spline needs 23 numbers per feature and row


@dataclass
class _Density:
    """A wrapper around a zuko flow for `fit_density`."""

    flow: Any  # a torch module; calling it returns a distribution
    n_features: int

    def parameters(self) -> "Iterator[nn.Parameter]":
        parameters: Iterator[nn.Parameter] = self.flow.parameters()
        return parameters

    def log_prob(self, x: "Tensor") -> "Tensor":
        log_density: Tensor = self.flow().log_prob(x)
        return log_density


def undone(transform: Any, z: "Tensor") -> "Tensor":  # noqa: ANN401 - zuko's composed transform
    """Return the rows x, shape (N, D), that a composed transform of zuko maps to the rows z.

    An autoregressive transform is inverted in passes, each of which completes at least one more
    feature. Zuko always makes D passes. Here a pass that changes nothing is the last, which saves
    most of them.
    """
    import torch

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


@dataclass(kw_only=True, eq=False, repr=False)
class ZukoCalibrator(TrainedCalibrator):
    """Standardize each feature, then map to a standard normal by one of zuko's flows.

    Like BERT-flow, the flow is fitted in float32. zuko's flows expect standardized embeddings, so
    the bits per dimension of a fit are those of standardized embeddings. The flow is applied in
    float64, so that its inverse is exact up to rounding.
    """

    n_layers: int = param(3, "Transforms, applied one after another.", low=1, high=32)
    width: int = param(64, "Units of each of the two hidden layers.", low=1, high=1024)
    standardize_: Standardize = field(init=False)
    flow_: Any = field(init=False)  # zuko's module of torch

    def _make(self, flows: ModuleType, n_features: int) -> Any:  # noqa: ANN401 - a module of torch
        """Return zuko's flow with initial weights, from the module `zuko.flows`."""
        return getattr(flows, type(self).__name__)(n_features, **self._size)

    @property
    def _size(self) -> dict[str, Any]:
        return {"transforms": self.n_layers, "hidden_features": (self.width,) * 2}

    def get_state(self) -> dict[str, FloatArray]:
        """Return the standardization and the flow's parameters by name."""
        own = self.flow_.named_parameters()
        parameters = {f"flow.{name}": p.numpy(force=True).astype(np.float32) for name, p in own}
        return {**self.standardize_.get_state(), **parameters}

    def set_state(self, arrays: Mapping[str, FloatArray], n_features: int) -> None:
        """Restore arrays from `get_state`; masks and orders follow from the architecture."""
        import torch

        from bertflow_core.flows.glow import check_arrays

        standardize, of_flow = Standardize(), dict(arrays)
        own = {name: of_flow.pop(name) for name in standardize._fitted if name in of_flow}
        standardize.set_state(own, n_features)
        standardize.notes_ = ()
        flow = self._start(n_features)
        parameters = {f"flow.{name}": each for name, each in flow.named_parameters()}
        check_arrays(of_flow, {name: p.numpy(force=True) for name, p in parameters.items()})
        flow.double()
        for name, parameter in parameters.items():
            parameter.data = torch.tensor(of_flow[name], dtype=torch.float64)
        self.standardize_, self.flow_ = standardize, flow
        self.steps_, self.n_features_in_ = (), n_features

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        with context.loading():
            import torch

            from bertflow_core.flows import fit_density
            from bertflow_core.runtime.device import resolve_device

        self._check_rows(X, precision)
        standardize = Standardize().fit(X, precision=precision)
        density, steps = fit_density(
            lambda x, order: _Density(self._start(x.shape[1]).to(x.device), x.shape[1]),
            torch.from_numpy(standardize._transform(X).astype(np.float32)),
            training=self._training(),
            device=resolve_device(self.device),
        )
        self.flow_ = density.flow.cpu().double()
        self.standardize_, self.steps_ = standardize, steps
        return (*standardize.notes_, *self._training_notes())

    def _start(self, n_features: int) -> Any:  # noqa: ANN401 - a module of torch
        import torch
        from torch.overrides import TorchFunctionMode

        init, own = torch.nn.init, {"generator": torch.Generator().manual_seed(self.seed or 0)}

        class Drawing(TorchFunctionMode):  # zuko draws from the global generator
            def __torch_function__(self, of: Any, _: Any, args: Any = (), kw: Any = None) -> Any:  # noqa: ANN401
                is_drawn = of in (init.uniform_, init.kaiming_uniform_)
                return of(*args, **(kw or {}) | (own if is_drawn else {}))

        with Drawing():
            return self._make(_zuko(self.name).flows, n_features)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        _zuko(self.name)

    def _transform(self, X: FloatArray) -> FloatArray:
        standard = self.standardize_._transform(X.astype(np.float64))
        return _in_float64(self.flow_().transform, standard)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        standard = _in_float64(lambda z: undone(self.flow_().transform, z), Z)
        return self.standardize_._inverse_transform(standard)

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        return self._transform_and_ladj(X)[1]

    def _transform_and_ladj(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        import torch

        def both(x: "Tensor") -> "Tensor":
            return torch.column_stack(self.flow_().transform.call_and_ladj(x))

        found = _in_float64(both, self.standardize_._transform(X.astype(np.float64)))
        return found[:, :-1], found[:, -1] + self.standardize_._log_abs_det_jacobian(X)


class RealNVP(ZukoCalibrator):
    """Affine couplings: every second feature determines how the others are scaled and shifted.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import RealNVP
        >>> x = np.random.default_rng(0).normal(3, [1, 2, 3, 4], size=(128, 4))
        >>> flow = RealNVP(n_layers=1, width=8, seed=0).fit(x)
        >>> bool(np.allclose(flow.inverse_transform(flow.transform(x)), x))
        True
    """

    name = "realnvp"
    plain = "RealNVP flow"
    formula = "f(standardized x), affine couplings fitted by maximum likelihood"
    source = "Dinh et al. 2017; library zuko"
    url = "https://arxiv.org/abs/1605.08803"


class SplineFlow(ZukoCalibrator):
    """Couplings by increasing rational-quadratic splines of 8 bins between -5 and 5.

    Beyond 5 standard deviations a spline is the identity. Couplings replace zuko's autoregressive
    default, so that the inverse is as fast as the map.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import SplineFlow
        >>> x = np.random.default_rng(0).normal(3, [1, 2, 3, 4], size=(128, 4))
        >>> flow = SplineFlow(n_layers=1, width=8, seed=0).fit(x)
        >>> bool(np.allclose(flow.inverse_transform(flow.transform(x)), x))
        True
    """

    name = "spline-flow"
    plain = "neural spline flow"
    formula = "f(standardized x), spline couplings fitted by maximum likelihood"
    source = "Durkan et al. 2019; library zuko"
    url = "https://arxiv.org/abs/1906.04032"

    def _make(self, flows: ModuleType, n_features: int) -> Any:  # noqa: ANN401
        spline = partial(_zuko(self.name).transforms.MonotonicRQSTransform, slope=1e-3)
        return flows.NICE(n_features, **self._size, univariate=spline, shapes=[(8,), (8,), (7,)])


class MAF(ZukoCalibrator):
    """Affine maps of each feature, given the features before it; each layer reverses the order.

    The inverse computes the features in order of their dependence, in at most D passes, so it is
    much slower than the map.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import MAF
        >>> x = np.random.default_rng(0).normal(3, [1, 2, 3, 4], size=(128, 4))
        >>> flow = MAF(n_layers=1, width=8, seed=0).fit(x)
        >>> bool(np.allclose(flow.inverse_transform(flow.transform(x)), x))
        True
    """

    name = "maf"
    plain = "masked autoregressive flow"
    formula = "f(standardized x), autoregressive, fitted by maximum likelihood"
    source = "Papamakarios et al. 2017; library zuko"
    url = "https://arxiv.org/abs/1705.07057"


def _zuko(name: str) -> ModuleType:
    """Return the library zuko, or say how to install it for the calibrator `name`."""
    with context.loading():
        what = f"calibrator {quoted(name)} needs the package zuko"
        library: ModuleType = of_extra("flows", "zuko", what)
    return library


def _in_float64(function: Any, X: FloatArray) -> FloatArray:  # noqa: ANN401 - of rows of torch
    with context.loading():
        from bertflow_core.flows.rows import by_batches

    return by_batches(function, X, n_rows=_ROWS_AT_ONCE, dtype=np.float64)
