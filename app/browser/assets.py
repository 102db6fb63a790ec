"""The scripts and style sheets of the components, as `npm run build` bundles them.

They are in the repository, so that neither an installation nor a server needs Node. Streamlit's
`asset_dir`, which would serve the modules as they are, finds no package that is installed from its
source folder.
"""

from bertflow_core.files import bundle


def script(name: str) -> str:
    """Return an ES module whose default export Streamlit calls, such as wall or cone."""
    return bundle(f"{name}.js")


def style(name: str) -> str:
    """Return a style sheet, such as wall or cone."""
    return bundle(f"{name}.css")
