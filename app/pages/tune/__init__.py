"""The page `Tune and take home`."""
