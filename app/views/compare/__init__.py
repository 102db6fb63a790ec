"""The page `Compare`."""
