"""Families of bad files: each writes into a folder what a seed gives, and returns a command.

`good` is a folder of whole inputs that `whole_inputs` wrote once: `model`, `calibrator`,
`pairs.csv`, `sentences.txt`, `vectors.npy`, `counts.txt`.
"""

import csv
import io
import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
from hostile_values import cell, damaged, damaged_json, number, text
from tiny_models import MAX_TOKENS, WORDS, save_tiny_model
from tiny_pairs import write_pairs

__all__ = ["FAMILIES", "whole_inputs"]

Family = Callable[[Random, Path, Path], list[str]]
"""Takes a source of chance, the folder of whole inputs, and an empty folder; returns a command."""

HEADER = ("sentence1", "sentence2", "score", "subset")


def whole_inputs(folder: Path) -> Path:
    """Write one good input of each kind."""
    from bertflow_core.calibrators.build import build_calibrator
    from bertflow_core.calibrators.persistence import save_calibrator

    save_tiny_model(folder / "model", "bert")
    write_pairs(folder / "pairs.csv")
    (folder / "sentences.txt").write_text("the cat sat\na dog runs fast\nthe red mat\nbig\n")
    (folder / "counts.txt").write_text("".join(f"{w}\t{9 * i + 1}\n" for i, w in enumerate(WORDS)))
    vectors = np.random.default_rng(0).standard_normal((12, 16)).astype(np.float32)
    np.save(folder / "vectors.npy", vectors)
    for spec in ("whiten", "flow:epochs=1", "gaussianize"):
        name = f"calibrator-{spec.partition(':')[0]}"
        save_calibrator(build_calibrator(spec, device="cpu").fit(vectors), folder / name, spec=spec)
    return folder


def _tiny(good: Path, model: Path | None = None) -> list[str]:
    length = ("--max-length", str(MAX_TOKENS), "--layers", "layer:2", "--device", "cpu")
    return ["--model", str(model or good / "model"), *length]


def _on_table(rng: Random, good: Path, table: Path) -> list[str]:
    """Return one of the commands that read a table."""
    command = rng.choice(
        (
            ["evaluate", "--calibrator", "whiten"],
            ["evaluate", "--format", "json"],
            ["analyse", "sentences", "--calibrator", "standardize"],
            ["analyse", "lexical", "--calibrator", "whiten", "--bootstrap", "100"],
            ["fit", "--calibrator", "whiten", "--out", "fitted"],
            ["ledger", "--before", "identity", "--after", "whiten"],
        )
    )
    return [*command, *_tiny(good), "--dataset", str(table)]


def delimited(rng: Random, good: Path, here: Path) -> list[str]:
    """Write a .csv or .tsv table of odd columns and cells, or a damaged one."""
    table = here / rng.choice(("t.csv", "t.tsv", "t.CSV"))
    if rng.random() < 0.4:
        table.write_bytes(damaged(rng, (good / "pairs.csv").read_bytes()))
    else:
        table.write_bytes(_written(rng, table.suffix.lower()).encode("utf-8", "surrogatepass"))
    return _on_table(rng, good, table)


def _written(rng: Random, suffix: str) -> str:
    oddness = rng.choice((0.005, 0.05, 0.5))
    header = [each if rng.random() > oddness / 2 else cell(rng) for each in HEADER]
    stream = io.StringIO()
    writer = csv.writer(
        stream,
        delimiter="\t" if suffix == ".tsv" else ",",
        lineterminator=rng.choice(("\n", "\n", "\r\n", "\r")),
    )
    rows = [_row(rng, oddness) for _ in range(rng.choice((1, 8, 40)))]
    for row in [header, *rows, *rows[:1] * rng.choice((0, 30))]:
        writer.writerow(row)
    return rng.choice(("", "", "\ufeff", "\n")) + stream.getvalue()


def _row(rng: Random, oddness: float) -> list[str]:
    def sentence() -> str:
        return text(rng) if rng.random() < oddness else " ".join(rng.choices(WORDS, k=5))

    score = number(rng) if rng.random() < oddness else str(rng.randint(0, 5))
    row = [sentence(), sentence(), score, rng.choice("xy")]
    if rng.random() < oddness / 4:
        return row[: rng.randint(1, 4)] if rng.random() < 0.5 else [*row, cell(rng)]
    return row


