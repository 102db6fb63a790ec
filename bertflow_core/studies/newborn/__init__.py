"""A small masked language model trained from scratch: how its word vectors form a cone."""
