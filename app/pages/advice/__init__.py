"""The page `Should I calibrate?`."""
