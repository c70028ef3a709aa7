"""A story memory whose model answers at once, and whose endpoint takes requests of other clients."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from fabula.llm.cancel_token import CancelToken
from fabula.llm.scripted import ScriptedChatModel
from fabula.memory import Memory
from fabula.model.story import Limits
from postgres import place_at


class ModelWithEndpoint(ScriptedChatModel):
    """A scripted model behind an endpoint; requests are looked at before any is sent."""

    def chosen(self) -> str:
        return self.name

    def listed(self, *, is_hasty: bool = False) -> tuple[dict[str, Any], ...]:
        return ({"id": self.name},)

    def window(self) -> int | None:
        return None

    def takes_any_order(self) -> bool:
        return True

    def wants_strict_order(self) -> None: ...

    def pass_on(self, content: bytes, cancel_token: CancelToken) -> NoReturn:
        raise AssertionError("no request is sent")

    def without_key(self, said: str) -> str:
        return said

    def shows_key(self, said: str) -> bool:
        return False


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    chat = ModelWithEndpoint(lambda _: "Yes.")
    # A busy machine is no reason to give up.
    limits = Limits(query_timeout_ms=120_000)
    place = place_at(tmp_path / "fabula.db")
    with Memory(place, chat=chat, model_calls_per_minute=1_000_000, limits=limits) as opened:
        yield opened
