"""The page `See the space`, a file a tab."""
