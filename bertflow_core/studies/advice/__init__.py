"""The check of a model on the user's own data: four answers, and rules with thresholds."""
