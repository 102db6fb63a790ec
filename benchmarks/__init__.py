"""Speed and memory, measured against what people use today; run by `bertflow-lab bench`."""
