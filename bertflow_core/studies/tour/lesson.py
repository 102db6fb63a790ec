"""A computed tour: its steps, as values that a page, a file and a test can read; the one stored."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.metadata import version
from typing import Any

from bertflow_core.figures import Figure
from bertflow_core.files import resource
from bertflow_core.recipe import Recipe
from bertflow_core.studies.tour.steps import CONTENTS, Chapter

__all__ = [
    *("GENERATOR", "Content", "Lesson", "Skipped", "Step"),
    *("stored_for", "stored_lesson", "versions"),
]

GENERATOR = "bertflow-lab report --tour"
"""Stands near the beginning of every file that holds a lesson."""

_AGREEMENT = (
    "Here cosine then agrees better with people. ",
    "Here cosine then agrees worse with people. ",
    "Here that does not measurably change how cosine agrees with people. ",
)
"""What follows from each answer of the step of that name."""

_MADE_BY = ("bertflow-lab", "numpy", "scipy", "torch", "transformers", "plotly")


def versions() -> str:
    """Name the packages that compute numbers here, with their versions."""
    return ", ".join(f"{name} {version(name)}" for name in _MADE_BY)


@dataclass(frozen=True, eq=False)
class Content:
    """A question about a space, and its answer from the numbers.

    Attributes:
        text: The introduction.
        question: Answered before the picture is shown; trusted text, shown as Markdown.
        choices: Two to eight answers; trusted text, shown as Markdown.
        right: Index of the right one.
        takeaway: What to remember, in one sentence with its number.
        explanation: Why it is right, with the numbers.
        notes: What a speaker may say or ask, and the usual mistake.
        figure: The picture.
        alt: What it shows, for those who cannot see it.
        origin: What decides the numbers, and the command that makes them.
        exhibits: Texts to read first, by label; they may be untrusted.
        own: What the step finds for the learner's own sentences; empty where it finds nothing.
    """

    text: str
    question: str
    choices: tuple[str, ...]
    right: int
    takeaway: str
    explanation: str
    notes: str
    figure: Figure = field(repr=False)
    alt: str
    origin: str
    exhibits: tuple[tuple[str, str], ...] = ()
    own: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` makes an equal one."""
        plain = {each.name: getattr(self, each.name) for each in fields(self)}
        return plain | {"figure": json.loads(self.figure.to_json())}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Content":
        """Return what `to_dict` wrote; JSON's lists become tuples."""
        return cls(
            **dict(values)
            | {
                "choices": tuple(values["choices"]),
                "exhibits": tuple((label, text) for label, text in values["exhibits"]),
                "figure": Figure(values["figure"]),
            }
        )


@dataclass(frozen=True, eq=False)
class Step:
    """A chapter, computed."""

    chapter: Chapter
    content: Content


@dataclass(frozen=True)
class Skipped:
    """A chapter that the data do not allow, and why; the reason may hold untrusted text."""

    chapter: Chapter
    reason: str


@dataclass(frozen=True, eq=False)
class Lesson:
    """The tour through one space.

    Attributes:
        recipe: What was measured; its calibrator is the default.
        steps: One per chapter, in the order of `CONTENTS`.
        sentences: The learner's own, untrusted text; none, two or three.
        versions: Of the packages that computed it.
    """

    recipe: Recipe
    steps: tuple[Step | Skipped, ...]
    sentences: tuple[str, ...] = ()
    versions: str = field(default_factory=versions)

    @property
    def command(self) -> str:
        """The command that writes it as an HTML file, quoted for a shell."""
        words = ["bertflow-lab", "report", "--tour", "--out", "lesson.html", *self.recipe.to_args()]
        for sentence in self.sentences:
            words += ["--sentence", sentence]
        return shlex.join(words)

    @property
    def takeaways(self) -> dict[int, list[str]]:
        """What to remember, by act."""
        found: dict[int, list[str]] = {}
        for step in self.steps:
            if isinstance(step, Step):
                found.setdefault(step.chapter.act, []).append(step.content.takeaway)
        return found

    @property
    def conclusion(self) -> str:
        """What calibration does, when it helps and when not, in a few words."""
        found = {step.chapter.name: step for step in self.steps}.get("agreement")
        here = _AGREEMENT[found.content.right] if isinstance(found, Step) else ""
        return (
            "Calibration takes away the vector that all sentences share, the cone, and evens out "
            f"their directions, without any labels. {here}It helps where a cone hides differences "
            "that the encoder has learnt; it does not where the cone is open already, as in the "
            "output of an encoder trained to compare sentences, where the sentences to learn from "
            "are too few, or where the encoder put no difference into the vectors."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` makes an equal one."""
        return {
            "generator": GENERATOR,
            "recipe": self.recipe.to_dict(),
            "sentences": list(self.sentences),
            "versions": self.versions,
            "steps": {
                step.chapter.name: step.content.to_dict() if isinstance(step, Step) else step.reason
                for step in self.steps
            },
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Lesson":
        """Return what `to_dict` wrote.

        Raises:
            KeyError: It has other chapters than this version.
        """
        found = ((chapter, values["steps"][chapter.name]) for chapter in CONTENTS)
        return cls(
            Recipe.from_dict(values["recipe"]),
            tuple(
                Skipped(chapter, each)
                if isinstance(each, str)
                else Step(chapter, Content.from_dict(each))
                for chapter, each in found
            ),
            tuple(values["sentences"]),
            values["versions"],
        )


@cache
def stored_lesson() -> Lesson:
    """Return the tour of the default recipe that ships, for all readers: nobody may change it.

    `report --tour --out tour.json` made it.
    """
    return Lesson.from_dict(json.loads(resource("results/tour.json").read_text(encoding="utf-8")))


def stored_for(recipe: Recipe) -> Lesson | None:
    """Return the stored lesson where it is of this recipe, whose calibrator does not count."""
    lesson = stored_lesson()
    return lesson if recipe.with_(calibrator=Recipe.calibrator) == lesson.recipe else None
