"""The page `Sentences`."""
