"""Should I calibrate? A check on the user's own data, with measured thresholds."""
