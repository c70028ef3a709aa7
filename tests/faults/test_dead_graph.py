"""A Neo4j that is not there, or freezes: what is asked of it is refused soon, and writing goes on."""

from __future__ import annotations

import time
from pathlib import Path

from doors import serving
from faulty import Tell
from graph_server import PASSWORD, USER, own_server
from load import STORY, Writers, begin, held
from ports import free_port
from waiting import SLACK_S, eventually

SOON_S = 3.0


def test_dead(tmp_path: Path, tell: Tell) -> None:
    begin(tmp_path / "fabula.db")
    uri = f"bolt://127.0.0.1:{free_port()}"
    with serving(tmp_path, FABULA_GRAPH="neo4j", FABULA_NEO4J_URI=uri) as server:
        writers = Writers(lambda: [server.url])
        writers.start()
        writers.grow(10)
        began = time.monotonic()
        refused = server.client.get(f"/api/v2/stories/{STORY}/graph")
        seconds = time.monotonic() - began
        assert (refused.status_code, refused.json()["code"]) == (503, "GRAPH_UNAVAILABLE")
        assert seconds < SOON_S + SLACK_S
        writers.grow(10)
        writers.stop()
        assert server.client.get("/api/v2/ready").status_code == 200
        assert server.end() == 0
    assert not writers.refusals
    tell(f"Neo4j dead: refused in {seconds:.1f} s, writing goes on", held(tmp_path / "fabula.db", writers))


def test_silent(tmp_path: Path, tell: Tell) -> None:
    begin(tmp_path / "fabula.db")
    with own_server(tmp_path, "neo4j") as neo4j:
        settings = {"URI": neo4j.uri, "USER": USER, "PASSWORD": PASSWORD}
        given = {f"FABULA_NEO4J_{name}": value for name, value in settings.items()}
        with serving(tmp_path, FABULA_GRAPH="neo4j", **given) as server:
            graph = f"/api/v2/stories/{STORY}/graph"
            writers = Writers(lambda: [server.url])
            writers.start()
            writers.grow(10)
            # On a busy machine three writers may be faster than the mirror for as long as they write.
            writers.stop()
            eventually(lambda: server.client.get(graph).status_code == 200)
            writers.start()
            neo4j.freeze()
            seconds = []
            for address in (graph, f"{graph}/chapters/0", f"{graph}/mirror"):
                began = time.monotonic()
                refused = server.client.get(address)
                seconds.append(time.monotonic() - began)
                assert (refused.status_code, refused.json()["code"]) == (503, "GRAPH_UNAVAILABLE")
            assert max(seconds) < SOON_S + SLACK_S
            writers.grow(20)
            assert server.client.get("/api/v2/ready").status_code == 200
            neo4j.thaw()
            writers.stop()
            mirror = f"{graph}/mirror"
            eventually(lambda: server.client.get(mirror).json().get("equal") is True)
            neo4j.freeze()
            assert server.end() == 0
            neo4j.thaw()
    assert not writers.refusals
    tell(
        f"Neo4j frozen: refused in {max(seconds):.1f} s, writing goes on, caught up with afterwards",
        held(tmp_path / "fabula.db", writers),
    )
