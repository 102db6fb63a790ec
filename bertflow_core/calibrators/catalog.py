"""The calibrators by name, as data: what specs, forms, options and the documentation come from."""

from typing import Any

from bertflow_core.calibrators.options import (
    AllButTheTopOptions,
    CommonComponentOptions,
    FlowOptions,
    GaussianizeOptions,
    NullTopKOptions,
    RBIGOptions,
    SoftWhitenOptions,
    WhitenOptions,
    ZukoOptions,
)
from bertflow_core.calibrators.schema import CalibratorInfo, Preset, Value
from bertflow_core.calibrators.spec import StepSpec, parse_spec
from bertflow_core.errors import InputError, nearest
from bertflow_core.wording import quoted

__all__ = [
    "CALIBRATORS",
    "DEFAULT_SPECS",
    "calibrator_info",
    "check_spec",
    "offered_specs",
    "options_of",
    "plain_name",
]

# What the paper says (section 3.2, Table 7, Appendix B). It leaves open the batch (64 sentences,
# the released code's 32 pairs) and where ActNorm starts (from data, as in Glow); it names no decay
# and no clipping.
_PAPER: dict[str, Value] = {
    "lr": 1e-3,
    "epochs": 1.0,
    "batch_size": 64,
    "weight_decay": 0.0,
    "clip_norm": None,
    "bias_correction": "yes",
    "n_levels": 2,
    "depth": 3,
    "coupling_width": 32,
    "coupling": "additive",
    "permutation": "random",
    "initialization": "data",
}
# The released code clips the gradient of the sum of its two sides' mean losses to a norm of 1.0;
# that sum is twice our mean over the 64 sentences, so that ours is clipped to 0.5.
_RELEASED_CODE: dict[str, Value] = {
    "weight_decay": 0.01,
    "clip_norm": 0.5,
    "bias_correction": "no",
    "n_levels": 3,
    "permutation": "reversal",
    "initialization": "random",
}
_FLOW_PRESETS = (
    Preset(
        "paper",
        "What the paper says: 2 levels, random permutations, Adam at 1e-3 for 1 epoch.",
        tuple(_PAPER.items()),
    ),
    Preset(
        "released-code",
        "What the released code does: 3 levels, reversals, a random start, Adam with decay and "
        "clipping and without bias correction.",
        tuple({**_PAPER, **_RELEASED_CODE}.items()),
    ),
    Preset(
        "nli",
        "The paper's fit on NLI sentences: as `paper`, at a rate of 2e-5 for 0.15 epoch.",
        tuple({**_PAPER, "lr": 2e-5, "epochs": 0.15}.items()),
    ),
)

