"""The program of all commands; a failure is reported as one sentence and an exit code."""

import os
import sys
import warnings
from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from bertflow_core.cli.console import emit, say
from bertflow_core.cli.tree import add_commands, names
from bertflow_core.errors import explain
from bertflow_core.wording import reason, shortened

INTERRUPTED = 130
_MAX_USAGE = 500
_COMPLETES = "_BERTFLOW_LAB_COMPLETE"
"""The variable by which a shell asks for completions."""


def _show_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        emit(f"bertflow-lab {version('bertflow-lab')}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Calibrate sentence embeddings, measure what it changes, and explore it in a browser."""


def program(named: Collection[str] | None = None) -> typer.Typer:
    """Return the program; a command that is not `named` is a stub with one line of help."""
    commands = typer.Typer(
        name="bertflow-lab", no_args_is_help=True, pretty_exceptions_enable=False
    )
    commands.callback()(_options)
    add_commands(commands, names() if named is None else named)
    return commands


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its code.

    0 is success, 2 bad usage or input, 1 a failure of disk or network, 130 an interrupt.
    """
    warnings.showwarning = _show_warning
    try:
        words = list(sys.argv[1:] if args is None else args)
        code = _command(_named(words))(words, standalone_mode=False)
        if code == INTERRUPTED:  # typer returns it after Ctrl-C, without a message
            raise KeyboardInterrupt
    except TyperException as error:
        _fail(shortened(error.format_message(), _MAX_USAGE), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        _fail("interrupted; what was computed so far is kept", INTERRUPTED)
    except Exception as error:
        known = explain(error)
        if os.environ.get("BERTFLOW_DEBUG") and known is not error:
            raise
        if known is not None:
            _fail(str(known), known.exit_code)
        what = f"{type(error).__name__}: {reason(error)}"
        _fail(f"unexpected {what} (BERTFLOW_DEBUG=1 shows where)", 1)
    sys.exit(code if isinstance(code, int) else 0)


def _named(words: Sequence[str]) -> frozenset[str]:
    """Return the commands that a line names, or all commands if a shell asks for completions."""
    return names() if _COMPLETES in os.environ else names() & {*words}


@cache
def _command(named: frozenset[str]) -> Callable[..., object]:
    """Return the top-level command, built once per process to save milliseconds."""
    return get_command(program(named))


def _fail(sentence: str, code: int) -> NoReturn:
    if sentence:
        say(f"bertflow-lab: {sentence}")
    sys.exit(code)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Show a warning as one sentence, without the line of code that raised it."""
    say(f"bertflow-lab: warning: {message}")
