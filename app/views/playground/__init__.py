"""The page `Playground`."""
