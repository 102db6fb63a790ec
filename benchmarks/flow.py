"""Fit the default flow by the package and by a plain torch loop.

The data are random rows of the STS Benchmark's shape, 17,256 x 384 and x 768, for one epoch in
batches of 64. The peer is `plain_flow` with torch's default number of threads. Both run on the CPU,
the package's fit on one core. The package's code is compiled or loaded in the untimed round.

Both fits have the same initial weights and batches, so their losses can be compared step by step.
The first losses agree to 1e-6. By rounding, the last ones differ by about 1e-4, as much as those of
the package's own fits in float32 and float64.

`bits_per_dimension_difference` is the difference of the last step's loss from the peer's. Compiled
and torch steps of the package are compared on the teaching pairs, in layer 4 of the built-in model
or, for 768 features, in layers 4 and 6 side by side. `rho_x_100_difference` is the difference in
Spearman's rho x 100 between the two. Each sentence is seen eight times, because compiled code takes
the steps of large fits only.
"""

from functools import cache, partial

import numpy as np
import numpy.typing as npt
import torch

from bertflow_core.arrays.correlation import spearman
from bertflow_core.datasets import load_dataset
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow

from . import plain_flow
from .measure import Run
from .synthetic import STSB_ROWS, embeddings

_NAMES = {384: "flow-fit", 768: "flow-fit-768"}
_LAYERS, _TIMES_SEEN = (4, 6), 8


def main() -> None:
    """Measure at both widths."""
    run, rows = Run.asked("flow", __doc__), []
    n_rows, threads = STSB_ROWS // 4 if run.quick else STSB_ROWS, torch.get_num_threads()
    for n_features, name in _NAMES.items():
        size = n_rows, n_features
        peer = "torch-loop", partial(plain_loss, *size)
        rows += run.compare({name: partial(our_loss, *size)}, peer, partial(_check, n_features))
    run.finish(rows, rows=n_rows, threads_of_torch=threads, repeats=run.repeats)


def plain_loss(n_rows: int, n_features: int) -> float:
    """Fit the plain flow; return the loss of the last step in bits per dimension."""
    return plain_flow.fit(torch.from_numpy(embeddings(n_rows, n_features)))[-1]


def our_loss(n_rows: int, n_features: int) -> float:
    """Fit the package's flow; return the same loss."""
    x = torch.from_numpy(embeddings(n_rows, n_features))
    return fit_flow(x, glow=GlowConfig(), training=TrainingConfig()).steps[-1].bits_per_dimension


def _check(n_features: int, ours: float, theirs: float) -> dict[str, float]:
    rho = abs(_rho(n_features, None) - _rho(n_features, False))
    return {"bits_per_dimension_difference": abs(ours - theirs), "rho_x_100_difference": rho}


def _rho(n_features: int, compiled: bool | None) -> float:
    """Return Spearman's rho x 100 of the teaching pairs after a fit."""
    x = _teaching_vectors()[:, :n_features]
    rows = torch.from_numpy(np.tile(x, (_TIMES_SEEN, 1)))
    flow = fit_flow(rows, glow=GlowConfig(), training=TrainingConfig(), compiled=compiled).flow
    with torch.no_grad():
        z = flow.to_latent(torch.from_numpy(x)).numpy()
    gold = np.array(load_dataset("teaching").gold)
    return 100 * (spearman(pairwise_cosine(*np.split(z, 2)), gold) or 0)


@cache
def _teaching_vectors() -> npt.NDArray[np.float32]:
    """Embed the first sentences of the teaching pairs, then the second ones, in both layers."""
    pairs = load_dataset("teaching")
    encoder = TransformerEncoder(resolve_model("minilm"), device="cpu")
    vectors = encoder.encode([*pairs.first, *pairs.second]).vectors
    return np.concatenate([np.asarray(vectors[layer, 0]) for layer in _LAYERS], axis=1)


if __name__ == "__main__":
    main()
