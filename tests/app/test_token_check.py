"""The server's token: who does not show it sees nothing; who does gets a cookie."""

import pytest
from bertflow_app.token_check import TokenCheck
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

TOKEN = "a-token-that-nobody-guesses"


async def page(request):
    return PlainTextResponse(f"inside {request.url.query}")


async def stream(websocket):
    await websocket.accept()
    await websocket.send_text("inside")
    await websocket.close()


@pytest.fixture
def visit(monkeypatch):
    """Return a function that makes a new visitor of a server with a token, or without."""

    def visit(token: str = TOKEN) -> TestClient:
        monkeypatch.setenv("BERTFLOW_TOKEN", token)
        routes = [
            Route("/{path:path}", page, methods=["GET", "PUT"]),
            WebSocketRoute("/ws", stream),
        ]
        return TestClient(TokenCheck(Starlette(routes=routes)), follow_redirects=False)

    return visit


@pytest.mark.parametrize("path", ["/", "/?token=", f"/?token={TOKEN}x", f"/?token={TOKEN[:-1]}"])
def test_without_the_token_nothing_is_answered(visit, path):
    visitor = visit()
    for answer in (visitor.get(path), visitor.put(path), visitor.get(f"/_stcore/metrics{path}")):
        assert answer.status_code == 401
        assert "inside" not in answer.text
        assert not answer.cookies
    with pytest.raises(WebSocketDisconnect), visitor.websocket_connect("/ws"):
        pass
    assert visitor.get("/_stcore/health").status_code == 200


def test_the_token_becomes_a_cookie_that_scripts_cannot_read_and_leaves_the_address(visit):
    visitor = visit()
    answer = visitor.get(f"/words?seed=3&token={TOKEN}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/words?seed=3")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert visitor.get("/words?seed=3").text == "inside seed=3"
    with visitor.websocket_connect("/ws") as websocket:
        assert websocket.receive_text() == "inside"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_cookie_given_over_tls_is_never_sent_without(visit, scheme):
    answer = visit().get(f"{scheme}://testserver/?token={TOKEN}")
    assert ("secure" in answer.headers["set-cookie"].lower()) == (scheme == "https")


def test_a_path_of_two_slashes_does_not_lead_to_another_site(visit):
    answer = visit().get(f"http://testserver//evil.example/?token={TOKEN}")
    assert answer.headers["location"] == "/evil.example/"


def test_a_cookie_that_is_wrong_or_of_another_server_is_refused(visit):
    visitor = visit()
    visitor.cookies.set("bertflow_token_80", "wrong")
    visitor.cookies.set("bertflow_token_81", TOKEN)
    assert visitor.get("/").status_code == 401


def test_without_a_token_everybody_gets_in(visit):
    assert visit("").get("/").text == "inside "
