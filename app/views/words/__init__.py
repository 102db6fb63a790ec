"""The page Words."""
