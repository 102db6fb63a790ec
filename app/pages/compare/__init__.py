"""The page `Compare`, a file a tab."""
