"""The page `Tune and export`."""
