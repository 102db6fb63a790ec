"""One question of the tour a file: what is asked, its answer from the numbers, its picture."""
