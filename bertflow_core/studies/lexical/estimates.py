"""Correlations and their changes as text, x 100, with their intervals."""

from bertflow_core.evaluation.rank_matrix import Estimate
from bertflow_core.text_table import change_text, percent

__all__ = ["ends_text", "estimate_text", "size_change_text"]


def estimate_text(estimate: Estimate) -> str:
    """Write a correlation x 100 with its interval; a dash where it is undefined."""
    if estimate.value is None:
        return "-"
    return f"{percent(estimate.value)}{ends_text(estimate)}"


def size_change_text(before: Estimate, after: Estimate) -> str:
    """Write |rho| x 100 less that before, as both are shown; a dash where one is undefined."""
    if before.value is None or after.value is None:
        return "-"
    return change_text(abs(before.value), abs(after.value))


def ends_text(estimate: Estimate) -> str:
    """Write the ends of an interval x 100, after a blank; nothing where they are undefined."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f" [{100 * estimate.low:.2f}, {100 * estimate.high:.2f}]"
