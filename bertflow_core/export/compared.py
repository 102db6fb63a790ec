"""What leaves beside the plain output that it replaces, on the pairs that people judged."""

from contextlib import suppress
from dataclasses import dataclass

from bertflow_core.calibrators.base import Calibrator
from bertflow_core.calibrators.registry import BASELINE
from bertflow_core.change import Change
from bertflow_core.contrasts import changes_of_rho
from bertflow_core.datasets import SentencePairs
from bertflow_core.errors import InputError
from bertflow_core.evaluation import pairwise_cosine
from bertflow_core.evaluation.inference import Interval, RhoComparison
from bertflow_core.lab import Lab
from bertflow_core.recipe import PLAIN, Recipe
from bertflow_core.text_table import percent


def loss(plain: float | None, taken: float | None) -> str:
    """Say that what leaves scores less than what it replaces; nothing where it does not."""
    if plain is None or taken is None or round(100 * (plain - taken), 2) <= 0:
        return ""
    return (
        f"What you would take scores {percent(taken)}; what it replaces, the model's {PLAIN}, "
        f"scores {percent(plain)}. Leave it alone, unless you need these layers."
    )


@dataclass(frozen=True)
class Compared:
    """The plain output, the layers uncalibrated, and what leaves."""

    names: tuple[str, ...]  # in this order; the first is missing where it cannot be had or is next
    pairs: SentencePairs  # what they score on
    changes: RhoComparison  # their scores, and the changes between them
    is_seen: bool  # whether sentences of the pairs were among those fitted on

    @property
    def loss(self) -> str:
        """That what leaves scores less than the plain output; nothing where it does not."""
        rhos = self.changes.rhos
        return loss(rhos[0], rhos[-1]) if self.names[0].startswith(PLAIN) else ""

    def table(self) -> str:
        """Return the scores and their changes, with 95 % intervals, as Markdown."""
        tests, before = self.changes, self.names[-2]
        against = [*dict.fromkeys((self.names[0], before))]
        told = [(name, other) for name in self.names for other in against if name != other]
        changes = {
            (each.name, each.other): f"{100 * (each.change.difference or 0):+.2f}"
            f"{_ends(each.change, sign='+')}"
            for each in tests.differences(told)
        }
        others = [f"against {other.partition(' of ')[0]}" for other in against]
        lines = [["vectors", f"{tests.metric.title} x 100", *others], ["---"] * (2 + len(others))]
        for name, rho in zip(self.names, tests.rhos, strict=True):
            score = percent(rho) + _ends(tests.interval(name), sign="")
            lines.append([name, score, *(changes.get((name, other), "") for other in against)])
        return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def compared(recipe: Recipe, fitted: Calibrator, lab: Lab) -> Compared | None:
    """Score a fitted calibrator beside what it replaces; None where nobody judged the pairs."""
    pairs = lab.pairs(recipe)
    if pairs.judged is None:
        return None
    prepared = lab.prepare(recipe)
    sides = (prepared.x_first, prepared.x_second)
    is_plain = recipe.with_(calibrator=BASELINE) == recipe.plain
    plain = f"{PLAIN} of {recipe.model}"
    cosines = {
        plain if is_plain else f"{recipe.layers}, uncalibrated": pairwise_cosine(*sides),
        f"{recipe.layers}, {recipe.calibrator}": pairwise_cosine(*map(fitted.transform, sides)),
    }
    with suppress(InputError):  # a folder that declares what is not run here has no such row
        cosines = cosines if is_plain else {plain: lab.plain(recipe).similarity, **cosines}
    return Compared(
        tuple(cosines),
        pairs,
        changes_of_rho(cosines, pairs, recipe, baseline=next(iter(cosines))),
        is_seen=prepared.corpus.n_among(pairs.sentences()) > 0,
    )


def _ends(interval: Interval | Change, *, sign: str) -> str:
    ends = (interval.low, interval.high)
    low, high = (format(100 * (end or 0), f"{sign}.2f") for end in ends)
    return f" ({low} to {high})"
