"""Work that outlives a reload, is done once for all who ask, and ends when the last one stops it.

The server's work waits for a file before it begins, so that each test decides how long it takes.
"""

import pytest
from held_work import HeldWork
from lab_pages import press, sees, table_with, wait_for

COUNTED = "1 of 4 sheep"


@pytest.fixture
def work(server):
    return HeldWork(server)


def sees_the_bar(page):
    sees(page.get_by_test_id("stProgress"), COUNTED)


def ends_with_the_table(page):
    page.get_by_role("heading", name="What changed, pair by pair").wait_for()
    shown = [row[:2] for row in table_with(page, "calibrator", 3)]
    specs = ("identity", "standardize")
    assert shown == [["plain output", "identity"], *(["layer:4", spec] for spec in specs)]


def test_a_reload_finds_the_running_work_and_its_end(visit, work):
    page = visit(work.address)
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
    pages = [visit(work.address) for _ in range(3)]
    for page in pages:
        press(page, "Calibrate")
        sees_the_bar(page)
    stopping, staying, leaving = pages
    leaving.close()
    press(stopping, "Stop")
    sees(stopping, "Somebody else waits")
    sees_the_bar(staying)
    work.let_go()
    ends_with_the_table(staying)
    ends_with_the_table(stopping)
    assert work.log == ["started", "ended"]


def test_stop_stops_and_the_button_starts_it_again(visit, work):
    page = visit(work.address)
    press(page, "Calibrate")
    sees_the_bar(page)
    press(page, "Stop")
    sees(page, "Stopped. Press the button to start it again.")
    page.get_by_test_id("stProgress").wait_for(state="detached")
    wait_for(lambda: work.log == ["started", "stopped"])
    work.let_go()
    press(page, "Calibrate")
    ends_with_the_table(page)
    assert work.log == ["started", "stopped", "started", "ended"]
