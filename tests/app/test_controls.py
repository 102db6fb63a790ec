"""Every control explains itself, every picture has words, on every page and in every state."""

import pytest
from app_pages import check, clear_server, new_page, open_page, press, use_table

CSV = b"sentence1,sentence2,score\na cat,a dog,1\nthe sun,the moon,2\nx y,x z,nine\nred,blue,4\n"


@pytest.fixture(autouse=True)
def fresh_server():
    clear_server()


def test_the_start_page_and_the_sidebar():
    check(new_page().run(), controls=9, pictures=5)


def test_the_page_of_an_uploaded_table():
    page = open_page("data")
    page.get("file_uploader")[0].upload("mine.csv", CSV).run()
    check(page, controls=10)
    check(use_table(page, "mine.csv", CSV), controls=13, pictures=4)


def test_the_page_of_a_computation_and_of_its_result():
    page = open_page("calibrate")
    check(page, controls=9)
    page.multiselect(key="calibrators").set_value(["standardize"])
    check(press(page, "Calibrate"), controls=16, pictures=4)
