"""The result of a sweep: rho at each value of a parameter, and the value that dev chooses."""

from dataclasses import dataclass
from typing import Any

from bertflow_core.analysis.loadings import DirectionLoadings
from bertflow_core.calibrators.registry import set_option
from bertflow_core.params import Value
from bertflow_core.recipe import Recipe

__all__ = ["ClosedForms", "Sweep"]


@dataclass(frozen=True)
class Sweep:
    """Rho under the recipe's aggregation at each value of one parameter, in [-1, 1].

    A rho is None where it is undefined; with several seeds every number is the mean of the fits.

    Attributes:
        recipe: Of the split that is reported; its calibrator is the spec that is swept.
        parameter: What is swept.
        values: V different values, in the order asked for.
        dev: Rho on the dev split, length V; None where there is none.
        test: Rho on the split that the recipe scores, length V; None where there is none.
        random_cosine: Mean cosine of 10,000 random pairs of the reported sentences, length V.
        seeds: One per fit of each value.
        note: What is missing and what follows; None where nothing is missing.
    """

    recipe: Recipe
    parameter: str
    values: tuple[Value, ...]
    dev: tuple[float | None, ...] | None
    test: tuple[float | None, ...] | None
    random_cosine: tuple[float, ...]
    seeds: tuple[int, ...]
    note: str | None

    @property
    def chosen(self) -> int | None:
        """Index in `values` of the best rho on dev, the first of equals; None without dev."""
        known = [(rho, -i) for i, rho in enumerate(self.dev or ()) if rho is not None]
        return -max(known)[1] if known else None

    def recipe_at(self, index: int) -> Recipe:
        """Return the recipe with the value at that index: the recipe of its number."""
        spec = set_option(self.recipe.calibrator, self.parameter, self.values[index])
        return self.recipe.with_(calibrator=spec)

    def to_records(self) -> list[dict[str, Any]]:
        """Return one record per value, JSON-able."""
        nothing = (None,) * len(self.values)
        columns = zip(
            self.values, self.dev or nothing, self.test or nothing, self.random_cosine, strict=True
        )
        return [
            {
                "calibrator": self.recipe_at(i).calibrator,
                "parameter": self.parameter,
                "value": value,
                "dev": dev,
                "test": test,
                "random_cosine": cosine,
                "chosen": i == self.chosen,
            }
            for i, (value, dev, test, cosine) in enumerate(columns)
        ]


@dataclass(frozen=True)
class ClosedForms:
    """The sweeps that need no training, and what the removed directions stand for.

    Attributes:
        null_top_k: Along k.
        components: Along the directions that whitening keeps.
        shrinkage: Along the weight of the identity in whitening's covariance.
        directions: The leading directions, the largest variance first.
    """

    null_top_k: Sweep
    components: Sweep
    shrinkage: Sweep
    directions: tuple[DirectionLoadings, ...]
