"""The columns of a shard."""

__all__ = ["CUT", "ID", "REASON", "REFUSED", "ROW", "SAMPLE", "TEXT", "VECTOR"]

ID, TEXT, VECTOR, CUT, REFUSED = "id", "text", "vector", "cut", "refused"
"""What stays with a row, its text, its vector, whether the text was cut, why it has no vector."""

SAMPLE = 1_000_000
"""Rows of a sample that a calibrator is fitted on."""

ROW, REASON = "row", "reason"
"""Of a refused row, beside its id: its number in the input, from 1, and why."""
