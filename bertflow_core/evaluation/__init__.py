"""Similarity of embeddings and its agreement with people's judgements."""

from bertflow_core.evaluation.similarity import cosine_matrix, pairwise_cosine, random_pair_cosine
from bertflow_core.evaluation.sts import AGGREGATIONS, Correlations, StsScores, score_pairs

__all__ = [
    "AGGREGATIONS",
    "Correlations",
    "StsScores",
    "cosine_matrix",
    "pairwise_cosine",
    "random_pair_cosine",
    "score_pairs",
]
