"""Table 1: norm and neighbours of a model's word embeddings by rank of frequency."""

from bertflow_core.datasets.places import data_root
from bertflow_core.datasets.word_counts import FOLDER, VOCABULARY
from bertflow_core.errors import InputError
from bertflow_core.studies.reproduce.items import ITEMS
from bertflow_core.studies.reproduce.request import Request, encoders_of
from bertflow_core.studies.reproduce.result import Line, Origin, Reproduction, number
from bertflow_core.studies.words.published import published_table1
from bertflow_core.studies.words.recipe import WordRecipe
from bertflow_core.studies.words.study import words

__all__ = ["table1"]


def table1(request: Request) -> Reproduction:
    """Make Table 1 again."""
    printed = published_table1()
    models, missing = encoders_of(ITEMS["table1"], request)
    counts, uncounted = _counts(request)
    reports = {
        model: words(WordRecipe(model=model, counts=counts, seed=request.seed), request.lab)
        for model in models
    }
    lines = []
    for measure, label in printed.labels.items():
        values = map(number, printed.values[measure])
        lines.append(Line(Origin.PUBLISHED, "BERT", label, tuple(values)))
        lines += [
            Line(Origin.OURS, model, label, tuple(number(row[measure]) for row in report.rows))
            for model, report in reports.items()
        ]
    return Reproduction(
        columns=tuple(f"[{low:,}, {high:,})" for low, high in printed.bins),
        lines=tuple(lines),
        recipe=tuple(" ".join(report.remarks[:2]) for report in reports.values()),
        missing=(*missing, *uncounted),
    )


def _counts(request: Request) -> tuple[str, tuple[str, ...]]:
    """Return the list of frequencies to take, and what to say where it is no counted text."""
    try:
        root = data_root(request.lab.data_dir)
    except InputError:
        root = None
    files = sorted((root / FOLDER).glob("*.txt")) if root else []
    if files:
        return str(files[0]), ()
    return VOCABULARY, (
        f"No {FOLDER}/*.txt is in the data folder: ranks are places in the model's vocabulary, "
        "which lists words by frequency.",
    )
