"""The lab: it computes the numbers of a recipe."""
