"""`bertflow-lab analyse sentences|spectrum|layers`: the geometry of a data set's sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.options import Format
from bertflow_core.recipe import Recipe

if TYPE_CHECKING:
    from bertflow_core.sentence_writers import Writers
    from bertflow_core.space_measures import Part

__all__ = ["layers", "sentences", "spectrum"]

DEFAULT_CALIBRATORS = ("identity", "flow")


@dataclass(frozen=True)
class _Asked:
    """What the options of a command ask for; the three commands have the same ones."""

    recipe: Recipe
    layers: tuple[str, ...]
    calibrators: tuple[str, ...]
    data_dir: Path | None
    device: str | None
    batch_tokens: int | None
    output: Format


def _asked(
    model: options.Model = Recipe.model,
    revision: options.Revision = None,
    layers: Annotated[
        list[str] | None,
        typer.Option(help="Layer set, repeatable: last, last2, first-last or layer:k."),
    ] = None,
    tokens: options.Tokens = Recipe.tokens,
    max_length: options.MaxLength = Recipe.max_length,
    dtype: options.Dtype = Recipe.dtype,
    dataset: options.Dataset = Recipe.dataset,
    layout: options.Layout = None,
    split: Annotated[str, typer.Option(help="Split whose pairs are aligned.")] = Recipe.split,
    data_dir: options.DataDir = None,
    sentence1: options.Sentence1 = None,
    sentence2: options.Sentence2 = None,
    score: options.Score = None,
    subset: options.Subset = None,
    scale: options.Scale = None,
    calibrator: Annotated[
        list[str] | None,
        typer.Option(help="Calibrator, repeatable; identity and flow by default."),
    ] = None,
    fit_on: options.FitOn = Recipe.fit_on,
    seed: options.Seed = Recipe.seed,
    device: options.Device = None,
    batch_tokens: options.BatchTokens = None,
    output: Annotated[
        Format, typer.Option("--format", help="Form of the result on standard output.")
    ] = Format.TABLE,
) -> _Asked:
    recipe = Recipe(
        model=model,
        revision=revision,
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
    )
    specs = tuple(calibrator or DEFAULT_CALIBRATORS)
    return _Asked(recipe, tuple(layers or ()), specs, data_dir, device, batch_tokens, output)


def _command(run: Callable[[_Asked], None]) -> Callable[..., None]:
    """Return a command with the name and help of `run` and the options of `_asked`."""

    @wraps(_asked)
    def command(*args: object, **given: object) -> None:
        run(_asked(*args, **given))  # type: ignore[arg-type]

    command.__name__, command.__doc__ = run.__name__, run.__doc__
    return command


@_command
def sentences(asked: _Asked) -> None:
    """Measure isotropy, spectrum, dimension, hubs, Gaussianity and holes; layer:4 by default."""
    from bertflow_core.sentence_writers import SENTENCE_WRITERS
    from bertflow_core.space_measures import Part

    _print(asked, asked.layers or (Recipe.layers,), tuple(Part), SENTENCE_WRITERS)


@_command
def spectrum(asked: _Asked) -> None:
    """Measure the singular spectrum; csv and json hold every singular value."""
    from bertflow_core.sentence_writers import SPECTRUM_WRITERS
    from bertflow_core.space_measures import Part

    _print(asked, asked.layers or (Recipe.layers,), (Part.CLOUD,), SPECTRUM_WRITERS)


@_command
def layers(asked: _Asked) -> None:
    """Measure every layer, or those that --layers names; csv and json hold every measure."""
    from bertflow_core.sentence_writers import LAYER_WRITERS
    from bertflow_core.space_measures import Part

    _print(asked, asked.layers, tuple(Part), LAYER_WRITERS)


def _print(
    asked: _Asked, layers: Sequence[str], parts: "Sequence[Part]", writers: "Writers"
) -> None:
    from bertflow_core.sentence_geometry import measure_sentences

    with progress_bars() as progress:
        found = measure_sentences(
            asked.recipe,
            layers,
            asked.calibrators,
            parts=parts,
            data_dir=asked.data_dir,
            device=asked.device,
            batch_tokens=asked.batch_tokens,
            progress=progress,
        )
    emit(writers[asked.output](found))
