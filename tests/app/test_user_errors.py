"""What users get wrong, or the machine, on a page: one sentence each, and the page goes on."""

import pytest
from app_pages import clear_server, open_page, press, texts, use_table
from known_faults import KNOWN

from bertflow_core.lab import Lab

TABLE = b"sentence1,sentence2,score\na cat,a dog,1\nred,blue,3\nsun,moon,2\n"


@pytest.fixture(autouse=True)
def fresh_server():
    clear_server()


def shown(page) -> str:
    cells = (str(each.value) for each in (*page.dataframe, *page.table))
    said = (each.value for each in (*page.text, *page.error, *page.warning))
    return " ".join((*cells, *said, texts(page)))


@pytest.mark.parametrize(
    ("query", "content", "words"),
    [
        ({"model": "minilmm"}, None, "minilmm"),
        ({"layers": "layer:99"}, None, "layer:99"),
        ({"dataset": "stsbb"}, None, "stsbb"),
        ({"split": "tset"}, None, "tset"),
        ({"fit_on": "trian"}, None, "trian"),
        ({"calibrators": "whitten"}, None, "whitten"),
        ({}, b"The cat sat.,A dog ran.,3.5\nRain.,Sun.,1\n", "Columns: The cat sat., A dog ran."),
        ({}, TABLE.replace(b"1\n", b"high\n"), "score is not a number: 'high'"),
        ({}, TABLE.replace(b"a cat", b""), "sentence1 is blank"),
        ({}, TABLE.replace(b",", b"\t"), "name it .tsv"),
        ({}, TABLE.replace(b"a cat", b"caf\xe9"), "not UTF-8"),
        ({}, b"sentence1,sentence2\na,b\nc,d\ne,f\n", "score"),
    ],
)
def test_what_is_wrong_is_told(query, content, words):
    page = open_page("data" if content else "calibrate", **query)
    if content is not None:
        use_table(page, "t.csv", content)
    assert not page.exception
    assert words in shown(page)


@pytest.mark.parametrize(("error", "kind", "words"), KNOWN[::3])
def test_what_libraries_and_the_system_raise_is_told(monkeypatch, error, kind, words):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(Lab, "prepare", fail)
    page = press(open_page("calibrate", calibrators="standardize"), "Calibrate")
    for word in words:
        assert word in shown(page)
