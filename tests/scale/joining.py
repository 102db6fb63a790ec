"""What a process does that joins others, and says when it cannot: `joining.py LAST`.

RANK and the other variables are set. The process LAST ends when all have started, before they
connect; the limit of every wait that must run out is short.
"""

import os
import sys
from datetime import timedelta
from typing import Any

from bertflow_core import contact
from bertflow_core.errors import ResourceError
from bertflow_core.processes import joined_processes

SHORT = timedelta(milliseconds=200)


def run() -> None:
    """Join, and print why not."""
    last, call_roll = sys.argv[1], contact.call_roll

    def lose_the_last(store: Any, rank: int, size: int) -> None:
        call_roll(store, rank, size)
        if str(rank) == last:
            os._exit(0)
        contact._LONGEST_START = SHORT

    if last:
        vars(contact)["call_roll"] = lose_the_last
    else:
        contact._LONGEST_START = SHORT
    try:
        with joined_processes("cpu"):
            sys.stdout.write("joined")
    except ResourceError as error:
        sys.stdout.write(str(error))


if __name__ == "__main__":
    run()
