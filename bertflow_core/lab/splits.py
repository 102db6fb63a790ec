"""Dev chooses, another split is scored: the two recipes of a data set, and what is missing."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from bertflow_core.datasets.benchmarks import DEV, TEST
from bertflow_core.datasets.catalog import open_dataset
from bertflow_core.datasets.texts import need_targets
from bertflow_core.lab.lab import Lab
from bertflow_core.lab.recipe import Recipe

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Splits:
    """A recipe on the split that chooses and on the split that reports; the fit corpus is one."""

    dev: Recipe | None  # None if the data set has no dev split
    test: Recipe | None  # on the recipe's split; None if that is dev and there is no test split

    @property
    def present(self) -> tuple[Recipe, ...]:
        """The recipes of the splits that exist (at least one), dev before test."""
        return tuple(each for each in (self.dev, self.test) if each is not None)

    @property
    def is_apart(self) -> bool:
        """Whether one split chooses and another one reports."""
        return len(self.present) > 1

    @property
    def scored(self) -> Recipe:
        """The recipe of the reported split: test, or dev if there is no test."""
        return self.present[-1]

    @property
    def note(self) -> str:
        """What a missing split means for the choice; empty if both exist."""
        name = self.scored.dataset
        if self.dev is None:
            return (
                f"{name} has no dev split here, so nothing is chosen. A choice by the test score "
                "would overstate that score."
            )
        if self.test is None:
            return (
                f"{name} has no scored test split here. The choice is made on dev, so the score "
                "there is overstated."
            )
        return ""


def splits_of(recipe: Recipe, lab: Lab) -> Splits:
    """Return the recipes of dev and test; refuse data without gold scores before any embedding.

    Test is the recipe's split or, if that is dev, the test split, provided that it has gold scores.
    A table in `lab.tables` has no dev split.
    """
    if recipe.dataset in lab.tables:
        found = Splits(None, recipe)
    else:
        opened = open_dataset(recipe.dataset, **lab.recipe_data(recipe).options())
        # The recipe's own split is refused below if it does not exist.
        there = {*opened.splits} - {*opened.hidden} | {recipe.split}
        pair = (DEV, TEST if recipe.split == DEV else recipe.split)
        found = Splits(*(recipe.with_(split=each) if each in there else None for each in pair))
    for each in found.present:
        need_targets(lab.data(each))
    return found


def chosen_on_dev(dev: Mapping[K, float | None]) -> K | None:
    """Return the key of the best score on dev, the first of ties; None without a score."""
    known = {key: score for key, score in dev.items() if score is not None}
    return max(known, key=lambda key: known[key], default=None)
