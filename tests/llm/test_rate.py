"""No caller uses a model too often, and none pays for another."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabula.api.app import create_app
from fabula.errors import LlmUnavailable, RateLimited
from fabula.llm.chat import ChatRequest
from fabula.llm.rate import WINDOW_S, CallRate
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.model.account import Identity, local
from fabula.model.context import ChatMessage
from postgres import place_at

HELLO = ChatRequest(messages=(ChatMessage(role="user", content="在吗？"),))


@dataclass
class Hands:
    """A clock that is set by hand."""

    now: float = 0.0

    def monotonic(self) -> float:
        return self.now


PAUSES = st.floats(0, 90) | st.sampled_from([0.0, 1.0, 30.0, 59.999, 60.0])


@given(
    limit=st.integers(1, 5),
    calls=st.lists(st.tuples(st.sampled_from("甲乙"), PAUSES), max_size=60),
    start=st.sampled_from([0.0, 1e6 + 0.1]),
)
def test_never_more_than_the_limit_in_any_minute_and_no_call_refused_without_need(
    limit: int, calls: list[tuple[str, float]], start: float
) -> None:
    clock = Hands(start)
    rate = CallRate(limit, clock.monotonic)
    admitted: dict[str, list[float]] = {"甲": [], "乙": []}
    for caller, pause in calls:
        clock.now += pause
        recent = [then for then in admitted[caller] if clock.now - then < WINDOW_S]
        if len(recent) < limit:
            rate.admit(caller)
            admitted[caller].append(clock.now)
        else:
            with pytest.raises(RateLimited) as refused:
                rate.admit(caller)
            assert refused.value.details is not None
            wait = refused.value.details["retryAfterSeconds"]
            needed = WINDOW_S - (clock.now - recent[0])
            assert needed <= wait <= max(1, needed + 1)
    for times in admitted.values():
        for first in times:
            assert sum(0 <= then - first < WINDOW_S for then in times) <= limit


def test_threads_share_one_count() -> None:
    rate = CallRate(100, lambda: 0.0)
    admitted = []

    def work() -> None:
        for _ in range(50):
            try:
                rate.admit("甲")
            except RateLimited:
                continue
            admitted.append(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(admitted) == 100


def test_callers_of_whom_nothing_is_left_are_forgotten() -> None:
    clock = Hands()
    rate = CallRate(3, clock.monotonic)
    for number in range(1000):
        rate.admit(f"user-{number}")
    clock.now = WINDOW_S
    rate.admit("甲")
    assert list(rate._calls) == ["甲"]


def test_a_limit_of_zero_is_none() -> None:
    rate = CallRate(0, lambda: 0.0)
    for _ in range(1000):
        rate.admit("甲")


# On a memory


def scripted(tmp_path: Path, limit: int) -> Memory:
    model = ScriptedChatModel(lambda request: request.messages[-1].content)
    return Memory(place_at(tmp_path / "fabula.db"), chat=model, model_calls_per_minute=limit)


def test_every_way_to_the_model_is_counted_for_the_one_who_asks(tmp_path: Path) -> None:
    with scripted(tmp_path, 2) as memory:
        lin, su = Identity("u1", "lin"), Identity("u2", "su")
        assert memory.call(lin).model().complete(HELLO).text == "在吗？"
        assert "".join(memory.call(lin).model().stream(HELLO)) == "在吗？"
        for ask in (memory.call(lin).model().complete, memory.call(lin).model().stream):
            with pytest.raises(RateLimited):
                ask(HELLO)
        memory.call(su).model().complete(HELLO)
        for door in ("ipc", "cli"):
            memory.call(local(door)).model().complete(HELLO)
        with pytest.raises(RateLimited):
            memory.call().model().complete(HELLO)


def test_rest_says_how_long_to_wait(tmp_path: Path) -> None:
    with scripted(tmp_path, 1) as memory:
        app = create_app(memory, version="0")

        @app.get("/docs/hello")
        def hello() -> str:
            return memory.call().model().complete(HELLO).text

        async def ask_twice() -> tuple[httpx.Response, httpx.Response]:
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                return await client.get("/docs/hello"), await client.get("/docs/hello")

        answered, refused = asyncio.run(ask_twice())
    assert answered.json() == "在吗？"
    assert refused.status_code == 429
    body = refused.json()
    assert body["code"] == "RATE_LIMITED"
    assert body["details"]["limit"] == 1
    assert refused.headers["retry-after"] == str(body["details"]["retryAfterSeconds"])


def test_without_a_model_it_is_said_how_to_get_one(memory: Memory) -> None:
    assert memory.call().chat is None
    with pytest.raises(LlmUnavailable) as refused:
        memory.call().model()
    assert refused.value.details == {"reason": "not_configured"}
    assert "FABULA_LLM_BASE_URL" in str(refused.value.suggestion)
