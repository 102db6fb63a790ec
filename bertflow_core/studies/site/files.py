"""The site as files: each written whole or not at all, and never over a file of another kind."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.figures.pages import MARK, Page
from bertflow_core.files import begins_with_mark, write_file
from bertflow_core.studies.tour.page import MARK as LESSON_MARK
from bertflow_core.wording import quoted

__all__ = ["check_site_folder", "write_site"]

_MARKS = (MARK, LESSON_MARK)


def check_site_folder(folder: Path, names: Iterable[str]) -> None:
    """Refuse, before any work, a folder in which the pages could not be written.

    Raises:
        InputError: It is no folder, or one of the names is taken by something else.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{quoted(folder)} is no folder: choose another name")
    paths = [folder / name for name in names]
    taken = [path for path in paths if path.exists() and not begins_with_mark(path, _MARKS)]
    if taken:
        raise InputError(
            f"{quoted(taken[0])} exists and is no page of this program: choose another folder"
        )


def write_site(folder: Path, pages: Sequence[Page]) -> None:
    """Write the pages into a folder, which is made where there is none.

    Raises:
        ResourceError: The disk refused.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for page in pages:
        write_file(folder / page.file, page.html.encode())
