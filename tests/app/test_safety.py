"""Who is let in: by host, origin and token; the server's settings; what no page may do."""

import re
import sys
import tomllib
from pathlib import Path

import bertflow_app
import pytest
from bertflow_app.server import guard
from bertflow_app.server.entry import SCRIPT
from bertflow_app.server.token_check import TokenCheck
from project_tree import ROOT
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from streamlit.runtime.scriptrunner.exec_code import modified_sys_path

APP = Path(bertflow_app.__file__).parent
TOKEN = "a-token-that-nobody-guesses"


def test_every_promise_names_tests_that_are_there():
    promises, _, rest = (ROOT / "SECURITY.md").read_text(encoding="utf-8").partition("These files")
    lines = [line for line in rest.partition("##")[0].splitlines() if line.startswith("- ")]
    assert len(lines) == promises.count("\n- **")
    for line in lines:
        named = re.findall(r"`(tests/[^`]+)`", line)
        assert named and all((ROOT / name).is_file() for name in named), line


def test_no_page_reads_markup_and_one_frame_shows_html():
    """What the frame may do is tested in tests/studies/tour/test_tour_html.py."""
    framed = []
    for path in APP.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for call in ("unsafe_allow_html", "st.html", "components.v1"):
            assert call not in text, path
        framed += [path.name] * text.count("iframe(")
    assert framed == ["tour.py"]


def test_the_configuration_is_closed():
    settings = tomllib.loads(
        (APP / "server" / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    )
    server = settings["server"]
    closed = {
        "address": "127.0.0.1",
        "allowedHosts": ["localhost", "127.0.0.1"],
        "maxUploadSize": 20,
        "maxWidgetStateSize": 1,
    }
    assert closed.items() <= server.items()
    assert all(server.get(name, True) for name in ("enableCORS", "enableXsrfProtection"))
    assert not any(server.get(name) for name in ("enableStaticServing", "enableAgentApi"))
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorDetails"] == "none"


def test_the_origin_is_the_server_itself_or_one_that_was_trusted(monkeypatch):
    def welcome(*, hosts=("localhost", "127.0.0.1"), origins=(), **headers):
        settings = {"server.allowedHosts": hosts, "server.corsAllowedOrigins": origins}
        monkeypatch.setattr(guard.st, "get_option", settings.get)
        return guard._is_welcome(Headers(headers))

    assert welcome(host="LOCALHOST:80", origin="https://LOCALHOST:80")
    assert welcome(host="evil", hosts=["*"])
    assert not welcome(host="localhost:1", origin="http://localhost:2")
    assert not welcome(host="localhost", origin="null")
    assert not welcome(host="localhost", origin="")
    assert not welcome(host="lab.example", origin="http://evil.example", hosts=["*"])
    assert not welcome(host="lab.example", origin="http://lab.example.evil", hosts=["*"])
    assert welcome(host="lab.example", hosts=["Lab.Example"])
    trusted = ["https://lab.example"]
    assert welcome(host="localhost", origin="https://lab.example", origins=trusted)
    assert not welcome(host="localhost", origin="https://lab.example.evil", origins=trusted)


def test_a_run_of_the_page_takes_nothing_off_the_import_path():
    """A thread that reads the path meanwhile would skip a place, and miss what lies there."""
    assert SCRIPT.is_file()
    before = sys.path.copy()
    with modified_sys_path(str(SCRIPT)):
        assert sys.path == before
    assert sys.path == before


async def page(request):
    return PlainTextResponse(f"inside {request.url.query}")


@pytest.mark.parametrize(
    ("allowed", "policy"),
    [
        ("", "frame-ancestors 'self'"),
        ("https://a https://b", "frame-ancestors 'self' https://a https://b"),
    ],
)
def test_no_answer_may_be_framed_by_a_site_that_is_not_named(monkeypatch, allowed, policy):
    monkeypatch.setenv("BERTFLOW_FRAMES", allowed)
    monkeypatch.setattr(guard.st, "get_option", {"server.corsAllowedOrigins": []}.get)
    visitor = TestClient(guard.Guard(Starlette(routes=[Route("/page", page)])))
    evil = {"Origin": "http://evil.example"}
    answers = visitor.get("/page"), visitor.get("/none"), visitor.get("/page", headers=evil)
    assert [answer.status_code for answer in answers] == [200, 404, 403]
    for answer in answers:
        assert answer.headers["content-security-policy"] == policy


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
    visitor.cookies.set("bertflow_token_80", "wrong")
    visitor.cookies.set("bertflow_token_81", TOKEN)  # of another server
    assert visitor.get("/").status_code == 401
    assert visit("").get("/").text == "inside "  # a server that has none lets everybody in


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
    answer = visit().get(f"http://testserver//evil.example/?token={TOKEN}")
    assert answer.headers["location"] == "/evil.example/"  # not another site


def test_a_cookie_given_over_tls_is_never_sent_without(visit):
    for scheme in ("http", "https"):
        answer = visit().get(f"{scheme}://testserver/?token={TOKEN}")
        assert ("secure" in answer.headers["set-cookie"].lower()) == (scheme == "https")
