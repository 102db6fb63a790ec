"""What users get wrong, on a page: one sentence each, and the page goes on."""

import pytest
from app_pages import clear_server, open_page, texts, use_table

TABLE = b"sentence1,sentence2,score\na cat,a dog,1\nred,blue,3\nsun,moon,2\n"


@pytest.fixture(autouse=True)
def fresh_server():
    clear_server()


@pytest.mark.parametrize(
    ("choice", "value"),
    [
        ("model", "minilmm"),
        ("layers", "layer:99"),
        ("dataset", "stsbb"),
        ("split", "tset"),
        ("fit_on", "trian"),
        ("calibrators", "whitten"),
    ],
)
def test_a_misspelt_choice_of_an_address_is_told(choice, value):
    page = open_page("calibrate", **{choice: value})
    assert not page.exception
    assert any(value in each.value for each in page.text)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (
            b"The cat sat.,A dog ran.,3.5\nRain.,Sun.,1\n",
            "Columns: The cat sat., A dog ran.",
        ),  # no header
        (TABLE.replace(b"1\n", b"high\n"), "score is not a number: 'high'"),
        (TABLE.replace(b"a cat", b""), "sentence1 is blank"),
        (TABLE.replace(b",", b"\t"), "name it .tsv"),
        (TABLE.replace(b"a cat", b"caf\xe9"), "not UTF-8"),
    ],
)
def test_a_table_with_a_fault_is_told(content, words):
    page = use_table(open_page("data"), "t.csv", content)
    assert not page.exception
    shown = [str(each.value) for each in (*page.dataframe, *page.table, *page.text)]
    assert words in " ".join((*shown, texts(page)))


def test_a_table_without_scores_is_told():
    page = use_table(open_page("data"), "t.csv", b"sentence1,sentence2\na,b\nc,d\ne,f\n")
    assert not page.exception
    assert "score" in texts(page)
