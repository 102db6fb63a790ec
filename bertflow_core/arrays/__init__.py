"""Arrays of numbers: types, algebra, moments, rounding and files."""
