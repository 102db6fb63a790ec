"""The project's files as git knows or would take them, for builds in a folder of their own."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent


def copy_tree(target: Path) -> Path:
    """Copy them into a folder, and return it."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.check_output(command, cwd=ROOT, text=True)
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    return target
