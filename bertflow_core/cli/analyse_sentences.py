"""`bertflow-lab analyse sentences|spectrum|layers`: the geometry of a data set's sentences."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import (
    FigureFolder,
    Figures,
    Forms,
    figure_folder,
    write_report,
)
from bertflow_core.cli.options import Asked, Output, spec_option, with_recipe
from bertflow_core.recipe import Recipe
from bertflow_core.report import Form

if TYPE_CHECKING:
    from bertflow_core.old_report import Report
    from bertflow_core.studies.sentences.measure import SentenceGeometry
    from bertflow_core.studies.sentences.measures import Part


DEFAULT_CALIBRATORS = ("identity", "flow")


@dataclass(frozen=True)
class _Choices:
    """The options of the three commands, which have the same ones."""

    asked: Asked
    calibrators: tuple[str, ...]
    output: Form
    into: FigureFolder | None


def _command(run: Callable[[_Choices], None]) -> Callable[..., None]:
    """Return a command with the name and help of `run`."""

    def command(
        asked: Asked,
        calibrator: Annotated[
            list[str] | None,
            spec_option("Calibrator, repeatable; identity and flow by default."),
        ] = None,
        output: Output = Form.TABLE,
        figures: Figures = None,
        figure_format: Forms = None,
    ) -> None:
        specs = tuple(calibrator or DEFAULT_CALIBRATORS)
        into = figure_folder(figures, figure_format)
        run(_Choices(asked, specs, output, into))

    command.__name__, command.__doc__ = run.__name__, run.__doc__
    return with_recipe("aggregation", several_layers=True)(command)


@_command
def sentences(chosen: _Choices) -> None:
    """Measure isotropy, spectrum, dimension, hubs, Gaussianity and holes; layer:4 by default."""
    from bertflow_core.studies.sentences.measures import Part
    from bertflow_core.studies.sentences.report import sentences_report

    _write(chosen, sentences_report, chosen.asked.layers or (Recipe.layers,), tuple(Part))


@_command
def spectrum(chosen: _Choices) -> None:
    """Measure the singular spectrum; csv and json hold every singular value."""
    from bertflow_core.studies.sentences.measures import Part
    from bertflow_core.studies.sentences.report import spectrum_report

    _write(chosen, spectrum_report, chosen.asked.layers or (Recipe.layers,), (Part.CLOUD,))


@_command
def layers(chosen: _Choices) -> None:
    """Measure every layer, or those that --layers names; csv and json hold every measure."""
    from bertflow_core.studies.sentences.measures import Part
    from bertflow_core.studies.sentences.report import layers_report

    _write(chosen, layers_report, chosen.asked.layers, tuple(Part))


def _write(
    chosen: _Choices,
    report: "Callable[[SentenceGeometry], Report]",
    layers: Sequence[str],
    parts: "Sequence[Part]",
) -> None:
    from bertflow_core.studies.sentences.measure import measure_sentences

    asked = chosen.asked
    with progress_bars():
        geometry = measure_sentences(
            asked.recipe, asked.lab, layers, chosen.calibrators, parts=parts
        )
    write_report(report(geometry), chosen.output, chosen.into)
