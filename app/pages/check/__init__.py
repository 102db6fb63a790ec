"""The page `Check your model`."""
