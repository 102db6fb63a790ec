"""Work that outlives a reload, is done once for all who ask, and ends when the last one stops it.

The server's work waits for a file before it begins, so that each test decides how long it takes.
"""

import itertools
from dataclasses import dataclass
from pathlib import Path

import lab_server
import pytest
from lab_pages import press, table_with

HELD = """
import time
from pathlib import Path
from bertflow_core.experiment import Lab

folder, evaluate = Path({folder!r}), Lab.evaluate

def note(seed, what):
    with (folder / f"{{seed}}.log").open("a") as log:
        log.write(what + " ")

def held(lab, recipe, specs, *, progress):
    note(recipe.seed, "started")
    try:
        while not (folder / f"{{recipe.seed}}.go").exists():
            progress(1, 4, "sheep")
            time.sleep(0.02)
        results = evaluate(lab, recipe, specs, progress=progress)
    except BaseException:
        note(recipe.seed, "stopped")
        raise
    note(recipe.seed, "ended")
    return results

Lab.evaluate = held
"""
COUNTED = "1 of 4 sheep"
SEEDS = itertools.count(1)


@dataclass
class Held:
    """One computation that waits until it is let go."""

    server: lab_server.Server
    folder: Path
    seed: int

    @property
    def address(self):
        return f"/calibrate?calibrators=standardize&seed={self.seed}"

    @property
    def log(self):
        return (self.folder / f"{self.seed}.log").read_text().split()

    def let_go(self):
        (self.folder / f"{self.seed}.go").touch()


@pytest.fixture(scope="module")
def held_server(tmp_path_factory):
    home = tmp_path_factory.mktemp("held")
    folder = lab_server.strange_folder(home / "start")
    server = lab_server.start(folder, home / "cache", patch=HELD.format(folder=str(home)))
    yield server, home
    server.stop()


@pytest.fixture
def work(held_server):
    return Held(*held_server, next(SEEDS))


def sees_the_bar(page):
    page.get_by_test_id("stProgress").get_by_text(COUNTED).wait_for()


def ends_with_the_table(page):
    page.get_by_role("heading", name="Before and after").wait_for()
    assert [row[0] for row in table_with(page, "Calibrator", 2)] == ["identity", "standardize"]


def test_a_reload_finds_the_running_work_and_its_end(visit, work):
    page = visit(work.address, server=work.server)
    press(page, "Calibrate")
    sees_the_bar(page)
    page.reload()
    sees_the_bar(page)
    work.let_go()
    ends_with_the_table(page)
    page.reload()
    ends_with_the_table(page)
    assert work.log == ["started", "ended"]


def test_visitors_who_ask_for_the_same_share_one_computation(visit, work):
    pages = [visit(work.address, server=work.server) for _ in range(3)]
    for page in pages:
        press(page, "Calibrate")
        sees_the_bar(page)
    stopping, staying, leaving = pages
    leaving.close()
    press(stopping, "Stop")
    stopping.get_by_text("Somebody else waits").wait_for()
    sees_the_bar(staying)
    work.let_go()
    ends_with_the_table(staying)
    ends_with_the_table(stopping)
    assert work.log == ["started", "ended"]


def test_stop_stops_and_the_button_starts_it_again(visit, work):
    page = visit(work.address, server=work.server)
    press(page, "Calibrate")
    sees_the_bar(page)
    press(page, "Stop")
    page.get_by_text("Stopped. What was embedded so far is kept").wait_for()
    assert page.get_by_test_id("stProgress").count() == 0
    assert work.log == ["started", "stopped"]
    work.let_go()
    press(page, "Calibrate")
    ends_with_the_table(page)
    assert work.log == ["started", "stopped", "started", "ended"]
