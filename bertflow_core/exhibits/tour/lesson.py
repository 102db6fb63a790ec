"""The tour: the steps that `steps.toml` declares, computed steps, and the stored tour."""

import json
import shlex
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from bertflow_core.errors import InputError
from bertflow_core.figures import Figure
from bertflow_core.lab.recipe import Recipe
from bertflow_core.runtime.shipped import resource

ACTS = (
    "Act one: why cosine fails",
    "Act two: what makes them alike?",
    "Act three: what calibration does",
    "Act four: where it fails",
)

GENERATOR = "bertflow-lab report"  # a mark near the beginning of every file with a lesson

# A conclusion for each answer of the step `agreement`.
_AGREEMENT = (
    "Here, calibration makes cosine agree better with people. ",
    "Here, calibration makes cosine agree worse with people. ",
    "Here, calibration does not measurably change how well cosine agrees with people. ",
)
MAX_OWN = 3  # sentences of the learner's own
MAX_CHARACTERS = 300  # of each of them


@dataclass(frozen=True)
class Chapter:
    """A step before anything is computed; `answers` fills the placeholders in its texts."""

    name: str  # letters only
    title: str
    page: str  # of the app, with more on the topic
    act: int  # 1 to 4
    study: str  # the study whose report answers it
    text: str  # the introduction
    question: str  # answered before the picture is shown
    takeaways: list[str]  # one for each answer; the last also serves further answers
    explanation: str  # why the answer is right, with the numbers
    notes: str  # for a speaker: what to say or ask, and a common mistake
    answers: list[str]  # to choose from; empty if they follow from the report
    core: bool = False  # whether it belongs to a ten-minute tour
    calibrators: tuple[str, ...] = ()  # that the study measures
    parameters: Mapping[str, Any] = field(default_factory=dict)  # in place of the tour's
    needs: tuple[str, ...] = ()  # what the data must have: gold, pairs, span
    recorded: str = ""  # a stored report, used in place of running its model
    picture: str = ""  # of the report; empty if `answers` draws it
    own: tuple[str, ...] = ()  # spaces in which the learner's own sentences are compared


_STEPS = (files(__package__) / "steps.toml").read_text(encoding="utf-8")

CONTENTS = tuple(Chapter(**step) for step in tomllib.loads(_STEPS)["step"])
"""The steps in the order of the tour."""

TEN_MINUTES = ", ".join(str(i) for i, each in enumerate(CONTENTS, start=1) if each.core)
"""The core steps' places in the tour, as text."""

_MADE_BY = ("bertflow-lab", "numpy", "scipy", "torch", "transformers", "plotly")


def versions() -> str:
    """Name the packages that compute numbers here, with their versions."""
    return ", ".join(f"{name} {version(name)}" for name in _MADE_BY)


@dataclass(frozen=True, eq=False)
class Content:
    """A question about a space, and its answer from the numbers."""

    text: str  # the introduction
    question: str  # answered before the picture is shown; trusted text
    choices: tuple[str, ...]  # two to eight answers; trusted text
    right: int  # index of the right answer
    takeaway: str  # what to remember, in one sentence with its number
    explanation: str  # why the answer is right, with the numbers
    figure: Figure = field(repr=False)
    origin: str  # what decides the numbers, and the command that makes them
    exhibits: tuple[tuple[str, str], ...] = ()  # texts to read first, by label; may be untrusted
    own: str = ""  # what the step finds for the learner's own sentences

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` rebuilds an equal object."""
        return {**vars(self), "figure": json.loads(self.figure.to_json())}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Content":
        """Read the result of `to_dict`; JSON's lists become tuples."""
        tuples = {"choices": tuple(values["choices"]), "exhibits": tuple(values["exhibits"])}
        return cls(**{**values, **tuples, "figure": Figure(values["figure"])})


@dataclass(frozen=True, eq=False)
class Lesson:
    """The tour through one space."""

    recipe: Recipe  # what was measured; its calibrator is the default
    # One for each chapter of `CONTENTS`. If the data do not allow a step, the reason stands in its
    # place; it may hold untrusted text.
    steps: tuple[Content | str, ...]
    sentences: tuple[str, ...] = ()  # the learner's own, untrusted text; none, two or three
    versions: str = field(default_factory=versions)  # of the packages that computed it

    @property
    def command(self) -> str:
        """The command that writes the tour as an HTML file, quoted for a shell."""
        words = ["bertflow-lab", "report", "--out", "lesson.html", *self.recipe.to_args()]
        return shlex.join([*words, *(w for text in self.sentences for w in ("--sentence", text))])

    @property
    def told(self) -> dict[str, Content]:
        """The computed steps, by the name of their chapter."""
        found = zip(CONTENTS, self.steps, strict=True)
        return {chapter.name: step for chapter, step in found if isinstance(step, Content)}

    @property
    def takeaways(self) -> dict[int, list[str]]:
        """What to remember, by act."""
        found: dict[int, list[str]] = {}
        for chapter in CONTENTS:
            if chapter.name in self.told:
                found.setdefault(chapter.act, []).append(self.told[chapter.name].takeaway)
        return found

    @property
    def conclusion(self) -> str:
        """Say in a few words what calibration does, and when it helps."""
        agreement = self.told.get("agreement")
        here = _AGREEMENT[agreement.right] if agreement else ""
        return (
            "Calibration removes the vector that all sentences share and evens out their "
            f"directions, without labels. {here}It helps where a cone hides differences that the "
            "encoder has learnt. It does not help where the cone is already open (as in the "
            "output of an encoder trained to compare sentences), where there are too few "
            "sentences to fit on, or where the vectors do not hold the difference at all."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, from which `from_dict` rebuilds an equal object."""
        steps = [step if isinstance(step, str) else step.to_dict() for step in self.steps]
        return {
            "generator": GENERATOR,
            "recipe": self.recipe.to_dict(),
            "sentences": list(self.sentences),
            "versions": self.versions,
            "steps": dict(zip((each.name for each in CONTENTS), steps, strict=True)),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Lesson":
        """Read the result of `to_dict`; raise a KeyError if its chapters are not this version's."""
        found = [values["steps"][chapter.name] for chapter in CONTENTS]
        steps = [each if isinstance(each, str) else Content.from_dict(each) for each in found]
        recipe, sentences = Recipe.from_dict(values["recipe"]), tuple(values["sentences"])
        return cls(recipe, tuple(steps), sentences, values["versions"])


def check_own(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the two or three typed sentences, stripped, or none; refuse other numbers."""
    found = tuple(text.strip() for text in texts if text.strip())
    if len(found) == 1 or len(found) > MAX_OWN:
        raise InputError(f"type 2 or {MAX_OWN} sentences of your own, or none: got {len(found)}")
    if len(set(found)) < len(found):
        raise InputError("two of your sentences are the same: change one of them")
    if any(len(text) > MAX_CHARACTERS for text in found):
        raise InputError(f"a sentence of yours is longer than {MAX_CHARACTERS} characters")
    return found


@cache
def stored_lesson() -> Lesson:
    """Return the shipped tour, made by `report --out tour.json`; all callers share it."""
    return Lesson.from_dict(json.loads(resource("results/tour.json").read_text(encoding="utf-8")))


def stored_for(recipe: Recipe) -> Lesson | None:
    """Return the stored lesson if it is of this recipe, whose calibrator is ignored."""
    lesson = stored_lesson()
    return lesson if recipe.with_(calibrator=Recipe.calibrator) == lesson.recipe else None
