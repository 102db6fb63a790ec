"""The page `Words or meaning?`."""