def parquet(rng: Random, good: Path, here: Path) -> list[str]:
    """Write a parquet table of columns of any type, or a damaged one."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    n = rng.choice((0, 1, 6))
    columns: dict[str, Callable[[], pa.Array]] = {
        "words": lambda: pa.array([rng.choice(WORDS) for _ in range(n)]),
        "numbers": lambda: pa.array([rng.uniform(0, 5) for _ in range(n)]),
        "whole": lambda: pa.array([rng.randint(0, 5) for _ in range(n)], pa.int64()),
        "none": lambda: pa.nulls(n),
        "holes": lambda: pa.array([None, *["a"] * n][:n], pa.string()),
        "bytes": lambda: pa.array([b"\xff\x00"] * n),
        "lists": lambda: pa.array([["a"]] * n, pa.list_(pa.string())),
        "structs": lambda: pa.array([{"a": 1}] * n, pa.struct([("a", pa.int64())])),
        "times": lambda: pa.array([0] * n, pa.timestamp("ns", rng.choice((None, "UTC")))),
        "coded": lambda: pa.array(["a"] * n).dictionary_encode(),
        "truth": lambda: pa.array([True] * n),
        "endless": lambda: pa.array([float("nan"), float("inf"), *[1.0] * n][:n]),
        "decimal": lambda: pa.array([None] * n, pa.decimal128(10, 2)),
        "long": lambda: pa.array(["x" * 100_000] * n, pa.large_string()),
    }
    usual = dict(zip(HEADER, ("words", "words", "numbers", "coded"), strict=True))
    kinds = {k: v if rng.random() < 0.85 else rng.choice(sorted(columns)) for k, v in usual.items()}
    names = [name if rng.random() < 0.95 else text(rng)[:999] for name in kinds]
    names = [name.encode("utf-8", "replace").decode() for name in names]
    table = pa.Table.from_arrays([columns[kind]() for kind in kinds.values()], names=names)
    pq.write_table(table, here / "t.parquet", compression=rng.choice(("snappy", "zstd", "none")))
    if rng.random() < 0.4:
        written = (here / "t.parquet").read_bytes()
        (here / "t.parquet").write_bytes(damaged(rng, written))
    return _on_table(rng, good, here / "t.parquet")


def benchmark_folder(rng: Random, good: Path, here: Path) -> list[str]:
    """Write a folder in SentEval's or GLUE's layout with a damaged file."""
    name, dataset = rng.choice(
        (
            ("STS/STSBenchmark/sts-test.csv", "stsb"),
            ("SICK/SICK_test_annotated.txt", "sickr"),
            ("STS/STS12-en-test/STS.input.MSRpar.txt", "sts12"),
            ("QNLI/dev.tsv", "qnli"),
        )
    )
    line = rng.choice(
        (
            "main\tnews\t2012\t1\t2.5\tthe cat\ta dog\n",
            "1\tthe cat\ta dog\t3.5\tNEUTRAL\n",
            "the cat\ta dog\n",
            "0\tnews\tf\t2012\t1\ts\ts\tthe cat\ta dog\t2.5\n",
        )
    )
    file = here / "data" / name
    file.parent.mkdir(parents=True)
    file.write_bytes(damaged(rng, line.encode() * rng.choice((1, 5, 40))))
    if dataset == "sts12":
        scores = file.with_name("STS.gs.MSRpar.txt")
        scores.write_bytes(damaged(rng, b"2.5\n" * rng.choice((1, 5, 40))))
    folder = ("--dataset", dataset, "--data-dir", str(here / "data"))
    split = ("--split", rng.choice(("test", "dev", "train")))
    return rng.choice(
        (["evaluate", *_tiny(good), *folder, *split], ["data", "--data-dir", str(here / "data")])
    )


def text_file(rng: Random, good: Path, here: Path) -> list[str]:
    """Write sentences or word counts, odd or damaged."""
    file = here / rng.choice(("s.txt", "s", "s.txt.gz"))
    odd = rng.choice((0.05, 1.0))
    lines = [
        text(rng) if rng.random() < odd else " ".join(rng.choices(WORDS, k=5))
        for _ in range(rng.choice((0, 1, 5, 200)))
    ]
    content = rng.choice(("\n", "\r\n", "\r")).join(lines).encode("utf-8", "surrogatepass")
    if rng.random() < 0.3:
        content = damaged(rng, (good / rng.choice(("sentences.txt", "counts.txt"))).read_bytes())
    file.write_bytes(content)
    return rng.choice(
        (
            ["embed", str(file), *_tiny(good), "--out", "x.npy"],
            ["fit", *_tiny(good), "--calibrator", "whiten", "--fit-on", str(file), "--out", "c"],
            ["evaluate", *_tiny(good), "--dataset", str(good / "pairs.csv"), "--fit-on", str(file)],
            ["calibrate", str(file), "--calibrator", _calibrator(rng, good), "--out", "z.npy"],
            _words(good / "model", "--counts", str(file)),
        )
    )


def _words(model: Path, *more: str) -> list[str]:
    options = ("--bins", "0,5,99", "--k", "1", "--device", "cpu", "--calibrator", "standardize")
    return ["analyse", "words", "--model", str(model), *options, *more]


def _calibrator(rng: Random, good: Path) -> str:
    return str(rng.choice(sorted(good.glob("calibrator-*"))))


def word_counts(rng: Random, good: Path, here: Path) -> list[str]:
    """Write counts of the model's own words, so that the lines are read to the end."""
    rows = [
        (rng.choice(WORDS), str(rng.randint(0, 99)) if rng.random() < 0.9 else number(rng))
        for _ in range(rng.choice((1, 30)))
    ]
    between = rng.choice(("\t", " ", ","))
    content = "\n".join(between.join(row) for row in rows).encode()
    (here / "counts.txt").write_bytes(damaged(rng, content) if rng.random() < 0.5 else content)
    return _words(good / "model", "--counts", "counts.txt")


