"""The calibrators that are fitted by gradient descent, as data of the catalogue."""

from bertflow_core.calibrators.schema import CalibratorInfo, Parameter, Preset

__all__ = ["FLOWS"]

_LR = Parameter("lr", float, 1e-3, "Learning rate of AdamW, constant.", 0, 1, above_low=True)
_EPOCHS = Parameter("epochs", float, 1.0, "Passes over the fit corpus.", 0, 1000, above_low=True)
_BATCH_SIZE = Parameter("batch_size", int, 64, "Sentences a step, at most N.", 2, 65_536)
_WEIGHT_DECAY = Parameter("weight_decay", float, 0.01, "Decoupled weight decay of AdamW.", 0, 1)
_CLIP_NORM = Parameter(
    "clip_norm", float, 1.0, "Largest global gradient norm.", 0, 1e6, above_low=True
)
_SEED = Parameter("seed", int, None, "Start and order of the fit; none is the recipe's seed.", 0)

_GLOW_PARAMETERS = (
    _LR,
    _EPOCHS,
    _BATCH_SIZE,
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
    _WEIGHT_DECAY,
    _CLIP_NORM,
    Parameter(
        "bias_correction",
        str,
        "yes",
        "Whether AdamW corrects the bias of its moments; the released code does not.",
        choices=("yes", "no"),
    ),
    _SEED,
)

# The released code clips the gradient of the sum of its two sides' mean losses to a norm of 1.0;
# that sum is twice our mean over the 64 sentences, so that ours is clipped to 0.5.
_GLOW_PRESETS = (
    Preset(
        "paper",
        "As the paper says: 2 levels, a start from data and AdamW; the defaults.",
        (
            ("n_levels", 2),
            ("initialization", "data"),
            ("permutation", "reversal"),
            ("bias_correction", "yes"),
        ),
    ),
    Preset(
        "released-code",
        "As the released code does: 3 levels, a random start, Adam without bias correction.",
        (
            ("lr", 1e-3),
            ("epochs", 1.0),
            ("batch_size", 64),
            ("n_levels", 3),
            ("initialization", "random"),
            ("weight_decay", 0.01),
            ("clip_norm", 0.5),
            ("bias_correction", "no"),
        ),
    ),
    Preset(
        "nli",
        "The paper's schedule for a fit on NLI sentences: 0.15 epoch at a rate of 2e-5.",
        (("lr", 2e-5), ("epochs", 0.15)),
    ),
)

_ZUKO_PARAMETERS = (
    _LR,
    _EPOCHS,
    _BATCH_SIZE,
    Parameter("n_layers", int, 3, "Transforms, one after another.", 1, 32),
    Parameter("width", int, 64, "Units of both hidden layers of a network.", 1, 1024),
    _WEIGHT_DECAY,
    _CLIP_NORM,
    _SEED,
)

FLOWS = (
    CalibratorInfo(
        name="flow",
        title="BERT-flow",
        formula="f(x), a Glow fitted by maximum likelihood",
        source="Li et al. 2020",
        url="https://aclanthology.org/2020.emnlp-main.733",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.flow:FlowCalibrator",
        parameters=_GLOW_PARAMETERS,
        presets=_GLOW_PRESETS,
    ),
    CalibratorInfo(
        name="realnvp",
        title="RealNVP",
        formula="f(standardized x), affine couplings fitted by maximum likelihood",
        source="Dinh et al. 2017; library zuko",
        url="https://arxiv.org/abs/1605.08803",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.zuko_flows:RealNVP",
        parameters=_ZUKO_PARAMETERS,
    ),
    CalibratorInfo(
        name="spline-flow",
        title="Neural spline flow",
        formula="f(standardized x), spline couplings fitted by maximum likelihood",
        source="Durkan et al. 2019; library zuko",
        url="https://arxiv.org/abs/1906.04032",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.zuko_flows:SplineFlow",
        parameters=_ZUKO_PARAMETERS,
    ),
    CalibratorInfo(
        name="maf",
        title="MAF",
        formula="f(standardized x), autoregressive, fitted by maximum likelihood",
        source="Papamakarios et al. 2017; library zuko",
        url="https://arxiv.org/abs/1705.07057",
        invertible="yes",
        density="yes",
        target="bertflow_core.calibrators.zuko_flows:MAF",
        parameters=_ZUKO_PARAMETERS,
    ),
)
