"""Declarations of studies, and their reports: rows and columns in five forms."""
