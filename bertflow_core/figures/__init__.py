"""Figures: plain values in, a Plotly figure out; used by the app, reports and notebooks."""

from bertflow_core.figures.cone import Sphere, spheres
from bertflow_core.figures.files import captioned, figure_page
from bertflow_core.figures.geometry import (
    cosines_by_group,
    distance_histograms,
    fit_curves,
    latent_features,
    likelihood_histograms,
    mark_values,
    measures_by_layer,
    norms_against_chi,
    singular_spectra,
)
from bertflow_core.figures.heat import layer_heatmap, sentence_maps, similarity_heatmaps
from bertflow_core.figures.kinds import alt_of
from bertflow_core.figures.scores import (
    cosine_by_label,
    cosine_histograms,
    gold_against_cosine,
    interval_forest,
    judged_bars,
    rank_changes,
    score_bars,
    score_by_dataset,
    scores_by_layer,
    share_histograms,
    sweep_curve,
    value_bars,
)
from bertflow_core.figures.style import Figure, colour_of
from bertflow_core.figures.words import (
    coordinate_bars,
    equation_cloud,
    measure_by_bin,
    norm_against_rank,
    similarity_panels,
    word_places,
)

__all__ = [
    "Figure",
    "Sphere",
    "alt_of",
    "captioned",
    "colour_of",
    "coordinate_bars",
    "cosine_by_label",
    "cosine_histograms",
    "cosines_by_group",
    "distance_histograms",
    "equation_cloud",
    "figure_page",
    "fit_curves",
    "gold_against_cosine",
    "interval_forest",
    "judged_bars",
    "latent_features",
    "layer_heatmap",
    "likelihood_histograms",
    "mark_values",
    "measure_by_bin",
    "measures_by_layer",
    "norm_against_rank",
    "norms_against_chi",
    "rank_changes",
    "score_bars",
    "score_by_dataset",
    "scores_by_layer",
    "sentence_maps",
    "share_histograms",
    "similarity_heatmaps",
    "similarity_panels",
    "singular_spectra",
    "spheres",
    "sweep_curve",
    "value_bars",
    "word_places",
]