_ROWS = (
    CalibratorInfo(
        name="identity",
        plain="no calibration",
        formula="x",
        source="baseline",
        url="",
        invertible="yes",
        density="no",
        target="bertflow_core.calibrators.linear:Identity",
        offered=(),
    ),
    CalibratorInfo(
        name="standardize",
        plain="subtract the mean and divide by the standard deviation",
        formula="(x - mean) / standard deviation, feature by feature",
        source="Li et al. 2020 (SN); Timkey and van Schijndel 2021",
        url="https://arxiv.org/abs/2109.04404",
        invertible="yes",
        density="Gaussian, independent features",
        target="bertflow_core.calibrators.linear:Standardize",
    ),
    CalibratorInfo(
        name="null-top-k",
        plain="remove the top {k} directions",
        plain_if={("k", 0): "subtract the mean", ("k", 1): "remove the top direction"},
        formula="(I - U_k U_k^T) (x - mean)",
        source="Li et al. 2020 (NATSV); Mu and Viswanath 2018",
        url="https://arxiv.org/abs/1702.01417",
        invertible="no: k directions are removed",
        density="no",
        target="bertflow_core.calibrators.removal:NullTopK",
        options=NullTopKOptions,
        offered=("null-top-k:k=1", "null-top-k:k=6", "standardize+null-top-k:k=6"),
    ),
    CalibratorInfo(
        name="all-but-the-top",
        plain="remove the top {k} directions",
        plain_if={
            ("k", None): "remove the top D / 100 directions",
            ("k", 1): "remove the top direction",
        },
        formula="(I - U_k U_k^T) (x - mean), k = D / 100",
        source="Mu and Viswanath 2018",
        url="https://arxiv.org/abs/1702.01417",
        invertible="no: k directions are removed",
        density="no",
        target="bertflow_core.calibrators.removal:AllButTheTop",
        options=AllButTheTopOptions,
    ),
    CalibratorInfo(
        name="common-component",
        plain="remove the top {k} singular directions",
        plain_if={("k", 1): "remove the top singular direction"},
        formula="(I - V_k V_k^T) x, V_k singular vectors of the uncentred embeddings",
        source="Arora et al. 2017 (SIF)",
        url="https://openreview.net/forum?id=SyK00v5xx",
        invertible="no: k directions are removed",
        density="no",
        target="bertflow_core.calibrators.removal:CommonComponent",
        options=CommonComponentOptions,
    ),
    CalibratorInfo(
        name="whiten",
        plain="whitening to {n_components} dimensions",
        plain_if={
            ("n_components", None): "whitening",
            ("n_components", 1): "whitening to 1 dimension",
        },
        formula="L_n^(-1/2) U_n^T (x - mean)",
        source="Su et al. 2021",
        url="https://arxiv.org/abs/2103.15316",
        invertible="only where no direction is dropped",
        density="Gaussian, where no direction is dropped",
        target="bertflow_core.calibrators.whitening:Whiten",
        options=WhitenOptions,
        offered=("whiten", "whiten:n_components=256"),
    ),
    CalibratorInfo(
        name="soft-whiten",
        plain="soft whitening",
        formula="U (L + e I)^(-p/2) U^T (x - mean); without the first U for rotation pca",
        source="Diera et al. 2024",
        url="https://arxiv.org/abs/2411.17538",
        invertible="only where no direction is dropped; with eps above 0 none is",
        density="Gaussian, where no direction is dropped",
        target="bertflow_core.calibrators.whitening:SoftWhiten",
        options=SoftWhitenOptions,
    ),
    CalibratorInfo(
        name="ledoit-wolf",
        plain="whitening with Ledoit-Wolf shrinkage",
        formula="L^(-1/2) U^T (x - mean) of (1 - s) C + s (trace C / D) I, s from the data",
        source="Ledoit and Wolf 2004",
        url="https://doi.org/10.1016/S0047-259X(03)00096-4",
        invertible="only where no direction is dropped; with s above 0 hardly ever one is",
        density="Gaussian, where no direction is dropped",
        target="bertflow_core.calibrators.whitening:LedoitWolf",
    ),
    CalibratorInfo(
        name="gaussianize",
        plain="make each feature Gaussian",
        formula="g_j(x_j), through each feature's quantiles to the normal",
        source="Chen and Gopinath 2000",
        url="https://papers.nips.cc/paper/2000/hash/3c947bc2f7ff007b86a9428b74654de5-Abstract.html",
        invertible="yes",
        density="yes, independent features",
        target="bertflow_core.calibrators.gaussianize:Gaussianize",
        options=GaussianizeOptions,
    ),
    CalibratorInfo(
        name="rbig",
        plain="iterative Gaussianization",
        formula="R_L g_L( ... R_1 g_1(x)), quantile maps and rotations in turn",
        source="Laparra et al. 2011",
        url="https://arxiv.org/abs/1602.00229",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.gaussianize:RBIG",
        seed_matters_if=("rotation", "random"),
        options=RBIGOptions,
    ),
    CalibratorInfo(
        name="flow",
        plain="BERT-flow",
        formula="f(x), a Glow fitted by maximum likelihood",
        source="Li et al. 2020",
        url="https://aclanthology.org/2020.emnlp-main.733",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.flow:FlowCalibrator",
        options=FlowOptions,
        presets=_FLOW_PRESETS,
        offered=("flow", "flow:preset=released-code"),
    ),
    CalibratorInfo(
        name="realnvp",
        plain="RealNVP flow",
        formula="f(standardized x), affine couplings fitted by maximum likelihood",
        source="Dinh et al. 2017; library zuko",
        url="https://arxiv.org/abs/1605.08803",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.zuko_flows:RealNVP",
        options=ZukoOptions,
    ),
    CalibratorInfo(
        name="spline-flow",
        plain="neural spline flow",
        formula="f(standardized x), spline couplings fitted by maximum likelihood",
        source="Durkan et al. 2019; library zuko",
        url="https://arxiv.org/abs/1906.04032",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.zuko_flows:SplineFlow",
        options=ZukoOptions,
    ),
    CalibratorInfo(
        name="maf",
        plain="masked autoregressive flow",
        formula="f(standardized x), autoregressive, fitted by maximum likelihood",
        source="Papamakarios et al. 2017; library zuko",
        url="https://arxiv.org/abs/1705.07057",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.zuko_flows:MAF",
        options=ZukoOptions,
    ),
)

CALIBRATORS = {info.name: info for info in _ROWS}


def calibrator_info(name: str) -> CalibratorInfo:
    """Return the calibrator called `name`, or refuse with the nearest names."""
    if name not in CALIBRATORS:
        raise InputError(f"unknown calibrator {quoted(name)}: {nearest(name, CALIBRATORS)}")
    return CALIBRATORS[name]


def check_spec(spec: str) -> None:
    """Refuse a spec with an unknown name, an unknown option or a value out of range.

    Raises:
        InputError: The sentence offers what is near.

    Example:
        >>> from bertflow_core.calibrators import check_spec
        >>> check_spec("whiten:n_components=0")
        Traceback (most recent call last):
            ...
        bertflow_core.errors.InputError: whiten: n_components must be a whole number from 1 ...
    """
    for step in parse_spec(spec):
        options_of(step)


DEFAULT_SPECS = ("null-top-k:k=6", "whiten", "flow")
"""What is compared with the plain embeddings where nobody names a calibrator."""


def offered_specs() -> tuple[str, ...]:
    """Return the specs that a form offers, in the order of the catalogue."""
    return tuple(spec for info in CALIBRATORS.values() for spec in info.offered_specs)


def options_of(step: StepSpec) -> dict[str, Any]:
    """Return the options of a step as values of its calibrator's parameters."""
    return calibrator_info(step.name).parse(dict(step.options))


def plain_name(spec: str) -> str:
    """Say in plain English what a spec does.

    Example:
        >>> from bertflow_core.calibrators.catalog import plain_name
        >>> plain_name("standardize+null-top-k:k=6")
        'subtract the mean and divide by the standard deviation, then remove the top 6 directions'

    Raises:
        InputError: Not a valid spec.
    """
    names = (calibrator_info(step.name).plain_name(dict(step.options)) for step in parse_spec(spec))
    return ", then ".join(names)
