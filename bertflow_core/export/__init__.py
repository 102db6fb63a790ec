"""Export: a calibrator and its encoder as a model that other libraries load."""
