"""A folder of documents, queries and judgements in the words of the tiny models."""

from pathlib import Path

WORDS = "cat dog mat hat red blue big fast".split()


def write_collection(folder: Path) -> str:
    """Write eight documents, each with a query that it alone answers; return the folder."""
    numbers = range(len(WORDS))
    texts = [f"the {WORDS[i]} sat on a {WORDS[i - 1]}" for i in numbers]
    tables = {
        "corpus.csv": ["_id,text", *(f"d{i},{text}" for i, text in enumerate(texts))],
        "queries.csv": ["_id,text", *(f"q{i},a {WORDS[i]} is red" for i in numbers)],
        "qrels/test.csv": ["query-id,corpus-id,score", *(f"q{i},d{i},1" for i in numbers)],
    }
    for name, lines in tables.items():
        file = folder / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join(lines), encoding="utf-8")
    return str(folder)
