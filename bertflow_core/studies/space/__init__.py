"""Sentences: how evenly a data set's sentences fill their space."""
