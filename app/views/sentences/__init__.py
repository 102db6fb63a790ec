"""The page Sentences."""
