"""What a shell offers on the tab key, asked as a shell asks."""

import pytest
from typer.testing import CliRunner

from bertflow_core.cli.main import program


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("evaluate --calibrator wh", {"whiten"}),
        ("fit --calibrator standardize+nu", {"standardize+null-top-k"}),
        ("analyse cone --calibrator st", {"standardize"}),
        ("compare --calibrator nothing", set()),
        ("evaluate --layers l", {"last", "last2", *(f"layer:{k}" for k in range(13))}),
        ("analyse cone --layers fi", {"first-last"}),
        ("embed --model mini", {"minilm"}),
        ("evaluate --dataset sick", {"sickr"}),
        ("evaluate --cal", {"--calibrator"}),
    ],
)
def test_names_that_begin_so_are_offered(line, offered):
    words = f"bertflow-lab {line}"
    asked = {
        "_BERTFLOW_LAB_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    answer = CliRunner().invoke(program(), [], prog_name="bertflow-lab", env=asked).output
    assert set(answer.split()) == offered
