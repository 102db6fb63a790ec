"""Measures of vectors and words: arrays in, a frozen dataclass or a table out."""
