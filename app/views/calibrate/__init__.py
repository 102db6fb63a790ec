"""The page `Calibrate`."""
