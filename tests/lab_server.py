"""The dashboard as its own process, as tests ask for it."""

from pathlib import Path

from bertflow_benchmarks.server import Server, start

__all__ = ["Server", "shake_hands", "start", "strange_folder"]

HANDSHAKE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
}


def strange_folder(folder: Path) -> Path:
    """Make a folder to start from, with modules in it that a careless import would find."""
    for name in ("app", "data", "queue"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("raise ImportError('a stranger')\n")
    return folder


def shake_hands(served: Server, host: str, origin: str | None = None) -> int:
    """Ask for a websocket under a host's name, from its own page or another."""
    named = f"{host}:{served.port}"
    headers = {**HANDSHAKE, "Host": named, "Origin": origin or f"http://{named}"}
    return served.get("/_stcore/stream", **headers)[0]
