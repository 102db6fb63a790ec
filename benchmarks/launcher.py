"""Run the command given as arguments; print its exit code and peak memory in MiB as JSON.

A new process starts with its parent's peak on its account, so it is started from here: from an
interpreter that has imported nothing large.
"""

import json
import resource
import subprocess
import sys

if __name__ == "__main__":
    code = subprocess.call(sys.argv[1:])
    unit = 1 if sys.platform == "darwin" else 1024  # bytes in one of `ru_maxrss`
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit
    print(f"\n{json.dumps([code, peak / (1 << 20)])}")
