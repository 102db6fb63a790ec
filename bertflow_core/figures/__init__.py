"""Figures: plain values in, a Plotly figure out; used by the app, reports and notebooks."""

from bertflow_core.figures.comparison import interval_forest, rank_changes, rho_by_dataset
from bertflow_core.figures.knobs import layer_heatmap, sweep_curve
from bertflow_core.figures.scores import (
    cosine_by_group,
    cosine_histograms,
    gold_against_cosine,
    rho_bars,
)
from bertflow_core.figures.style import colour_of

__all__ = [
    "colour_of",
    "cosine_by_group",
    "cosine_histograms",
    "gold_against_cosine",
    "interval_forest",
    "layer_heatmap",
    "rank_changes",
    "rho_bars",
    "rho_by_dataset",
    "sweep_curve",
]
