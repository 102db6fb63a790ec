"""The picture of a newborn language model: words that drift while it learns, and measures."""
