"""The page `How a cone forms`."""
