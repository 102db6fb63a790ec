"""The page The wall."""
