"""What a fit notes of too little data, told apart from its other notes."""

__all__ = ["TooFew"]


class TooFew(str):
    """A note that a fit had too few rows, or took too few steps over them, to be relied on."""
