"""Run one submission and write its functions' answers to standard output, a line of JSON each.

grade.py starts this file in an empty folder, once a submission: whatever the notebook does ends
with this process. Answers go out after each cell, so that a later cell that hangs does not lose
them.
"""

import ctypes
import json
import os
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

NOTEBOOK, DATA = "submission.ipynb", "data.npz"  # in the folder
_MOST_WRITTEN = 64 << 20  # bytes a file
_MOST_TEXT = 200  # characters of an error's text
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # Landlock's system calls
_WRITES, _FILE_WRITES = 0x7FF2, 0x4002  # Landlock's rights that change a folder, a file
_NO_NEW_PRIVILEGES = 38


def limit(seconds: int, gigabytes: float) -> None:
    """Bound the processor time, memory and files of this process."""
    import resource  # grade.py, which reads this file, says where there is none

    for kind, most in (
        (resource.RLIMIT_CPU, seconds + 1),
        (resource.RLIMIT_AS, int(gigabytes * 2**30)),
        (resource.RLIMIT_FSIZE, _MOST_WRITTEN),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def landlock() -> int:
    """Return the version of this kernel's Landlock, below 1 where it has none."""
    return ctypes.CDLL(None).syscall(_CREATE_RULESET, None, 0, 1)


def confine(folder: str) -> None:
    """Refuse this process every change of files outside a folder, where the kernel has Landlock."""
    version, libc = landlock(), ctypes.CDLL(None)
    if version < 1:
        return
    # version 1 knows 13 rights, versions 2 and 3 one more each
    rights = _WRITES & ((1 << (12 + min(version, 3))) - 1)
    rules = libc.syscall(_CREATE_RULESET, struct.pack("Q", rights), 8, 0)
    for path, allowed in ((folder, rights), (os.devnull, rights & _FILE_WRITES)):
        opened = os.open(path, os.O_PATH)
        libc.syscall(_ADD_RULE, rules, 1, struct.pack("=Qi", allowed, opened), 0)
        os.close(opened)
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if libc.syscall(_RESTRICT_SELF, rules, 0):
        raise OSError("Landlock refused its rules")


def code_cells(path: str) -> list[str]:
    """Return the code of a notebook's cells, without the lines that only IPython reads."""
    cells = json.loads(Path(path).read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    return ["\n".join(x for x in text.split("\n") if x[:1] not in ("%", "!")) for text in texts]


def arguments_of(seed: int) -> dict[str, list[Any]]:
    """Return what each function is called with: the examples, then data made from a seed."""
    import numpy as np
    from checks import QUESTIONS

    return {
        name: [case.arguments for case in question.cases]
        + question.further(np.random.default_rng(seed))
        for name, question in QUESTIONS.items()
    }


def answers(cells: list[str], asked: dict[str, list[Any]]) -> Iterator[dict[str, Any]]:
    """Run cells in one namespace; yield each that begins, its error, and answers as they change."""
    from checks import QUESTIONS

    names: dict[str, Any] = {"__name__": "__main__", "display": print}
    known: dict[str, Any] = {}
    for number, cell in enumerate(cells, 1):
        yield {"cell": number}
        try:
            exec(compile(cell, f"cell {number}", "exec"), names)
        except BaseException as error:  # a submission may raise anything, such as SystemExit
            yield {"cell": number, "error": _text(error)}
        for name, question in QUESTIONS.items():
            function = names.get(name)
            if function is not known.get(name):
                known[name] = function
                found = [_answer(question, function, arguments) for arguments in asked[name]]
                yield {"question": name, "answers": found}
    yield {"done": True}


def _answer(question: Any, function: Callable[..., Any], arguments: Any) -> dict[str, Any]:  # noqa: ANN401
    try:
        return {"answer": question.answer(function, arguments).tolist()}
    except BaseException as error:
        return {"mistake": _text(error)}


def _text(error: BaseException) -> str:
    from checks import Mistake

    text = str(error) if isinstance(error, Mistake) else f"{type(error).__name__}: {error}"
    return " ".join(text.split())[:_MOST_TEXT].rstrip(".: ")


def main() -> None:
    """Run the notebook of the current folder under limits."""
    teaching, seconds, gigabytes, seed = sys.argv[1:]
    limit(int(seconds), float(gigabytes))
    confine(os.getcwd())
    sys.path[:0] = [teaching]
    asked = arguments_of(int(seed))
    said = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)
    try:
        cells = code_cells(NOTEBOOK)
    except (ValueError, KeyError, TypeError, RecursionError):
        cells = ["raise ValueError('the file is no notebook')"]
    for line in answers(cells, asked):
        said.write(json.dumps(line) + "\n")
        said.flush()


if __name__ == "__main__":
    main()
