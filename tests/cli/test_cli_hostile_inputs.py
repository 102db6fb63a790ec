"""Inputs made to hang, to fill the memory or to flood the terminal: one short sentence each."""

import json
import os
import shutil
import signal

import pytest
from waiting import PATIENCE

MANY = 5_000


@pytest.fixture(autouse=True)
def _no_hang():
    """Fail where a read would wait for ever."""
    signal.alarm(PATIENCE)
    yield
    signal.alarm(0)


@pytest.fixture
def model(here, tiny_bert):
    """A copy of the tiny model, `model`, and the options that name it."""
    shutil.copytree(tiny_bert, here / "model")
    return ("--model", "./model", "--layers", "layer:2", "--max-length", 40, "--device", "cpu")


@pytest.mark.parametrize(
    "name", ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "x"]
)
def test_a_pipe_is_no_part_of_a_model(refuses, here, table, model, no_embedding, name):
    (here / "model" / name).unlink(missing_ok=True)
    os.mkfifo(here / "model" / name)
    refuses("evaluate", *model, "--dataset", table, words="model")
    refuses("analyse", "words", *model[:2], words="model")


@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "--model", "{}"),
        ("evaluate", "--dataset", "{}"),
        ("evaluate", "--dataset", "{}.csv"),
        ("evaluate", "--layers", "{}"),
        ("evaluate", "--format", "{}"),
        ("evaluate", "--seed", "{}"),
        ("evaluate", "--calibrator", "null-top-k:k={}"),
        ("evaluate", "--{}", "1"),
        ("{}",),
        ("embed", "{}.txt", "--out", "y.npy"),
        ("embed", "x.txt", "--out", "{}.npy"),
        ("calibrate", "{}.npy", "--calibrator", "{}", "--out", "y.npy"),
        ("fit", "--fit-on", "{}", "--out", "{}"),
        ("compare", "--baseline", "{}"),
        ("analyse", "words", "--counts", "{}"),
    ],
    ids=" ".join,
)
def test_no_sentence_repeats_a_flood(lab, here, words):
    outcome = lab(*(word.format("z" * MANY) for word in words))
    assert outcome.code in (1, 2), outcome
    assert outcome.err.startswith("bertflow-lab: ")
    assert "unexpected" not in outcome.err
    assert outcome.err.count("z") <= 500


BROKEN_TOKENIZERS = {
    "no tokens": lambda model: model["model"].update(vocab={}) or model.update(added_tokens=[]),
    "no unknown token": lambda model: model["model"].update(unk_token="[NONE]"),
    "no letters": lambda model: model["model"].update(vocab={"[CLS]": 0, "[SEP]": 1}),
    "ids that no vector has": lambda model: model["model"]["vocab"].update(cat=10**6),
    "a special token without an id": lambda model: model["post_processor"].update(
        single=[{"SpecialToken": {"id": "[GONE]", "type_id": 0}}]
    ),
    "no model": lambda model: model.pop("model"),
}


@pytest.mark.parametrize("change", BROKEN_TOKENIZERS.values(), ids=BROKEN_TOKENIZERS)
def test_a_broken_tokenizer_is_one_sentence(lab, here, table, model, change):
    path = here / "model" / "tokenizer.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")
    commands = (
        ("evaluate", *model, "--dataset", table, "--calibrator", "whiten"),
        ("analyse", "words", *model[:2]),
        ("analyse", "lexical", *model, "--dataset", table, "--unit", "wordpiece"),
    )
    for words in commands:
        outcome = lab(*words)
        if outcome.code == 0:
            continue  # it can be used all the same
        assert outcome.code == 2, outcome.err
        assert outcome.err.startswith("bertflow-lab: "), outcome.err
        assert outcome.err.count("\n") == 1
        assert "unexpected" not in outcome.err
