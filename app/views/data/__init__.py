"""The page `Data & models`."""
