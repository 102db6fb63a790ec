"""Small input files, installed as `bertflow_data`; `bertflow_core.runtime.shipped` reads them."""
