"""Where the shards of a stage lie, each with its manifest and its refused rows.

What begins with an underscore is no data: readers pass over it.
"""

from dataclasses import dataclass
from pathlib import Path

from bertflow_core.files import cannot_write, make_folder
from bertflow_core.scale.shard import ENDING, Shard

__all__ = ["MANIFESTS", "REFUSED_ROWS", "OutputFolder"]

MANIFESTS, REFUSED_ROWS = "_manifest", "_refused"


@dataclass(frozen=True)
class OutputFolder:
    """A folder of parquet files."""

    path: Path

    @property
    def whole(self) -> Path:
        """The manifest of all shards."""
        return self.path / "_manifest.json"

    def data(self, shard: Shard) -> Path:
        """The rows that were made of a shard."""
        return self.path / (shard.name + ENDING)

    def manifest(self, shard: Shard) -> Path:
        """What they are and how they were made."""
        return self.path / MANIFESTS / f"{shard.name}.json"

    def refused(self, shard: Shard) -> Path:
        """The rows of the shard that could not be used, with the reasons."""
        return self.path / REFUSED_ROWS / (shard.name + ENDING)

    def make(self, *names: str) -> None:
        """Make the folder, or these inside it.

        Raises:
            ResourceError: The disk refused.
        """
        try:
            for name in names or ("",):
                make_folder(self.path / name)
        except OSError as error:
            raise cannot_write(self.path, error) from error

    def make_all(self) -> None:
        """Make all folders that a shard needs.

        Raises:
            ResourceError: The disk refused.
        """
        self.make(MANIFESTS, REFUSED_ROWS)

    def names(self) -> list[str]:
        """Return the names of the shards that are there."""
        return [each.name.removesuffix(ENDING) for each in self.path.glob(f"*{ENDING}")]
