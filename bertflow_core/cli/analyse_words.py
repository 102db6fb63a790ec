"""`bertflow-lab analyse words`: the paper's Table 1, of any model and after any calibrator."""

from typing import Annotated

import typer

from bertflow_core.cli import options
from bertflow_core.cli.console import progress_bars
from bertflow_core.cli.figure_files import (
    Figures,
    Forms,
    figure_folder,
    write_report,
)
from bertflow_core.cli.options import Output, spec_option
from bertflow_core.report import Form
from bertflow_core.studies.words.recipe import WordRecipe, whole_numbers

_SWITCHES = "Switches"


def words(
    model: options.Model = WordRecipe.model,
    revision: options.Revision = None,
    counts: Annotated[
        str,
        typer.Option(
            help="File with a word and its count a line (word_counts/NAME.txt: also in the folder "
            "that BERTFLOW_DATA names), or wordfreq, or vocabulary (its order)."
        ),
    ] = WordRecipe.counts,
    bins: Annotated[
        str,
        typer.Option(
            help="Rising edges of the bins: 0,100,500 makes ranks 1 to 100 and 101 to 500."
        ),
    ] = ",".join(map(str, WordRecipe.bins)),
    k: Annotated[str, typer.Option(help="Numbers of nearest neighbours.")] = ",".join(
        map(str, WordRecipe.k)
    ),
    calibrator: Annotated[
        list[str] | None,
        spec_option("Calibrator, repeatable; identity is always there."),
    ] = None,
    seed: options.Seed = WordRecipe.seed,
    table: Annotated[
        str,
        typer.Option(
            help="Vectors before LayerNorm (raw) or after it (layer-norm).",
            rich_help_panel=_SWITCHES,
        ),
    ] = WordRecipe.table,
    whole: Annotated[
        str,
        typer.Option(
            "--words",
            help="whole tokens, or any: a ## piece where no whole token is the word.",
            rich_help_panel=_SWITCHES,
        ),
    ] = WordRecipe.words,
    ranks: Annotated[
        str,
        typer.Option(
            help="Places among the covered words, or in the list.", rich_help_panel=_SWITCHES
        ),
    ] = WordRecipe.ranks,
    digits: Annotated[
        str, typer.Option(help="keep or drop the words zero to nine.", rich_help_panel=_SWITCHES)
    ] = WordRecipe.digits,
    neighbours: Annotated[
        str,
        typer.Option(
            help="all rows, no-special (words and ## pieces), or whole words.",
            rich_help_panel=_SWITCHES,
        ),
    ] = WordRecipe.neighbours,
    itself: Annotated[
        str,
        typer.Option(
            help="exclude or include the word among its neighbours.", rich_help_panel=_SWITCHES
        ),
    ] = WordRecipe.itself,
    device: options.Device = None,
    output: Output = Form.TABLE,
    figures: Figures = None,
    figure_format: Forms = None,
) -> None:
    """Measure norm and neighbours of a model's word embeddings by how frequent the words are."""
    recipe = WordRecipe(
        model=model,
        revision=revision,
        counts=counts,
        bins=whole_numbers("--bins", bins),
        k=whole_numbers("--k", k),
        table=table,
        words=whole,
        ranks=ranks,
        digits=digits,
        neighbours=neighbours,
        itself=itself,
        seed=seed,
    )
    into = figure_folder(figures, figure_format)
    from bertflow_core.experiment import Lab
    from bertflow_core.studies.words.measure import compare_words
    from bertflow_core.studies.words.report import words_report

    lab = Lab(device=device)
    with progress_bars():
        results = compare_words(recipe, lab, calibrator or ())
    write_report(words_report(results), output, into)
