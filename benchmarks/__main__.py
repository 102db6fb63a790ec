"""`python -m benchmarks`: run all or those named, record and show what they measured."""

import argparse
from pathlib import Path

from . import ratios_figure, tables
from .record import read_records, write_record
from .suites import BY_DEFAULT, SUITES, measure

__all__ = ["main"]

BENCHMARKS = ("app", "bootstrap", "closed_forms", "embed", "flow", "neighbours")
RESULTS = Path(__file__).parent / "results"


def main() -> None:
    """Run, write a results file each, and print the tables."""
    options = _parser().parse_args()
    folder = options.output or (None if options.quick else RESULTS)
    if options.table:
        print(tables.markdown(read_records(options.output or RESULTS)))
        return
    names = [SUITES[suite] for suite in BY_DEFAULT] if options.quick else BENCHMARKS
    for record in measure(options.names or names, quick=options.quick):
        if folder is not None:
            write_record(folder, record)
        if folder == RESULTS:
            tables.put_into_readme(tables.markdown(read_records(RESULTS)))
            ratios_figure.write(read_records(RESULTS))
        print(tables.section(record))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(BENCHMARKS)}")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="small sizes of what has a peer; recorded only with --output",
    )
    parser.add_argument("--output", type=Path, help="folder of the results; its own by default")
    parser.add_argument("--table", action="store_true", help="print the recorded results and stop")
    return parser


if __name__ == "__main__":
    main()
