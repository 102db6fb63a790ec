"""Small tracked inputs, installed as `bertflow_data` and read through `bertflow_core.files`."""
