"""Small tracked inputs, installed as the package `bertflow_data`; read them through `bertflow_core.resources`."""
