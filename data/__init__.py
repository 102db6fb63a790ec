"""Small tracked inputs, installed as `bertflow_data`; `runtime.shipped` of the core reads them."""
