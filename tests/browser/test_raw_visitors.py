"""What visitors who speak to the server without its pages cannot do to others."""

import re
from urllib.parse import quote

import pytest
from bertflow_benchmarks.raw_visitor import RawVisitor
from held_work import HeldWork
from streamlit.proto.BackMsg_pb2 import BackMsg

BAR, DONE = "1 of 4 sheep", "What changed, pair by pair"


@pytest.fixture
def come(server):
    """Return a function that opens a page; everybody leaves in the end."""
    came = []

    def come(address="/", **options):
        came.append(RawVisitor(server, address, **options))
        return came[-1]

    yield come
    for visitor in came:
        visitor.leave()


@pytest.fixture
def start(server, come):
    """Return a function that lets a new visitor start work; all of it is let go in the end."""
    works = []

    def start():
        works.append(HeldWork(server))
        visitor = come(works[-1].address)
        return visitor, works[-1], visitor.run("Calibrate")

    yield start
    for work in works:
        work.let_go()


def test_who_empties_streamlits_caches_takes_nothing_from_others(server, come, start):
    typing = come("/data?dataset=teaching")
    typing.type("a cat sleeps\nsix sheep\nit rains")
    said = typing.run("Use these sentences")
    table = re.search(r"[\w-]+\.csv \([a-z2-7]{12}\)", said)[0]
    done, work, _ = start()
    work.let_go()
    done.waits_for(DONE)
    running, work, _ = start()
    running.waits_for(BAR)

    message = BackMsg()
    message.clear_cache = True
    attacker = come("/data?dataset=teaching")
    attacker.send(message)
    attacker.run()

    assert table in come(f"/compare?dataset={quote(table)}").texts
    assert DONE in done.run()
    assert BAR in running.run()
    work.let_go()


def test_a_cut_connection_a_reload_and_others_share_one_computation(come, start):
    visitor, work, _ = start()
    visitor.waits_for(BAR)
    visitor.cut()
    back = come(work.address, resume=visitor.session)
    assert back.session == visitor.session
    reloaded, stopping, leaving = (come(work.address) for _ in range(3))
    assert all(BAR in each.texts for each in (back, reloaded, stopping, leaving))
    leaving.leave()
    assert "Somebody else waits" in stopping.run("Stop")
    assert BAR in back.run()
    work.let_go()
    for each in (back, reloaded, stopping):
        each.waits_for(DONE)
    assert work.log == ["started", "ended"]


def test_nobody_can_hold_more_files_than_their_part(come):
    visitor, other = come("/data?dataset=teaching"), come("/data?dataset=teaching")
    assert visitor.upload(bytes(25_000_000))[0] == 413
    small = [visitor.upload(b"x") for _ in range(9)]
    assert [status for status, _ in small] == [204] * 8 + [429]
    assert "8 files" in small[-1][1]
    assert other.upload(b"a,b\n") == (204, "")
    other.session = "invented"
    assert other.upload(b"a,b\n")[0] == 403
