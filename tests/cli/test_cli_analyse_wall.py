"""`analyse wall`: a page with its points, what decides it, and what it will not overwrite."""

import base64
import re
import shlex

import pytest

from bertflow_core.studies.wall import page as module
from bertflow_core.studies.wall.payload import header_of

HOSTILE = "</script><script>alert(1)</script>"


@pytest.fixture
def command(tiny_elsewhere, table):
    text = table.read_text(encoding="utf-8").splitlines()
    text[1] = text[1].replace(text[1].split(",")[0], f'"{HOSTILE}"', 1)
    table.write_text("\n".join(text) + "\n", encoding="utf-8")
    return ("analyse", "wall", *tiny_elsewhere, "--dataset", table, "--out")


def header(path):
    page = path.read_text(encoding="utf-8")
    (payload,) = re.findall(r'id="payload">([^<]*)<', page)
    return page, header_of(base64.b64decode(payload))


def test_the_page_holds_rows_panes_neighbours_and_the_command_that_makes_it(lab, command, here):
    options = ("--layers", "layer:1", "--layers", "layer:2", "--calibrator", "whiten")
    outcome = lab(*command, "mine.html", *options, "--max-rows", 12)
    assert (outcome.code, outcome.out) == (0, "")
    page, found = header(here / "mine.html")
    assert found["n"] == 12
    assert [each["k"] for each in found["neighbours"]] == [10, 10]
    assert [each["name"] for each in found["panes"]] == ["layer:1, whiten", "layer:2, whiten"]
    assert "alert(1)" not in page  # a text stands in the payload alone
    (again,) = re.findall(r"Made by: ([^<]*)", page)
    words = shlex.split(again.replace("&#39;", "'"))
    assert lab(*words[1:], "--device", "cpu").code == 0
    _, second = header(here / "wall.html")
    assert second["content"] == found["content"]


def test_a_page_is_bounded(refuses, command, monkeypatch):
    refuses(*command, "wall.html", "--max-rows", 20_001, words="at most 20,000 rows, got 20,001")
    monkeypatch.setattr(module, "MAX_PAGE_BYTES", 1000)
    refuses(*command, "wall.html", "--layers", "layer:2", words="show fewer rows or panes")
