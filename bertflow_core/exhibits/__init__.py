"""What is shown rather than asked: wall, tour, site, typed sentences, a watched fit."""