def numpy_array(rng: Random, good: Path, here: Path) -> list[str]:
    """Write a .npy file of another type, shape or header, or a damaged one."""
    file = here / "x.npy"
    shape = tuple(rng.choice((0, 1, 2, 16)) for _ in range(rng.choice((0, 1, 2, 2, 2, 3))))
    kind = rng.choice(("f2", "f4", "f8", ">f4", "i1", "u8", "?", "c8", "U3", "S2", "M8[s]", "f4"))
    array = np.zeros(shape, kind)
    if kind in ("f4", "f8"):
        array[...] = rng.choice((0.0, 1.0, np.nan, np.inf, 1e38, 1e-45))
    np.save(file, np.asfortranarray(array) if rng.random() < 0.2 else array)
    how = rng.random()
    if how < 0.3:
        file.write_bytes(damaged(rng, (good / "vectors.npy").read_bytes()))
    elif how < 0.6:
        shown = rng.choice(("(10**9, 16)", "(-1, 16)", "(4, 16)", "(1.5, 2)", "4", "('a',)", "(4,"))
        described = rng.choice(
            ("'<f4'", "'|O'", "'<f99'", "[('a', '<f4')]", "None", "'<f4' * 9**9")
        )
        header = f"{{'descr': {described}, 'fortran_order': False, 'shape': {shown}, }}\n".encode()
        size = len(header) if rng.random() < 0.8 else rng.randrange(1 << 16)
        file.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", size) + header + bytes(256))
    return ["calibrate", "x.npy", "--calibrator", _calibrator(rng, good), "--out", "z.npy"]


def calibrator_folder(rng: Random, good: Path, here: Path) -> list[str]:
    """Copy a calibrator and damage one of its files."""
    shutil.copytree(_calibrator(rng, good), here / "c")
    _damage_one(rng, here / "c")
    return ["calibrate", str(good / "vectors.npy"), "--calibrator", "c", "--out", "z.npy"]


def model_folder(rng: Random, good: Path, here: Path) -> list[str]:
    """Copy the model and damage one of its files."""
    shutil.copytree(good / "model", here / "m")
    _damage_one(rng, here / "m")
    if rng.random() < 0.3:
        return _words(here / "m", "--counts", str(good / "counts.txt"))
    return ["embed", str(good / "sentences.txt"), *_tiny(good, here / "m"), "--out", "x.npy"]


