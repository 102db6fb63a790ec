"""HTML pages from Jinja2 templates, in which every value is escaped unless the template says so."""

from importlib.resources import files

from jinja2 import Environment, StrictUndefined

__all__ = ["render"]


def render(package: str, name: str, **values: object) -> str:
    """Fill a template that lies in a package; its values may be untrusted text.

    Args:
        package: The package's full name.
        name: The template's file name.
        values: By the names that the template uses; one that is missing is an error.
    """
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    return environment.from_string((files(package) / name).read_text(encoding="utf-8")).render(
        values
    )
