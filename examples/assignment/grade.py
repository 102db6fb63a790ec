"""Grade a folder of submissions of the assignment, and write their points as CSV.

    python examples/assignment/grade.py submissions --out points.csv

Each notebook (`*.ipynb`, also in subfolders) runs in a process of its own, in an empty folder with
the data. The process is bounded in time, memory and the size of its files. It has no network and
reaches no other process, where `unshare` is allowed, and changes no file outside its folder, where
the kernel has Landlock. What is missing is said before the first submission runs: grade in a
container then. Nothing keeps a submission from reading files. All this needs Linux.

Only answers leave that process. They are compared here with those of the solution, on the examples
of the notebook and on data that the notebook does not show.
"""

import argparse
import csv
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from bertflow_core.text_table import guard_formula

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "docs" / "teaching")]
from answer import DATA, NOTEBOOK, landlock  # noqa: E402
from checks import QUESTIONS, Mistake, Question  # noqa: E402
from make import TEACHING, make_data, notebook  # noqa: E402

_UNSHARE = ("unshare", "--map-root-user", "--net", "--pid", "--fork", "--kill-child")
_TASKS = sorted({question.task for question in QUESTIONS.values()})
_ELSEWHERE = "right on the examples, but not on other data"


@dataclass(frozen=True)
class Bounds:
    """What a submission may use, and the seed of the data that it does not see."""

    seconds: int = 300
    gigabytes: float = 4.0
    seed: int = 0


@dataclass(frozen=True)
class Ran:
    """What came out of a process: answers by question, errors by cell, and how it ended."""

    answers: Mapping[str, list[Any]]
    errors: Mapping[int, str]
    end: str  # a sentence, empty where the notebook ran to its end


@cache
def isolation() -> tuple[str, ...]:
    """Return the command that takes network and other processes away; empty if not allowed."""
    if shutil.which(_UNSHARE[0]) is None:
        return ()
    tried = subprocess.run([*_UNSHARE, "true"], capture_output=True, check=False)
    return () if tried.returncode else _UNSHARE


def missing() -> list[str]:
    """Return a sentence for each bound that this machine does not allow."""
    found = []
    if not isolation():
        found.append("unshare is not allowed here: submissions can reach the network.")
    if landlock() < 1:
        found.append("The kernel has no Landlock: submissions can change your files.")
    return found


