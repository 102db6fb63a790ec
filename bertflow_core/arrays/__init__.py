"""Arrays of numbers: their types, algebra, moments, rounding, and files."""
