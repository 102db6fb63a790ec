"""Speed and memory, compared with the usual libraries: `python -m benchmarks.NAME`."""
