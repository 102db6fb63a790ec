"""A step of the tour once it is computed, and the lesson that they make."""

import shlex
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING

from bertflow_core.lesson.contents import Chapter
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.figures import Figure

__all__ = ["Lesson", "Passed", "Step", "Told"]

_MADE_BY = ("bertflow-lab", "numpy", "scipy", "torch", "transformers", "plotly")


@dataclass(frozen=True, eq=False)
class Told:
    """A question to a space and its answer; which choice is right follows from the numbers.

    Attributes:
        text: What to know beforehand.
        question: To be answered before the picture is seen; in words that are ours, as choices.
        choices: Two to five answers, in words that are ours: they are shown as Markdown.
        right: Which of them is right, from 0.
        explanation: Why, with the numbers.
        figure: The picture.
        alt: What it shows, for those who cannot see it.
        origin: What decides the numbers, and nothing else; see `lesson.origin`.
        exhibits: Texts to look at first, which may be a stranger's, by what they are called.
    """

    text: str
    question: str
    choices: tuple[str, ...]
    right: int
    explanation: str
    figure: "Figure" = field(repr=False)
    alt: str
    origin: str
    exhibits: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Step:
    """A chapter that these data can tell."""

    chapter: Chapter
    told: Told


@dataclass(frozen=True)
class Passed:
    """A chapter that they cannot tell, and why; the reason may hold a stranger's text."""

    chapter: Chapter
    reason: str


@dataclass(frozen=True, eq=False)
class Lesson:
    """The tour through one space.

    Attributes:
        recipe: What was looked at; its calibrator is a recipe's default.
        steps: One a chapter, in the order of `CONTENTS`.
    """

    recipe: Recipe
    steps: tuple[Step | Passed, ...]

    @cached_property
    def nbytes(self) -> int:
        """Memory of its figures in bytes, as their length in JSON, where an array takes 4/3."""
        told = (step.told for step in self.steps if isinstance(step, Step))
        return sum(len(each.figure.to_json()) for each in told)

    @property
    def command(self) -> str:
        """The command that writes it as a page, quoted for a shell."""
        words = ["bertflow-lab", "report", "--tour", "--out", "lesson.html", *self.recipe.to_args()]
        return shlex.join(words)

    @property
    def versions(self) -> str:
        """What computed it."""
        return ", ".join(f"{name} {version(name)}" for name in _MADE_BY)
