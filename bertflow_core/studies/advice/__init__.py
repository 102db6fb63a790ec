"""Advice: should I calibrate? A check on the user's own data, with measured thresholds."""

from bertflow_core.studies.advice.finding import Evidence, Finding, Question, Recommendation
from bertflow_core.studies.advice.measure import CALIBRATORS, advise, check
from bertflow_core.studies.advice.result import Advice, Gain
from bertflow_core.studies.advice.thresholds import Threshold

__all__ = [
    "CALIBRATORS",
    "Advice",
    "Evidence",
    "Finding",
    "Gain",
    "Question",
    "Recommendation",
    "Threshold",
    "advise",
    "check",
]
