"""The server's token, if it has one: required for every request, kept in a cookie.

The idea is Jupyter's. The address that `bertflow-lab app` prints holds the token, so only those who
were given that address get in.
"""

import hmac
import os

from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from bertflow_core.runtime import server

HEALTH = "/_stcore/health"
REFUSAL = "This server asks for its token: open the address that it printed when it was started."


class TokenCheck:
    """Let in visitors who show `BERTFLOW_TOKEN` in the address or a cookie; all if it is unset."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._token = os.environ.get(server.TOKEN, "")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, exchange a token in the address for a cookie, or answer 401."""
        if not self._token or scope["type"] == "lifespan" or scope["path"] == HEALTH:
            return await self.app(scope, receive, send)
        asked = HTTPConnection(scope)
        cookie = f"bertflow_token_{scope['server'][1]}"  # a cookie is sent to all ports of a host
        if self._is_it(asked.cookies.get(cookie)):
            return await self.app(scope, receive, send)
        if scope["type"] == "websocket":
            return await WebSocketClose()(scope, receive, send)  # not accepted yet: a 403
        if not self._is_it(asked.query_params.get("token")):
            return await PlainTextResponse(REFUSAL, 401)(scope, receive, send)
        rest = asked.url.remove_query_params("token").query
        path = "/" + scope["path"].lstrip("/")  # two slashes would lead to another site
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        is_secure = asked.url.scheme == "https"
        answer.set_cookie(cookie, self._token, httponly=True, samesite="lax", secure=is_secure)
        await answer(scope, receive, send)

    def _is_it(self, shown: str | None) -> bool:
        return shown is not None and hmac.compare_digest(shown.encode(), self._token.encode())
