"""Which encoder, layers and calibrator agree best with people? A grid of recipes, side by side."""
