"""What the server refuses, what it never says, and how it ends."""

import re
from pathlib import Path

import lab_server
import pytest
from lab_pages import go, long_table, press, sees, upload

FOREIGN = ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "192.0.2.7", "[::"]
BROKEN = """
from bertflow_core.store import EmbeddingStore

def entries(self):
    raise KeyError("a secret of the server")

EmbeddingStore.entries = entries
"""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_the_servers_own_names_are_answered(server, host):
    assert lab_server.shake_hands(server, host) == 101
    assert server.get("/", Host=f"{host}:{server.port}")[0] == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_a_foreign_host_is_refused(server, host):
    assert lab_server.shake_hands(server, host) == 403
    for path in ("/", "/_stcore/health", "/_stcore/metrics", "/_stcore/host-config"):
        assert server.get(path, Host=f"{host}:{server.port}")[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "//"])
def test_a_page_of_another_site_is_refused_without_asking_the_internet(server, origin):
    assert lab_server.shake_hands(server, "127.0.0.1", origin) == 403
    status, headers, _ = server.get("/_stcore/health", Origin=origin)
    assert status == 403
    assert "access-control-allow-origin" not in headers
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


def test_a_file_over_the_limit_is_refused_with_the_limit_by_page_and_server(visit, tmp_path):
    large = tmp_path / "large.csv"
    large.write_bytes(b"sentence1,sentence2\n" + b"a,b\n" * 6_250_000)
    page = visit("/data")
    field = page.get_by_test_id("stFileUploader").first
    field.locator("input").set_input_files(large)
    field.get_by_text("File must be 20.0MB or smaller.").wait_for()

    page = visit("/data")
    small = {"name": "a.csv", "mimeType": "text/csv", "buffer": b"sentence1,sentence2\na,b\n"}
    with page.expect_request(lambda asked: asked.method == "PUT") as put:
        page.get_by_test_id("stFileUploader").first.locator("input").set_input_files(small)
    put.value.response()
    status = page.evaluate(
        """async ([url, token, size]) => {
            const body = new FormData();
            body.append("file", new Blob([new Uint8Array(size)]), "large.csv");
            const headers = {"X-Xsrftoken": token};
            return (await fetch(url, {method: "PUT", body, headers})).status;
        }""",
        [put.value.url + "x", put.value.headers["x-xsrftoken"], 25_000_000],
    )
    assert status == 413


@pytest.fixture
def broken_server(tmp_path):
    """A server that cannot list its cache, for a reason that nobody expected."""
    folder = lab_server.strange_folder(tmp_path / "start")
    server = lab_server.start(folder, patch=BROKEN)
    yield server
    if server.process.poll() is None:
        server.stop()


def test_an_unexpected_failure_is_a_reference_and_sigterm_ends_a_running_job(visit, broken_server):
    page = visit("/data", server=broken_server)
    press(page, "Models, data sets and calibrators")
    said = page.get_by_test_id("stAlert").get_by_text("Something went wrong").inner_text()
    reference = re.search(r"reference ([0-9a-f]{8})\)", said)[1]
    assert "secret" not in page.content()
    assert "Traceback" not in page.content()
    log = broken_server.log.read_text()
    assert reference in log
    assert "KeyError: 'a secret of the server'" in log
    page.keyboard.press("Escape")

    upload(page, "long.csv", long_table())
    go(page, "calibrate")
    press(page, "Calibrate")
    page.get_by_test_id("stProgress").get_by_text("of 12,000 sentences").wait_for()
    assert broken_server.stop() in (0, -15)
    sees(page, "Connection error")
    assert "Segmentation" not in broken_server.log.read_text()
