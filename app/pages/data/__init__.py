"""The page `Your data`."""
