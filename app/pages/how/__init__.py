"""The page `How it works`, with one file per tab."""
