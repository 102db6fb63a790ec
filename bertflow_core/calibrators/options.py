"""The parameters of every calibrator: each declared here, once, with its help and its range.

A calibrator's class inherits its options. They are kept apart from the classes so that commands and
forms can list them without importing numpy, scikit-learn or torch.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bertflow_core.errors import InputError
from bertflow_core.flows.config import GlowConfig, TrainingConfig
from bertflow_core.params import param, same_param

if TYPE_CHECKING:
    from bertflow_core.flows import StepRecord

__all__ = [
    "AllButTheTopOptions",
    "CommonComponentOptions",
    "FlowOptions",
    "GaussianizeOptions",
    "NullTopKOptions",
    "RBIGOptions",
    "SoftWhitenOptions",
    "TrainedOptions",
    "WhitenOptions",
    "ZukoOptions",
    "epochs_of_part",
]


def epochs_of_part(epochs: float, share: float) -> float:
    """Return the passes over a random part of a corpus that make so many epochs of the whole.

    An epoch of the whole then has as many steps as it would have there: 0.15 epoch of a corpus is
    one pass over a share of 0.15.

    Args:
        epochs: Of the whole corpus.
        share: The part, in (0, 1].

    Raises:
        InputError: It is no such part.
    """
    if not 0 < share <= 1:
        raise InputError(
            f"share must be above 0 and at most 1, got {share}: give the part of the corpus"
        )
    return epochs / share


@dataclass(eq=False, repr=False)
class NullTopKOptions:
    """Options of `null-top-k`."""

    k: int | None = param(1, "Principal directions to remove.", low=0, high=100_000)


@dataclass(eq=False, repr=False)
class AllButTheTopOptions:
    """Options of `all-but-the-top`."""

    k: int | None = param(
        None,
        "Principal directions to remove; none is D / 100, rounded, at least 1.",
        low=1,
        high=100_000,
    )


@dataclass(eq=False, repr=False)
class CommonComponentOptions:
    """Options of `common-component`."""

    k: int = param(1, "Singular directions to remove.", low=1, high=100_000)


@dataclass(eq=False, repr=False)
class WhitenOptions:
    """Options of `whiten`."""

    n_components: int | None = param(
        None, "Leading directions to keep; none keeps all that have variance.", low=1, high=100_000
    )
    shrinkage: float = param(
        0.0, "Weight of the identity in the covariance; above 0 where N < D.", low=0, high=1
    )


@dataclass(eq=False, repr=False)
class SoftWhitenOptions:
    """Options of `soft-whiten`; no cosine or distance depends on the rotation."""

    rotation: str = param(
        "zca",
        "Whether to rotate back to the features (zca) or not (pca).",
        choices=("pca", "zca"),
    )
    eps: float = param(0.1, "Added to each eigenvalue, as a share of their mean.", low=0, high=1e6)
    power: float = param(
        1.0, "p: 0 leaves the variances as they are, 1 makes them equal.", low=0, high=1
    )


@dataclass(eq=False, repr=False)
class GaussianizeOptions:
    """Options of `gaussianize`."""

    n_quantiles: int = param(
        100,
        "Knots of each feature's map, at most half the number of sentences.",
        low=2,
        high=10_000,
    )


@dataclass(eq=False, repr=False)
class RBIGOptions:
    """Options of `rbig`."""

    n_layers: int = param(5, "Layers of a quantile map and a rotation.", low=1, high=100)
    rotation: str = param(
        "pca", "Principal directions, or random rotations.", choices=("pca", "random")
    )
    n_quantiles: int = same_param(GaussianizeOptions, "n_quantiles")
    seed: int | None = param(None, "Seed of random rotations; none is the recipe's seed.", low=0)


@dataclass(kw_only=True, eq=False, repr=False)
class TrainedOptions:
    """Options of every calibrator that is fitted by gradient descent.

    Attributes:
        device: Where it is fitted; None takes the best device here.
        on_step: Called with each step's record, a few dozen at a time.
        share: The part of a larger corpus that it is fitted on, in (0, 1]; its epochs are of the
            whole.
    """

    lr: float = same_param(TrainingConfig, "lr")
    epochs: float = same_param(TrainingConfig, "epochs")
    batch_size: int = same_param(TrainingConfig, "batch_size")
    weight_decay: float = same_param(TrainingConfig, "weight_decay")
    clip_norm: float | None = same_param(TrainingConfig, "clip_norm")
    seed: int | None = param(
        None, "Seed of the start and the order of the fit; none is the recipe's seed.", low=0
    )
    device: str | None = None
    on_step: "Callable[[StepRecord], None] | None" = None
    share: float = 1.0


@dataclass(kw_only=True, eq=False, repr=False)
class FlowOptions(TrainedOptions):
    """Options of `flow`."""

    n_levels: int = same_param(GlowConfig, "n_levels")
    depth: int = same_param(GlowConfig, "depth")
    coupling_width: int = same_param(GlowConfig, "coupling_width")
    coupling: str = same_param(GlowConfig, "coupling")
    permutation: str = same_param(GlowConfig, "permutation")
    initialization: str = same_param(GlowConfig, "initialization")
    bias_correction: str = param(
        "yes",
        "Whether Adam corrects the bias of its moments; the released code does not.",
        choices=("yes", "no"),
    )


@dataclass(kw_only=True, eq=False, repr=False)
class ZukoOptions(TrainedOptions):
    """Options of the flows of the library zuko."""

    n_layers: int = param(3, "Transforms, one after another.", low=1, high=32)
    width: int = param(64, "Units of each of the two hidden layers of a network.", low=1, high=1024)
