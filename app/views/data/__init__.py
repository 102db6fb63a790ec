"""The page Data & models."""
