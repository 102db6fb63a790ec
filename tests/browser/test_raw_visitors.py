"""What visitors who speak to the server without its pages cannot do to others."""

import re
import sys
from pathlib import Path
from urllib.parse import quote

import bertflow_app
import pytest
from held_work import HeldWork
from raw_visitor import RawVisitor
from streamlit.proto.BackMsg_pb2 import BackMsg
from waiting import wait_for

BAR = "1 of 4 sheep"
UPLOADED = re.compile(r'UploadedFileManager".*\} (\d+)')


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


def uploaded_bytes(server):
    """Return the bytes of the files that Streamlit holds, as it counted seconds ago itself."""
    found = UPLOADED.search(server.get("/_stcore/metrics")[2].decode())
    return int(found[1]) if found else 0


def test_who_empties_streamlits_caches_takes_nothing_from_others(server, come, start):
    typing = come("/lexical")
    table = re.search(r"typed-pairs\.csv \([a-z2-7]{12}\)", typing.run("Use these pairs"))[0]
    done, work, _ = start()
    work.let_go()
    done.waits_for("Before and after")
    running, work, _ = start()
    running.waits_for(BAR)

    message = BackMsg()
    message.clear_cache = True
    attacker = come()
    attacker.send(message)
    attacker.run()

    assert "typed-pairs.csv" in come(f"/calibrate?dataset={quote(table)}").texts
    assert "Before and after" in done.run()
    assert BAR in running.run()
    _, waiting, said = start()
    assert "1st in line" in said
    assert work.log == ["started"]
    assert not waiting.has_begun
    work.let_go()
    wait_for(lambda: waiting.has_begun)
    assert work.log == ["started", "ended"]


def test_no_message_says_where_the_app_lies(come):
    heard = come("/data").heard
    assert b"main.py" in heard
    for folder in (Path(bertflow_app.__file__).parent, Path.home(), sys.prefix):
        assert str(folder).encode() + b"/" not in heard


def test_a_cut_connection_comes_back_to_the_running_work(come, start):
    visitor, work, _ = start()
    visitor.waits_for(BAR)
    visitor.cut()
    back = come(work.address, resume=visitor.session)
    assert back.session == visitor.session
    assert BAR in back.texts
    work.let_go()
    back.waits_for("Before and after")
    assert work.log == ["started", "ended"]


def test_nobody_can_hold_more_files_than_their_part(server, come):
    wait_for(lambda: uploaded_bytes(server) == 0, every=0.5)
    visitor, other = come("/data"), come("/data")
    large = [visitor.upload(bytes(19_000_000)) for _ in range(5)]
    assert [status for status, _ in large] == [204, 204, 204, 413, 413]
    assert "64 MB together" in large[-1][1]
    small = [visitor.upload(b"x") for _ in range(7)]
    assert [status for status, _ in small] == [204] * 5 + [429] * 2
    assert "8 files" in small[-1][1]
    wait_for(lambda: uploaded_bytes(server) == 3 * 19_000_000 + 5, every=0.5)
    assert other.upload(b"a,b\n") == (204, "")
    other.session = "invented"
    assert other.upload(b"a,b\n")[0] == 403


def test_who_leaves_gives_up_seat_and_files(server, come, start):
    leaving = [start() for _ in range(9)]
    refused = ["Too many computations" in said for _, _, said in leaving]
    assert refused == [False] * 8 + [True]
    assert "7th in line" in leaving[7][2]
    leaving[0][0].upload(bytes(5_000_000))
    wait_for(lambda: uploaded_bytes(server) == 5_000_000, every=0.5)
    for visitor, _, _ in reversed(leaving):  # those in line before the one they wait for
        visitor.leave()
    _, work, said = start()
    assert "in line" in said  # at once: the seat of one who left
    wait_for(lambda: work.has_begun)
    assert leaving[0][1].log == ["started", "stopped"]
    assert not any(each.has_begun for _, each, _ in leaving[1:])
    wait_for(lambda: uploaded_bytes(server) == 0, every=0.5)
    late = come(leaving[0][1].address, resume=leaving[0][0].session)
    assert late.session != leaving[0][0].session
    assert "Stopped. Press the button to start it again." in late.texts
