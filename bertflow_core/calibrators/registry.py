"""The calibrators by name: the one list that specs, forms, options and the README come from."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from bertflow_core.calibrators.schema import CalibratorInfo, Parameter
from bertflow_core.calibrators.spec import StepSpec, parse_spec
from bertflow_core.errors import InputError
from bertflow_core.text import nearest

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator

__all__ = ["CALIBRATORS", "build_calibrator", "calibrator_info", "check_spec"]

_FLOW_PARAMETERS = (
    Parameter("lr", float, 1e-3, "Learning rate of AdamW, constant.", 0, 1, above_low=True),
    Parameter("epochs", float, 1.0, "Passes over the fit corpus.", 0, 1000, above_low=True),
    Parameter("batch_size", int, 64, "Sentences a step, at most N.", 2, 65_536),
    Parameter("n_levels", int, 2, "Scales; level l transforms the first D / 2^l features.", 1, 8),
    Parameter("depth", int, 3, "Steps (ActNorm, permutation, coupling) a level.", 1, 32),
    Parameter("coupling_width", int, 32, "Hidden features of a coupling's network.", 1, 1024),
    Parameter("coupling", str, "additive", "Form of the coupling.", choices=("additive", "affine")),
    Parameter(
        "permutation",
        str,
        "reversal",
        "How features are mixed between couplings.",
        choices=("reversal", "random", "linear"),
    ),
    Parameter(
        "initialization",
        str,
        "data",
        "Start of the ActNorms: from data, or random as in the released code.",
        choices=("data", "random"),
    ),
    Parameter("weight_decay", float, 0.01, "Decoupled weight decay of AdamW.", 0, 1),
    Parameter("clip_norm", float, 1.0, "Largest global gradient norm.", 0, 1e6, above_low=True),
    Parameter("seed", int, None, "Start and order of the fit; none is the recipe's seed.", 0),
)

_INFOS = (
    CalibratorInfo(
        name="identity",
        title="Identity",
        formula="x",
        source="baseline",
        url="",
        invertible="yes",
        density="no",
        target="bertflow_core.calibrators.linear:Identity",
    ),
    CalibratorInfo(
        name="standardize",
        title="Standardize",
        formula="(x - mean) / standard deviation, feature by feature",
        source="Li et al. 2020 (SN); Timkey and van Schijndel 2021",
        url="https://arxiv.org/abs/2109.04404",
        invertible="yes",
        density="Gaussian, independent features",
        target="bertflow_core.calibrators.linear:Standardize",
    ),
    CalibratorInfo(
        name="null-top-k",
        title="Null the top k",
        formula="(I - U_k U_k^T) (x - mean)",
        source="Li et al. 2020 (NATSV); Mu and Viswanath 2018",
        url="https://arxiv.org/abs/1702.01417",
        invertible="no: k directions are removed",
        density="no",
        target="bertflow_core.calibrators.linear:NullTopK",
        parameters=(Parameter("k", int, 1, "Principal directions to remove.", 0, 100_000),),
    ),
    CalibratorInfo(
        name="whiten",
        title="Whiten",
        formula="L_n^(-1/2) U_n^T (x - mean)",
        source="Su et al. 2021",
        url="https://arxiv.org/abs/2103.15316",
        invertible="only where no direction is dropped",
        density="Gaussian, where no direction is dropped",
        target="bertflow_core.calibrators.linear:Whiten",
        parameters=(
            Parameter(
                "n_components",
                int,
                None,
                "Leading directions to keep; none keeps all that have variance.",
                1,
                100_000,
            ),
            Parameter(
                "shrinkage",
                float,
                0.0,
                "Weight of the identity in the covariance; above 0 where N < D.",
                0,
                1,
            ),
        ),
    ),
    CalibratorInfo(
        name="flow",
        title="BERT-flow",
        formula="f(x), a Glow fitted by maximum likelihood",
        source="Li et al. 2020",
        url="https://aclanthology.org/2020.emnlp-main.733",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.flow:FlowCalibrator",
        parameters=_FLOW_PARAMETERS,
    ),
)
CALIBRATORS = {info.name: info for info in _INFOS}


def calibrator_info(name: str) -> CalibratorInfo:
    """Return the calibrator called `name`, or refuse with the nearest names."""
    if name not in CALIBRATORS:
        raise InputError(f"unknown calibrator {name!r}: {nearest(name, CALIBRATORS)}")
    return CALIBRATORS[name]


def check_spec(spec: str) -> None:
    """Refuse a spec with an unknown name, an unknown option or a value out of range."""
    for step in parse_spec(spec):
        _options(step)


def build_calibrator(spec: str, *, seed: int = 0, device: str | None = None) -> "Calibrator":
    """Make the unfitted calibrator that a spec names.

    Args:
        spec: For example `null-top-k:k=6` or `standardize+flow:lr=1e-3`.
        seed: Used by every step that takes a seed and is not given one.
        device: Where steps that train do so; None takes the best device here.

    Raises:
        InputError: Unknown name or option, or a value out of range.
    """
    steps = [_build_step(step, seed, device) for step in parse_spec(spec)]
    if len(steps) == 1:
        return steps[0]
    from bertflow_core.calibrators.pipeline import CalibratorPipeline

    return CalibratorPipeline(steps)


def _options(step: StepSpec) -> dict[str, Any]:
    info = calibrator_info(step.name)
    return {key: info.parameter(key).parse(text) for key, text in step.options}


def _build_step(step: StepSpec, seed: int, device: str | None) -> "Calibrator":
    info = calibrator_info(step.name)
    options = _options(step)
    if any(p.name == "seed" for p in info.parameters):
        options["seed"] = seed if options.get("seed") is None else options["seed"]
        options["device"] = device
    module, _, name = info.target.partition(":")
    calibrator: Calibrator = getattr(import_module(module), name)(**options)
    return calibrator
