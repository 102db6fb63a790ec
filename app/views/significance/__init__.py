"""The page `Is it real?`."""
