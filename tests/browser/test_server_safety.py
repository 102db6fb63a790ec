"""What the server refuses, what it never says, and how it ends."""

import contextlib
import re
from pathlib import Path

import lab_server
import pytest
from bertflow_benchmarks.raw_visitor import RawVisitor
from held_work import BROKEN_SEED
from lab_pages import sees

OWN = ["127.0.0.1", "localhost"]
FOREIGN = ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "192.0.2.7", "[::"]
LONG = "x" * 50_000  # the most that one line of HTTP may have here is 64 kB
ADDRESSES = [
    "/calibrate?dataset=<script>document.title='owned'</script>&layers=EVIL&seed=99999999",
    f"/calibrate?layers={LONG}&dataset=<b>{'a' * 12}</b>&model=/etc/passwd&seed=9",
    f"/calibrate?dataset={'%2e%2e%2f' * 20} (aaaaaaaaaaaa)&split=%f0%28&calibrators=%00&tokens=cls",
    "/calibrate?seed=9&" + "&".join(f"a{i}=b" for i in range(900)),  # Streamlit reads 1,000
]
"""What a browser and a server make of them; of the values alone tests/app/test_address.py knows.

Each asks for something else than the default, whose data the server would embed by itself.
"""

PATHS = ["/..%2f..%2fetc/passwd", "/page%00", "//evil.example/x", "/%2e%2e/%2e%2e/config.toml"]


def test_the_servers_own_names_are_answered_and_foreign_ones_refused(server):
    for host in OWN:
        assert lab_server.shake_hands(server, host) == 101
        assert server.get("/", Host=f"{host}:{server.port}")[0] == 200
    for host in FOREIGN:
        assert lab_server.shake_hands(server, host) == 403, host
        for path in ("/", "/_stcore/health", "/_stcore/metrics", "/_stcore/host-config"):
            assert server.get(path, Host=f"{host}:{server.port}")[0] == 403, (host, path)


def test_a_page_of_another_site_is_refused_without_asking_the_internet(server):
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "//"):
        assert lab_server.shake_hands(server, "127.0.0.1", origin) == 403, origin
        status, headers, _ = server.get("/_stcore/health", Origin=origin)
        assert status == 403, origin
        assert "access-control-allow-origin" not in headers, origin
    assert "external IP" not in server.log.read_text()


def test_only_this_machine_can_reach_the_server(server):
    tables = [Path("/proc/net/tcp"), Path("/proc/net/tcp6")]
    if not tables[0].exists():
        pytest.skip("needs Linux's list of sockets")
    rows = [line.split() for table in tables for line in table.read_text().splitlines()[1:]]
    listening = [row[1] for row in rows if row[3] == "0A"]
    assert [a for a in listening if a.endswith(f":{server.port:04X}")] == [
        f"0100007F:{server.port:04X}"
    ]


def test_an_upload_without_the_token_is_refused(server):
    path = "/_stcore/upload_file/0/0"
    assert server.get(path, method="PUT", body=b"x")[0] == 403
    token = {"Cookie": "_streamlit_xsrf=made-up", "X_Xsrftoken": "made-up"}
    assert server.get(path, method="PUT", body=b"x", **token)[0] in (400, 403)


def test_hostile_addresses_give_a_page_and_no_traceback(visit, server):
    page = visit(ADDRESSES[0])
    sees(page, "dataset=<script>document.title='owned'</script> cannot be used here")
    assert page.title() != "owned"
    for address in ADDRESSES:
        visitor = RawVisitor(server, address)
        assert visitor.errors == []
        assert "Calibrate" in visitor.buttons or "This cannot be done" in visitor.texts
        visitor.leave()
    with contextlib.suppress(ConnectionError):  # uvicorn may hang up in the middle of it
        assert server.get(f"/calibrate?layers={LONG * 20}")[0] == 400
    assert server.get("/_stcore/health")[0] == 200
    assert "Traceback" not in server.log.read_text()


def test_a_path_to_elsewhere_gives_the_shell_of_the_page_or_a_refusal(server):
    for path in PATHS:
        status, headers, body = server.get(path)
        assert status in (200, 400, 404), path
        assert "location" not in headers, path
        assert status != 200 or b"<title>Streamlit</title>" in body, path


def test_an_unexpected_failure_is_a_reference(server):
    visitor = RawVisitor(server, f"/compare?dataset=teaching&seed={BROKEN_SEED}")
    visitor.run("Calibrate")
    visitor.waits_for("Something went wrong")
    reference = re.search(r"\(reference ([0-9a-f]{8})\)", visitor.texts)[1]
    assert "secret" not in visitor.texts
    assert "Traceback" not in visitor.texts
    visitor.leave()
    log = server.log.read_text()
    assert reference in log
    assert "KeyError: 'a secret of the server'" in log
