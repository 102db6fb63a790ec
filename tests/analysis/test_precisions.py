"""When products are computed in bfloat16."""

import sys

import numpy as np
import pytest
import torch

from bertflow_core.analysis import precisions


@pytest.mark.parametrize(
    ("settled", "multiplications", "loaded", "expected"),
    [
        ("bfloat16", 10**9, True, [torch.bfloat16, np.float32]),
        ("bfloat16", 10**9 - 1, True, [np.float32]),
        ("bfloat16", 10**10, False, [np.float32]),
        ("bfloat16", 10**12, False, [torch.bfloat16, np.float32]),
        ("float32", 10**12, True, [np.float32]),
    ],
)
def test_bfloat16_is_taken_where_it_pays(settled, multiplications, loaded, expected, monkeypatch):
    monkeypatch.setattr(precisions, "settle_precision", lambda *_: settled)
    if not loaded:
        monkeypatch.delitem(sys.modules, "torch")
    found = precisions.precisions(multiplications)
    monkeypatch.undo()
    assert [each.empty(1, 1).dtype for each in found] == expected
