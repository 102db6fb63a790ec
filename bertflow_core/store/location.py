"""Where the store lies and how large it may grow, from the environment."""

from bertflow_core.environment import gigabytes
from bertflow_core.files import cache_folder as default_root

__all__ = ["default_limit", "default_root"]

DEFAULT_GIGABYTES = 20


def default_limit() -> int:
    """Return the size bound in bytes: `BERTFLOW_CACHE_GB` (gigabytes), or 20 GiB.

    Raises:
        InputError: The variable holds no number above 0.

    Example:
        >>> from bertflow_core.store import default_limit
        >>> default_limit() > 0
        True
    """
    return gigabytes("BERTFLOW_CACHE_GB", DEFAULT_GIGABYTES)
