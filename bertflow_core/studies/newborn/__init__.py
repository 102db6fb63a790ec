"""A small masked language model trained from nothing: how its space of words becomes a cone."""
