"""Jobs: each computation runs once for all visitors who ask for it, and its result is kept."""
