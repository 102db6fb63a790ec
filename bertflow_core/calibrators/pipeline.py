"""A sequence of calibrators as one calibrator."""

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Self

import numpy as np

from bertflow_core.arrays.blocks import in_blocks, is_mapped
from bertflow_core.arrays.linalg import affine_parts
from bertflow_core.arrays.moments import Moments
from bertflow_core.arrays.types import FloatArray
from bertflow_core.calibrators.base import Calibrator
from bertflow_core.errors import InputError, check_name, check_type
from bertflow_core.wording import quoted

_ROWS_AT_ONCE = 16_384


class CalibratorPipeline(Calibrator):
    """Apply calibrators in order; unlike scikit-learn's pipeline, it has a density.

    A step has the name of its calibrator, with a number if the name occurs twice: `standardize-1`.
    It is fitted on the output of the steps before it, in the dtype of the embeddings.

    Args:
        steps: One or more unfitted calibrators, without names.

    Attributes:
        steps_: The fitted calibrators.

    Example:
        >>> import numpy as np
        >>> from bertflow_core.calibrators import CalibratorPipeline, NullTopK, Standardize
        >>> pipeline = CalibratorPipeline([Standardize(), NullTopK(k=2)])
        >>> pipeline.spec
        'standardize+null-top-k:k=2'
        >>> z = pipeline.fit_transform(np.random.default_rng(0).normal(size=(50, 4)))
        >>> int(np.linalg.matrix_rank(z))
        2
        >>> pipeline.set_params(**{"null-top-k__k": 3}).spec
        'standardize+null-top-k:k=3'
    """

    name = "pipeline"
    steps_: tuple[Calibrator, ...]

    def __init__(self, steps: Sequence[Calibrator]) -> None:
        self.steps = steps

    @property
    def named_steps(self) -> dict[str, Calibrator]:
        """The unfitted calibrators by name."""
        self._check_parameters()
        names = [step.name for step in self.steps]
        return {
            f"{name}-{names[: i + 1].count(name)}" if names.count(name) > 1 else name: step
            for i, (name, step) in enumerate(zip(names, self.steps, strict=True))
        }

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return `steps`; if `deep`, also each step by name, and its parameters as STEP__KEY."""
        params: dict[str, Any] = {"steps": self.steps}
        for name, step in self.named_steps.items() if deep else ():
            own = step.get_params().items()
            params |= {name: step, **{f"{name}__{key}": value for key, value in own}}
        return params

    def set_params(self, **params: Any) -> Self:  # noqa: ANN401 - of any type
        """Set `steps`, then single steps by name, then parameters as STEP__KEY."""
        self.steps = params.pop("steps", self.steps)
        named = self.named_steps if params else {}
        for name in named.keys() & params.keys():
            check_type(params[name], Calibrator, f"step {name}", "a calibrator")
            named[name] = params.pop(name)
            self.steps = [*named.values()]
        for name, value in params.items():
            step, _, key = name.partition("__")
            check_name(step, named, "step")
            check_name(key, named[step].get_params(), f"parameter of {step}")
            named[step].set_params(**{key: value})
        return self

    @property
    def fits_moments(self) -> bool:
        """Whether moments determine every step."""
        return all(step.fits_moments for step in self.steps)

    @property
    def _learns_density(self) -> bool:
        return any(step._learns_density for step in self.steps)

    def get_feature_names_out(self, input_features: Any = None) -> Any:  # noqa: ANN401 - likewise
        """Return the names of the last step's features, shape (K,)."""
        if input_features is None:
            input_features = getattr(self, "feature_names_in_", None)
        for step in self.steps_:
            input_features = step.get_feature_names_out(input_features)
        return input_features

    @property
    def spec(self) -> str:
        """The spec that builds the pipeline: the specs of its steps, joined by `+`."""
        return "+".join(step.spec for step in self.steps)

    def resolved_parameters(self) -> dict[str, Any]:
        """Return each step's name and parameters."""
        return {"steps": [{"name": step.name, **step.resolved_parameters()} for step in self.steps]}

    def why_not_invertible(self) -> str | None:
        """Return which step discards what, or None if no step does."""
        reasons = ((step.name, step.why_not_invertible()) for step in self.steps_)
        return next((f"{name}: {reason}" for name, reason in reasons if reason), None)

    def get_state(self) -> dict[str, FloatArray]:
        """Return the fitted arrays of every step, under its number."""
        return {
            f"{number}.{name}": array
            for number, step in enumerate(self.steps_)
            for name, array in step.get_state().items()
        }

    def set_state(self, arrays: Mapping[str, FloatArray], n_features: int) -> None:
        """Restore fitted arrays from `get_state`."""
        self.n_features_in_ = n_features
        for number, step in enumerate(self.steps):
            prefix = f"{number}."
            own = {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}
            step.set_state(own, n_features)
            step.notes_ = ()
            n_features = step.transform(np.zeros((1, n_features))).shape[1]
        self.steps_ = tuple(self.steps)

    def _check_parameters(self) -> None:
        steps = self.steps if isinstance(self.steps, Sequence) else ()
        if not steps or not all(isinstance(step, Calibrator) for step in steps):
            raise InputError(f"a pipeline needs one or more calibrators, got {quoted(self.steps)}")

    def _fit(self, X: FloatArray, precision: str) -> tuple[str, ...]:
        if is_mapped(X) and self.fits_moments:  # a step's output may not fit in memory
            return super()._fit(X, precision)
        steps = []
        for step in self.steps:
            steps.append(copy(step).fit(X, precision=precision))
            X = steps[-1].transform(X)
        return self._keep(steps)

    def _fit_moments(self, moments: Moments) -> tuple[str, ...]:
        steps = []
        for step in self.steps:
            steps.append(copy(step).fit_moments(moments))
            # Every map that moments determine is affine.
            moments = moments.mapped(*affine_parts(steps[-1].transform, len(moments.mean)))
        return self._keep(steps)

    def _keep(self, steps: Sequence[Calibrator]) -> tuple[str, ...]:
        self.steps_ = tuple(steps)
        return tuple(type(note)(f"{step.name}: {note}") for step in steps for note in step.notes_)

    def _transform(self, X: FloatArray) -> FloatArray:
        def through(rows: FloatArray) -> FloatArray:
            for step in self.steps_:
                rows = step.transform(rows)
            return rows

        return in_blocks(through, X, n_rows=_ROWS_AT_ONCE)

    def _inverse_transform(self, Z: FloatArray) -> FloatArray:
        for step in reversed(self.steps_):
            Z = step.inverse_transform(Z)
        return Z

    def _log_abs_det_jacobian(self, X: FloatArray) -> FloatArray:
        total = np.zeros(len(X))
        for step in self.steps_:
            total += step.log_abs_det_jacobian(X)
            X = step.transform(X)
        return total
