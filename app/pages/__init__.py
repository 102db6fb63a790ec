"""Thin pages: they choose, ask a service, and show."""
