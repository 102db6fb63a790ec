"""The paper's tables and figures, computed again beside the published numbers."""
