"""The page `Guided tour`."""
