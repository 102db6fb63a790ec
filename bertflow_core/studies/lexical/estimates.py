"""Correlations as text, x 100, with their intervals."""

from bertflow_core.evaluation.rank_matrix import Estimate
from bertflow_core.text_table import percent

__all__ = ["estimate_text", "signed_text"]


def estimate_text(estimate: Estimate) -> str:
    """Write a correlation x 100 with its interval; a dash where it is undefined."""
    if estimate.value is None:
        return "-"
    return f"{percent(estimate.value)}{_ends(estimate)}"


def signed_text(estimate: Estimate) -> str:
    """Write a change x 100 with its sign and its interval; a dash where it is undefined."""
    value = "-" if estimate.value is None else f"{100 * estimate.value:+.2f}"
    return f"{value}{_ends(estimate)}"


def _ends(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return f" [{100 * estimate.low:.2f}, {100 * estimate.high:.2f}]"
