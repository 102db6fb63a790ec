"""The steps of the tour as `steps.toml` declares them: what each asks of which study."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

__all__ = ["ACTS", "CONTENTS", "TEN_MINUTES", "Chapter"]

ACTS = (
    "Act one: what calibration does to natural text",
    "Act two: where it fails",
)


@dataclass(frozen=True)
class Chapter:
    """A step before anything is computed; its texts may hold values that `answers` gives.

    Attributes:
        name: Letters only.
        title: Its heading.
        page: The page of the app with more on the topic.
        act: 1 or 2.
        study: Whose report answers it.
        text: The introduction.
        question: Answered before the picture is shown.
        takeaways: What to remember, one for each answer; the last stands for all that follow.
        explanation: Why the answer is right, with the numbers.
        notes: What a speaker may say or ask, and the usual mistake.
        answers: To choose from; empty where the report decides them.
        core: Whether it is one of the seven steps of a ten-minute tour.
        calibrators: Those that the study measures.
        parameters: Of the study, where they are not the tour's.
        needs: What the data must have: grades, pairs, span.
        picture: Of the report; empty where the answer draws one of its rows.
        own: Spaces in which the cosines of the learner's sentences are told.
    """

    name: str
    title: str
    page: str
    act: int
    study: str
    text: str
    question: str
    takeaways: list[str]
    explanation: str
    notes: str
    answers: list[str]
    core: bool = False
    calibrators: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    picture: str = ""
    own: tuple[str, ...] = ()


def _declared() -> tuple[Chapter, ...]:
    text = (files(__package__) / "steps.toml").read_text(encoding="utf-8")
    return tuple(Chapter(**step) for step in tomllib.loads(text)["step"])


CONTENTS = _declared()
"""In the order of the tour."""

TEN_MINUTES = ", ".join(str(i) for i, each in enumerate(CONTENTS, start=1) if each.core)
"""The numbers of the core steps, in words."""
