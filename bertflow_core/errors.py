"""The errors a user may meet: each carries one sentence that says what is wrong and what to do."""

__all__ = ["BertFlowError", "Cancelled", "InputError", "NotInvertibleError", "ResourceError"]


class BertFlowError(Exception):
    """An expected failure whose text is one sentence for the user: what is wrong, what to do."""

    exit_code = 1


class InputError(BertFlowError, ValueError):
    """The user's input or usage is wrong (exit code 2)."""

    exit_code = 2


class NotInvertibleError(InputError):
    """A calibrator that discards information was asked to go back; the text says what is lost."""


class ResourceError(BertFlowError, OSError):
    """The disk or the network failed (exit code 1)."""


class Cancelled(BertFlowError):
    """Long work was stopped on request; raised by the progress callback (exit code 130)."""

    exit_code = 130
