"""The class of a task of MTEB that holds its pairs; it needs mteb to be installed."""

import re
from typing import Any

from datasets import Dataset, DatasetDict
from mteb.abstasks import AbsTaskSTS
from mteb.abstasks.task_metadata import TaskMetadata

from bertflow_core.datasets import SentencePairs

__all__ = ["PairsTask", "task_of"]


class PairsTask(AbsTaskSTS):  # type: ignore[misc]  # mteb is not typed for us
    """Semantic textual similarity of pairs with graded scores, held in memory.

    Attributes:
        metadata: As MTEB wants it, of the class: it forgets an object's own between two runs.
        pairs: What is scored.
    """

    metadata: TaskMetadata
    pairs: SentencePairs

    def load_data(self, num_proc: int | None = None, **options: Any) -> None:  # noqa: ANN401
        """Make a table of the pairs; nothing is fetched."""
        assert self.pairs.gold is not None
        first, second, gold = self.pairs.first, self.pairs.second, self.pairs.gold
        columns = {"sentence1": first, "sentence2": second, "score": gold}
        table = Dataset.from_dict({name: list(values) for name, values in columns.items()})
        self.dataset = DatasetDict({self.pairs.split: table})
        self.data_loaded = True


def task_of(pairs: SentencePairs, language: str) -> PairsTask:
    """Return pairs with graded scores as a task.

    Args:
        pairs: What is scored.
        language: Of the sentences, as MTEB names it.
    """
    low, high = pairs.scale
    own = {"metadata": _metadata(pairs, language), "pairs": pairs}
    kind = type(PairsTask.__name__, (PairsTask,), {**own, "min_score": low, "max_score": high})
    task: PairsTask = kind()
    return task


def _metadata(pairs: SentencePairs, language: str) -> TaskMetadata:
    name = re.sub(r"\W+", "-", pairs.name) or "pairs"
    return TaskMetadata(
        name=f"BertFlowLab-{name}",
        description=f"{pairs.provenance.source} Licence: {pairs.provenance.licence}.",
        reference=None,
        dataset={"path": f"bertflow-lab/{name}", "revision": pairs.fingerprint[:40]},
        type="STS",
        category="t2t",
        modalities=["text"],
        eval_splits=[pairs.split],
        eval_langs=[language],
        main_score="cosine_spearman",
        date=None,
        domains=None,
        task_subtypes=None,
        license="not specified",
        annotations_creators=None,
        dialect=None,
        sample_creation=None,
        bibtex_citation=None,
    )
