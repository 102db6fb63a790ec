"""Where the store lies and how large it may grow, from the environment."""

import os
from pathlib import Path

from bertflow_core.environment import gigabytes
from bertflow_core.errors import InputError
from bertflow_core.wording import quoted, reason

__all__ = ["default_limit", "default_root"]

DEFAULT_GIGABYTES = 20


def default_root() -> Path:
    """Return the store's folder: `BERTFLOW_CACHE`, or the user's cache folder.

    Raises:
        InputError: There is no such folder, or the user has no home.
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


def default_limit() -> int:
    """Return the size bound in bytes: `BERTFLOW_CACHE_GB` (gigabytes), or 20 GiB."""
    return gigabytes("BERTFLOW_CACHE_GB", DEFAULT_GIGABYTES)
