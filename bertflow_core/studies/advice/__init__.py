"""Should I calibrate? A check on the user's own data, with thresholds that were measured."""

from bertflow_core.studies.advice.check import CALIBRATORS, Advice, check
from bertflow_core.studies.advice.finding import Evidence, Finding, Question, Verdict
from bertflow_core.studies.advice.recommendation import Gain
from bertflow_core.studies.advice.thresholds import Threshold

__all__ = [
    "CALIBRATORS",
    "Advice",
    "Evidence",
    "Finding",
    "Gain",
    "Question",
    "Threshold",
    "Verdict",
    "check",
]
