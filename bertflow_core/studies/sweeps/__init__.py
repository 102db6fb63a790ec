"""Sweeps: rho along a parameter of a calibrator, chosen on dev."""
