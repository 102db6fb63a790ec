"""Figures: plain values in, a Plotly figure out; used by the app, reports and notebooks."""

from bertflow_core.figures.scores import (
    cosine_by_group,
    cosine_histograms,
    gold_against_cosine,
    rho_bars,
)
from bertflow_core.figures.style import colour_of

__all__ = ["colour_of", "cosine_by_group", "cosine_histograms", "gold_against_cosine", "rho_bars"]
