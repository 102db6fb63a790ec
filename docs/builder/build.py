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

import commands
import methods
import reference

ROOT = Path(__file__).parent.parent.parent
START = (
    '<meta http-equiv="refresh" content="0; url=docs/index.html">'
    '<a href="docs/index.html">BERT-flow Lab</a>'
)


def tracked() -> list[str]:
    """Return the files that git knows or would take."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def gather(pages: Path) -> None:
    """Put together every page, and what pages link to, below `pages`."""
    shown = (".md", ".png", ".webp", ".gif", ".svg", ".ipynb", ".yml", ".json", ".tsv")
    alone = ("LICENSE", "Dockerfile", "deploy/Caddyfile", "deploy/example.env", "CITATION.cff")
    for name in tracked():
        is_shown = (
            name.endswith(shown)
            or name in alone
            or re.fullmatch(r"(benchmarks|examples|bertflow_core/\w+)/\w+\.py", name)
        )
        if is_shown and not name.startswith(("README", "docs/builder/", ".github/")):
            (pages / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, pages / name)
    (pages / "docs" / "index.md").write_text(front_page(pages / "docs"), encoding="utf-8")
    for maker in (methods, reference, commands):
        for name, text in maker.pages().items():
            (pages / "docs" / name).parent.mkdir(parents=True, exist_ok=True)
            (pages / "docs" / name).write_text(text, encoding="utf-8")


def front_page(docs: Path) -> str:
    """Return the first page; pages that its lists do not name follow the others."""
    text = Path(__file__).with_name("index.md").read_text(encoding="utf-8")
    named = text.splitlines()
    more = sorted(page.stem for page in docs.glob("*.md") if page.stem not in named)
    return text.replace("MORE\n", "".join(f"{name}\n" for name in more))


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
