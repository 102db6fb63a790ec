"""The page `Layers`."""
