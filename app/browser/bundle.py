"""One script of the canvas's JavaScript modules, for a component takes a single text.

The modules are plain ES modules that import each other by name. Each becomes a function of its
own, so that names stay private to a module; what it exports is what the function returns.
"""

import re
from importlib.resources import files

_IMPORT = re.compile(r'^import \{([^}]*)\} from "(?:\.|\.\./shared)/(\w+)\.js";\n', re.MULTILINE)
_WALL = f"{__package__}.wall"
_EXPORT = re.compile(r"^export (?=(?:class|const|function) (\w+))", re.MULTILINE)


def bundle(entry: str, *, package: str = _WALL) -> str:
    """Return the module `entry` and all that it imports as one module with its default export.

    Args:
        entry: Its name without `.js`.
        package: Where modules lie; what is not there is shared.
    """
    written: list[str] = []
    _write(entry, package, written, set())
    return "".join(written)


def stylesheet(name: str = "wall.css", *, package: str = _WALL) -> str:
    """Return a style sheet, by default that of the wall."""
    return _source(name, package)


def _write(name: str, package: str, written: list[str], done: set[str]) -> None:
    """Append a module, those that it imports first; a module that several import comes once."""
    done.add(name)
    source = _source(f"{name}.js", package)
    for _, imported in _IMPORT.findall(source):
        if imported not in done:
            _write(imported, package, written, done)
    body = _IMPORT.sub(r"const {\1} = \2_js;" + "\n", source)
    exported = ", ".join(match[1] for match in _EXPORT.finditer(body))
    body = _EXPORT.sub("", body)
    if "export default function" in body:
        written.append(body)
    else:
        written.append(f"const {name}_js = (() => {{\n{body}return {{ {exported} }};\n}})();\n")


def _source(name: str, package: str) -> str:
    own = files(package) / name
    found = own if own.is_file() else files(__package__) / "shared" / name
    return found.read_text(encoding="utf-8")
