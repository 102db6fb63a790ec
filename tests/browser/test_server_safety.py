"""What the server refuses, what it never says, and what no visitor can do to others."""

import contextlib
import re
import signal
from pathlib import Path
from urllib.parse import quote

import lab_server
import pytest
from bertflow_benchmarks.raw_visitor import RawVisitor
from held_work import BROKEN_SEED, HeldWork
from lab_pages import sees
from streamlit.proto.BackMsg_pb2 import BackMsg
from waiting import wait_for

FOREIGN = ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "192.0.2.7", "[::"]
ORIGINS = ["http://evil.example", "null", "http://127.0.0.1:1", "//"]
LONG = "x" * 50_000  # the most that one line of HTTP may have here is 64 kB
ADDRESSES = [
    "/compare?dataset=<script>document.title='owned'</script>&layers=EVIL&seed=99999999",
    f"/compare?layers={LONG}&dataset=<b>{'a' * 12}</b>&model=/etc/passwd&seed=9",
    f"/compare?dataset={'%2e%2e%2f' * 20} (aaaaaaaaaaaa)&split=%f0%28&calibrators=%00&tokens=cls",
    "/compare?seed=9&" + "&".join(f"a{i}=b" for i in range(900)),  # Streamlit reads 1,000
]
"""What a browser and a server make of them; of the values alone tests/app/test_address.py knows.

Each asks for something else than the default, whose data the server would embed by itself.
"""
LONG_WORK = "/compare?dataset=teaching&calibrators=flow%3Aepochs%3D1000"
PATHS = ["/..%2f..%2fetc/passwd", "/page%00", "//evil.example/x", "/%2e%2e/%2e%2e/config.toml"]


def test_own_names_are_answered_and_foreign_ones_pages_of_other_sites_and_tokens_refused(server):
    for host in ("127.0.0.1", "localhost"):
        assert lab_server.shake_hands(server, host) == 101
        assert server.get("/", Host=f"{host}:{server.port}")[0] == 200
    for host in FOREIGN:
        assert lab_server.shake_hands(server, host) == 403, host
        for path in ("/", "/_stcore/health", "/_stcore/metrics", "/_stcore/host-config"):
            assert server.get(path, Host=f"{host}:{server.port}")[0] == 403, (host, path)
            assert server.get(path)[1]["content-security-policy"] == "frame-ancestors 'self'", path
    for origin in ORIGINS:
        assert lab_server.shake_hands(server, "127.0.0.1", origin) == 403, origin
        status, headers, _ = server.get("/_stcore/health", Origin=origin)
        assert status == 403, origin
        assert "access-control-allow-origin" not in headers, origin
    upload = {"path": "/_stcore/upload_file/0/0", "method": "PUT", "body": b"x"}
    assert server.get(**upload)[0] == 403
    token = {"Cookie": "_streamlit_xsrf=made-up", "X_Xsrftoken": "made-up"}
    assert server.get(**upload, **token)[0] in (400, 403)
    assert "external IP" not in server.log.read_text()  # the internet was not asked


def test_only_this_machine_can_reach_the_server(server):
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    if not tables[0].exists():
        pytest.skip("needs Linux's list of sockets")
    rows = [line.split() for table in tables for line in table.read_text().splitlines()[1:]]
    listening = [row[1] for row in rows if row[3] == "0A"]
    assert [a for a in listening if a.endswith(f":{server.port:04X}")] == [
        f"0100007F:{server.port:04X}"
    ]


def test_hostile_addresses_give_a_page_and_no_traceback(visit, server, come):
    page = visit(ADDRESSES[0])
    sees(page, "dataset=<script>document.title='owned'</script> cannot be used here")
    assert page.title() != "owned"
    for address in ADDRESSES:
        visitor = come(address)
        assert visitor.errors == []
        refusals = ("This cannot be done", "is not of the form")
        assert "Score" in visitor.buttons or any(each in visitor.texts for each in refusals)
    with contextlib.suppress(ConnectionError):  # uvicorn may hang up in the middle of it
        assert server.get(f"/compare?layers={LONG * 20}")[0] == 400
    assert server.get("/_stcore/health")[0] == 200
    assert "Traceback" not in server.log.read_text()


def test_a_path_to_elsewhere_gives_the_shell_of_the_page_or_a_refusal(server):
    for path in PATHS:
        status, headers, body = server.get(path)
        assert status in (200, 400, 404), path
        assert "location" not in headers, path
        assert status != 200 or b"<title>Streamlit</title>" in body, path


def test_an_unexpected_failure_is_a_reference(server, come):
    visitor = come(f"/compare?dataset=teaching&seed={BROKEN_SEED}")
    visitor.run("Score")
    visitor.waits_for("Something went wrong")
    reference = re.search(r"\(reference ([0-9a-f]{8})\)", visitor.texts)[1]
    assert "secret" not in visitor.texts
    assert "Traceback" not in visitor.texts
    log = server.log.read_text()
    assert reference in log
    assert "KeyError: 'a secret of the server'" in log


BAR, DONE = "1 of 4 sheep", "The score of each row, and its tested change"


@pytest.fixture
def start(server, come):
    """Return a function that lets a new visitor start work; all of it is let go in the end."""
    works = []

    def start():
        works.append(HeldWork(server))
        visitor = come(works[-1].address)
        return visitor, works[-1], visitor.run("Score")

    yield start
    for work in works:
        work.let_go()


def test_who_empties_streamlits_caches_takes_nothing_from_others(server, come, start):
    typing = come("/check?dataset=teaching")
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
    attacker = come("/check?dataset=teaching")
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
    assert "Somebody else is waiting" in stopping.run("Stop")
    assert BAR in back.run()
    work.let_go()
    for each in (back, reloaded, stopping):
        each.waits_for(DONE)
    assert work.log == ["started", "ended"]


def test_nobody_can_hold_more_files_than_their_part(come):
    visitor, other = come("/check?dataset=teaching"), come("/check?dataset=teaching")
    assert visitor.upload(bytes(210_000_000))[0] == 413
    small = [visitor.upload(b"x") for _ in range(9)]
    assert [status for status, _ in small] == [204] * 8 + [429]
    assert "8 files" in small[-1][1]
    assert other.upload(b"a,b\n") == (204, "")
    other.session = "invented"
    assert other.upload(b"a,b\n")[0] == 403


@pytest.mark.gate
def test_it_ends_quietly_though_torch_takes_steps_for_somebody(tmp_path):
    server = lab_server.start(tmp_path)
    try:
        visitor = RawVisitor(server, LONG_WORK)
        visitor.run("Score")
        wait_for(lambda: re.search(r"[1-9]\d* of \d+ cells", visitor.run()), what="the flow's fit")
    finally:
        code = server.stop()
    assert code in (0, -signal.SIGTERM)
    assert "Segmentation" not in server.log.read_text()
