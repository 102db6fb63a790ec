"""The page `Which pairs?`."""
