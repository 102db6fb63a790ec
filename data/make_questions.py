"""Write the files of `questions/`: `python data/make_questions.py DIR`.

DIR contains glue/QNLI/dev.tsv; `questions/README.md` names its terms and authors.
"""

import json
import sys
from pathlib import Path

import numpy as np

N_QUESTIONS = 700
FOLDER = Path(__file__).parent / "questions"


def files(root: Path) -> dict[str, str]:
    """Return the text of each file of `questions/`, by its name, from the data under `root`."""
    text = (root / "glue/QNLI/dev.tsv").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.split("\t")[1:]] for line in text.split("\n")[1:] if line
    ]
    answers = {question: sentence for question, sentence, label in rows if label == "entailment"}
    questions = sorted(answers)
    order = np.random.default_rng(0).permutation(len(questions))[:N_QUESTIONS]
    asked = {questions[i]: f"q{n:03}" for n, i in enumerate(sorted(order.tolist()), start=1)}
    paired = sorted({sentence for question, sentence, _ in rows if question in asked})
    found = {sentence: f"s{n:04}" for n, sentence in enumerate(paired, start=1)}
    pairs = [f"{number}\t{found[answers[each]]}\t1" for each, number in asked.items()]
    return {
        "queries.jsonl": _lines(asked),
        "corpus.jsonl": _lines(found),
        "qrels/test.tsv": "\n".join(["query-id\tcorpus-id\tscore", *pairs, ""]),
    }


def _lines(texts: dict[str, str]) -> str:
    rows = ({"_id": number, "text": text} for text, number in texts.items())
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


if __name__ == "__main__":
    (FOLDER / "qrels").mkdir(parents=True, exist_ok=True)
    for name, text in files(Path(sys.argv[1])).items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
