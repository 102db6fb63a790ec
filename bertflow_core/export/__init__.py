"""What leaves: a fitted calibrator and its encoder as a model that other libraries load."""
