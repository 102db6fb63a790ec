"""Similarity of embeddings, and its agreement with gold scores and labels."""

from bertflow_core.evaluation.comparison import Comparison, Score, compare, mean_scores, pair_scores
from bertflow_core.evaluation.ledger import build_ledger
from bertflow_core.evaluation.metrics import (
    ACCURACY,
    AGGREGATIONS,
    AUC,
    METRICS,
    RHO,
    V_MEASURE,
    Metric,
    metric_of,
    score_labels,
    score_pairs,
)
from bertflow_core.evaluation.significance import N_DRAWS, summarize_seeds
from bertflow_core.evaluation.similarity import (
    RANDOM_COSINE,
    RANDOM_PAIRS,
    cosine_matrix,
    pairwise_cosine,
    random_pair_cosine,
    random_pairs,
)

__all__ = [
    "ACCURACY",
    "AGGREGATIONS",
    "AUC",
    "METRICS",
    "N_DRAWS",
    "RANDOM_COSINE",
    "RANDOM_PAIRS",
    "RHO",
    "V_MEASURE",
    "Comparison",
    "Metric",
    "Score",
    "build_ledger",
    "compare",
    "cosine_matrix",
    "mean_scores",
    "metric_of",
    "pair_scores",
    "pairwise_cosine",
    "random_pair_cosine",
    "random_pairs",
    "score_labels",
    "score_pairs",
    "summarize_seeds",
]
