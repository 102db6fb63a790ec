"""What every fitted flow says of its fit."""

import numpy as np
import pytest

from bertflow_core.calibrators import build_calibrator
from bertflow_core.calibrators.flow import HARDLY_TRAINED

X = np.random.default_rng(0).normal(size=(40, 4)).astype(np.float32)


HARDLY = "hardly trained; fit on more sentences or raise epochs"


@pytest.mark.parametrize("name", ["flow", "realnvp"])
@pytest.mark.parametrize(("epochs", "notes"), [(2, (f"20 steps: {HARDLY}",)), (5, ())])
def test_a_fit_of_few_steps_says_so(name, epochs, notes):
    if name != "flow":
        pytest.importorskip("zuko")
    assert HARDLY_TRAINED == 50
    fitted = build_calibrator(f"{name}:epochs={epochs},batch_size=4").fit(X)
    assert len(fitted.steps_) == 10 * epochs
    assert fitted.notes_ == notes
