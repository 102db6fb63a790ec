"""The page Guided tour."""
