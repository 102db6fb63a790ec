"""One question of the paper a file: arrays in, a frozen dataclass or a table out."""
