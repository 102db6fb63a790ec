"""`bertflow-lab analyse sentences|spectrum|layers`: the geometry of a data set's sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from bertflow_core.cli.console import emit, progress_bars
from bertflow_core.cli.figure_files import (
    FigureFolder,
    Figures,
    Forms,
    figure_folder,
    write_figures,
)
from bertflow_core.cli.options import CALIBRATOR_NAMES, Asked, with_recipe
from bertflow_core.recipe import Recipe
from bertflow_core.report import Form

if TYPE_CHECKING:
    from bertflow_core.figures import Figure
    from bertflow_core.studies.sentences.measure import SentenceGeometry
    from bertflow_core.studies.sentences.report import Writers
    from bertflow_core.studies.sentences.space_measures import Part


DEFAULT_CALIBRATORS = ("identity", "flow")


@dataclass(frozen=True)
class _Choices:
    """What the three commands, which have the same options, are asked for."""

    asked: Asked
    layers: tuple[str, ...]
    calibrators: tuple[str, ...]
    output: Form
    into: FigureFolder | None


def _command(run: Callable[[_Choices], None]) -> Callable[..., None]:
    """Return a command with the name and help of `run`."""

    def command(
        asked: Asked,
        layers: Annotated[
            list[str] | None,
            typer.Option(help="Layer set, repeatable: last, last2, first-last or layer:k."),
        ] = None,
        calibrator: Annotated[
            list[str] | None,
            typer.Option(
                help=f"Calibrator, repeatable; identity and flow by default. {CALIBRATOR_NAMES}"
            ),
        ] = None,
        output: Annotated[
            Form, typer.Option("--format", help="Form of the result on standard output.")
        ] = Form.TABLE,
        figures: Figures = None,
        figure_format: Forms = None,
    ) -> None:
        specs = tuple(calibrator or DEFAULT_CALIBRATORS)
        into = figure_folder(figures, figure_format)
        run(_Choices(asked, tuple(layers or ()), specs, output, into))

    command.__name__, command.__doc__ = run.__name__, run.__doc__
    return with_recipe("layers", "aggregation")(command)


@_command
def sentences(chosen: _Choices) -> None:
    """Measure isotropy, spectrum, dimension, hubs, Gaussianity and holes; layer:4 by default."""
    from bertflow_core.studies.sentences.figures import sentence_figures
    from bertflow_core.studies.sentences.report import SENTENCE_WRITERS
    from bertflow_core.studies.sentences.space_measures import Part

    layers = chosen.layers or (Recipe.layers,)
    _print("sentences", chosen, layers, tuple(Part), SENTENCE_WRITERS, sentence_figures)


@_command
def spectrum(chosen: _Choices) -> None:
    """Measure the singular spectrum; csv and json hold every singular value."""
    from bertflow_core.studies.sentences.figures import spectrum_figures
    from bertflow_core.studies.sentences.report import SPECTRUM_WRITERS
    from bertflow_core.studies.sentences.space_measures import Part

    layers = chosen.layers or (Recipe.layers,)
    _print("spectrum", chosen, layers, (Part.CLOUD,), SPECTRUM_WRITERS, spectrum_figures)


@_command
def layers(chosen: _Choices) -> None:
    """Measure every layer, or those that --layers names; csv and json hold every measure."""
    from bertflow_core.studies.sentences.figures import layer_figures
    from bertflow_core.studies.sentences.report import LAYER_WRITERS
    from bertflow_core.studies.sentences.space_measures import Part

    _print("layers", chosen, chosen.layers, tuple(Part), LAYER_WRITERS, layer_figures)


def _print(
    name: str,
    chosen: _Choices,
    layers: Sequence[str],
    parts: "Sequence[Part]",
    writers: "Writers",
    draw: "Callable[[SentenceGeometry], dict[str, Figure]]",
) -> None:
    from bertflow_core.studies.sentences.measure import measure_sentences
    from bertflow_core.studies.sentences.report import measure_table, sentences_command

    with progress_bars() as progress:
        found = measure_sentences(
            chosen.asked.recipe,
            layers,
            chosen.calibrators,
            parts=parts,
            data_dir=chosen.asked.data_dir,
            device=chosen.asked.device,
            batch_tokens=chosen.asked.batch_tokens,
            progress=progress,
        )
    if chosen.into is not None:
        caption = " ".join(measure_table(found).remarks)
        command = sentences_command(found, name)
        write_figures(chosen.into, draw(found), caption=caption, command=command)
    emit(writers[chosen.output](found))
