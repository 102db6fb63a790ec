"""The folder that `bertflow-lab compare --out` writes: finished fits, and tables of them."""

from collections.abc import Iterator
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.files import SCRATCH, disk_errors, write_file
from bertflow_core.old_report import Report
from bertflow_core.report import Form
from bertflow_core.wording import quoted

__all__ = ["CELLS", "check_output", "write_output"]

CELLS = "cells"
_FORMS = {
    "comparison": (Form.CSV, Form.JSON, Form.LATEX, Form.MARKDOWN),
    "significance": (Form.CSV, Form.LATEX, Form.MARKDOWN),
}
_FILES = {f"{name}.{form.ending}" for name, forms in _FORMS.items() for form in forms}


def check_output(folder: Path) -> None:
    """Refuse, before any work, a folder that holds anything but an earlier comparison.

    Raises:
        InputError: It is a file, or holds what no comparison wrote.
    """
    if not folder.exists():
        return
    if not folder.is_dir():
        raise InputError(f"{quoted(folder)} is a file: name a folder")
    names = {entry.name for entry in folder.iterdir()}
    strange = {name for name in names if not name.startswith(SCRATCH)} - {CELLS, *_FILES}
    if strange:
        raise InputError(
            f"{quoted(folder)} holds {quoted(min(strange))}, which no comparison wrote: "
            "choose a new folder, or that of an earlier comparison to resume it"
        )


def write_output(folder: Path, *reports: Report) -> None:
    """Write the reports of a comparison, each file whole or not at all.

    Args:
        folder: Checked with `check_output`.
        reports: On the comparison, and on the significance of its differences if it was tested.

    Raises:
        ResourceError: The disk failed.
    """
    texts = dict(text for report in reports for text in _texts(report))
    with disk_errors(folder, does="write"):
        folder.mkdir(parents=True, exist_ok=True)
        for name in _FILES - set(texts):
            (folder / name).unlink(missing_ok=True)  # of an earlier run that was tested
        for name, text in texts.items():
            write_file(folder / name, f"{text}\n".encode())


def _texts(report: Report) -> Iterator[tuple[str, str]]:
    for form in _FORMS[report.name]:
        yield f"{report.name}.{form.ending}", report.write(form)
