"""The grader: points that each mistake costs, and submissions that try to end or to escape it."""

import csv
import json
import os
import socket
import subprocess
import sys
import time

import pytest
from wrong_solutions import WRONG, answer, code, grade, make, write_data

SOLVED = code(make.notebook(solved=True))
LOADS, COSINE = SOLVED[:2]
LOST = {"biased": (5, 2), "not centred": (5, 2), "no mean": (2, 1), "mean kept": (4, 1)} | {
    "no norms": (1, 2),
    "sign": (6, 1),
    "unit": (7, 2),
}  # the task, and its points that are lost
HARMLESS = """
import os, shutil
assert os.environ["HOME"] == os.getcwd() and not os.environ.get("SECRET")
os.remove("data.npz")
"""
MEMORY = "import numpy\nlarge = numpy.ones((10, 2**27))  # 10 GiB"
FORGES = r"""
import os
for stream in range(1, 30):
    try:
        os.write(stream, b'{"question": "whiten", "answers": [[[[1]]]]}\n{"cell": []}\n')
        os.write(stream, b"[" * 9999 + b"\n")
        large = b'{"answer": 1%s}' % (b"0" * 400)
        os.write(stream, b'{"question": "rho", "answers": [%s, %s]}\n' % (large, large))
    except OSError:
        pass
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the current folder, with small data."""
    monkeypatch.chdir(tmp_path)
    write_data(tmp_path / "data.npz")
    return tmp_path


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """Return what comes out of the solution."""
    folder = tmp_path_factory.mktemp("solution")
    write_data(folder / "data.npz")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return ran(SOLVED)


def ran(cells):
    """Run cells as answer.py does, in this process."""
    lines = [json.dumps(line) for line in answer.answers(cells, answer.arguments_of(seed=0))]
    return grade._ran("\n".join(lines).encode(), "")


def written(path, cells):
    """Write cells as a notebook."""
    made = [{"cell_type": "code", "source": text.splitlines(keepends=True)} for text in cells]
    path.write_text(json.dumps({"cells": made, "nbformat": 4, "nbformat_minor": 5}))
    return path


def test_the_solution_has_full_points(right):
    row = grade.grade(right, right)
    assert row.pop("remarks") == ""
    assert row.pop("points") == 16
    assert set(row.values()) == {2} and len(row) == 8


@pytest.mark.parametrize("name", LOST)
def test_a_wrong_solution_loses_exactly_its_points(name, folder, right):
    before, after, told = WRONG[name]
    task, lost = LOST[name]
    row = grade.grade(ran([cell.replace(before, after) for cell in SOLVED]), right)
    assert told in row.pop("remarks")
    assert row.pop("points") == 16 - lost
    assert row == {f"task {n}": 2 - lost * (n == task) for n in range(1, 9)}


def test_an_answer_fixed_to_the_example_has_no_points(folder, right):
    cell = "def random_cosine(x):\n    return 1.4 / 3"
    row = grade.grade(ran([cell]), right)
    assert row["points"] == 0
    assert "Task 1, random_cosine: right on the examples, but not on other data." in row["remarks"]


def test_what_a_later_cell_does_costs_only_its_own_points(folder, right, monkeypatch):
    monkeypatch.setenv("SECRET", "x")
    outside = folder / "outside.txt"
    outside.write_text("mine")
    with socket.create_server(("127.0.0.1", 0)) as server:
        connects = f"import socket\nsocket.create_connection({server.getsockname()!r}, 5)"
        cells = [
            *(LOADS, COSINE, HARMLESS, MEMORY, "import sys\nsys.exit(1)", FORGES, connects),
            f"open({str(outside)!r}, 'w').close()",
            *(
                "%matplotlib inline\nnp.load('data.npz')",
                SOLVED[3],
                "import os\nos._exit(0)",
                SOLVED[5],
            ),
        ]
        submission = written(folder / "one.ipynb", cells)
        found = grade.run(submission, folder / "data.npz", grade.Bounds())
    assert {cell: text.split(":")[0] for cell, text in found.errors.items()} == {
        **{4: "MemoryError", 5: "SystemExit", 9: "FileNotFoundError"},
        **({7: "OSError"} if grade.isolation() else {}),
        **({8: "PermissionError"} if answer.landlock() > 0 else {}),
    }
    assert found.end == "The notebook ended early in cell 11."
    row = grade.grade(found, right)
    assert row["points"] == 4 and row["task 1"] == 2 and row["task 2"] == 2
    assert "Task 4, rho: its answer is no array of numbers." in row["remarks"]
    assert answer.landlock() < 1 or outside.read_text() == "mine"
    assert (folder / "data.npz").exists()


