"""The page as it is worked on: Vite's server stands before a real one, which knows the page for its own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from doors import environment, serving
from ports import free_port
from waiting import PATIENCE, eventually

WEB = Path(__file__).parents[2] / "web"

pytestmark = pytest.mark.slow


@contextmanager
def developing(server: str) -> Iterator[httpx.Client]:
    """A client of Vite's server, which stands before another."""
    port = free_port()
    vite = subprocess.Popen(
        ["node", "node_modules/vite/bin/vite.js", "--port", str(port), "--strictPort", "--host", "localhost"],
        cwd=WEB,
        env=environment(FABULA_URL=server),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with httpx.Client(base_url=f"http://localhost:{port}", timeout=PATIENCE, trust_env=False) as client:

            def answers() -> bool:
                try:
                    return client.get("/api/v2/health").status_code == 200
                except httpx.TransportError:
                    return False

            eventually(answers)
            yield client
    finally:
        vite.terminate()
        vite.wait(PATIENCE)


def test_the_page_on_vites_server_writes_and_no_other_does(tmp_path: Path) -> None:
    with serving(tmp_path) as server, developing(server.url) as client:
        own = str(client.base_url).rstrip("/")
        shown = {"x-fabula-page": client.get("/api/v2/page-token").json()["token"]}
        made = client.post("/api/v2/stories", json={"title": "甲"}, headers={"origin": own, **shown})
        assert made.status_code == 201, made.text
        for origin in ("http://localhost:3000", server.url):
            refused = client.post(
                "/api/v2/stories", json={"title": "乙"}, headers={"origin": origin, **shown}
            )
            assert refused.status_code == 403
