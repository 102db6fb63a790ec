"""What a user asks to be made again, and with which encoder."""

import shlex
from dataclasses import dataclass

from bertflow_core.encoders.catalog import is_here
from bertflow_core.lab import Lab
from bertflow_core.params import option_words
from bertflow_core.recipe import Recipe
from bertflow_core.studies.reproduce.items import Item

__all__ = ["FLOW", "Request", "encoders_of"]

FLOW = "flow:preset=paper"
"""The flow as the paper says; Tables 2 to 8 and both figures use it."""

_DEFAULTS = {"seed": 0, "seeds": 1, "bootstrap": 2_000}


@dataclass(frozen=True)
class Request:
    """The choices that decide the numbers.

    Attributes:
        lab: Where data and embeddings are kept, and what computes.
        models: Encoders; empty takes the paper's where its weights are here, else the embedded one.
        seed: Random seed, the first of several.
        n_seeds: Fits of a flow.
        n_draws: Resamples of the pairs for intervals.
    """

    lab: Lab
    models: tuple[str, ...] = ()
    seed: int = 0
    n_seeds: int = 1
    n_draws: int = 2_000

    def command(self, item: Item) -> str:
        """Return the command that makes an item again, quoted for a shell."""
        words = ["bertflow-lab", "reproduce", item.name]
        for model in self.models:
            words += option_words("--model", model)
        for name, value in (
            ("seed", self.seed),
            ("seeds", self.n_seeds),
            ("bootstrap", self.n_draws),
        ):
            if value != _DEFAULTS[name]:
                words += [f"--{name}", str(value)]
        return shlex.join(words)


def encoders_of(item: Item, request: Request) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the encoders to measure, and what to say where they are not the paper's."""
    if request.models:
        return request.models, ()
    if item.encoder is None or is_here(item.encoder):
        return (item.encoder or Recipe.model,), ()
    return (Recipe.model,), (
        f"The weights of {item.encoder} are not on this machine, so that the embedded model "
        f"{Recipe.model} is measured: --model {item.encoder} fetches them.",
    )
