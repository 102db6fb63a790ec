"""The bars of a terminal: one a piece of work, closed at its end, silent elsewhere."""

import io
import sys

import pytest

from bertflow_core.cli import console


class Bar:
    """Stands for tqdm's bar."""

    def __init__(self, total, unit, **options):
        self.total, self.unit, self.n = total, unit, 0
        self.is_open = True
        assert options["file"] is sys.stderr
        assert options["disable"] is None  # none where standard error is no terminal

    def update(self, n):
        assert self.is_open
        assert n >= 0
        self.n += n

    def close(self):
        self.is_open = False


@pytest.fixture
def bars(monkeypatch):
    drawn = []

    def make(**options):
        assert not any(bar.is_open for bar in drawn)
        drawn.append(Bar(**options))
        return drawn[-1]

    monkeypatch.setattr("tqdm.auto.tqdm", make)
    return drawn


@pytest.mark.parametrize(
    ("reports", "expected"),
    [
        ([], []),
        ([(0, 9, "sentences"), (4, 9, "sentences"), (9, 9, "sentences")], [(9, " sentences", 9)]),
        ([(3, 9, "sentences"), (1, 5, "steps")], [(9, " sentences", 3), (5, " steps", 1)]),
        ([(9, 9, "steps"), (2, 9, "steps")], [(9, " steps", 9), (9, " steps", 2)]),
        ([(20, 20, "steps"), (20, 20, "steps")], [(20, " steps", 20), (20, " steps", 20)]),
        ([(20, 20, "steps"), (32, 40, "steps")], [(20, " steps", 20), (40, " steps", 32)]),
    ],
    ids=["none", "one", "units", "again", "again at once", "a longer one"],
)
def test_each_piece_of_work_has_its_own_bar(bars, reports, expected):
    with console.progress_bars() as progress:
        for report in reports:
            progress(*report)
    assert [(bar.total, bar.unit, bar.n) for bar in bars] == expected
    assert not any(bar.is_open for bar in bars)


def test_the_bar_is_closed_when_the_work_fails(bars):
    with pytest.raises(KeyError), console.progress_bars() as progress:
        progress(1, 2, "steps")
        raise KeyError
    assert [bar.is_open for bar in bars] == [False]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("a\n\tb", "a b"),
        ("caf\u00e9 \U0001f469", "caf\u00e9 \U0001f469"),
        ("\x1b[31mred\x07", r"\x1b[31mred\x07"),
        ("\u202eabc\x9b\ud800", r"\u202eabc\x9b\ud800"),
    ],
)
def test_what_is_said_is_a_line_of_text_and_no_order_to_the_terminal(capsys, said, shown):
    console.say(said)
    assert capsys.readouterr().err == shown + "\n"


def test_a_character_that_the_output_lacks_is_reported_and_nothing_is_printed(monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    with pytest.raises(UnicodeEncodeError):  # of which `explain` has a sentence
        console.emit("f\u00fcr")
    assert raw.getvalue() == b""
