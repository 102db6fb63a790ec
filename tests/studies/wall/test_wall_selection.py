"""Records of selected rows."""

import numpy as np
import pytest
from tiny_walls import tiny_wall

from bertflow_core.errors import InputError
from bertflow_core.studies.wall import Column, selection_records
from bertflow_core.tables import to_csv

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
    text = to_csv(selection_records(tiny_wall([Z]), [1]))
    assert text.splitlines()[1].startswith("3,'=1,1.0,odd,")


@pytest.mark.parametrize("row", [-1, 3])
def test_a_row_that_is_not_there_is_refused(row):
    with pytest.raises(InputError, match="rows from 0 to 2"):
        selection_records(tiny_wall([Z]), [0, row])
