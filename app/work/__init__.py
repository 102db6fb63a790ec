"""Jobs: one computation for all who ask for it, and what is kept of it."""
