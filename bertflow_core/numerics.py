"""Where a number counts as zero: LayerNorm and dead features leave directions without variance."""

__all__ = ["SCALE_FLOOR", "VARIANCE_FLOOR"]

SCALE_FLOOR = 1e-6
"""A feature whose standard deviation is not above this share of the largest is constant."""

VARIANCE_FLOOR = 1e-6
"""A direction whose variance is not above this share of the largest carries rounding noise."""
