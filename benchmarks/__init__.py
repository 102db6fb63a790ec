"""Speed and memory, compared with the usual libraries; run by `make bench` or `python -m benchmarks.NAME`."""
