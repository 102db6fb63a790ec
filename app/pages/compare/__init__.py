"""The page `Compare`, with one file per tab."""
