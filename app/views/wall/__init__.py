"""The page `The wall`."""
