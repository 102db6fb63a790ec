"""The page `Words`."""
