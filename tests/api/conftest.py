"""What the tests of doors share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from doors import Ask, Pipe, Server, Socket, through_messages, through_python
from fabula.memory import Memory


@pytest.fixture(scope="session")
def house(server: Server) -> Iterator[Memory]:
    """The stories of the server, opened in this process too."""
    with Memory(server.db) as opened:
        yield opened


@pytest.fixture(scope="session")
def pipe(server: Server) -> Iterator[Pipe]:
    """`fabula ipc` on the stories of the server."""
    opened = Pipe(server.db)
    yield opened
    assert opened.close() == 0


@pytest.fixture
def socket(server: Server) -> Iterator[Socket]:
    """A fresh WebSocket to the server."""
    opened = Socket(server)
    yield opened
    opened.close()


@pytest.fixture(params=["python", "http", "socket", "pipe"])
def ask(request: pytest.FixtureRequest, server: Server) -> Ask:
    """Each door in turn: takes a channel and a payload, gives the envelope."""
    if request.param == "python":
        return through_python(request.getfixturevalue("house"))
    if request.param == "http":
        return server.ask
    return through_messages(request.getfixturevalue(request.param).say)
