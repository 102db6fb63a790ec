"""The page `See the space`, with one file per tab."""
