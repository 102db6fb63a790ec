"""Inside MTEB: a calibrator around any of its encoders, and pairs of your own as a task of it."""

from bertflow_core.mteb.pairs import pairs_task
from bertflow_core.mteb.wrapper import CalibrationWrapper

__all__ = ["CalibrationWrapper", "pairs_task"]
