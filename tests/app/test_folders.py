"""What an error shows; no page, download or address names a folder of the server."""

import io
import re
import sys
import zipfile
from pathlib import Path

import pytest
from app_pages import button, command_of, finish, open_page, press, texts
from bertflow_app import show as exports
from bertflow_app.folders import without_folders
from bertflow_app.uploads import add
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.testing.v1 import AppTest

SECRET = "a-secret-of"


@pytest.fixture
def server(fresh_server, tmp_path, monkeypatch):
    """A server whose folders have names that can be looked for; all that it sends, by page."""
    for variable, name in (("BERTFLOW_DATA", "data"), ("BERTFLOW_CACHE", "cache"), ("HOME", "us")):
        folder = tmp_path / f"{SECRET}-{name}"
        folder.mkdir()
        monkeypatch.setenv(variable, str(folder))
    counts = tmp_path / f"{SECRET}-data" / "word_counts"
    counts.mkdir()
    (counts / "mine.txt").write_text("the 100\nof 50\nand 20\nto 10\n")
    sent = []
    enqueue, download = ForwardMsgQueue.enqueue, exports.st.download_button

    def note(queue, message):
        sent.append(message.SerializeToString())
        enqueue(queue, message)

    def make(label, data, *args, **options):
        made = data() if callable(data) else data
        sent.extend(parts_of(made if isinstance(made, bytes) else made.encode()))
        return download(label, data, *args, **options)

    monkeypatch.setattr(ForwardMsgQueue, "enqueue", note)
    monkeypatch.setattr(exports.st, "download_button", make)
    monkeypatch.setattr(exports, "_can_draw", lambda: False)  # Chrome takes seconds a picture
    return tmp_path, sent


def parts_of(file):
    """Return a file, or the files of an archive."""
    if not file.startswith(b"PK"):
        return [file]
    with zipfile.ZipFile(io.BytesIO(file)) as archive:
        return [archive.read(name) for name in archive.namelist()]


def names_no_folder(sent):
    folders = (SECRET, sys.prefix, str(Path(__file__).parent))
    return not any(folder.encode() in each for folder in folders for each in sent)


def test_no_page_names_a_folder_nor_takes_a_path_from_an_address(server):
    _, sent = server
    for name in ("check", "export"):  # which tell of files and places
        assert not open_page(name).exception
    assert not open_page("wall", wall_rows="words").exception
    page = open_page("words", counts="/etc/passwd", bins="0,4", word_calibrators="standardize")
    assert page.selectbox(key="counts").options == ["mine.txt", "order of the vocabulary"]
    assert page.selectbox(key="counts").value == "mine.txt"
    press(page, "Measure the words")
    assert "--counts word_counts/mine.txt" in command_of(page)
    few = add("few.csv", b"sentence1,sentence2,score\ncat,dog,1\nmoon,sun,2\nred,blue,3\n")
    press(open_page("scores", calibrators="standardize", dataset=few), "Score")
    assert sum(b"mine.txt" in each for each in sent) > 3
    assert any(b'"standardize"' in each for each in sent)  # the saved calibrator
    assert names_no_folder(sent)


def test_an_error_of_the_disk_names_what_a_folder_is_for(server, monkeypatch):
    folder, sent = server
    (folder / f"{SECRET}-file").touch()
    monkeypatch.setenv("BERTFLOW_CACHE", str(folder / f"{SECRET}-file" / "cache"))
    page = open_page("scores")
    button(page, "Score").click().run()
    finish(page)
    assert "'the cache" in texts(page) or "the cache/" in texts(page)
    assert names_no_folder(sent)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cannot write '/srv/data/x/y.txt': full", "cannot write 'the data folder/x/y.txt': full"),
        ("/srv/data and /srv/data/cache/a", "the data folder and the cache/a"),
        ("/srv/database, /srv/data-2, /srv", "/srv/database, /srv/data-2, /srv"),
        ("/home/us", "~"),
        (f"{sys.prefix}/bin", "the program/bin"),
    ],
)
def test_the_longest_folder_wins_and_whole_names_only(monkeypatch, text, shown):
    monkeypatch.setenv("BERTFLOW_DATA", "/srv/data")
    monkeypatch.setenv("BERTFLOW_CACHE", "/srv/data/cache")
    monkeypatch.setenv("HOME", "/home/us")
    assert without_folders(text) == shown


def failing_page():
    import errno

    import streamlit as st
    from bertflow_app.server.entry import on_error

    from bertflow_core.errors import InputError

    errors = {
        "expected": InputError("the table <b>is</b> ![](x.png) upside down: turn it"),
        "known": OSError(errno.ENOSPC, "the disk is full", "/home/me/x.npy"),
        "unexpected": RuntimeError("password=hunter2"),
    }
    assert on_error(errors[st.session_state["kind"]]) is True  # so Streamlit shows nothing itself


def shown_error(kind):
    page = AppTest.from_function(failing_page)
    page.session_state["kind"] = kind
    page.run()
    assert not page.exception
    return page


def test_an_error_that_is_known_is_a_sentence_as_plain_text_and_the_log_has_the_rest(logged):
    page = shown_error("expected")
    (said,) = [text.value for text in page.text]
    assert said == "the table <b>is</b> ![](x.png) upside down: turn it"
    assert not any("upside" in error.value for error in page.error)

    page = shown_error("known")
    (said,) = [text.value for text in page.text]
    assert "x.npy" in said and "the disk is full" in said
    assert "/home/me" not in said
    (record,) = logged
    assert record.exc_info[1].filename == "/home/me/x.npy"


def test_an_unexpected_error_is_a_reference_in_page_and_log(logged):
    page = shown_error("unexpected")
    (said,) = [error.value for error in page.error]
    assert "hunter2" not in str(page)
    (record,) = logged
    assert re.search(r"\(reference ([0-9a-f]{8})\)", said)[1] in record.getMessage()
    assert "hunter2" not in record.getMessage()
    assert str(record.exc_info[1]) == "password=hunter2"
