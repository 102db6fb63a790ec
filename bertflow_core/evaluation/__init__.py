"""Similarity of embeddings and its agreement with people's judgements."""

from bertflow_core.evaluation.inference import (
    N_DRAWS,
    Difference,
    Interval,
    RhoComparison,
    RhoDraws,
    compare_rhos,
)
from bertflow_core.evaluation.ledger import Ledger, build_ledger
from bertflow_core.evaluation.metric import AUC, METRICS, RHO, Metric, PairScores, metric_of
from bertflow_core.evaluation.seeds import SeedSummary, summarize_seeds
from bertflow_core.evaluation.similarity import (
    RANDOM_COSINE,
    RANDOM_PAIRS,
    cosine_matrix,
    pairwise_cosine,
    random_pair_cosine,
    random_pairs,
)
from bertflow_core.evaluation.sts import (
    AGGREGATIONS,
    Correlations,
    LabelScores,
    StsScores,
    check_gold,
    score_labels,
    score_pairs,
)

__all__ = [
    "AGGREGATIONS",
    "AUC",
    "METRICS",
    "N_DRAWS",
    "RANDOM_COSINE",
    "RANDOM_PAIRS",
    "RHO",
    "Correlations",
    "Difference",
    "Interval",
    "LabelScores",
    "Ledger",
    "Metric",
    "PairScores",
    "RhoComparison",
    "RhoDraws",
    "SeedSummary",
    "StsScores",
    "build_ledger",
    "check_gold",
    "compare_rhos",
    "cosine_matrix",
    "metric_of",
    "pairwise_cosine",
    "random_pair_cosine",
    "random_pairs",
    "score_labels",
    "score_pairs",
    "summarize_seeds",
]
