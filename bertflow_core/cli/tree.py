"""The commands by name: a command's module is imported only if the command is named."""

from collections.abc import Collection, Mapping
from importlib import import_module

import typer

from bertflow_core.studies import STUDIES, study_of

ENTRIES = {  # command: module and name in it, summary
    "app": ("app:app", "Serve the dashboard; stop it with Ctrl-C."),
    "evaluate": STUDIES["evaluate"],
    "ledger": STUDIES["ledger"],
    "embed": (
        "vectors:embed",
        "Embed sentences and write their vectors, one row per sentence, in order.",
    ),
    "fit": (
        "vectors:fit",
        "Fit a calibrator on the sentences of a data set or text file, or on vectors; save it.",
    ),
    "calibrate": (
        "vectors:calibrate",
        "Calibrate vectors; sentences are embedded first, with the recipe saved in the calibrator.",
    ),
    "export": (
        "export:export",
        "Export encoder and calibrator as a sentence-transformers model, and check its vectors.",
    ),
    "report": (
        "pages:report",
        "Write the guided tour, with figures of your data, as one HTML file that works offline.",
    ),
    "reproduce": ("pages:reproduce", STUDIES["reproduce"][1]),
    "site": (
        "pages:site",
        "Write tour, flow, cone and walls as static pages for disk or any web server.",
    ),
    "analyse": ("", "Measure the geometry of words and sentences, and lexical bias."),
    "data": (
        "data:COMMANDS",
        "List the data sets, fetch them by name, or list the cache.",
    ),
}

ANALYSES = {  # the commands of `analyse`: studies, and the wall
    **{name: each for name, each in STUDIES.items() if name not in ENTRIES},
    "wall": (
        "pages:wall",
        "Write the wall as one offline page with linked panes, lasso, search and neighbours.",
    ),
}


def names() -> frozenset[str]:
    """Return the names of all commands, including those of `analyse`."""
    return frozenset(ENTRIES | ANALYSES)


def add_commands(
    program: typer.Typer, named: Collection[str], entries: Mapping[str, tuple[str, str]] = ENTRIES
) -> None:
    """Add every command: the `named` ones with options, all others with only a line of help."""
    for name, (target, summary) in entries.items():
        if name not in named:
            program.command(name, help=summary)(_not_named)
        elif name == "analyse":
            group = typer.Typer(help=summary, no_args_is_help=True)
            add_commands(group, named, ANALYSES)
            program.add_typer(group, name=name)
        elif STUDIES.get(name) == (target, summary):
            from bertflow_core.cli.study_command import study_command

            program.command(name)(study_command(study_of(name)))
        else:
            module, _, attribute = target.partition(":")
            found = getattr(import_module(f"bertflow_core.cli.{module}"), attribute)
            if isinstance(found, typer.Typer):
                program.add_typer(found, name=name)
            else:
                program.command(name)(found)


def _not_named() -> None:
    raise AssertionError("only commands that are named on the command line can run")
