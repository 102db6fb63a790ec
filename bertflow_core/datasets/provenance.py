"""Where sentences came from, which every number made from them carries, and their digest."""

import hashlib
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from bertflow_core.datasets.raw_file import SourceFile


@dataclass(frozen=True)
class Provenance:
    """Where sentences came from, in a form that may be printed under a result.

    Attributes:
        source: One sentence that names the origin.
        licence: Terms of use, in words.
        layout: The arrangement the files were found in: senteval, glue, package, table, text or
            vectors.
        files: Each file with checksum and number of lines.
        counts: (subset, number of pairs), in order; for plain text ("sentences", number).

    Example:
        >>> from bertflow_core import load_pairs
        >>> provenance = load_pairs("teaching").provenance
        >>> provenance.layout, provenance.files[0].name
        ('package', 'teaching.tsv')
    """

    source: str
    licence: str
    layout: str
    files: tuple[SourceFile, ...]
    counts: tuple[tuple[str, int], ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values that `json.dumps` takes; `counts` becomes a mapping."""
        return {
            "source": self.source,
            "licence": self.licence,
            "layout": str(self.layout),
            "files": [asdict(file) for file in self.files],
            "counts": dict(self.counts),
        }


def digest(texts: Iterable[str]) -> str:
    """Return the SHA-256 of `texts`, each led by its length so that different lists differ."""
    total = hashlib.sha256()
    for text in texts:
        raw = text.encode("utf-8", "surrogatepass")
        total.update(len(raw).to_bytes(8, "little"))
        total.update(raw)
    return total.hexdigest()
