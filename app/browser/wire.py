"""What components in the browser report: anyone can send a report, so nothing in it is trusted."""

from typing import Any

from bertflow_core.errors import InputError


def report_about(report: object, field: str, shown: str) -> dict[str, Any] | None:
    """Return a report whose `field` names what is shown now.

    Returns:
        None where there is no report, or one about something that was shown before.

    Raises:
        InputError: It is no report of a component.
    """
    if report is None:
        return None
    if not isinstance(report, dict) or not isinstance(report.get(field), str):
        raise refused()
    return report if report[field] == shown else None


def whole(value: object, end: int) -> int:
    """Return a whole number from 0 to below `end`.

    Raises:
        InputError: It is something else.
    """
    # True is an int to Python, but no number here.
    if type(value) is not int or not 0 <= value < end:
        raise refused()
    return value


def refused() -> InputError:
    """Return the error for a report that no component sends."""
    return InputError("the picture's report could not be read: reload the page")
