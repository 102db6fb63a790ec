"""The steps of the tour: their titles, what is computed for each, and their captions."""

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
    "Content",
    "Lesson",
    "Skipped",
    "Step",
    "of_change",
    "origin",
    "origin_of_words",
    "shared_origin",
]


@dataclass(frozen=True)
class Chapter:
    """A step before anything is computed.

    Attributes:
        name: Letters only.
        title: Its heading.
        page: The page of the app with more on the topic.
    """

    name: str
    title: str
    page: str


CONTENTS = (
    Chapter("sharing", "Shared words or shared meaning?", "lexical"),
    Chapter("random", "Are random sentences similar?", "sentences"),
    Chapter("cone", "Is there a cone?", "wall"),
    Chapter("frequency", "Can you read a word's frequency from its vector?", "words"),
    Chapter("opening", "What opens the cone?", "calibrate"),
    Chapter("gain", "Does calibration agree better with people?", "significance"),
    Chapter("meaning", "Does cosine follow words or meaning?", "lexical"),
    Chapter("flow", "Inside the flow", "inside"),
    Chapter("layer", "Which layer is best?", "layers"),
    Chapter("last", "Should you calibrate?", "advice"),
)
"""In the order of the tour."""


_MADE_BY = ("bertflow-lab", "numpy", "scipy", "torch", "transformers", "plotly")


@dataclass(frozen=True, eq=False)
class Content:
    """A question about a space, and its answer from the numbers.

    Attributes:
        text: The introduction.
        question: Answered before the picture is shown; trusted text, shown as Markdown.
        choices: Two to five answers; trusted text, shown as Markdown.
        right: Index of the right one.
        explanation: Why it is right, with the numbers.
        figure: The picture.
        alt: What it shows, for those who cannot see it.
        origin: What decides the numbers; see `origin`.
        exhibits: Texts to read first, by label; they may be untrusted.
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
    """

    recipe: Recipe
    steps: tuple[Step | Skipped, ...]

    @property
    def command(self) -> str:
        """The command that writes it as an HTML file, quoted for a shell."""
        words = ["bertflow-lab", "report", "--tour", "--out", "lesson.html", *self.recipe.to_args()]
        return shlex.join(words)

    @property
    def versions(self) -> str:
        """Versions of the packages that computed it."""
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
        recipe: The choices; its calibrator and aggregation are ignored.
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
