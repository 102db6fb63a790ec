"""Words: whether frequency decides a word's norm and neighbours (Table 1 of the paper)."""
