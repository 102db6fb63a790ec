"""The wall: the same rows in up to six spaces, with a measure of each picture's faithfulness."""
