"""Speed and memory, compared with the usual libraries; run by `bertflow-lab bench`."""
