"""What lies in a folder, for a comparison of before and after."""

from pathlib import Path


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Return every path below a folder, hidden ones too, with the content of files."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }
