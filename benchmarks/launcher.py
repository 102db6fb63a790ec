"""Run the command given as arguments; print its exit code, seconds and peak memory as JSON.

A new process starts with its parent's peak on its account, so it is started from here: from an
interpreter that has imported nothing large.
"""

import json
import resource
import subprocess
import sys
import time

__all__ = ["main"]

_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in one unit of `ru_maxrss`."""


def main() -> None:
    """Run the command; what it prints comes first, the report is the last line."""
    start = time.perf_counter()
    code = subprocess.call(sys.argv[1:])
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * _UNIT
    report = json.dumps({"code": code, "seconds": seconds, "peak_mib": peak / (1 << 20)})
    print(f"\n{report}")


if __name__ == "__main__":
    main()
