"""What a terminal sees: bars, lines that are no orders to it, and what Ctrl-C leaves."""

import io
import signal
import sys

import pytest
from tiny_models import MAX_TOKENS, WORDS

from bertflow_core.cli import console
from bertflow_core.context import progress_bars
from bertflow_core.encoders import TransformerEncoder, resolve_model, transformer
from bertflow_core.store import EmbeddingStore


class Bar:
    """Stands for tqdm's bar."""

    def __init__(self, total, unit, **options):
        self.total, self.unit, self.n, self.is_open = total, unit, 0, True
        assert options["file"] is sys.stderr
        assert options["disable"] is None  # none where standard error is no terminal

    def update(self, n):
        assert self.is_open and n >= 0
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
        ([(20, 20, "steps"), (32, 40, "steps")], [(20, " steps", 20), (40, " steps", 32)]),
    ],
    ids=["none", "one", "units", "again", "a longer one"],
)
def test_each_piece_of_work_has_its_own_bar_closed_also_when_the_work_fails(
    bars, reports, expected
):
    with pytest.raises(KeyError), progress_bars() as progress:
        for report in reports:
            progress(*report)
        raise KeyError
    assert [(bar.total, bar.unit, bar.n) for bar in bars] == expected
    assert not any(bar.is_open for bar in bars)


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


def test_a_signal_in_the_midst_of_embedding(refuses, here, tiny_bert, tiny, monkeypatch):
    class Interrupted(Bar):
        def update(self, n):
            super().update(n)
            if self.n >= 3 * 32:
                signal.raise_signal(signal.SIGINT)

    sentences = [f"{WORDS[i % len(WORDS)]} {i} {i * i}" for i in range(400)]
    (here / "many.txt").write_text("\n".join(sentences), encoding="utf-8")
    monkeypatch.setattr("tqdm.auto.tqdm", Interrupted)
    monkeypatch.setattr(transformer, "_BLOCK_BYTES", 1)  # blocks as small as they can be
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        words = "interrupted; what was computed so far is kept"
        refuses("embed", "many.txt", *tiny, "--out", "x.npy", code=130, words=words)
    finally:
        signal.signal(signal.SIGINT, before)
    encoder = TransformerEncoder(resolve_model(str(tiny_bert)), max_length=MAX_TOKENS)
    assert 0 < EmbeddingStore().missing(encoder, sentences) <= len(sentences) - 2 * 32
