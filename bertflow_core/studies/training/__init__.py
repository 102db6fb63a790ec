"""Training: a fit of the real flow, watched while it runs."""
