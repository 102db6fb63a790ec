"""A command that several processes run together: one of them speaks and writes for all."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from bertflow_core.cli.streams import STANDARD
from bertflow_core.errors import BertFlowError, InputError
from bertflow_core.processes import ALONE, Processes, current_processes, joined_processes
from bertflow_core.wording import quoted

if TYPE_CHECKING:
    from bertflow_core.calibrators.base import Calibrator
    from bertflow_core.recipe import Recipe

__all__ = ["all_processes", "check_calibrator", "save_calibrator"]


@contextmanager
def all_processes(device: str | None) -> Iterator[Processes]:
    """Join the processes that were started together; if one fails, it alone says why.

    The others, which lose touch with it or fail for the same reason, leave in silence.

    Args:
        device: Where fits are asked to run; None is the best device.

    Raises:
        InputError: As `joined_processes`.
        ResourceError: As `joined_processes`.
    """
    processes = ALONE
    try:
        with joined_processes(device) as processes:
            yield processes
    except (Exception, KeyboardInterrupt) as error:
        if processes.is_first("failure"):
            raise
        sys.exit(error.exit_code if isinstance(error, BertFlowError) else 1)


def check_calibrator(out: Path, *, force: bool) -> None:
    """Refuse, before any work, a name under which no calibrator can be saved.

    Args:
        out: The folder that is to hold it.
        force: Whether it may take the place of a saved one.

    Raises:
        InputError: It is standard output, or holds something else, or a calibrator without `force`.
        ResourceError: The disk refused.
    """
    from bertflow_core.files import check_folder

    if str(out) == STANDARD:
        raise InputError("a calibrator is a folder, and standard output cannot hold one: name one")
    if current_processes().leads:
        check_folder(out)
        if not force and out.exists() and any(out.iterdir()):
            raise InputError(
                f"{quoted(out)} holds a saved calibrator: choose another name or give --force"
            )


def save_calibrator(calibrator: "Calibrator", out: Path, *, spec: str, recipe: "Recipe") -> None:
    """Save a calibrator, in the process that leads.

    Raises:
        InputError: `out` holds something else.
        ResourceError: The disk refused.
    """
    from bertflow_core.calibrators import persistence

    if current_processes().leads:
        persistence.save_calibrator(calibrator, out, spec=spec, recipe=recipe.to_dict())
