"""Which data sets can be fetched by name: repository, revision, files, licence and size.

The revisions are commits that the hub's public pages show. The digest of each file is recorded
when it is fetched first.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bertflow_core.downloads.inference import mnli_files, qnli_files, snli_files
from bertflow_core.downloads.senteval import ARCHIVE, senteval_files

__all__ = ["DOWNLOADS", "Download", "Written"]

Written = Iterator[tuple[str, Iterable[bytes]]]
"""Files to write: the path below the data folder, and the content in parts."""

_SENTEVAL = ("princeton-nlp/datasets-for-simcse", "e145e8bb659b2aa2669f32ef79cb4cdef6c58fef")
_GLUE = ("nyu-mll/glue", "bcdcba79d07bc864c1c254ccfcedcce55bcc9a8c")
_SNLI = ("stanfordnlp/snli", "cdb5c3d5eed6ead6e5a341c8e56e669bb666725b")
_STS_TERMS = "sentences under the terms of their own sources, some of them restricted"


@dataclass(frozen=True)
class Download:
    """A data set that can be fetched.

    Attributes:
        name: As the commands take it.
        title: For people.
        repository: Its id on the hub.
        revision: The commit that is fetched unless another is asked for.
        patterns: Of the repository's files that are read, as shells write them.
        megabytes: About what is fetched.
        licence: Terms of use, in words.
        files: Makes the files of the data folder from the repository's folder.
        note: What else there is to know; empty for nothing.
    """

    name: str
    title: str
    repository: str
    revision: str
    patterns: tuple[str, ...]
    megabytes: int
    licence: str
    files: Callable[[Path], Written]
    note: str = ""


def _tables(config: str, *splits: str) -> tuple[str, ...]:
    return tuple(f"{config}/{split}-*.parquet" for split in splits)


def _senteval(name: str, title: str, licence: str, pattern: str) -> Download:
    return Download(
        name,
        title,
        *_SENTEVAL,
        patterns=(ARCHIVE,),
        megabytes=90,
        licence=licence,
        files=partial(senteval_files, pattern=pattern),
        note="one archive holds STS-B, STS12 to STS16 and SICK: it is fetched once for all seven",
    )


_ALL = (
    _senteval(
        "stsb",
        "STS Benchmark",
        f"scores CC BY-SA 4.0; {_STS_TERMS}",
        r"STS/STSBenchmark/(sts-(train|dev|test)\.csv|LICENSE\.txt)",
    ),
    *(
        _senteval(
            f"sts{year}",
            f"STS 20{year}",
            f"as stated by the SemEval task; {_STS_TERMS}",
            rf"STS/STS{year}-en-test/STS\.(input|gs)\.[\w.-]+\.txt",
        )
        for year in range(12, 17)
    ),
    _senteval(
        "sickr",
        "SICK relatedness",
        "CC BY-NC-SA 3.0",
        r"SICK/SICK_(train|trial|test_annotated)\.txt",
    ),
    Download(
        "qnli",
        "QNLI",
        *_GLUE,
        patterns=_tables("qnli", "train", "validation", "test"),
        megabytes=19,
        licence="CC BY-SA 4.0 (SQuAD)",
        files=qnli_files,
    ),
    Download(
        "snli",
        "SNLI",
        *_SNLI,
        patterns=_tables("plain_text", "train", "validation", "test"),
        megabytes=20,
        licence="CC BY-SA 4.0",
        files=snli_files,
    ),
    Download(
        "mnli",
        "MultiNLI",
        *_GLUE,
        patterns=_tables("mnli", "train", "validation_matched"),
        megabytes=54,
        licence="OANC, CC BY-SA 3.0 and CC BY 3.0, by genre (Williams et al., 2018)",
        files=mnli_files,
    ),
)

DOWNLOADS = {each.name: each for each in _ALL}
