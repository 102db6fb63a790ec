"""One way of doing the work, once, in a process of its own: `python -m benchmarks.child`.

Arguments: `module:function`, which makes everything ready and returns the work as a function, and
its keyword arguments as JSON. Prints the seconds of the work alone.
"""

import json
import sys
import time
from importlib import import_module

__all__ = ["main"]


def main() -> None:
    """Make ready, work once, and print the seconds of the work."""
    module, _, function = sys.argv[1].partition(":")
    work = getattr(import_module(module), function)(**json.loads(sys.argv[2]))
    start = time.perf_counter()
    work()
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
