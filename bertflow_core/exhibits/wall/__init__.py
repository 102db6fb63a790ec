"""The wall: the same rows in up to six spaces, drawn with a measure of how faithful it is."""
