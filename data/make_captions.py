"""Write the files of `captions/`: `python data/make_captions.py DIR`.

DIR contains senteval/STS/STSBenchmark and snli/. Only text that may be redistributed is taken;
`captions/README.md` names its sources, terms and authors.
"""

import sys
from pathlib import Path

import numpy as np

FREE_FILES = ("images", "track5.en-en")
"""Files of STS-B: PASCAL captions (CC BY-SA) and SNLI (CC BY-SA 4.0)."""

N_SENTENCES = 4_000
HEADER = ("id", "subset", "score", "sentence1", "sentence2")
FOLDER = Path(__file__).parent / "captions"


def pairs_table(source: Path) -> str:
    """Return the pairs of one split of STS-B that may be shipped, as a table."""
    lines = source.read_text(encoding="utf-8").split("\n")
    rows = [line.split("\t") for line in lines if line]
    kept = [
        (f"{year}-{number}", file, score, first.strip(), second.strip())
        for _, file, year, number, score, first, second, *_ in rows
        if file in FREE_FILES
    ]
    return "".join("\t".join(row) + "\n" for row in (HEADER, *kept))


def sentences(folder: Path) -> str:
    """Return sentences of SNLI's dev and test splits, one per line, drawn without replacement."""
    texts = [
        (folder / f"{side}.{split}").read_text(encoding="utf-8")
        for split in ("dev", "test")
        for side in ("s1", "s2")
    ]
    lines = sorted({line.strip() for text in texts for line in text.split("\n")} - {""})
    order = np.random.default_rng(0).permutation(len(lines))[:N_SENTENCES]
    return "".join(lines[i] + "\n" for i in order)


def tables(root: Path) -> dict[str, str]:
    """Return the text of each file of `captions/`, by its name, from the data under `root`."""
    stsb = root / "senteval/STS/STSBenchmark"
    return {
        f"{split}.tsv": pairs_table(stsb / f"sts-{split}.csv") for split in ("train", "dev", "test")
    } | {"sentences.txt": sentences(root / "snli")}


if __name__ == "__main__":
    for name, text in tables(Path(sys.argv[1])).items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
