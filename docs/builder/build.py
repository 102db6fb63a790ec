"""Build the documentation as HTML: the tracked pages, and those made from the code.

The pages lie as they do in the repository, so that their links hold there and here:

    python docs/builder/build.py --out build/docs
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import generated

ROOT = Path(__file__).parent.parent.parent
SHOWN = re.compile(
    r".+\.(md|png|webp|gif|svg|ipynb|yml|json|tsv)|LICENSE|Dockerfile|CITATION\.cff"
    r"|deploy/(Caddyfile|example\.env)|(benchmarks|examples|bertflow_core/\w+)/\w+\.py"
)
START = '<meta http-equiv="refresh" content="0; url=docs/index.html">'


def gather(pages: Path) -> None:
    """Put together every page, and what pages link to, below `pages`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(SHOWN.fullmatch, listed.split("\0")):
        if not name.startswith(("README", "docs/builder/", ".github/")) and (ROOT / name).is_file():
            (pages / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, pages / name)
    docs = pages / "docs"
    shutil.copy(Path(__file__).with_name("index.md"), docs)
    (docs / "reference").mkdir()
    for name, text in generated.pages().items():
        (docs / "reference" / name).write_text(text, encoding="utf-8")


def main() -> None:
    """Build; a link that leads nowhere, or a docstring that cannot be read, is an error."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "docs")
    out = parser.parse_args().out.resolve()
    pages, html = out / "pages", out / "html"
    for folder in (pages, html, out / "doctrees"):
        shutil.rmtree(folder, ignore_errors=True)
    gather(pages)
    sphinx = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    configuration = ["-c", str(Path(__file__).parent), "-d", str(out / "doctrees")]
    subprocess.run([*sphinx, *configuration, str(pages), str(html)], check=True)
    (html / "index.html").write_text(START, encoding="utf-8")
    sys.stdout.write(f"{html / 'index.html'}\n")


if __name__ == "__main__":
    main()
