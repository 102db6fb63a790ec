"""Fit the default flow: the package's loop against plain torch loops of the same flow.

Random rows of the shape of the STS Benchmark (17,256 x 384 and x 768), one epoch of 64 rows a step.
All ways start alike and see the same batches, so that the same steps are compared: the losses of
the first steps agree to 1e-6, and rounding grows to about 1e-4 in the last one, which is as far as
the package's fits in float32 and float64 are apart. The references are `plain_flow`: with linear
layers, on torch's own number of threads and on one, and with 1x1 convolutions on images of one
pixel, as in the public PyTorch port. Everything on the CPU; the package's fit takes one core. Its
code is compiled, or loaded, in the round that is not timed.
"""

from collections.abc import Callable
from typing import Any

import torch

from benchmarks import plain_flow
from benchmarks.measure import Way, compare_ways
from benchmarks.record import Outcome
from benchmarks.synthetic import STSB_ROWS, embeddings
from bertflow_core.flows import GlowConfig, TrainingConfig, fit_flow

__all__ = ["prepare_ours", "prepare_plain", "run"]

_PLAIN: dict[str, dict[str, Any]] = {
    "linear layers": {"layer": "linear"},
    "linear layers, one thread": {"layer": "linear", "threads": 1},
    "1x1 convolutions": {"layer": "convolution"},
}


def run(*, quick: bool) -> Outcome:
    """Measure at both widths, or at a small one."""
    n_rows, widths, repeats = (640, (64,), 1) if quick else (STSB_ROWS, (384, 768), 5)
    rows = []
    for n_features in widths:
        measured = compare_ways(_ways(n_rows, n_features), repeats=repeats)
        reference = measured[0].result
        rows += [
            way.row(
                ratios=_range(way.ratios),
                final_loss=way.result,
                loss_difference=abs(way.result - reference),
            )
            for way in measured
        ]
    return Outcome(
        {"rows": n_rows, "repeats": repeats, "threads_of_torch": torch.get_num_threads()}, rows
    )


def _range(ratios: tuple[float, float] | None) -> str:
    """Return the smallest and the largest ratio of a round as text."""
    return "" if ratios is None else f"{ratios[0]:.1f} to {ratios[1]:.1f}"


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


def _ways(n_rows: int, n_features: int) -> list[Way]:
    size, shape = {"n_rows": n_rows, "n_features": n_features}, f"D = {n_features}"
    plain = [
        Way(f"plain loop, {title}, {shape}", prepare_plain, {**size, **options})
        for title, options in _PLAIN.items()
    ]
    return [*plain, Way(f"bertflow-lab, {shape}", prepare_ours, size)]
