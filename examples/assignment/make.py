"""Write the assignment's notebook for students, or its solution.

    python examples/assignment/make.py --out class
    python examples/assignment/make.py --solution solution.ipynb

The first makes a folder to hand out: assignment.ipynb, checks.py and data.npz, the vectors of the
captions. With that file students need no installation of this package.
"""

import argparse
import json
import re
import shutil
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("source.py")
TEACHING = Path(__file__).parents[2] / "docs" / "teaching"
_SOLUTION = re.compile(r"^( *)### BEGIN SOLUTION\n.*?### END SOLUTION\n", flags=re.M | re.S)


def notebook(*, solved: bool) -> str:
    """Return the assignment as a notebook, with the solution or with empty functions."""
    _, *cells = re.split(r"^# %%", SOURCE.read_text(encoding="utf-8"), flags=re.M)
    made = []
    for number, cell in enumerate(cells):
        kind, _, text = cell.partition("\n")
        if kind.strip() == "[markdown]":
            made.append({"cell_type": "markdown", "source": re.sub(r"^# ?", "", text, flags=re.M)})
        else:
            text = _SOLUTION.sub(_kept if solved else _emptied, text)
            made.append(
                {"cell_type": "code", "execution_count": None, "outputs": [], "source": text}
            )
        source = made[-1]["source"].strip("\n").splitlines(keepends=True)
        made[-1] |= {"id": f"cell-{number:02}", "metadata": {}, "source": source}
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    whole = {"cells": made, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _kept(found: re.Match[str]) -> str:
    return "".join(found[0].splitlines(keepends=True)[1:-1])


def _emptied(found: re.Match[str]) -> str:
    return f"{found[1]}...  # write this\n"


def make_data(path: Path) -> None:
    """Compute the vectors of the assignment unless a file has them."""
    sys.path.insert(0, str(TEACHING))
    import checks

    checks.load(str(path))


def main() -> None:
    """Write what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, help="folder for the students")
    parser.add_argument("--solution", type=Path, help="notebook with the solution")
    asked = parser.parse_args()
    if asked.solution:
        asked.solution.write_text(notebook(solved=True), encoding="utf-8")
    if asked.out:
        asked.out.mkdir(parents=True, exist_ok=True)
        (asked.out / "assignment.ipynb").write_text(notebook(solved=False), encoding="utf-8")
        shutil.copy(TEACHING / "checks.py", asked.out)
        make_data(asked.out / "data.npz")
    if not (asked.out or asked.solution):
        parser.error("nothing to write: give --out or --solution")


if __name__ == "__main__":
    main()
