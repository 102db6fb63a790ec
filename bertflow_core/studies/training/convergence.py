"""When a fit has converged: the held-out likelihood hardly rises any more."""

from bertflow_core.studies.training.history import LiveFit, bits_per_dimension

__all__ = ["EPOCHS_APART", "MOST_EPOCHS", "convergence", "has_converged", "last_gain"]

EPOCHS_APART = 5
"""Epochs over which a gain is measured."""

LEAST_GAIN = 0.01
"""Bits per dimension: a smaller gain is none."""

MOST_EPOCHS = 60
"""After these a fit that waits for convergence ends in any case."""


def last_gain(live: LiveFit) -> float | None:
    """Return the bits per dimension that the last epochs saved on held-out sentences.

    None where the last checkpoint does not stand at a multiple of `EPOCHS_APART` epochs, or none
    stands as many before it.
    """
    apart, last = EPOCHS_APART * live.steps_per_epoch, live.checkpoints[-1]
    before = next((p for p in live.checkpoints[:-1] if p.step == last.step - apart), None)
    if live.watched is None or before is None or last.step % apart:
        return None
    n_features = live.watched.x_fit.shape[1]
    return bits_per_dimension(before.log_likelihood - last.log_likelihood, n_features)


def has_converged(live: LiveFit) -> bool:
    """Tell whether the last epochs gained next to nothing, or lost; the first ones never did."""
    gain = last_gain(live)
    is_first = live.checkpoints[-1].step <= EPOCHS_APART * live.steps_per_epoch
    return gain is not None and gain < LEAST_GAIN and not is_first


def convergence(live: LiveFit) -> str | None:
    """Say whether a fit has converged on held-out sentences; None where no gain is known."""
    gain = last_gain(live) if live.checkpoints else None
    if gain is None:
        return None
    word = "converged" if has_converged(live) else "not converged"
    epochs = live.checkpoints[-1].step // live.steps_per_epoch
    return (
        f"Held-out likelihood: {word} after {epochs} epochs; the last {EPOCHS_APART} gained "
        f"{gain:.4f} bits per dimension (converged: below {LEAST_GAIN})."
    )
