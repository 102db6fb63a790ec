"""Sentence-embedding calibration: encoders, normalizing flows, calibrators and their evaluation."""

__all__ = ["__version__"]

__version__ = "0.1.0"
