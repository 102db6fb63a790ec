"""Where caches lie, from the environment."""

import os
from pathlib import Path

from bertflow_core.errors import InputError
from bertflow_core.wording import quoted, reason

__all__ = ["cache_folder"]


def cache_folder() -> Path:
    """Return the folder of what can be made or fetched again: `BERTFLOW_CACHE`, or the user's.

    Raises:
        InputError: There is no such folder, or the user has no home.

    Example:
        >>> from bertflow_core.store import default_root
        >>> default_root().is_absolute()
        True
    """
    named = os.environ.get("BERTFLOW_CACHE")
    if named:
        try:
            return Path(named).expanduser()
        except RuntimeError as error:
            raise InputError(
                f"BERTFLOW_CACHE is no folder ({reason(error)}), got {quoted(named)}"
            ) from error
    from platformdirs import user_cache_path

    path = user_cache_path("bertflow-lab")
    if not path.is_absolute():  # `~` stays what it is where nobody knows the user's home
        raise InputError("you have no home folder for the cache: name a folder in BERTFLOW_CACHE")
    return path
