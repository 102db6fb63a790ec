"""The command that a page prints for an uploaded table, run where the file lies."""

import json
import shlex

import pandas as pd
import pytest
from app_pages import calibrate, clear_server, open_page, use_table

from bertflow_core.cli import main

WORDS = "cat dog sun moon red blue sings sleeps rains shines".split()
FRAME = pd.DataFrame(
    [
        (f'the "{a}"\tand the {b}', f"a {b}\nin two lines", i % 5)
        for i, (a, b) in enumerate((a, b) for a in WORDS for b in WORDS if a < b)
    ],
    columns=["links", "rechts", "Punkte"],
)
BAD = pd.DataFrame(
    [("", "no first side", 1), ("no score", "at all", None), ("no", "number", "high")],
    columns=FRAME.columns,
)


def test_the_printed_command_gives_the_numbers_of_the_page(tmp_path, monkeypatch, capsys):
    clear_server()
    name, content = (
        "-my table's.tsv",
        pd.concat([FRAME, BAD]).to_csv(sep="\t", index=False).encode(),
    )
    page = use_table(open_page("data"), name, content)
    page.selectbox(key="score").select("Punkte").run()
    assert {m.label: m.value for m in page.metric}["Rows refused"] == "3"
    report = calibrate(page, "standardize")
    command = report.command
    assert command in [code.value for code in page.code]

    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    capsys.readouterr()
    with pytest.raises(SystemExit) as left:
        main([*shlex.split(command)[1:], "--format", "json"])
    printed = capsys.readouterr()
    assert left.value.code == 0, printed.err
    assert "3 of 48 rows cannot be used" in printed.err
    _, *shown = json.loads(printed.out)["rows"]  # after the plain output
    assert [each["spearman"]["all"] for each in shown] == [
        pytest.approx(row["score"], abs=1e-12) for row in report.rows[1:]
    ]
