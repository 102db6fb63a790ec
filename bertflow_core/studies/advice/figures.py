"""The figure of advice: the change of rho under each calibrator."""

from collections.abc import Sequence

from bertflow_core.figures import Figure, interval_forest
from bertflow_core.studies.advice.result import Gain
from bertflow_core.text_table import change_text

__all__ = ["gains_figure"]


def gains_figure(gains: Sequence[Gain]) -> Figure:
    """Draw the change of rho under each calibrator with its interval."""
    return interval_forest(
        [gain.calibrator for gain in gains],
        [gain.after - gain.before for gain in gains],
        [gain.low for gain in gains],
        [gain.high for gain in gains],
        title="change of rho x 100 against identity",
        reference=0.0,
        apart=[gain.significant for gain in gains],
        shown=[change_text(gain.before, gain.after) for gain in gains],
    )
