"""The page `Start`."""
