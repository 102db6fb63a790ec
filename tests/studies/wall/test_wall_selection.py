"""Records of selected rows."""

import json
from dataclasses import replace

import numpy as np
import pytest
from tiny_walls import tiny_wall

from bertflow_core.errors import InputError
from bertflow_core.studies.wall import Column, Picture, selection_records, selection_report

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


def test_a_spreadsheet_reads_no_formula():
    text = selection_report(tiny_wall([Z]), Picture(), [1]).write("csv")
    assert text.splitlines()[1].startswith("3,'=1,1.0,odd,")


def test_a_report_says_which_wall_and_picture_its_rows_are_of_without_a_path_of_the_server():
    wall = tiny_wall([Z])
    recipe = replace(wall.recipe, counts="/secret/counts.txt")
    report = selection_report(replace(wall, recipe=recipe), Picture(dims=3), [2, 0])
    document = json.loads(report.write("json"))
    assert [record["id"] for record in document["records"]] == [6, 0]
    assert document["recipe"]["wall"]["counts"] == "counts.txt"
    assert document["recipe"]["picture"]["dims"] == 3
    assert "secret" not in report.write("json") + report.write("csv") + report.write("markdown")
    assert report.write("csv").splitlines()[0].endswith(",recipe")
    assert "word frequencies: counts.txt" in report.write("latex")


@pytest.mark.parametrize("row", [-1, 3])
def test_a_row_that_is_not_there_is_refused(row):
    with pytest.raises(InputError, match="rows from 0 to 2"):
        selection_records(tiny_wall([Z]), [0, row])
