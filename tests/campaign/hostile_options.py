"""Commands with odd values of their options: the options are read from the program itself."""

from pathlib import Path
from random import Random
from typing import Any

from hostile_values import number, text

__all__ = ["options"]

PATHS = (".", "missing/x.npy", "x.npy", "x.csv", "x.html", "c", "x" * 300, "err.txt")
WRITTEN = ("--out", "--figures")
"""Options that name what is written: it stays in the folder of the run."""
SPECS = (
    "identity",
    "whiten",
    "whiten:k=2",
    "whiten:k=0",
    "whiten:k=999999999999",
    "null-top-k:k=1e9",
    "flow:epochs=1",
    "flow:epochs=-1",
    "flow:lr=nan",
    "standardize+whiten",
    "standardize+",
    "+",
    "whiten:",
    "whiten:k",
    "whiten:k=1,k=2",
    "soft-whiten:alpha=inf",
    "all-but-the-top:k=\u0661",
)
CHOICES = (
    *("layer:0", "layer:2", "layer:-1", "layer:\u00b2", "layer:99999999999", "last2", "first-last"),
    *("mean", "cls", "max", "last", "all", "wmean", "target", "train", "test", "stsb", "teaching"),
    *("0,5", "5,0", "1,2,3,4", ",", "csv", "json", "latex", "cuda", "cuda:9", "cpu", "meta"),
    *("float32", "bfloat16", "float64", "auto", "nobody/nothing", "minilm/", "main"),
)
WITHOUT_END = {"app", "bench"}
"""Commands that serve until they are stopped, or measure for minutes."""


def options(rng: Random, good: Path, here: Path) -> list[str]:
    """Return a command with some of its options, most with an odd value."""
    name, command = rng.choice(_commands())
    words = [*name]
    usual = _usual(good)
    for parameter in command.params:
        flag = max(parameter.opts, key=len)
        value = usual.get(flag)
        if rng.random() < 0.06 and flag != "--help":
            value = rng.choice(PATHS) if flag in WRITTEN else _value(rng)
        if value is None:
            continue
        if parameter.param_type_name == "argument":
            words += ["--", value] if value.startswith("-") else [value]
        elif getattr(parameter, "is_flag", False):
            words.append(flag)
        else:
            words += [flag, value]
    return _plain(words)


def _plain(words: list[str]) -> list[str]:
    """Leave out what no shell could pass."""
    return [word.replace("\0", "").replace("\ud800", "\ufffd")[:100_000] for word in words]


def _commands() -> list[tuple[list[str], Any]]:
    import typer

    from bertflow_core.cli.main import program

    def below(command: Any, name: list[str]) -> list[tuple[list[str], Any]]:
        runs_alone = not command.no_args_is_help
        found = [(name, command)] if name and runs_alone else []
        for each, inner in sorted(getattr(command, "commands", {}).items()):
            found += below(inner, [*name, each])
        return found

    every = below(typer.main.get_command(program()), [])
    return [(name, command) for name, command in every if name[0] not in WITHOUT_END]


def _usual(good: Path) -> dict[str, str]:
    """Return values with which commands are quick and succeed."""
    return {
        "source": str(good / "sentences.txt"),
        "--model": str(good / "model"),
        "--layers": "layer:2",
        "--max-length": "40",
        "--dataset": str(good / "pairs.csv"),
        "--device": "cpu",
        "--out": "out.html",
        "--bootstrap": "100",
        "--calibrator": "whiten",
        "--counts": str(good / "counts.txt"),
        "--bins": "0,5,99",
        "--k": "1",
    }


def _value(rng: Random) -> str:
    kind = rng.choice((text, number, None, None, None))
    return kind(rng) if kind else rng.choice(rng.choice((PATHS, SPECS, CHOICES)))
