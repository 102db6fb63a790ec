"""The reference of the command line: what every command says with --help."""

from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from bertflow_core.cli.main import program

__all__ = ["pages"]


def pages() -> dict[str, str]:
    """Return the page, by its file name."""
    text = "".join(_sections((), get_command(program())))
    return {"reference/commands.md": f"# Commands\n\nWhat each says with `--help`.\n\n{text}"}


def _sections(path: tuple[str, ...], command: Any) -> list[str]:  # noqa: ANN401 - typer's own
    environment = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}
    told = CliRunner().invoke(program(), [*path, "--help"], env=environment).output
    title = " ".join(("bertflow-lab", *path))
    own = f"## {title}\n\n```text\n{told.strip()}\n```\n\n"
    inner = getattr(command, "commands", {}).items()
    return [own, *(text for name, each in inner for text in _sections((*path, name), each))]
