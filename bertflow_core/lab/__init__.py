"""From a recipe to its numbers."""
