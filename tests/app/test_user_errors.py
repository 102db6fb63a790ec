"""What users get wrong on a page: one sentence each; for what libraries raise see test_pages."""

import pytest
from app_pages import clear_server, open_page, texts, use_table

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
