"""The page Layers."""
