"""The dashboard, installed as the package `bertflow_app`."""
