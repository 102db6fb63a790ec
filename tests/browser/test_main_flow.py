"""The way of a first visitor, from the start page to the numbers of a table of one's own.

Each page on it is looked over by axe and, by people, as a picture.
"""

import csv
import io
import json

import pytest
from lab_pages import ODD, choose, download, go, press, sees, shoot, table_with, upload


def test_from_the_start_page_to_the_numbers_of_ones_own_table(visit, faults):
    page = visit("/")
    page.get_by_role("heading", name="Why cosine fails, and what helps").wait_for()
    sees(page, "In the middle layer calibration raises rho")
    page.get_by_text("More", exact=True).click()
    assert faults(page) == []
    shoot(page, "start.png")

    go(page, "calibrate")
    sees(page, "Press Calibrate to embed")
    calibrators = page.get_by_test_id("stMultiSelect")
    calibrators.get_by_role("button", name="flow").click()
    calibrators.get_by_role("combobox").click()
    page.keyboard.type("flwo")
    page.keyboard.press("Enter")  # which adds it, and picks no other that has the same letters
    sees(page, "unknown calibrator 'flwo': did you mean flow?")
    page.keyboard.press("Escape")  # the list of options hides all else from assistive technology
    calibrators.get_by_role("button", name="flwo").click()
    press(page, "Calibrate")
    live, done = (
        page.get_by_role("button", name="Stop"),
        page.get_by_role("heading", name="What changed, pair by pair"),
    )
    live.or_(done).first.wait_for()
    done.wait_for()
    rows = table_with(page, "calibrator", 4)
    assert [row[1] for row in rows] == ["identity", "identity", "null-top-k:k=6", "whiten"]
    page.get_by_role("link", name="Take whiten home").wait_for()
    assert faults(page, schemes=["dark"]) == []
    shoot(page, "calibrated.png")

    as_csv = list(csv.DictReader(io.StringIO(download(page, "CSV"))))
    as_json = json.loads(download(page, "JSON"))["rows"]
    for shown, row, result in zip(rows, as_csv, as_json, strict=True):
        assert shown[1] == row["calibrator"] == result["calibrator"]
        assert float(row["score"]) == result["score"]
        assert float(shown[2]) == pytest.approx(100 * result["score"], abs=0.005)

    go(page, "data")
    upload(page, "odd.csv", ODD)
    sees(page, "gold scale: none")
    choose(page, "Gold scores", "points")
    page.get_by_text("Refused rows").click()
    assert table_with(page, "Why", 1) == [["4", "points is not a number: 'nine'"]]
    assert faults(page, schemes=["light"]) == []
    shoot(page, "uploaded.png")

    page.get_by_role("link", name="Compare calibrators on them").click()
    sees(page, "What changed, pair by pair")
    sees(page, "Rows of the table that were refused: 1")
    own = table_with(page, "calibrator", 4)
    shoot(page, "own.png")

    other = visit(page.url)
    sees(other, "What changed, pair by pair")
    assert table_with(other, "calibrator", 4) == own
    assert other.url == page.url
    data = other.get_by_test_id("stSidebar").get_by_role("combobox", name="Data")
    assert "odd.csv" in (data.get_attribute("aria-label") or "") + data.input_value()
