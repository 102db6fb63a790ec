"""What a type checker sees of the public names."""

from pathlib import Path

from mypy import api

import bertflow_core

RIGHT = """
import bertflow_core as bf
import bertflow_core.calibrators as calibrators
import bertflow_core.flows as flows

scored = bf.Lab().evaluate(bf.Recipe(dataset="teaching", calibrator="whiten"))
calibrator: calibrators.Calibrator = bf.build_calibrator("whiten")
"""
MISSPELT = ("bf.buid_calibrator", "calibrators.Calibratr", "flows.Glo")


def test_every_misspelt_name_is_found_and_no_other(tmp_path: Path) -> None:
    user = tmp_path / "user.py"
    user.write_text(RIGHT + "\n".join(MISSPELT) + "\n")
    config = Path(bertflow_core.__file__).parent.parent / "pyproject.toml"
    said, _, _ = api.run(["--strict", "--config-file", str(config), str(user)])
    *errors, _ = said.splitlines()
    assert len(errors) == len(MISSPELT), said
    for error, name in zip(errors, MISSPELT, strict=True):
        assert f'has no attribute "{name.split(".")[1]}"' in error
