"""Build the documentation as HTML, from the tracked pages and from pages made from the code.

The pages have the same paths in the build as in the repository, so that links work in both:

    python docs/builder/build.py --out build/docs

With `--gallery` Chromium takes a screenshot of every page of the dashboard, in a few minutes.
"""

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

import gallery
import generated

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
SHOWN = re.compile(
    r"(?!README|docs/builder/|\.github/)"
    r"(.+\.(md|png|webp|gif|svg|ipynb|yml|json|tsv)|(.+/)?LICENSE(\.txt)?|Dockerfile|CITATION\.cff"
    r"|deploy/(Caddyfile|example\.env)|(benchmarks|examples|bertflow_core/\w+)/\w+\.py)"
)
START = '<meta http-equiv="refresh" content="0; url=docs/index.html">'


def gather(pages: Path, *, with_pictures: bool) -> None:
    """Copy or write all pages, and the files that they link to, below `pages`."""
    shown = pages / "docs" / "gallery"
    if with_pictures:
        import pictures  # late: it needs Playwright

        pictures.views(shown, {view: gallery.address(view) for view in gallery.VIEWS})
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    texts = {f"docs/reference/{name}": text() for name, text in generated.PAGES.items()}
    texts["docs/reference/notebook.md"] = (HERE / "reference/notebook.md").read_text("utf-8")
    texts["docs/index.md"] = (HERE / "index.md").read_text("utf-8").replace("READ_ON", read_on())
    texts["docs/gallery.md"] = gallery.text(shown)
    for name in (*filter(SHOWN.fullmatch, listed.split("\0")), *texts):
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        if name in texts:
            (pages / name).write_text(texts[name], encoding="utf-8")
        elif (ROOT / name).exists():
            shutil.copy(ROOT / name, pages / name)


def read_on() -> str:
    """Return the README's table of pages, with links relative to `docs/`."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Read on\n")[2].partition("\n`make docs`")[0].strip()
    return re.sub(r"\]\((?!docs/)", "](../", table).replace("](docs/", "](")


def main() -> None:
    """Build; fail if a link is broken or a docstring cannot be parsed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "docs")
    parser.add_argument("--gallery", action="store_true", help="Take a picture of every page.")
    options = parser.parse_args()
    out = options.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    gather(out / "pages", with_pictures=options.gallery)
    sphinx = [sys.executable, "-m", "sphinx", "--fail-on-warning", "--keep-going", "--quiet"]
    folders = ["-c", HERE, "-d", out / "doctrees", out / "pages", out / "html"]
    subprocess.run([*sphinx, *folders], check=True)
    (out / "html" / "index.html").write_text(START, encoding="utf-8")
    sys.stdout.write(f"{out / 'html' / 'index.html'}\n")


if __name__ == "__main__":
    main()
