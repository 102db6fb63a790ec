"""Figures: plain values in, a Plotly figure out; used by the app, reports and notebooks."""

from bertflow_core.figures.comparison import interval_forest, rank_changes, score_by_dataset
from bertflow_core.figures.cone import Sphere, spheres
from bertflow_core.figures.files import captioned, figure_page
from bertflow_core.figures.flows import fit_curves, latent_features, side_by_side
from bertflow_core.figures.geometry import (
    likelihood_histograms,
    measures_by_layer,
    norms_against_chi,
    quantile_plot,
    singular_spectra,
)
from bertflow_core.figures.knobs import layer_heatmap, sweep_curve
from bertflow_core.figures.lesson import (
    cosines_by_group,
    distance_histograms,
    length_shares,
    mark_level,
    mark_lines,
    mark_on_sphere,
    mark_values,
    overlap_against_cosine,
)
from bertflow_core.figures.lexical import similarity_panels
from bertflow_core.figures.playground import sentence_maps, similarity_heatmaps
from bertflow_core.figures.scores import (
    cosine_by_group,
    cosine_by_label,
    cosine_histograms,
    gold_against_cosine,
    judged_bars,
    score_bars,
    share_histograms,
)
from bertflow_core.figures.style import Figure, colour_of
from bertflow_core.figures.words import coordinate_bars, measure_by_bin, norm_against_rank

__all__ = [
    "Figure",
    "Sphere",
    "captioned",
    "colour_of",
    "coordinate_bars",
    "cosine_by_group",
    "cosine_by_label",
    "cosine_histograms",
    "cosines_by_group",
    "distance_histograms",
    "figure_page",
    "fit_curves",
    "gold_against_cosine",
    "interval_forest",
    "judged_bars",
    "latent_features",
    "layer_heatmap",
    "length_shares",
    "likelihood_histograms",
    "mark_level",
    "mark_lines",
    "mark_on_sphere",
    "mark_values",
    "measure_by_bin",
    "measures_by_layer",
    "norm_against_rank",
    "norms_against_chi",
    "overlap_against_cosine",
    "quantile_plot",
    "rank_changes",
    "score_bars",
    "score_by_dataset",
    "sentence_maps",
    "share_histograms",
    "side_by_side",
    "similarity_heatmaps",
    "similarity_panels",
    "singular_spectra",
    "spheres",
    "sweep_curve",
]
