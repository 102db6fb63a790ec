"""The page `Turn the knobs`."""
