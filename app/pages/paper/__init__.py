"""The page `The paper`, with one file per tab."""
