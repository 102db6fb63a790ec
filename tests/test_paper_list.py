"""docs/paper.md: every command it names is one, every page exists, every row is numbered."""

import re
import shlex
from pathlib import Path

import pytest
import typer
from bertflow_app.navigation import PAGES

from bertflow_core.calibrators.registry import check_spec
from bertflow_core.cli.main import program
from bertflow_core.studies.reproduce.items import items_called

TEXT = (Path(__file__).parent.parent / "docs" / "paper.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in TEXT.splitlines()
    if re.match(r"\| \d+ \|", line)
]


def test_every_item_is_numbered_and_has_a_page_a_command_or_a_reason():
    assert [int(row[0]) for row in ROWS] == list(range(1, len(ROWS) + 1))
    assert len(ROWS) >= 46
    titles = {title for page in PAGES.values() for title in (page.title, *page.views.values())}
    for row in ROWS:
        _, item, _, page, command, remark = row
        assert page in titles | {""}, item
        assert command or remark, item


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_its_command_can_be_parsed(row):
    commands = re.findall(r"`(bertflow-lab [^`]+)`", row[4])
    assert commands or row[5]
    for text in commands:
        words = shlex.split(text)[1:]
        command = typer.main.get_command(program())
        while hasattr(command, "commands"):
            command = command.commands[words.pop(0)]
        given = command.make_context(command.name, words).params
        for spec in given.get("calibrator") or ():
            check_spec(spec)
        items_called(given.get("item") or ())
