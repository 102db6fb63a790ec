"""Scores that were computed before and are shipped with the package, for a page's first seconds."""

import json
from dataclasses import dataclass

import numpy as np

from bertflow_core.files import resource
from bertflow_core.linalg import FloatArray
from bertflow_core.recipe import PLAIN, Recipe


@dataclass(frozen=True)
class TrackedResult:
    """One calibrator's numbers, computed before and shipped with the package.

    Attributes:
        recipe: What they depend on.
        n_pairs: Pairs that were scored.
        rho: Spearman's rho over all pairs.
        random_cosine: Mean cosine of random pairs.
        similarity: Cosine of each pair, shape (N,); of shape (0,) where it was not kept.
    """

    recipe: Recipe
    n_pairs: int
    rho: float
    random_cosine: float
    similarity: FloatArray

    @property
    def spec(self) -> str:
        """The calibrator."""
        return self.recipe.calibrator


def tracked_results(name: str) -> tuple[TrackedResult, ...]:
    """Return the results that `bertflow-lab evaluate --format json` wrote and the package ships.

    Args:
        name: Of the file in `data/results`, such as `teaching`.
    """
    rows = json.loads(resource(f"results/{name}.json").read_text(encoding="utf-8"))["rows"]
    return tuple(
        TrackedResult(
            recipe=Recipe.from_dict(result["recipe"]),
            n_pairs=result["n_pairs"],
            rho=result["spearman"]["all"],
            random_cosine=result["random_cosine"],
            similarity=np.array(result.get("similarity", [])),
        )
        for result in rows
        if result.get("vectors") != PLAIN
    )
