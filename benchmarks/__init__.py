"""Speed and memory, measured against what people use today; run by `python -m benchmarks`."""
