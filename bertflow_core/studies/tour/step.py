"""The steps of the tour: their titles and pages, their form once computed, and their captions."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from bertflow_core.recipe import Recipe
from bertflow_core.studies.words.recipe import WordRecipe

if TYPE_CHECKING:
    from bertflow_core.figures import Figure

__all__ = [
    "CONTENTS",
    "Chapter",
    "Lesson",
    "Passed",
    "Step",
    "Told",
    "of_change",
    "origin",
    "origin_of_words",
    "shared_origin",
]


@dataclass(frozen=True)
class Chapter:
    """One step before anything is computed.

    Attributes:
        name: Its short name, of letters only.
        title: Its heading.
        page: The page of the app that goes further.
    """

    name: str
    title: str
    page: str


CONTENTS = (
    Chapter("sharing", "Words shared, or meaning?", "lexical"),
    Chapter("random", "Do any two sentences look alike?", "sentences"),
    Chapter("cone", "Is there a cone?", "wall"),
    Chapter("frequency", "Does frequency write itself into the vectors?", "words"),
    Chapter("opening", "What opens the cone?", "calibrate"),
    Chapter("gain", "Does it agree better with people?", "significance"),
    Chapter("meaning", "Does cosine follow the words?", "lexical"),
    Chapter("flow", "Inside the flow", "inside"),
    Chapter("layer", "Which layer?", "layers"),
    Chapter("last", "To calibrate, or not?", "advice"),
)

"""In the order of the tour."""


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

    @property
    def command(self) -> str:
        """The command that writes it as a page, quoted for a shell."""
        words = ["bertflow-lab", "report", "--tour", "--out", "lesson.html", *self.recipe.to_args()]
        return shlex.join(words)

    @property
    def versions(self) -> str:
        """What computed it."""
        return ", ".join(f"{name} {version(name)}" for name in _MADE_BY)


_RAW = Recipe.calibrator


def origin(
    recipe: Recipe,
    specs: Sequence[str] = (_RAW,),
    *,
    layers: str | None = None,
    also: Sequence[str] = (),
) -> str:
    """Return what decides the numbers of a step on sentences.

    Args:
        recipe: The choices; its calibrator and aggregation are not looked at.
        specs: The calibrators whose numbers are shown.
        layers: The layers that are shown; None is the recipe's own.
        also: What else decides them, such as how subsets are aggregated.
    """
    return "; ".join(
        [
            _space(recipe, layers or recipe.layers),
            _data(recipe),
            f"{_calibrated(specs, recipe.fit_on)}, seed {recipe.seed}",
            *also,
        ]
    )


def of_change(recipe: Recipe, n_draws: int) -> tuple[str, str]:
    """Return what decides a change of rho, and its interval, besides the pairs."""
    return f"aggregation {recipe.aggregation}", f"{n_draws:,} resamples"


def origin_of_words(recipe: WordRecipe) -> str:
    """Return what decides the mean norms of words, which no neighbour does."""
    bins = ", ".join(map(str, recipe.bins))
    return f"{_encoder(recipe)}, {recipe.table} table; counts {recipe.counts}; bins {bins}; {_RAW}"


def shared_origin(recipe: Recipe) -> str:
    """Return what all steps on sentences share, as sentences."""
    return (
        f"All steps on sentences share {_space(recipe)}; {_data(recipe)}; seed {recipe.seed}. What "
        f"is fitted is fitted on {recipe.fit_on}. The layers, the calibrators and whatever else "
        "decides the numbers of one step are named under it."
    )


def _space(recipe: Recipe, *layers: str) -> str:
    length = f"at most {recipe.max_length} tokens"
    return ", ".join([_encoder(recipe), *layers, f"{recipe.tokens} tokens", length, recipe.dtype])


def _encoder(recipe: Recipe | WordRecipe) -> str:
    return f"{recipe.model} at {recipe.revision[:12]}" if recipe.revision else recipe.model


def _data(recipe: Recipe) -> str:
    layout = f" ({recipe.layout})" if recipe.layout else ""
    return f"{recipe.dataset}{layout} {recipe.split}"


def _calibrated(specs: Sequence[str], fit_on: str) -> str:
    """Name calibrators, and what they are fitted on where one of them learns anything."""
    *before, last = specs
    named = f"{', '.join(before)} and {last}" if before else last
    return named if set(specs) <= {_RAW} else f"{named} fitted on {fit_on}"
