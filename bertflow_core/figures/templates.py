"""HTML pages from Jinja2 templates, in which every value is escaped unless the template says so."""

import hashlib
from base64 import b64encode
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

__all__ = ["content_policy", "render"]


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


def content_policy(*scripts: str) -> str:
    """Return a policy that forbids a page everything but these scripts, and any network.

    Styles are Plotly's too, which are not known before; a worker is made of a script's own text.
    """
    digests = (b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
