"""`bertflow-lab reproduce`: items of the paper on standard output and in one folder."""

import json


def test_an_item_comes_in_every_form(works):
    assert "Coupling width" in works("reproduce", "table7")
    found = json.loads(works("reproduce", "table7", "--format", "json"))
    assert (found["study"], found["command"]) == ("table7", "bertflow-lab reproduce table7")


def test_several_items_go_into_one_folder_again_and_again(works, here):
    works("reproduce", "table7", "--out", "paper")
    works("reproduce", "table4", "table7", "--out", "paper")
    names = {path.name for path in (here / "paper").glob("[!.]*")}
    endings = ("txt", "md", "tex", "csv", "json")
    assert names == {f"{item}.{end}" for item in ("table4", "table7") for end in endings}
    text = (here / "paper" / "table4.tex").read_text(encoding="utf-8")
    assert r"BERT\textsubscript{large}-NLI-flow (target) & \textbf{77.09}" in text


def test_a_folder_with_other_things_and_an_unknown_item_are_refused(refuses, here):
    (here / "paper").mkdir()
    (here / "paper" / "thesis.tex").write_text("mine")
    refuses("reproduce", "table7", "--out", "paper", words="thesis.tex")
    refuses("reproduce", "table9", words="did you mean table")
    assert (here / "paper" / "thesis.tex").read_text() == "mine"
