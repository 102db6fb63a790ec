"""A number before and after: rose, fell, or not significantly changed, and how that is said."""

from dataclasses import dataclass
from enum import StrEnum

from bertflow_core.text_table import shown_difference


class Verdict(StrEnum):
    """What became of a number."""

    ROSE = "rises"
    FELL = "falls"
    SAME = "does not change significantly"
    UNKNOWN = "is not defined"


@dataclass(frozen=True)
class Change:
    """A number before and after, None where it is undefined, and the interval of its change.

    Example:
        >>> from bertflow_core.evaluation.change import Change
        >>> Change(0.70812, 0.78713, low=0.05, high=0.11).sentence("Rho x 100", times=100)
        'Rho x 100 rises: from 70.81 to 78.71 (+7.90, 95 % interval +5.00 to +11.00).'
        >>> Change(0.7, 0.71, low=-0.01, high=0.03).verdict
        <Verdict.SAME: 'does not change significantly'>
    """

    before: float | None
    after: float | None
    low: float | None = None  # None where there is no interval
    high: float | None = None

    @property
    def difference(self) -> float | None:
        """After less before; None where one is undefined."""
        return None if self.before is None or self.after is None else self.after - self.before

    @property
    def shown(self) -> float | None:
        """The difference of two scores in [-1, 1] as it is shown: of their four digits."""
        if self.before is None or self.after is None:
            return None
        return shown_difference(100 * self.before, 100 * self.after, digits=2) / 100

    @property
    def verdict(self) -> Verdict:
        """What became of the number; without an interval every change counts."""
        if self.difference is None:
            return Verdict.UNKNOWN
        low = self.difference if self.low is None else self.low
        high = self.difference if self.high is None else self.high
        if low <= 0 <= high:
            return Verdict.SAME
        return Verdict.ROSE if low > 0 else Verdict.FELL

    def text(self, *, times: float = 1, digits: int = 2) -> str:
        """Return the change with its sign: the difference of the two numbers as they are shown."""
        if self.before is None or self.after is None:
            return "-"
        shown = shown_difference(times * self.before, times * self.after, digits=digits)
        return f"{shown:+z.{digits}f}"

    def interval_text(self, *, times: float = 1, digits: int = 2) -> str:
        """Return the ends of the interval; nothing where there is none."""
        if self.low is None or self.high is None:
            return ""
        return f"{times * self.low:+z.{digits}f} to {times * self.high:+z.{digits}f}"

    def sentence(self, what: str, *, times: float = 1, digits: int = 2) -> str:
        """Say what became of a number of this name, shown `times` as large with so many digits."""
        if self.before is None or self.after is None:
            return f"{what} {Verdict.UNKNOWN}."
        ends = self.interval_text(times=times, digits=digits)
        within = f"95 % interval {ends}" if ends else ""
        before, after = (f"{times * each:z.{digits}f}" for each in (self.before, self.after))
        if before == after:
            return f"{what} stays at {after}{f' ({within})' if ends else ''}."
        change = f"({', '.join(filter(None, [self.text(times=times, digits=digits), within]))})"
        return f"{what} {self.verdict}: from {before} to {after} {change}."
