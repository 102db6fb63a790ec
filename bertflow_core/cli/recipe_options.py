"""The options that make a recipe, written once for every command that takes one."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bertflow_core.cli import options
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.experiment import Lab

__all__ = ["Asked", "with_recipe"]


@dataclass(frozen=True)
class Asked:
    """What the shared options ask for.

    Attributes:
        recipe: The choices.
        data_dir: Where benchmark data lies.
        device: Where the encoder and a flow run.
        batch_tokens: Most tokens in one forward call.
    """

    recipe: Recipe
    data_dir: Path | None
    device: str | None
    batch_tokens: int | None

    @property
    def lab(self) -> "Lab":
        """The lab that they name."""
        from bertflow_core.experiment import Lab  # late: the command line starts without numpy

        return Lab(data_dir=self.data_dir, device=self.device, batch_tokens=self.batch_tokens)


def with_recipe(
    *without: str,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command, whose first argument is `Asked`, the options of a recipe after its own.

    Args:
        without: Shared options that it does not have; its own may have their names.
    """

    def give(run: Callable[..., None]) -> Callable[..., None]:
        shared = {
            name: each
            for name, each in inspect.signature(_asked).parameters.items()
            if name not in without
        }
        own = list(inspect.signature(run).parameters.values())[1:]

        def command(**given: Any) -> None:  # noqa: ANN401 - any option's type
            asked = _asked(**{name: given.pop(name) for name in shared})
            run(asked, **given)

        command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in (*own, *shared.values())]
        )
        command.__name__, command.__doc__ = run.__name__, run.__doc__
        return command

    return give


def _asked(
    model: options.Model = Recipe.model,
    revision: options.Revision = None,
    layers: options.Layers = Recipe.layers,
    tokens: options.Tokens = Recipe.tokens,
    max_length: options.MaxLength = Recipe.max_length,
    dtype: options.Dtype = Recipe.dtype,
    dataset: options.Dataset = Recipe.dataset,
    layout: options.Layout = None,
    split: Annotated[str, typer.Option(help="Split that is looked at.")] = Recipe.split,
    data_dir: options.DataDir = None,
    sentence1: options.Sentence1 = None,
    sentence2: options.Sentence2 = None,
    score: options.Score = None,
    subset: options.Subset = None,
    scale: options.Scale = None,
    fit_on: options.FitOn = Recipe.fit_on,
    seed: options.Seed = Recipe.seed,
    aggregation: Annotated[
        str, typer.Option(help="Rho over subsets: all pairs at once (all), mean or wmean.")
    ] = Recipe.aggregation,
    device: options.Device = None,
    batch_tokens: options.BatchTokens = None,
) -> Asked:
    recipe = Recipe(
        model=model,
        revision=revision,
        layers=layers,
        tokens=tokens,
        max_length=max_length,
        dtype=dtype,
        dataset=dataset,
        layout=layout,
        split=split,
        sentence1=sentence1,
        sentence2=sentence2,
        score=score,
        subset=subset,
        scale=scale,
        fit_on=fit_on,
        seed=seed,
        aggregation=aggregation,
    )
    return Asked(recipe, data_dir, device, batch_tokens)
