"""A repository of the hub as it is asked for."""

from collections.abc import Iterable
from dataclasses import dataclass

from bertflow_core.wording import quoted

__all__ = ["Repository"]


@dataclass(frozen=True)
class Repository:
    """What is asked of the hub, and how sentences about it call it.

    Attributes:
        hub_id: Such as `org/model`.
        revision: Branch, tag or commit; None is the main branch.
        kind: `model` or `dataset`, the hub's own words.
        noun: What people call it.
        most_bytes: How much may be fetched.
        known: Names to offer where the hub has no such repository.
        otherwise: What to do where the hub fails, besides asking again.
        name: What the user called it; None is `hub_id`.
    """

    hub_id: str
    revision: str | None
    kind: str
    noun: str
    most_bytes: int
    known: Iterable[str]
    otherwise: str
    name: str | None = None

    @property
    def called(self) -> str:
        """Noun and name, for a sentence."""
        return f"{self.noun} {quoted(self.name or self.hub_id)}"
