"""Let only the server's own pages, under its own host names, talk to the server or frame it.

Streamlit checks only websockets. To decide whether a page is its own, it asks a service on the
internet for this machine's address, and every visitor waits for the answer. Here the names in the
headers of the request decide.
"""

import os
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from bertflow_core.runtime import server


class Guard:
    """Refuse requests that name another host (DNS rebinding) or come from another site's page.

    No other site may show an answer in a frame, except those in `BERTFLOW_FRAMES`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._policy = f"frame-ancestors 'self' {os.environ.get(server.FRAMES, '')}".strip()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on or answer 403."""

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("Content-Security-Policy", self._policy)
            await send(message)

        if scope["type"] == "lifespan" or _is_welcome(Headers(scope=scope)):
            await self.app(scope, receive, answer)
        elif scope["type"] == "websocket":
            await WebSocketClose()(scope, receive, send)  # not accepted yet: a 403
        else:
            await PlainTextResponse("Refused: foreign host or origin", 403)(scope, receive, answer)


def _is_welcome(headers: Headers) -> bool:
    host, origin = headers.get("host", ""), headers.get("origin")
    known = st.get_option("server.allowedHosts")
    if known and "*" not in known and _name(host) not in [each.lower() for each in known]:
        return False
    trusted = st.get_option("server.corsAllowedOrigins")
    return origin is None or origin in trusted or origin.partition("://")[2] == host


def _name(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None
