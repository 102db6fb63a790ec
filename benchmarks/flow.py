"""Fit the default flow: the package's loop against plain torch loops of the same flow.

Random rows of the shape of the STS Benchmark (17,256 x 384 and x 768), one epoch of 64 rows a step.
All ways start alike and see the same batches, so that the same steps are compared: the losses of
the first steps agree to 1e-6, and rounding grows to about 1e-4 in the last one, which is as far as
the package's fits in float32 and float64 are apart. The peer is `plain_flow` with linear layers, on
torch's own number of threads; beyond `--quick` also on one thread, and with 1x1 convolutions on
images of one pixel, as in the public PyTorch port. Everything on the CPU; the package's fit takes
one core. Its code is compiled, or loaded, in the round that is not timed.

`bits_per_dimension_difference` is that of the loss in the last step from the peer's. Cosines after
the fit are compared with the package's own path through torch, `rho_x_100_difference` being that of
Spearman's rho x 100: on the teaching pairs in layer 4 of the embedded model (768 features: layers 4
and 6 side by side), each sentence seen eight times, so that compiled code takes the steps.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from bertflow_core.datasets import load_pairs
from bertflow_core.encoders import TransformerEncoder, resolve_model
from bertflow_core.evaluation import pairwise_cosine, score_pairs
from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow

from . import plain_flow
from .measure import Checks, Comparison, Measured, Way, rows_of
from .record import Outcome
from .synthetic import STSB_ROWS, embeddings

__all__ = ["prepare_ours", "prepare_plain", "run"]

_NAMES = {384: "flow-fit", 768: "flow-fit-768"}
_PEER = "torch-loop"
_OTHERS: dict[str, dict[str, Any]] = {
    "one thread": {"layer": "linear", "threads": 1},
    "1x1 convolutions": {"layer": "convolution"},
}
_LAYERS, _TIMES_SEEN = (4, 6), 8


def run(*, quick: bool) -> Outcome:
    """Measure at both widths."""
    n_rows, repeats = STSB_ROWS // 4 if quick else STSB_ROWS, 5
    found = [_comparison(n_rows, *each, quick=quick) for each in _NAMES.items()]
    rows = rows_of(found, repeats=repeats, with_peaks=not quick)
    threads = torch.get_num_threads()
    return Outcome({"rows": n_rows, "repeats": repeats, "threads_of_torch": threads}, rows)


def prepare_ours(n_rows: int, n_features: int) -> Callable[[], float]:
    """Return the package's fit, which gives the last loss in bits per dimension."""
    x = torch.from_numpy(embeddings(n_rows, n_features))

    def fit() -> float:
        result = fit_flow(x, glow=GlowConfig(), training=TrainingConfig())
        return result.steps[-1].bits_per_dimension

    return fit


def prepare_plain(
    n_rows: int, n_features: int, layer: str, threads: int | None = None
) -> Callable[[], float]:
    """Return a plain fit, which gives the last loss in bits per dimension.

    Args:
        n_rows: N.
        n_features: D.
        layer: `linear` or `convolution`.
        threads: Of torch; None leaves its own number.
    """
    x = torch.from_numpy(embeddings(n_rows, n_features))
    if layer == "convolution":
        x = x[:, :, None, None]

    def fit() -> float:
        before = torch.get_num_threads()
        torch.set_num_threads(threads or before)
        try:
            return plain_flow.fit(x, getattr(plain_flow, layer))[-1]
        finally:
            torch.set_num_threads(before)

    return fit


def _comparison(n_rows: int, n_features: int, name: str, *, quick: bool) -> Comparison:
    size = {"n_rows": n_rows, "n_features": n_features}
    ways = [Way(name, prepare_ours, size)]
    if not quick:
        ways += [
            Way(f"{_PEER}, {title}, D = {n_features}", prepare_plain, {**size, **options})
            for title, options in _OTHERS.items()
        ]
    peer = Way(_PEER, prepare_plain, {**size, "layer": "linear"})
    return Comparison(peer, ways, partial(_checks, name, n_features))


def _checks(name: str, n_features: int, measured: Mapping[str, Measured]) -> Checks:
    loss = measured[_PEER].result
    checks = {
        way: {"bits_per_dimension_difference": abs(m.result - loss)} for way, m in measured.items()
    }
    checks[name]["rho_x_100_difference"] = abs(_rho(n_features, None) - _rho(n_features, False))
    return checks


def _rho(n_features: int, compiled: bool | None) -> float:
    """Return Spearman's rho x 100 of the teaching pairs after a fit."""
    x = _teaching_vectors()[:, :n_features]
    rows = torch.from_numpy(np.tile(x, (_TIMES_SEEN, 1)))
    flow = fit_flow(rows, glow=GlowConfig(), training=TrainingConfig(), compiled=compiled).flow
    with torch.no_grad():
        z = flow.to_latent(torch.from_numpy(x)).numpy()
    pairs = load_pairs("teaching")
    similarity = pairwise_cosine(*np.split(z, 2))
    return 100 * (score_pairs(similarity, np.array(pairs.gold), pairs.subsets).spearman.all or 0)


@cache
def _teaching_vectors() -> npt.NDArray[np.float32]:
    """Return the first sentences of the teaching pairs, then the second ones, in both layers."""
    pairs = load_pairs("teaching")
    vectors = (
        TransformerEncoder(resolve_model("minilm"), device="cpu")
        .encode([*pairs.first, *pairs.second])
        .vectors
    )
    return np.concatenate([np.asarray(vectors[layer, 0]) for layer in _LAYERS], axis=1)