@pytest.mark.skipif(not grade.isolation(), reason="unshare is not allowed here")
def test_a_submission_reaches_no_process_but_its_own(folder, right):
    sleeper = subprocess.Popen(["sleep", "600"])
    stays = "import os\nif os.fork() == 0:\n    os.setsid()\n    while True: pass"
    kills = f"import os\nos.kill({sleeper.pid}, 9)"
    cells = [
        COSINE.replace("check(", "print("),
        kills,
        stays,
        "import os\nos.kill(os.getppid(), 9)",
    ]
    found = grade.run(
        written(folder / "a.ipynb", ["import numpy as np", *cells]),
        *(folder / "data.npz", grade.Bounds()),
    )
    assert sleeper.poll() is None
    sleeper.kill()
    sleeper.wait()
    assert "ProcessLookupError" in found.errors[3]
    assert grade.grade(found, right)["points"] == 2


@pytest.mark.gate
def test_an_endless_loop_is_stopped_and_keeps_the_points_before_it(folder, right):
    cells = [LOADS, COSINE, "while True:\n    try: open('file', 'a').write('x')\n    except: pass"]
    begun = time.monotonic()
    found = grade.run(written(folder / "a.ipynb", cells), folder / "data.npz", grade.Bounds(30))
    assert time.monotonic() - begun >= 30
    assert found.end == "The notebook was stopped after 30 s in cell 3."
    assert grade.grade(found, right)["points"] == 2


def test_a_folder_of_submissions_gives_a_table(folder, monkeypatch, capsys):
    submissions = folder / "submissions"
    (submissions / "anna").mkdir(parents=True)
    (submissions / ".ipynb_checkpoints").mkdir()
    written(submissions / "anna" / "assignment.ipynb", ["import numpy as np", COSINE])
    written(submissions / ".ipynb_checkpoints" / "old.ipynb", [])
    (submissions / "=broken.ipynb").write_text("{}")
    half = "raise ValueError('\\ud800')"  # half a character, which no file can hold
    written(submissions / os.fsdecode(b"half\xff.ipynb"), [half])
    (submissions / "link.ipynb").symlink_to("/dev/zero")
    asked = ["grade.py", "submissions", "--out", "points.csv", "--data", "data.npz"]
    monkeypatch.setattr(sys, "argv", asked)
    grade.main()
    with open("points.csv", newline="") as file:
        broken, anna, halved = csv.DictReader(file)
    assert broken["submission"] == "'=broken.ipynb" and broken["points"] == "0"
    assert "ValueError: the file is no notebook" in broken["remarks"]
    assert anna["submission"] == os.path.join("anna", "assignment.ipynb")
    assert halved["submission"] == r"half\udcff.ipynb"
    assert r"Cell 1 raises ValueError: \ud800." in halved["remarks"]
    assert anna["points"] == anna["task 1"] == "2"
    assert anna["remarks"].startswith("Missing: mean_share, centre, contributions, ")
    assert capsys.readouterr().err == "".join(f"{each}\n" for each in grade.missing())


def test_a_wrong_folder_is_refused(folder, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["grade.py", "nowhere", "--out", "points.csv"])
    with pytest.raises(SystemExit, match="2"):
        grade.main()
    assert "nowhere is no folder: name the folder of the submissions" in capsys.readouterr().err


def test_the_solution_must_run(folder, monkeypatch):
    monkeypatch.setattr(grade, "run", lambda *_: grade.Ran({}, {1: "ImportError: no scipy"}, ""))
    with pytest.raises(SystemExit, match=r"The solution does not run here: .*no scipy\."):
        list(grade.graded(folder, folder / "data.npz", grade.Bounds()))
