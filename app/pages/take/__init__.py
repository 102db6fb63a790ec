"""The page `Take home`, with one file per tab."""
