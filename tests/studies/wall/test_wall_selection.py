"""Selected rows: their records, and a report of them."""

import json
from dataclasses import replace

import numpy as np
from tiny_walls import tiny_wall

from bertflow_core.studies.wall.recipe import Picture
from bertflow_core.studies.wall.selection import (
    selection_records,
    selection_report,
)
from bertflow_core.studies.wall.spaces import Column

Z = np.array([[3.0, 4], [0, 1], [0, 2]])


def test_a_record_holds_id_text_and_every_column_by_pane():
    wall = tiny_wall([Z, 2 * Z])
    extra = Column("kept", np.array([[0.5, np.nan, 1], [0, 0, 0.25]]), unit="share")
    assert selection_records(wall, [2, 0], [extra]) == [
        {
            "id": 6,
            "text": "=2",
            "length (words)": 2.0,
            "subset": "even",
            "norm (L2), layer:0, identity": 2.0,
            "norm (L2), layer:1, identity": 4.0,
            "kept (share), layer:0, identity": 1.0,
            "kept (share), layer:1, identity": 0.25,
        },
        {
            "id": 0,
            "text": "=0",
            "length (words)": 0.0,
            "subset": "even",
            "norm (L2), layer:0, identity": 5.0,
            "norm (L2), layer:1, identity": 10.0,
            "kept (share), layer:0, identity": 0.5,
            "kept (share), layer:1, identity": 0.0,
        },
    ]
    unknown = selection_records(wall, [1], [extra])[0]["kept (share), layer:0, identity"]
    assert unknown is None


def test_a_report_says_which_wall_and_picture_its_rows_are_of_without_a_path_of_the_server():
    wall = tiny_wall([Z])
    recipe = replace(wall.recipe, counts="/secret/counts.txt")
    report = selection_report(replace(wall, recipe=recipe), Picture(metric="l2"), [2, 0])
    document = json.loads(report.write("json"))
    assert [row["id"] for row in document["rows"]] == [6, 0]
    assert document["wall"]["counts"] == "counts.txt"
    assert document["recipe"]["metric"] == "l2"
    assert "secret" not in report.write("json") + report.write("csv") + report.write("markdown")
    header, line, _ = report.write("csv").splitlines()
    assert header.startswith("id,text,length (words),subset,")
    assert line.startswith("6,'=2,2.0,even,")  # which no spreadsheet takes for a formula
