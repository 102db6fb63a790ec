"""The page `How it works`, a file a tab."""
