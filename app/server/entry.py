"""The server's entry: `bertflow-lab app`, or `streamlit run app/server/entry.py`."""

import asyncio
import logging
import sys
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import streamlit as st
from bertflow_app.folders import explained
from bertflow_app.server.guard import Guard
from bertflow_app.server.limits import Limits
from bertflow_app.server.token_check import TokenCheck
from bertflow_app.work import warmup
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

SCRIPT = Path(__file__).parents[1] / "pages" / "frame.py"
# For each run Streamlit puts the script's folder first on the path, and removes it afterwards. At
# that moment the import of another thread may fail: "torch is not installed". Streamlit does not
# add or remove a folder that is on the path already.
sys.path.append(str(SCRIPT.parent))


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any] | None]:
    """Start the imports in the background."""
    warmup.start()
    task = asyncio.create_task(asyncio.to_thread(_import_start))
    yield None
    task.cancel()


def _import_start() -> None:
    """Import what the first page needs, while the browser loads its scripts."""
    import bertflow_app.pages.start.start  # noqa: F401
    import streamlit.emojis  # noqa: F401 - it has the page's icon


async def plotly(_: Request) -> FileResponse:
    """Send the script that draws the figures of the tour's frame."""
    script = files("plotly") / "package_data" / "plotly.min.js"
    kept = {"Cache-Control": "max-age=86400"}
    return FileResponse(str(script), media_type="text/javascript", headers=kept)


def on_error(error: Exception) -> bool:
    """Show one sentence instead of a traceback; the log has the rest under the same reference."""
    from bertflow_app.widgets.components import problem  # late, so the server starts sooner

    known = explained(error)
    if known is not None:
        problem(known)
        return True
    reference = uuid.uuid4().hex[:8]
    logging.getLogger("bertflow_app").error("reference %s", reference, exc_info=error)
    st.error(
        f"Something went wrong (reference {reference}): change an input or reload the page.",
        icon=":material/error:",
    )
    return True


app = st.App(
    SCRIPT,
    lifespan=lifespan,
    routes=[Route("/plotly.js", plotly)],
    middleware=[Middleware(Guard), Middleware(TokenCheck), Middleware(Limits)],
    on_script_error=on_error,
)