def run(submission: Path, data: Path, bounds: Bounds) -> Ran:
    """Run a submission in a process of its own, and return what came out of it."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as said:
        shutil.copy(submission, Path(folder, NOTEBOOK))
        shutil.copy(data, Path(folder, DATA))
        limits = (str(bounds.seconds), str(bounds.gigabytes), str(bounds.seed))
        own = {"HOME": folder, "TMPDIR": folder, "OMP_NUM_THREADS": "1", "MPLBACKEND": "Agg"}
        process = subprocess.Popen(
            [*isolation(), sys.executable, "-P", HERE / "answer.py", TEACHING, *limits],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **own},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        in_time = True
        try:
            process.wait(bounds.seconds)
        except subprocess.TimeoutExpired:
            in_time = False
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        said.seek(0)
        return _ran(said.read(), "" if in_time else f"was stopped after {bounds.seconds} s")


def _ran(said: bytes, stopped: str) -> Ran:
    answers, errors, cell, done = {}, {}, 0, False
    for line in said.splitlines():
        try:
            match json.loads(line):
                case {"question": str(name), "answers": list(found)} if name in QUESTIONS:
                    answers[name] = found
                case {"cell": int(cell), "error": str(error)}:
                    errors[cell] = error
                case {"cell": int(cell)}:
                    pass
                case {"done": True}:
                    done = True
        except (ValueError, RecursionError):
            continue
    how = stopped or ("" if done else "ended early")
    return Ran(answers, errors, f"The notebook {how} in cell {cell}." if how else "")


def grade(found: Ran, right: Ran) -> dict[str, object]:
    """Return the points in each task, their sum, and sentences on what is missing."""
    points, remarks = dict.fromkeys(_TASKS, 0), [found.end] if found.end else []
    if absent := [name for name in QUESTIONS if name not in found.answers]:
        remarks.append(f"Missing: {', '.join(absent)}.")
    for name, answers in found.answers.items():
        question = QUESTIONS[name]
        try:
            _judge(question, answers, right.answers[name])
        except Mistake as mistake:
            remarks.append(f"Task {question.task}, {name}: {mistake}.")
        else:
            points[question.task] += question.points
    remarks += [f"Cell {cell} raises {error}." for cell, error in found.errors.items()]
    tasks = {f"task {task}": n for task, n in points.items()}
    return {"points": sum(points.values()), **tasks, "remarks": _encodable(" ".join(remarks))}


def _encodable(text: str) -> str:
    """Return a text with halves of characters, which no file can hold, written as escapes."""
    return text.encode(errors="backslashreplace").decode()


def _judge(question: Question, found: list[Any], right: list[Any]) -> None:
    if len(found) != len(right):
        raise Mistake("answers are missing")
    for number, (own, expected) in enumerate(zip(found, right, strict=True)):
        match own:
            case {"answer": answer}:
                try:
                    answer = np.asarray(answer, dtype=float)
                except (TypeError, ValueError, OverflowError) as error:
                    raise Mistake("its answer is no array of numbers") from error
            case {"mistake": str(text)}:
                raise Mistake(text)
            case _:
                raise Mistake("answers are missing")
        if number < len(question.cases):
            question.judge(question.cases[number], answer)
        elif not question.is_right(answer, expected["answer"]):
            raise Mistake(_ELSEWHERE)


def graded(folder: Path, data: Path, bounds: Bounds) -> Iterator[dict[str, object]]:
    """Yield a row for each submission of a folder, after the solution has had all points."""
    with tempfile.TemporaryDirectory() as temporary:
        solution = Path(temporary, "solution.ipynb")
        solution.write_text(notebook(solved=True), encoding="utf-8")
        right = run(solution, data, bounds)
    if grade(right, right)["remarks"]:
        raise SystemExit(f"The solution does not run here: {grade(right, right)['remarks']}")
    for path in sorted(folder.rglob("*.ipynb")):
        if path.is_file() and not path.is_symlink() and ".ipynb_checkpoints" not in path.parts:
            name = _encodable(str(path.relative_to(folder)))
            yield {"submission": guard_formula(name), **grade(run(path, data, bounds), right)}


def main() -> None:
    """Grade what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("submissions", type=Path, help="folder of notebooks")
    parser.add_argument("--out", type=Path, required=True, help="CSV to write")
    parser.add_argument("--data", type=Path, help="data.npz, computed if it is missing")
    parser.add_argument("--seconds", type=int, default=Bounds.seconds, help="for each submission")
    parser.add_argument(
        "--memory", type=float, default=Bounds.gigabytes, help="GB for each of them"
    )
    parser.add_argument("--seed", type=int, default=Bounds.seed, help="seed of the unseen data")
    asked = parser.parse_args()
    if sys.platform != "linux":
        parser.error("submissions are confined by Linux: grade in a container or under WSL")
    if not asked.submissions.is_dir():
        parser.error(f"{asked.submissions} is no folder: name the folder of the submissions")
    if asked.seconds < 1 or not 0 < asked.memory < math.inf:
        parser.error("--seconds and --memory must be positive")
    for sentence in missing():
        print(sentence, file=sys.stderr)
    columns = ["submission", "points", *(f"task {task}" for task in _TASKS), "remarks"]
    with tempfile.TemporaryDirectory() as temporary, asked.out.open("w", newline="") as file:
        data = asked.data or Path(temporary, DATA)
        make_data(data)
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        for row in graded(asked.submissions, data, Bounds(asked.seconds, asked.memory, asked.seed)):
            writer.writerow(row)
            file.flush()
            print(f"{row['points']:>2}  {row['submission']}")


if __name__ == "__main__":
    main()