def tokenizer(rng: Random, good: Path, here: Path) -> list[str]:
    """Copy the model and change its tokenizer, as JSON."""
    shutil.copytree(good / "model", here / "m")
    name = rng.choice(("tokenizer.json", "tokenizer.json", "tokenizer_config.json"))
    changed = damaged_json(rng, (good / "model" / name).read_bytes())
    (here / "m" / name).write_bytes(changed)
    lexical = ["analyse", "lexical", "--unit", "wordpiece", "--bootstrap", "100"]
    return rng.choice(
        (
            ["embed", str(good / "sentences.txt"), *_tiny(good, here / "m"), "--out", "x.npy"],
            [*lexical, *_tiny(good, here / "m"), "--dataset", str(good / "pairs.csv")],
        )
    )


def configuration(rng: Random, good: Path, here: Path) -> list[str]:
    """Copy the model or a calibrator and change its configuration, as JSON."""
    is_model = rng.random() < 0.5
    source = good / "model" if is_model else Path(_calibrator(rng, good))
    shutil.copytree(source, here / "f")
    file = here / "f" / "config.json"
    file.write_bytes(damaged_json(rng, file.read_bytes()))
    if is_model:
        return ["embed", str(good / "sentences.txt"), *_tiny(good, here / "f"), "--out", "x.npy"]
    return ["calibrate", str(good / "vectors.npy"), "--calibrator", "f", "--out", "z.npy"]


def weights(rng: Random, good: Path, here: Path) -> list[str]:
    """Copy the model or a calibrator and change the header of its weights, as JSON."""
    is_model = rng.random() < 0.5
    shutil.copytree(good / "model" if is_model else _calibrator(rng, good), here / "f")
    file = here / "f" / "model.safetensors"
    content = file.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header = damaged_json(rng, content[8 : 8 + size])
    file.write_bytes(struct.pack("<Q", len(header)) + header + content[8 + size :])
    if is_model:
        return ["embed", str(good / "sentences.txt"), *_tiny(good, here / "f"), "--out", "x.npy"]
    return ["calibrate", str(good / "vectors.npy"), "--calibrator", "f", "--out", "z.npy"]


def no_file(rng: Random, good: Path, here: Path) -> list[str]:
    """Put what is no file where a command reads one."""
    name = rng.choice(("x.npy", "x.txt", "x.csv", "x.tsv", "x.parquet", "x", "\u00e9" * 100))
    _put_no_file(rng, here / name)
    pairs, model = str(good / "pairs.csv"), str(good / "model")
    return rng.choice(
        (
            ["calibrate", name, "--calibrator", _calibrator(rng, good), "--out", "z.npy"],
            ["calibrate", str(good / "vectors.npy"), "--calibrator", name, "--out", "z.npy"],
            ["embed", name, *_tiny(good), "--out", "z.npy"],
            ["embed", str(good / "sentences.txt"), *_tiny(good, here / name), "--out", "z.npy"],
            ["evaluate", *_tiny(good), "--dataset", name],
            ["evaluate", *_tiny(good), "--dataset", pairs, "--fit-on", name],
            ["evaluate", *_tiny(good), "--dataset", "stsb", "--data-dir", name],
            ["fit", *_tiny(good), "--dataset", pairs, "--calibrator", "whiten", "--out", name],
            ["embed", str(good / "sentences.txt"), *_tiny(good), "--out", name],
            _words(Path(model), "--counts", name),
        )
    )


def _put_no_file(rng: Random, path: Path) -> None:
    """Make a folder, a pipe, or a link to a device, to itself or to nothing."""
    what = rng.choice(("folder", "pipe", "/dev/zero", "/dev/null", "/dev/tty", path.name, "gone"))
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(what)


def _damage_one(rng: Random, folder: Path) -> None:
    """Damage, remove or replace a file of a folder."""
    file = rng.choice(sorted(folder.iterdir()))
    if rng.random() < 0.7:
        file.write_bytes(damaged(rng, file.read_bytes()))
        return
    file.unlink()
    if rng.random() < 0.8:
        _put_no_file(rng, file)


FAMILIES: dict[str, Family] = {
    each.__name__: each
    for each in (
        delimited,
        parquet,
        benchmark_folder,
        text_file,
        word_counts,
        numpy_array,
        calibrator_folder,
        model_folder,
        tokenizer,
        configuration,
        weights,
        no_file,
    )
}
