"""What works about every command: help, version, warnings, tables with rows to leave out."""

import json
from importlib.metadata import version

import pandas as pd
import pytest

PAIRS = b"sentence1,sentence2,score\nthe cat,a dog,1\nred mat,blue mat,4\n"


def test_the_version_is_the_packages(lab):
    outcome = lab("--version")
    assert (outcome.code, outcome.out) == (0, f"bertflow-lab {version('bertflow-lab')}\n")


def rhos(text):
    return [each["spearman"]["all"] for each in json.loads(text)["rows"]]


def test_rows_that_cannot_be_used_are_left_out_and_listed_once(lab, here, tiny):
    bad = b"the cat, ,1\n,a dog,2\nbig cat,dog,\nthe mat,dog,high\n"
    options = (*tiny, "--calibrator", "standardize", "--format", "json")
    found = []
    for rows in (b"", bad):
        (here / "t.csv").write_bytes(PAIRS + rows + b"big,red,3\n")
        found.append(lab("evaluate", "--dataset", "t.csv", *options))
    whole, mixed = found
    assert (whole.code, whole.err, mixed.code) == (0, "", 0)
    assert mixed.err == (
        "bertflow-lab: warning: 't.csv': 4 of 7 rows cannot be used (row 4: sentence2 is blank; "
        "row 5: sentence1 is blank; row 6: score is missing; ...) and are left out; --strict "
        "refuses such a table\n"
    )
    assert rhos(mixed.out) == rhos(whole.out)


@pytest.mark.parametrize("name", ["t.tsv", "t.jsonl", "t.parquet"])
def test_every_format_gives_the_same_scores(works, table, tiny, name):
    write = {
        "t.tsv": lambda frame: frame.to_csv(name, sep="\t", index=False),
        "t.jsonl": lambda frame: frame.to_json(name, orient="records", lines=True),
        "t.parquet": lambda frame: frame.to_parquet(name),
    }
    write[name](pd.read_csv(table))
    options = (*tiny, "--calibrator", "standardize", "--format", "json")
    expected = rhos(works("evaluate", "--dataset", table, *options))
    assert rhos(works("evaluate", "--dataset", name, *options)) == expected


@pytest.mark.parametrize(
    ("content", "size", "words"),
    [
        ("sentence1,sentence2\nthe cat,a dog\nred,blue\n", "2 pairs", "no column of them"),
        ("id,text\n1,the cat\n2,a dog\n3,red mat\n", "3 sentences", "need pairs"),
    ],
)
def test_what_has_no_gold_is_evaluated_without_rho(works, here, tiny, content, size, words):
    (here / "t.csv").write_text(content)
    shown = works("evaluate", "--dataset", "t.csv", *tiny, "--calibrator", "standardize")
    assert size in shown
    assert words in shown
    assert shown.splitlines()[4].split()[1:4] == ["standardize", "-", "-"]
