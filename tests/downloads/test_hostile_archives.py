"""Archives and tables from a hub that means no good: nothing leaves the folder or explodes."""

import io
import tarfile

import pandas as pd
import pytest

from bertflow_core.downloads import senteval
from bertflow_core.downloads.inference import qnli_files, snli_files
from bertflow_core.downloads.senteval import senteval_files
from bertflow_core.errors import InputError

PATTERN = r"SICK/SICK_(train|trial)\.txt"


def archive(folder, *members):
    with tarfile.open(folder / "senteval.tar", "w") as tar:
        for member, content in members:
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def member(name, kind=tarfile.REGTYPE, link=""):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


def test_only_regular_files_are_read_and_only_under_the_names_of_the_pattern(tmp_path):
    archive(
        tmp_path,
        (member("../../SICK/SICK_train.txt"), b"one"),
        (member("/etc/SICK/../SICK/SICK_trial.txt"), b"two"),
        (member("x/SICK/SICK_train.txt"), b"again"),
        (member("SICK/../SICK_train.txt"), b"no"),
        (member("SICK/SICK_train.txt.exe"), b"no"),
        (member("a/SICK/SICK_trial.txt", tarfile.SYMTYPE, "/etc/passwd"), b""),
        (member("SICK/SICK_trial.txt", tarfile.FIFOTYPE), b""),
    )
    assert list(senteval_files(tmp_path, pattern=PATTERN)) == [
        ("senteval/SICK/SICK_train.txt", [b"one"]),
        ("senteval/SICK/SICK_trial.txt", [b"two"]),
    ]


def test_sizes_are_bounded(tmp_path, monkeypatch):
    archive(tmp_path, (member("SICK/SICK_train.txt"), b"x" * 100))
    monkeypatch.setattr(senteval, "_MAX_FILE", 99)
    with pytest.raises(InputError, match="too large"):
        list(senteval_files(tmp_path, pattern=PATTERN))
    monkeypatch.setattr(senteval, "_MAX_MEMBERS", 0)
    with pytest.raises(InputError, match="more than 0 files"):
        list(senteval_files(tmp_path, pattern=PATTERN))


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"premise": ["a"], "hypothesis": ["b"]}, "no column 'label'"),
        ({"premise": ["a"], "hypothesis": ["b"], "label": [3]}, r"row 1: expected a label of"),
        ({"premise": ["a"], "hypothesis": ["b"], "label": ["x"]}, r"row 1: expected a label of"),
        ({"premise": ["a"], "hypothesis": [None], "label": [0]}, "row 1: expected two texts"),
    ],
)
def test_a_table_that_is_another_is_refused(tmp_path, columns, words):
    (tmp_path / "plain_text").mkdir()
    pd.DataFrame(columns).to_parquet(tmp_path / "plain_text" / "train-00000-of-00001.parquet")
    with pytest.raises(InputError, match=words):
        list(snli_files(tmp_path))


def test_a_missing_table_is_named(tmp_path):
    with pytest.raises(InputError, match=r"no qnli/train-\*"):
        list(qnli_files(tmp_path))
