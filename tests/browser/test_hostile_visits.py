"""Addresses and tables made to harm: a page is shown, text stays text, the server lives."""

import contextlib
import csv
import io

from lab_pages import choose, go, sees, table_with, upload

LONG = "x" * 50_000  # the most that one line of HTTP may have here is 64 kB
ADDRESSES = [
    "/calibrate?dataset=<script>document.title='owned'</script>&layers=EVIL&seed=99999999",
    f"/calibrate?layers={LONG}&dataset=<b>{'a' * 12}</b>&model=/etc/passwd",
    "/calibrate?dataset="
    + "%2e%2e%2f" * 20
    + " (aaaaaaaaaaaa)&split=%f0%28&calibrators=%00&seed=1e999",
    "/calibrate?" + "&".join(f"a{i}=b" for i in range(5_000)),
]
"""What a browser and a server make of them; of the values alone tests/app/test_address.py knows."""

NAME = "<img src=evil.png onerror=window.owned=1>![](evil.png)**bold**.csv"
IMAGE = "![](http://evil.example/evil.png)"
HEADER = ["<img src=evil.png onerror=window.owned=1>", IMAGE, ":red[points]", "<b>part"]
ROWS = [
    ["<script>window.owned=1</script>", "[x](javascript:window.owned=1)", "1", "<b>a"],
    [IMAGE, "<iframe src=http://evil.example/evil.png></iframe>", "4", IMAGE],
    ["=HYPERLINK(1;2)", "$x^2$ :material/flag:", "2", "<b>a"],
    ["-1+1", "<style>*{display:none}</style>", "3", IMAGE],
    ["a row without", "a score", IMAGE, "<b>a"],
]


def test_markup_in_a_table_stays_text(visit):
    stream = io.StringIO()
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([HEADER, *ROWS])
    page = visit("/data")
    upload(page, NAME, stream.getvalue().encode())
    choose(page, "Gold scores", HEADER[2])
    choose(page, "Subsets", HEADER[3])
    sees(page, f"Columns: {', '.join(HEADER)}; gold scale: 0 to 5", exact=True)
    data = page.get_by_test_id("stSidebar").get_by_role("combobox", name="Data")
    assert data.input_value().startswith(f"{NAME} (")
    reason = f"{HEADER[2]} is not a number: {IMAGE!r}"
    page.get_by_text("Refused rows").click()
    assert table_with(page, "Why", 1) == [["6", reason]]
    shown = [row[0] for row in table_with(page, "First", 4)]
    assert shown == [ROWS[0][0], IMAGE, "'=HYPERLINK(1;2)", "'-1+1"]
    go(page, "calibrate")  # so few rows are measured without a press
    sees(page, "What changed, pair by pair")
    table_with(page, "calibrator", 4)
    assert page.evaluate("window.owned") is None
    assert page.locator("[src*='evil'], [href*='javascript:'], iframe").count() == 0
    assert not [url for url in visit.asked if "evil" in url]


def test_hostile_addresses_give_a_page_and_no_traceback(visit, server):
    page = visit("/calibrate")
    for address in ADDRESSES:
        page.goto(server.url + address)
        heading = page.get_by_role("tab", name="Calibrate", exact=True)
        heading.or_(page.get_by_text("This cannot be done")).first.wait_for()
        assert page.get_by_test_id("stException").count() == 0
        assert page.get_by_text("Something went wrong").count() == 0
        assert page.title() != "owned"
    with contextlib.suppress(ConnectionError):  # uvicorn may hang up in the middle of it
        assert server.get(f"/calibrate?layers={LONG * 20}")[0] == 400
    assert server.get("/_stcore/health")[0] == 200
    assert "Traceback" not in server.log.read_text()


PATHS = ["/..%2f..%2fetc/passwd", "/page%00", "//evil.example/x", "/%2e%2e/%2e%2e/config.toml"]


def test_a_path_to_elsewhere_gives_the_shell_of_the_page_or_a_refusal(server):
    for path in PATHS:
        status, headers, body = server.get(path)
        assert status in (200, 400, 404), path
        assert "location" not in headers, path
        assert status != 200 or b"<title>Streamlit</title>" in body, path
