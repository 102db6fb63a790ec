"""Every case of unit/**/*.js, run on the modules of app/browser as they are, in one page."""

from pathlib import Path

import pytest
from project_tree import ROOT

UNIT = Path(__file__).parent / "unit"
HARNESS = UNIT / "harness.js"
FILES = [str(path.relative_to(UNIT)) for path in sorted(UNIT.glob("*/*.js"))]
RUN = "async ([harness, path]) => (await import(harness)).outcomesOf(path)"


@pytest.mark.parametrize("name", FILES)
def test_every_case_of_a_file_holds(modules, name):
    addresses = [f"/{path.relative_to(ROOT)}" for path in (HARNESS, UNIT / name)]
    outcomes = modules.evaluate(RUN, addresses)
    assert outcomes
    assert {case: error for case, error in outcomes.items() if error} == {}
