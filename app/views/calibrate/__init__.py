"""The page Calibrate."""
