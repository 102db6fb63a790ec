"""Tables for spreadsheets: text is no formula, numbers stay numbers, and text comes back."""

import csv
import io
import re

import pytest
from tiny_pairs import pair_rows, write_pairs

from bertflow_core.datasets import load_pairs, read_sentences

HOSTILE = (
    "=1+2 the cat",
    "+the dog",
    "-a mat",
    "@sum the cat",
    "\tthe red dog",
    "\rthe blue dog",
    "'=the big cat",
    "''@the small cat",
    "'the cat sat",
    "the = cat",
    '"=the" dog',
    "=cmd|' /C calc'!A0",
)
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[-+]?\d+)?")


@pytest.fixture
def hostile(here):
    """A table whose sentences and subsets look like formulas, written as a user would."""
    rows = [
        (HOSTILE[i % len(HOSTILE)].replace("'=", "''=").replace("''@", "'''@"), b, c, f"=s{i % 2}")
        for i, (_, b, c, _) in enumerate(pair_rows(24))
    ]
    return write_pairs(here / "pairs.csv", rows)


@pytest.mark.parametrize(
    "command",
    [
        ("ledger", "--order", "row", "--top", "24"),
        ("evaluate", "--calibrator", "whiten"),
        ("compare", "--calibrator", "whiten", "--out", "=o"),
        ("analyse", "sentences", "--calibrator", "whiten"),
        ("analyse", "lexical", "--calibrator", "whiten"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_no_cell_is_a_formula(works, here, hostile, tiny, command):
    text = works(*command, *tiny, "--dataset", hostile, "--format", "csv")
    files = [path.read_text(encoding="utf-8") for path in here.glob("=o/*.csv")]
    assert command[0] != "compare" or files
    for each in (text, *files):
        rows = list(csv.reader(io.StringIO(each, newline="")))
        assert len(rows) > 1
        cells = [cell for row in rows for cell in row]
        for cell in cells:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or NUMBER.fullmatch(cell)
        assert any(NUMBER.fullmatch(cell) for cell in cells)


def test_what_was_written_is_read_as_it_was(works, here, hostile, tiny):
    before = load_pairs(hostile).first
    assert set(before) == set(HOSTILE)
    words = ("--order", "row", "--top", 24, "--format", "csv")
    text = works("ledger", *tiny, "--dataset", hostile, *words)
    (here / "ledger.csv").write_bytes(text.encode())
    assert read_sentences(here / "ledger.csv", "first") == before
